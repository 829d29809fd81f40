"""Reads policy files: everything in them is checked, so that a policy that loads can play.

A policy file is an `.npz` with the parts of a `Network`, the numbers of the rows of `first` that are not zero
(`first_rows`), and a JSON text `meta`, which says what game it is for and how it was trained (`Policy.to_bytes`).
Nothing in it is unpickled.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.quoting import SENTENCE, cut, listed, shown
from bdgame_env.engine.user_files import KeptFile

from .face_plan import FACE, NUMBER, TooManyDecks, has_faces, plan_by
from .network import Network, shapes, size_of, view
from .policy import FORMAT, Policy
from .row_plan import Plan

_MOST_BYTES = 1_000_000_000  # of all arrays together
_WIDEST, _DEEPEST = 4096, 16


class BadPolicy(ValueError):
    """A policy file that cannot be used; the message says why, in one line."""


def load_policy(path: str | PathLike[str], game: Game, config: GameConfig) -> Policy:
    """Read a policy file for a game.

    Raises:
        BadPolicy: it cannot be read, is damaged, or belongs to another game or other options.
    """
    return policy_of(_bytes_of(path), str(path), game, config)


def load_meta(path: str | PathLike[str]) -> dict[str, Any]:
    """What a policy file says of itself, for whatever game, observations and version it was made; not checked.

    Raises:
        BadPolicy: it cannot be read, or is damaged.
    """
    _, meta = _read(_bytes_of(path), str(path))
    if not isinstance(meta, dict):
        raise BadPolicy(f"{cut(path, SENTENCE)}: not a policy file: meta is not a table")
    return meta


def _bytes_of(path: str | PathLike[str]) -> bytes:
    try:
        return path.data if isinstance(path, KeptFile) else Path(path).read_bytes()
    except FileNotFoundError:
        raise BadPolicy(f"{cut(path, SENTENCE)}: no such policy file") from None
    except (OSError, TypeError, ValueError) as error:
        raise BadPolicy(f"{cut(path, SENTENCE)}: not a policy file: {_line(error)}") from None


def policy_of(data: bytes, where: str, game: Game, config: GameConfig) -> Policy:
    """The policy in the contents of a policy file.

    Args:
        data: the contents.
        where: the name of the file in error messages.
        game: the game to play.
        config: its cards and options.

    Raises:
        BadPolicy: as `load_policy`.
    """
    arrays, meta = _read(data, where)
    try:
        plan = _checked_plan(meta, game, config)
        return Policy(plan, _weights(arrays, plan, meta), meta["width"], meta["layers"], meta)
    except BadPolicy as error:
        raise BadPolicy(f"{cut(where, SENTENCE)}: {error}") from None


def file_of(policy: Policy, game: Game, config: GameConfig, where: str, *, half: bool = False) -> bytes:
    """The contents of a policy file, see `Policy.to_bytes`, after reading them once as whoever plays will.

    Raises:
        BadPolicy: nobody could read it, as of a network that has diverged, or has weights too large for half precision.
    """
    data = policy.to_bytes(half=half)
    policy_of(data, where, game, config)
    return data


def _read(data: bytes, where: str) -> tuple[dict[str, npt.NDArray[Any]], Any]:
    """The arrays and the meta in the contents of a policy file."""
    try:
        arrays = _arrays(data)
        return arrays, json.loads(str(arrays.pop("meta")))
    except BadPolicy as error:
        raise BadPolicy(f"{cut(where, SENTENCE)}: {error}") from None
    except Exception as error:  # NumPy may raise anything for a file that is not an archive of arrays
        raise BadPolicy(f"{cut(where, SENTENCE)}: not a policy file: {_line(error)}") from None


def _line(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{error} is missing"
    return cut(error, SENTENCE) or type(error).__name__


def _arrays(data: bytes) -> dict[str, npt.NDArray[Any]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > _MOST_BYTES:
            raise BadPolicy(f"more than {_MOST_BYTES:,} bytes")
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    if strange := [name for name, values in arrays.items() if not isinstance(values, np.ndarray)]:
        raise BadPolicy(f"{cut(strange[0])} is not an array")
    return arrays


def _checked_plan(meta: Any, game: Game, config: GameConfig) -> Plan:
    """The plan of a policy, whose meta is as it must be for this game."""
    if not isinstance(meta, dict):
        raise BadPolicy("not a policy file: meta is not a table")
    if meta.get("format") != FORMAT:
        raise BadPolicy(f"policy format {shown(meta.get('format'))}, this version reads {FORMAT}")
    if meta.get("game") != game.id:
        raise BadPolicy(f"a policy for {shown(meta.get('game'))}, not for {game.id}")
    cards = meta.get("cards", NUMBER)
    if cards not in (NUMBER, FACE) or (cards == FACE and not has_faces(game)):
        allowed = f"{NUMBER} or {FACE}" if has_faces(game) else NUMBER
        raise BadPolicy(f"cards={shown(cards)}, must be {allowed}")
    try:
        plan = plan_by(cards, game, config)
    except TooManyDecks as error:
        raise BadPolicy(str(error)) from None
    if meta.get("plan") != plan.digest:
        raise BadPolicy(f"made for other observations or actions than those of {game.id} with these options")
    low, high = game.seats
    players = meta.get("players")
    if not isinstance(players, list) or not players or not all(_whole(count, low, high) for count in players):
        raise BadPolicy(f"players={shown(players)}, must be numbers from {low} to {high}")
    for name, least, most in (("width", 1, _WIDEST), ("layers", 0, _DEEPEST)):
        if not _whole(meta.get(name), least, most):
            raise BadPolicy(f"{name}={shown(meta.get(name))}, must be a whole number from {least} to {most}")
    scale = meta.get("search_scale", 1.0)
    if isinstance(scale, bool) or not isinstance(scale, (int, float)) or not 0 <= scale <= 100:
        raise BadPolicy(f"search_scale={shown(scale)}, must be a number from 0 to 100")
    turns = meta.get("search_turns", 0)
    if not _whole(turns, 0, 100):
        raise BadPolicy(f"search_turns={shown(turns)}, must be a whole number from 0 to 100")
    return plan


def _whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _weights(arrays: dict[str, npt.NDArray[Any]], plan: Plan, meta: Mapping[str, Any]) -> npt.NDArray[np.float32]:
    width, layers = meta["width"], meta["layers"]
    used = arrays.pop("first_rows", None)
    if used is None:
        raise BadPolicy("first_rows is missing")
    if used.ndim != 1 or used.dtype.kind not in "iu" or len(used) > plan.kept_rows:
        raise BadPolicy(f"first_rows is {_kind(used)}, must be integers, at most {plan.kept_rows}")
    last = plan.kept_rows - 1
    if used.size and not (used.min() >= 0 and used.max() <= last and (np.diff(used.astype(np.int64)) > 0).all()):
        raise BadPolicy(f"first_rows must be numbers from 0 to {last}, in order")
    weights = np.zeros(size_of(plan, width, layers), np.float32)
    network = view(weights, plan, width, layers)
    for name, part, shape in zip(Network._fields, network, shapes(plan, width, layers), strict=True):
        values = arrays.pop(name, None)
        if values is None:
            raise BadPolicy(f"{name} is missing")
        wanted = {"first": (len(used), width), "cards": (plan.kept_cards, width)}.get(name, shape)
        if values.dtype not in (np.float32, np.float16) or values.shape != wanted:
            raise BadPolicy(f"{name} is {_kind(values)}, must be float32 or float16 {wanted}")
        if not np.isfinite(values).all():
            raise BadPolicy(f"{name} holds numbers that are not finite")
        if name == "first":
            part[used] = values
        elif name == "cards":
            part[: plan.kept_cards] = values
        else:
            part[...] = values
    if arrays:
        raise BadPolicy(f"unknown arrays {listed(sorted(arrays))}")
    return weights


def _kind(values: npt.NDArray[Any]) -> str:
    return f"{values.dtype} {values.shape}"
