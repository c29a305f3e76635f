"""Saving and loading: files are written whole or not at all, show every damage, and never hold pickles."""

from .files import TRIES, UNFINISHED, as_bytes, check_place, held, replacing, sweep, unfinished
from .players import load, save
from .sealed import (
    Form,
    array_bytes,
    array_from,
    check_stamp,
    frame_from,
    frames_from,
    from_zip,
    sealed_frame,
    stamped,
    to_zip,
)

__all__ = [
    "TRIES",
    "UNFINISHED",
    "Form",
    "array_bytes",
    "array_from",
    "as_bytes",
    "check_place",
    "check_stamp",
    "frame_from",
    "frames_from",
    "from_zip",
    "held",
    "load",
    "replacing",
    "save",
    "sealed_frame",
    "stamped",
    "sweep",
    "to_zip",
    "unfinished",
]
