"""Checkpoints of training: a folder of arrays, facts and policies, written whole or not at all."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.quoting import shown
from bdgame_env.engine.user_files import text_of

from ..errors import BadInput
from ..files import recover_folder, replacing_folder, write_bytes, write_json

FORMAT = 2
_STATE, _ARRAYS = "state.json", "arrays.npz"

Arrays = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Checkpoint:
    """The contents of a checkpoint.

    Attributes:
        facts: plain JSON data.
        arrays: by name.
        files: other files, such as policies, by name.
    """

    facts: Mapping[str, Any]
    arrays: Arrays
    files: Mapping[str, bytes]

    def write(self, folder: Path) -> None:
        """Replace the checkpoint in a folder; whenever the program stops, the old or the new one is there.

        Raises:
            NotWritten: the disk is full, for example; the old checkpoint is still there.
        """
        files = {**self.files, _ARRAYS: to_bytes(self.arrays)}
        sums = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
        with replacing_folder(folder) as fresh:
            for name, data in files.items():
                write_bytes(fresh / name, data)
            write_json(fresh / _STATE, {"format": FORMAT, "files": sums, "facts": self.facts})


def read_checkpoint(folder: Path) -> Checkpoint | None:
    """The checkpoint of a folder, or None if there is none yet.

    Raises:
        BadInput: the checkpoint is damaged, incomplete or of another version; one line.
    """
    recover_folder(folder)
    if not folder.exists():
        return None
    state = folder / _STATE
    try:
        data = json.loads(text_of(state.read_bytes()))
        found, sums, facts = data.get("format"), data.get("files"), data.get("facts")
    except FileNotFoundError:
        raise damaged(folder, f"{_STATE} is missing") from None
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        raise damaged(folder, f"{_STATE}: {error}") from None
    if found != FORMAT:
        raise BadInput(f"{state} is of another version (format {shown(found)}, wanted {FORMAT}): choose another --out")
    if not isinstance(sums, dict) or not isinstance(facts, dict) or _ARRAYS not in sums:
        raise damaged(folder, f"{_STATE} does not list its files and facts")
    files = {name: _checked(folder, name, checksum) for name, checksum in sums.items()}
    try:
        arrays = from_bytes(files.pop(_ARRAYS))
    except Exception as error:  # NumPy can raise anything for a file that is no archive of arrays
        raise damaged(folder, f"{_ARRAYS}: {error}") from None
    return Checkpoint(facts, arrays, files)


def damaged(folder: Path, what: str) -> BadInput:
    """The error for a checkpoint that cannot be used."""
    line = " ".join(what.split())
    return BadInput(f"{folder} cannot be used: {line}; remove the folder to train from the beginning")


def _checked(folder: Path, name: str, checksum: Any) -> bytes:
    try:
        if Path(name).name != name:
            raise damaged(folder, f"{_STATE} lists {shown(name)}, which is not a file of the folder")
        data = (folder / name).read_bytes()
    except FileNotFoundError:
        raise damaged(folder, f"{name} is missing") from None
    except (OSError, ValueError) as error:
        if isinstance(error, BadInput):
            raise
        raise damaged(folder, f"{name}: {error}") from None
    if hashlib.sha256(data).hexdigest() != checksum:
        raise damaged(folder, f"{name} is not the file that was written")
    return data


def to_bytes(arrays: Arrays) -> bytes:
    """Arrays as the contents of an `.npz` file; records are kept as their bytes, see `as_record`."""
    buffer = io.BytesIO()
    plain: dict[str, Any] = {name: as_plain(values) for name, values in arrays.items()}
    np.savez(buffer, **plain)  # compressing takes longer than the training between two checkpoints
    return buffer.getvalue()


def from_bytes(data: bytes) -> Arrays:
    """The arrays of an `.npz` file; nothing is unpickled."""
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def count_of(value: Any) -> int:
    """Check that a fact is a count.

    Raises:
        ValueError: it is not.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{shown(value)} is not a count")
    return value


def amount_of(value: Any) -> float:
    """Check that a fact is a finite number, 0 or more.

    Raises:
        ValueError: it is not.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1e300:
        raise ValueError(f"{value!r} is not an amount")
    return float(value)


def as_plain(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Records (n,) as bytes, uint8 (n, size); other arrays unchanged."""
    if values.dtype.names is None:
        return values
    return np.ascontiguousarray(values).view(np.uint8).reshape(*values.shape, values.dtype.itemsize)


def like(values: npt.NDArray[Any], wanted: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The inverse of `as_plain`: an array with the shape and dtype of `wanted`.

    Raises:
        ValueError: shape or dtype differ.
    """
    plain = as_plain(wanted)
    if values.shape != plain.shape or values.dtype != plain.dtype:
        raise ValueError(f"an array of {values.dtype} {values.shape}, wanted {plain.dtype} {plain.shape}")
    return values.copy().view(wanted.dtype).reshape(wanted.shape)
