"""The pages of the live service: what they say, draw and ask for, as HTML."""

from .rendering import Seen, Visitor, journal_page, journals_page, login_page, new_page, refused_page, seen
from .trail import Trail

__all__ = [
    "Seen",
    "Trail",
    "Visitor",
    "journal_page",
    "journals_page",
    "login_page",
    "new_page",
    "refused_page",
    "seen",
]
