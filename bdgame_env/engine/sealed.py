"""States that tell whose they are, and whether they are whole.

A record holds numbers by which the rules find their way about the match, so bytes that no game ever had would lead
compiled code astray. Each state that is handed out therefore carries a digest of itself and of the game, its cards and
its options. It finds damage and mix-ups; it is no signature: who can make digests can make states.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .game import Game, GameConfig
from .shown import shown

_MAGIC = b"bdgame_env state 1\n"
_DIGEST = 16


def mark_of(game: Game, config: GameConfig) -> bytes:
    """A digest of what gives a record its meaning: the game, the layout of its records, the cards and the options."""
    digest = hashlib.blake2b(digest_size=_DIGEST)
    for layout in (game.state, config.record.dtype):
        digest.update(repr((game.id, layout.descr)).encode())
    digest.update(config.record.tobytes())
    return digest.digest()


def seal(game: Game, mark: bytes, record: bytes) -> bytes:
    """A record as a state: what it is, the game's id, the mark, a digest of all of it, and the record."""
    name = game.id.encode()
    head = _MAGIC + bytes([len(name)]) + name + mark
    return head + _digest(head, record) + record


def unseal(game: Game, mark: bytes, state: bytes) -> bytes:
    """The record of a state.

    Raises:
        ValueError: it is no state, one of another game or of other options, or one that was changed.
    """
    if not isinstance(state, (bytes, bytearray, memoryview)):
        raise ValueError(f"{game.id}: a state is bytes, not {shown(state)}")
    state = bytes(state)
    start = len(_MAGIC)
    if state.startswith(_MAGIC) and len(state) > start:
        name = state[start + 1 : start + 1 + state[start]].decode("ascii", "replace")
        head_size = start + 1 + state[start] + _DIGEST
        head, check, record = state[:head_size], state[head_size : head_size + _DIGEST], state[head_size + _DIGEST :]
        whole = len(head) == head_size and check == _digest(head, record)
        if whole and name != game.id:
            raise ValueError(f"{game.id}: the state is of {name}")
        if whole and head[-_DIGEST:] != mark:
            raise ValueError(f"{game.id}: the state is of other options, other cards or another release of the game")
        if whole and len(record) == game.state.itemsize:
            return record
    size = start + 1 + len(game.id) + 2 * _DIGEST + game.state.itemsize
    if len(state) != size:
        raise ValueError(f"a state of {game.id} has {size} bytes, not {len(state)}")
    raise ValueError(f"{game.id}: these bytes are no state, or a damaged one")


def digest_of(mark: bytes, arrays: Iterable[npt.NDArray[Any]]) -> bytes:
    """A digest of arrays, of their shapes and types, and of the game that a mark is of."""
    digest = hashlib.blake2b(mark, digest_size=_DIGEST)
    for array in arrays:
        digest.update(repr((array.shape, array.dtype.descr)).encode())
        digest.update(np.ascontiguousarray(array).view(np.uint8).data)
    return digest.digest()


def check_arrays(game_id: str, mark: bytes, state: Any, own: Mapping[str, npt.NDArray[Any]]) -> None:
    """See that a state with a "digest" holds arrays that may stand in for one's own, unchanged since it was given.

    Args:
        game_id: for messages.
        mark: of the game and config.
        state: mapping with the arrays by name, and "digest".
        own: the arrays that they are for.

    Raises:
        ValueError: it does not.
    """
    if not isinstance(state, Mapping):
        raise ValueError(f"{game_id}: a state is a mapping, not {shown(state)}")
    for name in (*own, "digest"):
        if name not in state:
            raise ValueError(f"{game_id}: this is no state: it has no {name!r}")
    for name, array in own.items():
        given = state[name]
        if not isinstance(given, np.ndarray) or given.shape != array.shape or given.dtype != array.dtype:
            raise ValueError(f"{game_id}: this is no state of {len(array)} games of this kind: {name!r} differs")
    if state["digest"] != digest_of(mark, [state[name] for name in own]):
        raise ValueError(f"{game_id}: the state is of other options or other cards, or was changed")


def _digest(head: bytes, record: bytes) -> bytes:
    return hashlib.blake2b(head + record, digest_size=_DIGEST).digest()
