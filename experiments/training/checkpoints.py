"""Checkpoints of training: one file with all that a run needs to go on, written whole or not at all."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import asdict, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from pydantic import Field, NonNegativeInt, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from bdgame_env.engine.quoting import shown

from ..errors import BadInput
from ..files import write_bytes
from .config import STRICT, Amount, first_mistake
from .evaluation import CurveRow

FORMAT = 4

Arrays = dict[str, npt.NDArray[Any]]


@dataclass(config=STRICT)
class RunState:
    """What a run counts.

    Attributes:
        decisions: how many it has learned from. updates: how many windows of play. steps: of Adam.
        seconds: how long it has taken.
        evaluated: how often the network has been measured.
        averaged_over: how many updates of self-play there were, see `TrainConfig.averaged_updates`.
        scores: of the league's snapshots, see `League.scores`.
        curve: the rows of the learning curve.
    """

    decisions: NonNegativeInt
    updates: NonNegativeInt
    steps: NonNegativeInt
    seconds: Amount
    evaluated: NonNegativeInt
    averaged_over: NonNegativeInt
    scores: list[Annotated[list[Amount], Field(min_length=2, max_length=2)]] = field(default_factory=list)
    curve: list[CurveRow] = field(default_factory=list)


def write_checkpoint(path: Path, state: RunState, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Replace a checkpoint; whenever the program stops, the old or the new one is there.

    Raises:
        NotWritten: the disk is full, for example; the old checkpoint is still there.
    """
    buffer = io.BytesIO()
    facts = json.dumps({"format": FORMAT, "state": asdict(state)}, allow_nan=False)
    files: dict[str, Any] = {"facts": np.array(facts), **arrays}
    np.savez(buffer, **files)  # compressing takes longer than the training between two
    write_bytes(path, buffer.getvalue())


def read_checkpoint(path: Path) -> tuple[RunState, Arrays] | None:
    """The checkpoint in a file, or None if there is none yet.

    Raises:
        BadInput: it is damaged or of another version; one line.
    """
    if not path.exists():
        return None
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        facts = json.loads(str(arrays.pop("facts")))
        version, state = facts["format"], json.dumps(facts["state"])
    except Exception as error:  # NumPy can raise anything for a file that is no archive of arrays
        raise damaged(path, f"{type(error).__name__}: {error}") from None
    if version != FORMAT:
        raise BadInput(f"{path} is of another version (format {shown(version)}, wanted {FORMAT}): choose another --out")
    try:
        return TypeAdapter(RunState).validate_json(state), arrays
    except ValidationError as error:
        raise damaged(path, first_mistake(error)) from None


def damaged(path: Path, what: str) -> BadInput:
    """The error for a checkpoint that cannot be used."""
    line = " ".join(what.split())
    return BadInput(f"{path} cannot be used: {line}; remove the file to train from the beginning")
