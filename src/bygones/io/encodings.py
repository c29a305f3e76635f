"""Bytes of text files in any encoding, as UTF-8."""

import codecs
import re
from collections.abc import Iterator

MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
LOOKED_AT = 4096  # bytes that show where zeros are
MIXED = re.compile(rb"[\xc3-\xf4][\x80-\xbf]")  # a sign of UTF-8, which texts of Windows hardly have
ASK = 'say what it is, encoding="cp1252" (Windows), encoding="latin-1" or another'


def wide(piece: bytes) -> str | None:
    """The encoding with two bytes for each sign that the first bytes of a file show; None: another.

    >>> wide("a,b".encode("utf-16-le")), wide("a,b".encode("utf-16")), wide(b"a,b"), wide(bytes(range(256)))
    ('utf-16-le', 'utf-16', None, None)
    """
    marked = next((name for mark, name in MARKS.items() if piece.startswith(mark)), None)
    if marked:
        return marked
    even, odd = piece[:LOOKED_AT:2], piece[1:LOOKED_AT:2]
    for here, other, name in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        if b"\0" not in other and 2 * here.count(b"\0") > len(here) > 1:
            return name
    return None


def as_utf8(pieces: Iterator[bytes], encoding: str | None) -> Iterator[bytes]:
    """The pieces of a file, decoded where that must be done before lines can be told apart.

    Args:
        pieces: the file's bytes; an empty one at the end.
        encoding: as the user says; None: the file's first bytes show it if there are two for each sign.

    Yields:
        As many pieces, in UTF-8 unless the file has another encoding with one byte for a comma.

    Raises:
        ValueError: if the file is not in that encoding.
    """
    decoder, lines, first = None, 1, True
    for piece in pieces:
        if first:
            name = encoding or wide(piece)
            decoder = None if name in (None, "utf-8") else codecs.getincrementaldecoder(name)()
            first = False
        if decoder is None:
            yield piece.removeprefix(codecs.BOM_UTF8) if lines == 1 else piece
            lines = 0
            continue
        try:
            text = decoder.decode(piece, final=not piece)
        except UnicodeDecodeError as error:
            fault = f"after line {lines}, byte {error.object[error.start]:#x} is not {error.encoding}"
            raise ValueError(f"{fault}: {ASK}") from None
        lines += text.count("\n")
        if text or not piece:  # an empty one says that the file ends
            yield text.removeprefix("\ufeff").encode(errors="replace")


class Narrow:
    """The encoding of a text file with one byte for a comma: UTF-8, or where it is not, that of Windows.

    Args:
        encoding: as the user says; None: found.
    """

    def __init__(self, encoding: str | None) -> None:
        self.encoding = encoding
        self.windows = False

    def decode(self, block: bytes, before: int) -> bytes:
        """A block of whole lines in UTF-8.

        Args:
            block: as it was read.
            before: the number of lines before it.

        Returns:
            The block.

        Raises:
            ValueError: if it is not text, or may be of two encodings; the message has the line.
        """
        place, fault = block.find(b"\0"), "holds a NUL byte, as binary files do: give a text file"
        if place < 0 and not block.isascii():
            try:
                if self.windows:
                    return block.decode("cp1252").encode()
                block.decode()
                self.encoding = "utf-8"  # what is written so once, is so everywhere
            except UnicodeDecodeError as error:
                place, fault = error.start, f"is neither UTF-8 nor cp1252: {ASK}"
                if self.encoding is None and not self.windows and MIXED.search(block) is None:
                    self.windows = True
                    return self.decode(block, before)
                if not self.windows:
                    fault = f"is not UTF-8 (byte {block[place]:#x}), as other text here is: {ASK}"
        if place >= 0:
            raise ValueError(f"line {before + block.count(chr(10).encode(), 0, place) + 1} {fault}")
        return block

    def notes(self) -> list[str]:
        """A note, where the encoding was guessed."""
        said = "the text is read as cp1252, as Windows writes it: if names look wrong, name its encoding"
        return [said] if self.windows else []
