"""Content that shows every damage, and limits on what it may claim.

A saved file holds a digest of all its other bytes. It is checked before anything else looks at them: damaged Parquet
can end the process, which nobody could catch. The digest shows damage, not intent: who changes a file can compute it
again. So whatever has a size is checked against the bytes that are there before anything is allocated.
"""

import hashlib
import json
import math
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..version import __version__
from .files import as_bytes

if TYPE_CHECKING:
    import polars as pl

VERSION = 2
SEAL = "bygones-sha256:"
DIGITS = 64
BLANK = SEAL + "0" * DIGITS  # until everything else is written
ROOMY, RATIO = 2**31, 100  # bytes that any Parquet file may unpack to; or so many times its own size
_EPOCH = (1980, 1, 1, 0, 0, 0)  # so that the same content gives the same bytes


class Form(NamedTuple):
    """A kind of file.

    Args:
        what: what it holds, such as `"player"`.
        writer: the function that writes it, for messages.
    """

    what: str
    writer: str

    def read(self, path: Path) -> bytes:
        """The content of a file; raises ValueError if a bit of it was changed since it was saved."""
        if path.exists() and not path.is_file() and not path.is_dir():  # a pipe may never end
            raise ValueError(self.refusal(str(path)))
        content = path.read_bytes()
        self.check(content, str(path))
        return content

    def check(self, content: bytes, path: str) -> None:
        """Check the digest of some content.

        Args:
            content: all the bytes.
            path: where they are from, for messages.

        Raises:
            ValueError: if they are not what was saved.
        """
        at = content.rfind(SEAL.encode())
        if at < 0:
            raise ValueError(self.refusal(path, ", or an earlier bygones saved it, without a digest"))
        if content[at + len(SEAL) :][:DIGITS] != _digest(content):
            raise ValueError(self.refusal(path))

    def refusal(self, path: str, older: str = "") -> str:
        """What to say of a file that is something else.

        Args:
            path: where it is.
            older: what else it may be.

        Returns:
            A sentence.
        """
        return f"{path} is not a saved {self.what}, or it is damaged{older}: give a file that {self.writer} wrote"

    @contextmanager
    def reading(self, path: str) -> Iterator[None]:
        """Whatever goes wrong while content is taken apart, as one sentence."""
        try:
            yield
        except Exception:
            raise ValueError(self.refusal(path)) from None


def _digest(content: bytes) -> bytes:
    """The digest of everything but the digest itself, which stands after the last seal."""
    at = content.rindex(SEAL.encode()) + len(SEAL)
    rest = memoryview(content)
    digest = hashlib.sha256(rest[:at])
    digest.update(rest[at + DIGITS :])
    return digest.hexdigest().encode()


def _sealed(content: bytes) -> bytes:
    """The content with its digest in place of the blank."""
    at = content.rindex(SEAL.encode()) + len(SEAL)
    return b"".join((content[:at], _digest(content), content[at + DIGITS :]))


def stamped(form: Form, **parts: object) -> dict[str, Any]:
    """The header of a file: what it is, who wrote it, and its parts.

    Args:
        form: what kind of file it is.
        parts: what else the header holds, by name.

    Returns:
        The header, as `check_stamp` expects it.
    """
    return {"format": f"bygones {form.what}", "version": VERSION, "bygones": __version__, **parts}


def check_stamp(header: Any, form: Form, path: str, **kinds: type) -> None:  # noqa: ANN401
    """Check the header of a file.

    Args:
        header: what was read.
        form: what the file must be.
        path: where it is from, for messages.
        kinds: the types of its parts.

    Raises:
        ValueError: if it is not what `stamped` made, or a newer bygones made it.
    """
    ours = isinstance(header, dict) and header.get("format") == f"bygones {form.what}"
    version = header.get("version") if ours else None
    if isinstance(version, int) and version > VERSION:
        raise ValueError(
            f"{path} was written by a newer bygones ({header.get('bygones')}, format {version}; "
            f"this is {__version__}, which reads up to {VERSION}): upgrade bygones to read it"
        )
    kinds |= {"bygones": str}
    if version != VERSION or any(not isinstance(header.get(name), kind) for name, kind in kinds.items()):
        raise ValueError(form.refusal(path))


def to_zip(members: Mapping[str, bytes]) -> bytes:
    """A sealed archive; nothing in it is compressed, so that nothing in it can be larger than itself."""

    def write(buffer: Any) -> None:  # noqa: ANN401
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.comment = BLANK.encode()
            for name, content in members.items():
                archive.writestr(zipfile.ZipInfo(name, _EPOCH), content)

    return _sealed(as_bytes(write))


def from_zip(content: bytes) -> dict[str, bytes]:
    """The members of an archive that `to_zip` made; raises ValueError if they are larger than the archive."""
    with zipfile.ZipFile(BytesIO(content)) as archive:
        members = archive.infolist()
        if sum(max(member.file_size, member.compress_size) for member in members) > len(content):
            raise ValueError("the members are larger than their archive")
        return {member.filename: archive.read(member) for member in members}


def array_bytes(array: NDArray[Any]) -> bytes:
    """An array as a `.npy` file."""
    return as_bytes(lambda buffer: np.lib.format.write_array(buffer, array, allow_pickle=False))


def array_from(content: bytes) -> NDArray[Any]:
    """The inverse of `array_bytes`; raises ValueError if its header claims another size than the bytes have."""
    buffer = BytesIO(content)
    first = np.lib.format.read_magic(buffer) == (1, 0)
    header = np.lib.format.read_array_header_1_0 if first else np.lib.format.read_array_header_2_0
    shape, _, kind = header(buffer)
    if math.prod(shape) * kind.itemsize != len(content) - buffer.tell():
        raise ValueError(f"an array of shape {shape} and type {kind} does not have these bytes")
    buffer.seek(0)
    read: NDArray[Any] = np.lib.format.read_array(buffer, allow_pickle=False)
    return read


def sealed_frame(frame: "pl.DataFrame", header: Mapping[str, Any]) -> bytes:
    """A frame as sealed Parquet, with a header in its metadata.

    Args:
        frame: the data.
        header: what `stamped` made.

    Returns:
        The bytes; whoever reads Parquet can read them.
    """
    metadata = {"bygones": json.dumps({**header, "seal": BLANK})}  # the last seal is ours, whatever the header says
    return _sealed(as_bytes(lambda buffer: frame.write_parquet(buffer, metadata=metadata)))


def frame_from(content: bytes) -> "tuple[Any, pl.DataFrame]":
    """The header, if there is one, and the frame of a Parquet file; raises ValueError if the frame is far too large."""
    (header,), frame = frames_from([content])
    return header, frame


def frames_from(contents: list[bytes]) -> "tuple[list[Any], pl.DataFrame]":
    """The same of several files with the same columns at once, which is ten times faster if they are small.

    Args:
        contents: of the files.

    Returns:
        The headers, and the rows of all files, one after the other.

    Raises:
        ValueError: if the frames are far too large.
    """
    import polars as pl

    try:
        said = [pl.read_parquet_metadata(BytesIO(each)).get("bygones", "{}") for each in contents]
        total = sum(map(len, contents))
        rows = pl.scan_parquet(contents).select(pl.len()).collect().item()
        size = rows * len(pl.read_parquet_schema(BytesIO(contents[0]))) * 8
        if size > max(ROOMY, RATIO * total):
            raise ValueError(f"{total} bytes would unpack to {size}")
        return [json.loads(each) for each in said], pl.read_parquet(contents)
    except pl.exceptions.PanicException as error:  # which is no Exception
        raise ValueError(str(error)) from None
