"""A Device's run, column by column, for display: runs `devices.py`, stopping before each column (B32)."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ...engine.arrays import Ints2, Rows
from ...engine.game import GameConfig
from ...engine.jit import entry_point
from ...records.snapshot_reader import Entry
from .cards import COLORS, PORTS, SPLITTER, ports_of
from .devices import HOLD_NONE, advance, answer, start
from .layout import read_workshop
from .state import ASK_HOLD, ASK_NOTHING, ASK_SPLIT, COLUMNS, FLOW, FRESH, NONE, Config, Flow, Workshop
from .workshop import device_of_slot


def run_positions(before: Mapping[str, Any], move: str, config: GameConfig) -> list[dict[str, Any]]:
    """The positions that a Device passes through, from a move that starts or continues it to its next question or end.

    Args:
        before: the snapshot of the position in which the move is made.
        move: `activate H`, `split N` or `hold C`; any other gives no positions.
        config: the config of the game.

    Returns:
        A snapshot for each column that moves cubes, with the cubes on their way in `pending.flow`; `pending.ask` is
        None.
    """
    verb, _, given = move.partition(" ")
    if verb not in ("activate", "split", "hold"):
        return []
    found: list[dict[str, Any]] = []
    for limit in range(1, COLUMNS):
        run = _Run(before, config)
        if verb == "activate":
            run.start(int(given))
        run.go(_answer(verb, given), limit)
        shown = run.snapshot()
        if run.asks or not shown["pending"]["flow"]:
            continue
        if not found or shown["pending"]["flow"] != found[-1]["pending"]["flow"]:
            found.append(shown)
    return found


def cubes_made(before: Mapping[str, Any], slot: int, config: GameConfig) -> dict[str, int] | None:
    """What the Device of a hopper would make with the present load.

    Args:
        before: the snapshot of a position in which no Device runs.
        slot: the hopper's slot; it must be part of a finished Device.
        config: the config of the game.

    Returns:
        Cubes by color, or None if that depends on answers (B53).
    """
    return made_in_the_end(before, f"activate {slot}", config)


def made_by(before: Mapping[str, Any], move: str, config: GameConfig) -> dict[str, int]:
    """The cubes that a Device makes after a move, up to its next question or its end; arguments as `run_positions`."""
    return _gone_on(before, move, config).gained


def made_in_the_end(before: Mapping[str, Any], move: str, config: GameConfig) -> dict[str, int] | None:
    """As `made_by`, or None if a question follows."""
    run = _gone_on(before, move, config)
    return None if run.asks else run.gained


def _gone_on(before: Mapping[str, Any], move: str, config: GameConfig) -> _Run:
    """The run after a move, up to its next question or its end."""
    verb, _, given = move.partition(" ")
    run = _Run(before, config)
    if verb == "activate":
        run.start(int(given))
    run.go(_answer(verb, given), COLUMNS)
    return run


def _answer(verb: str, given: str) -> int:
    if verb == "activate":
        return NONE
    if verb == "split":
        return int(given)
    return HOLD_NONE if given == "none" else COLORS.index(given)


class _Run:
    """The records of one run, built from a snapshot."""

    def __init__(self, before: Mapping[str, Any], config: GameConfig) -> None:
        self.before, self.config, self.seat = before, config, before["seat"]
        self.workshops: Any = read_workshop(Entry(before["seats"][self.seat])["workshop"], config.cards)
        self.flows: Any = np.zeros(1, FLOW)
        self.bank, self.made = (self._cubes(before[name])[None] for name in ("bank", "made"))
        pending = before["pending"]
        if pending is not None:
            flow, x, y = self.flows[0], pending["x"], pending["y"]
            flow["x"], flow["y"], flow["running"] = x, y, self.workshops["devices"][0, x, y]
            flow["arrived"] = self._cubes(pending["arrived"])
            splits = self.workshops["kinds"][0, x, y] == SPLITTER
            flow["ask"] = ASK_SPLIT if splits else ASK_HOLD
            if splits:
                flow["color"], flow["up"] = COLORS.index(pending["color"]), self._cubes(pending["up"])
            for entry in pending["flow"]:
                junction = entry["y"] + PORTS.index(entry["port"])
                flow["cubes"][entry["x"], junction] = self._cubes(entry["cubes"])

    def start(self, slot: int) -> None:
        start_device(self.workshops, self.flows, slot)

    def go(self, number: int, limit: int) -> None:
        config: Any = self.config.record["of"][0]
        run_to_column(self.workshops, self.flows, self.bank, self.made, config, number, limit)

    @property
    def gained(self) -> dict[str, int]:
        """What has been made since the snapshot."""
        return self._named(self.made[0] - self._cubes(self.before["made"]))

    @property
    def asks(self) -> bool:
        return bool(self.flows["ask"][0] != ASK_NOTHING)

    def snapshot(self) -> dict[str, Any]:
        """The snapshot before the move, with what has changed since."""
        shown: dict[str, Any] = copy.deepcopy(dict(self.before))
        shown["bank"], shown["made"] = self._named(self.bank[0]), self._named(self.made[0])
        workshop, flow = self.workshops[0], self.flows[0]
        waiting = []
        for card in shown["seats"][self.seat]["workshop"]:
            x, y = card["x"], card["y"]
            if "slot" in card:
                card["cubes"] = self._named(workshop["loaded"][card["slot"]])
            if "held" in card:
                held = int(workshop["held"][x, y])
                card["held"], card["fresh"] = COLORS[(held - 1) % FRESH] if held else None, held > FRESH
            for port in ports_of(self.config.cards, card["kind"])[0]:
                cubes = flow["cubes"][x, y + port]
                if cubes.any():
                    waiting.append({"x": x, "y": y, "port": PORTS[port], "cubes": self._named(cubes)})
        shown["pending"] = {"ask": None, "flow": waiting}
        return shown

    @staticmethod
    def _cubes(counts: Mapping[str, int]) -> Any:
        return np.array([counts[color] for color in COLORS], np.int8)

    @staticmethod
    def _named(counts: npt.NDArray[np.int8]) -> dict[str, int]:
        return {color: int(count) for color, count in zip(COLORS, counts, strict=True)}


@entry_point
def start_device(workshops: Rows[Workshop], flows: Rows[Flow], slot: int) -> None:
    """B32: start the Device of the hopper in a slot."""
    start(workshops[0], flows[0], device_of_slot(workshops[0], slot))


@entry_point
def run_to_column(
    workshops: Rows[Workshop],
    flows: Rows[Flow],
    bank: Ints2,
    made: Ints2,
    config: Rows[Config],
    number: int,
    limit: int,
) -> None:
    """Answer the question, unless `number` is NONE; then process columns below `limit`, or up to the next question."""
    workshop, flow = workshops[0], flows[0]
    for x in range(limit, COLUMNS):
        workshop.columns[x] = 0  # as if it were empty: `advance` skips it
    if number != NONE:
        answer(workshop, flow, number)
    if flow.ask == ASK_NOTHING:
        advance(workshop, flow, bank[0], made[0], config[0])
