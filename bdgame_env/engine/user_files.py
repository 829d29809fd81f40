"""Files that users hand in: read in one way, and kept with whatever was made from them."""

from __future__ import annotations

import hashlib
import os
import stat
from contextlib import suppress
from pathlib import Path

MOST_BYTES = 100_000_000


class NotRead(ValueError):
    """A file that cannot be read, or is not text; the message says why in one line, without the file's name."""


class KeptFile(str):
    """The name of a file, together with the file's contents when the name was given.

    It is the text of the path wherever a text is wanted. Copies and pickles hold the contents, so nobody needs the file
    any more: it may be edited or removed, and a relative path may be used in another folder or process.

    Attributes:
        data: the contents.
    """

    data: bytes

    def __new__(cls, name: str, data: bytes) -> KeptFile:
        kept = super().__new__(cls, name)
        kept.data = data
        return kept

    def __getnewargs__(self) -> tuple[str, bytes]:  # type: ignore[override]
        return str(self), self.data

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other) and (not isinstance(other, KeptFile) or self.data == other.data)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


def is_file(name: str) -> bool:
    """Whether there is a file of this name, which may be no name that a file can have."""
    with suppress(OSError, ValueError):
        return Path(name).is_file()
    return False


def keep(path: str | os.PathLike[str], most: int = MOST_BYTES) -> KeptFile:
    """A file's name with its contents; what is kept already stays as it is.

    Args:
        path: of an ordinary file: reading a pipe or a device might never end.
        most: bytes that it may have.

    Raises:
        NotRead: it cannot be read, is no ordinary file, or is too large.
    """
    kept = path if isinstance(path, KeptFile) else KeptFile(os.fsdecode(path), _bytes_of(Path(path), most))
    if len(kept.data) > most:
        raise NotRead(f"it is too large: at most {most:,} bytes are read")
    return kept


def _bytes_of(path: Path, most: int) -> bytes:
    """The contents of a file, or of one that is too large its beginning."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise NotRead("cannot be read: it is no ordinary file")
        with path.open("rb") as file:
            return file.read(most + 1)
    except NotRead:
        raise
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise NotRead(f"cannot be read: {getattr(error, 'strerror', None) or error}") from None


def text_of(data: bytes) -> str:
    r"""The text of a file's contents: UTF-8, with or without a byte order mark; every end of line becomes `\n`.

    Raises:
        NotRead: it is not UTF-8.
    """
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise NotRead(f"not UTF-8 text from byte {error.start} on") from None


def read_text(path: str | os.PathLike[str], most: int = MOST_BYTES) -> str:
    """The text of a file that a user handed in. Arguments and errors as for `keep` and `text_of`."""
    return text_of(keep(path, most).data)


def digest_of(data: bytes) -> str:
    """What tells contents apart: the first 16 hex digits of their SHA-256."""
    return hashlib.sha256(data).hexdigest()[:16]
