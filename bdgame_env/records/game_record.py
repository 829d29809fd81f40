"""One game as a small text that a person can read: the seed it was dealt from, who sat where, every move, how it ended.

    # game record 2
    # bdgame-v3 {"deck": null, "max_rounds": 60, "players": 2, "selling": false, "trading": false}
    # seed 2010; cards 5f0c11aa
    # seats ["human", "mcts:sims=200"]
    # decision, seat, move, number of legal moves, remarks
      1 0 load R@0  (18)
      2 0 load B@0  (5)  {"value": 0.12}
    # over; points [31, 25]; ranks [1, 2]

The same moves from the same seed are the same game; the numbers of legal moves show where they are not. A record
without its last line was cut off, and is good up to there.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any

import numpy as np

from ..engine.game import BadOption, Game, GameConfig, IllegalAction
from ..engine.match import Match
from ..engine.quoting import json_text, one_line, shown

FORMAT = 2
OVER, TRUNCATED, OPEN, FORFEITED = "over", "truncated", "to be continued", "forfeited"

_FIRST = f"# game record {FORMAT}"
_COLUMNS = "# decision, seat, move, number of legal moves, remarks"
_GAME = re.compile(r"# (?P<game>[A-Za-z_][\w-]*-v\d+) (?P<options>\{.*\})")
_SEED = re.compile(r"# seed (?P<game_seed>\d{1,20})(; cards (?P<cards>[0-9a-f]{8}))?")
_SEATS = re.compile(r"# seats (?P<seats>\[.*\])")
_MOVE = re.compile(
    r" *(?P<number>\d{1,9}) (?P<seat>\d) (?P<move>\S+( \S+)*?)(  \((?P<choices>\d{1,9})\))?(  (?P<remarks>\{.*\}))?"
)
_ENDING = re.compile(
    rf"# (?P<how>{OVER}|{TRUNCATED}|{OPEN}|{FORFEITED}); points (?P<points>\[[-\d, ]*\]); "
    r"ranks (?P<ranks>\[[\d, ]*\])(; seat (?P<seat>\d) (?P<reason>\".*\"))?"
)
_KINDS: dict[type, str] = {dict: "object", list: "list", str: "text"}


class BadRecord(ValueError):
    """A text that is no record, or a record whose moves are no game; the message says in one line where and why."""


@dataclass(frozen=True)
class RecordedMove:
    """One decision.

    Attributes:
        seat: who took it.
        move: in notation.
        choices: how many moves were legal; 0 if the record does not tell.
        remarks: JSON data beside it. `value` (the mover's outlook, -1 to 1) and `visits` (number by move) are what an
            agent gave that thinks so; `clock` is what a person had left, in seconds.
        line: of the text that it was read from, for messages; 0 if from none.
    """

    seat: int
    move: str
    choices: int = 0
    remarks: Mapping[str, Any] = field(default_factory=dict)
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Ending:
    """How a record ends.

    Attributes:
        how: OVER, TRUNCATED (by the round limit), OPEN (the game was left there) or FORFEITED.
        points: of every seat.
        ranks: of every seat, 1 is the best; if OPEN as if the game had ended there.
        loser: the seat that forfeited, or None.
        reason: why it did, as `one_line` makes it, or "".
    """

    how: str
    points: tuple[int, ...]
    ranks: tuple[int, ...]
    loser: int | None = None
    reason: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "reason", one_line(self.reason))

    @classmethod
    def of_match(cls, match: Match) -> Ending:
        """How a match stands."""
        how = TRUNCATED if match.truncated else OVER if match.over else OPEN
        return cls(how, tuple(match.points()), tuple(match.ranks()))


@dataclass(frozen=True)
class GameRecord:
    """A game, or the part of it that was played or is there.

    Attributes:
        game: id with version.
        options: of the config, every one with its value, `players` included.
        game_seed: the 64-bit number that the game was dealt from.
        seats: the name of who sat in each seat, as `one_line` makes it.
        moves: in order.
        ending: how it ended; None if the text was cut off.
        config: digest of the cards and rules in force (`config_digest`), or "".
        cut: where the text was cut off, in words; "" if it is whole.
    """

    game: str
    options: Mapping[str, Any]
    game_seed: int
    seats: tuple[str, ...]
    moves: tuple[RecordedMove, ...] = ()
    ending: Ending | None = None
    config: str = ""
    cut: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "seats", tuple(map(one_line, self.seats)))

    @classmethod
    def begun(cls, match: Match, seats: Sequence[str]) -> GameRecord:
        """The record of a match at the beginning of its game.

        Args:
            match: with the game as it was dealt.
            seats: a name for each seat.

        Raises:
            ValueError: not one name for each seat.
        """
        if len(seats) != match.players:
            raise ValueError(f"{len(seats)} names for {match.players} seats")
        options = {name: value if _is_plain(value) else str(value) for name, value in match.config.options.items()}
        return cls(
            match.game.id, options, match.game_seed, tuple(seats), config=config_digest(match.game, match.config)
        )

    @classmethod
    def of_actions(
        cls,
        game: Game,
        config: GameConfig,
        game_seed: int,
        seats: Sequence[str],
        actions: Iterable[int],
        ending: Ending | None = None,
    ) -> GameRecord:
        """The record of a game known by its actions.

        Args:
            game: the game.
            config: its config.
            game_seed: the number it was dealt from.
            seats: a name for each seat.
            actions: ids, in order.
            ending: how it ended; None for how the match stands after the last action.

        Raises:
            BadRecord: an action is not legal.
        """
        match = Match(game, seed=0, **config.options)
        match.deal(game_seed)
        record, moves = cls.begun(match, seats), []
        for number, action in enumerate(actions, 1):
            seat, choices = match.seat, int(np.count_nonzero(match.mask()))
            try:
                match.play(int(action))
            except IllegalAction as error:
                raise BadRecord(f"decision {number}: {error}") from None
            moves.append(RecordedMove(seat, match.action_to_string(int(action)), choices))
        return replace(record, moves=tuple(moves), ending=ending or Ending.of_match(match))

    # Text

    def to_text(self) -> str:
        """The record as lines; `from_text` reads them back."""
        lines = [
            _FIRST,
            f"# {self.game} {_json(self.options)}",
            f"# seed {self.game_seed}" + (f"; cards {self.config}" if self.config else ""),
            f"# seats {_json(self.seats)}",
            _COLUMNS,
        ]
        for number, move in enumerate(self.moves, 1):
            choices = f"  ({move.choices})" if move.choices else ""
            remarks = f"  {_json(move.remarks)}" if move.remarks else ""
            lines.append(f"{number:3} {move.seat} {move.move}{choices}{remarks}")
        if (end := self.ending) is not None:
            why = "" if end.loser is None else f"; seat {end.loser} {_json(end.reason)}"
            lines.append(f"# {end.how}; points {_json(end.points)}; ranks {_json(end.ranks)}{why}")
        return "\n".join(lines) + "\n"

    @classmethod
    def from_text(cls, text: str) -> GameRecord:
        """The record that a text holds. Of a text that was cut off what is whole, with `cut` saying where it ends.

        Raises:
            BadRecord: it is no record; says in which line, and why.
        """
        lines = text.removeprefix("\ufeff").split("\n")
        unfinished = lines.pop()  # what follows the last end of line
        reader = _Reader(lines)
        if not (text and _FIRST.startswith(text)):
            reader.check(_FIRST)
        game = reader.match(_GAME, "the game and its options")
        options = reader.json(game["options"], dict)
        seed = reader.match(_SEED, "the seed")
        if int(seed["game_seed"]) >= 2**64:
            raise reader.bad(f"seed {seed['game_seed']} has more than 64 bits")
        seats = reader.json(reader.match(_SEATS, "the seats")["seats"], list)
        if not all(isinstance(name, str) for name in seats):
            raise reader.bad("seats are named by texts")
        head = cls(game["game"], options, int(seed["game_seed"]), tuple(seats), config=seed["cards"] or "")
        if reader.more and reader.next_line.startswith("# decision"):
            reader.at += 1
        moves: list[RecordedMove] = []
        ending = None
        while reader.more and ending is None:
            if reader.next_line.startswith("#"):
                ending = _read_ending(reader, len(seats))
            else:
                moves.append(_read_move(reader, len(moves) + 1, len(seats)))
        if any(line.strip() for line in [*lines[reader.at :], unfinished if ending else ""]):
            raise BadRecord(f"line {reader.at + 1}: there is more after the end of the game")
        if ending is None and unfinished.startswith("# "):  # an ending that only lacks its end of line
            if whole := _ENDING.fullmatch(unfinished):
                ending = _ending(_Reader([unfinished], len(lines)), whole, len(seats))
        cut = "" if ending else f"the record is cut off after decision {len(moves)}, in line {len(lines) + 1}"
        return replace(head, moves=tuple(moves), ending=ending, cut=cut)

    # Playing

    def open(self, game: Game, **options: Any) -> Match:
        """The match at the beginning of the game.

        Args:
            game: the game of the record's id.
            options: instead of the record's, such as where its card file is on this machine.

        Raises:
            BadRecord: another game or version, or options that this game does not have.
        """
        if game.id != self.game:
            raise BadRecord(f"the record is of {self.game}, this is {game.id}")
        chosen = {**self.options, **options}
        try:
            game.config(**chosen)
            match = Match(game, seed=0, **chosen)
        except (BadOption, TypeError) as error:
            raise BadRecord(str(error)) from None
        except (ValueError, OSError) as error:  # a card file that is not there, say
            raise BadRecord(f"{self.game}: the record's options are refused: {error}") from None
        if match.players != len(self.seats):
            raise BadRecord(f"{len(self.seats)} seats are named, {match.players} play")
        match.deal(self.game_seed)
        return match

    def play(self, game: Game, **options: Any) -> Iterator[Match]:
        """The game again: its match at the beginning, and the same match after each move.

        Args:
            game: the game of the record's id.
            options: as for `open`.

        Raises:
            BadRecord: the game is another, or a move cannot have been played so; with its line and why. What was
                given before was as recorded.
        """
        match = self.open(game, **options)
        note = self.difference(match)
        if note and not self._is_whole(match):
            raise BadRecord(note)
        yield match
        for number, move in enumerate(self.moves, 1):
            where = f"line {move.line}, decision {number}" if move.line else f"decision {number}"
            if wrong := _mismatch(match, move):
                raise BadRecord(f"{where}: {wrong}{note and f'; {note}'}")
            match.play(move.move)
            yield match
        if self.ending is not None and (wrong := _other_ending(match, self.ending)):
            raise BadRecord(f"after decision {len(self.moves)}: {wrong}{note and f'; {note}'}")

    def difference(self, match: Match) -> str:
        """How a match's cards differ from the record's, or "". A game that is over may replay all the same."""
        here = config_digest(match.game, match.config)
        if self.config in ("", here):
            return ""
        free = [name for name, option in match.game.options.items() if option.allowed is None]
        files = [f"{name}={match.config.options[name]}" for name in free]
        told = f" ({', '.join(files)})" if files else ""
        return f"the game was played with other cards: config {self.config} in the record, {here} here{told}"

    def _is_whole(self, match: Match) -> bool:
        """Whether the moves lead to the recorded ending, so that the other cards made no difference."""
        twin = match.clone()
        for move in self.moves:
            if _mismatch(twin, move):
                return False
            twin.play(move.move)
        return self.ending is not None and not _other_ending(twin, self.ending)


def config_digest(game: Game, config: GameConfig) -> str:
    """First eight hex digits of a SHA-256 over the cards and options for compiled code, and the names of all moves."""
    digest = hashlib.sha256("\n".join(game.notation(config)[0]).encode())
    for name in config.record.dtype.names or ():
        values = np.asarray(config.record[name])
        told = values.tobytes().hex() if values.dtype.names else values.tolist()
        digest.update(f"\n{name} {values.shape} {told}".encode())
    return digest.hexdigest()[:8]


def _mismatch(match: Match, move: RecordedMove) -> str:
    """Why a move cannot have been played in a match, or ""."""
    if match.over:
        return f"{shown(move.move)} comes after the end of the game"
    if match.seat != move.seat:
        return f"{shown(move.move)} is said to be seat {move.seat}'s, but seat {match.seat} decides"
    legal = match.legal_moves()
    if move.move not in legal:
        try:
            match.clone().play(move.move)
        except IllegalAction as error:
            return str(error)
    if move.choices not in (0, len(legal)):
        return f"{move.choices} moves are said to be legal, there are {len(legal)}: the game went another way before"
    return ""


def _other_ending(match: Match, end: Ending) -> str:
    here = Ending.of_match(match)
    if end.how == FORFEITED and match.over:
        return "a seat is said to forfeit a game that is over"
    for name in ("points",) if end.how == FORFEITED else ("how", "points", "ranks"):
        mine, theirs = getattr(here, name), getattr(end, name)
        if mine != theirs:
            told = [value if isinstance(value, str) else _json(value) for value in (mine, theirs)]
            return f"the game is at its end {told[0]}, the record says {told[1]}"
    return ""


# Reading


class _Reader:
    """Lines, and which of them is next."""

    def __init__(self, lines: Sequence[str], before: int = 0) -> None:
        self._lines, self._before, self.at = lines, before, 0

    @property
    def more(self) -> bool:
        return self.at < len(self._lines)

    @property
    def next_line(self) -> str:
        return self._lines[self.at].rstrip("\r")

    @property
    def number(self) -> int:
        """Of the line that was read last."""
        return self._before + self.at

    def bad(self, why: str) -> BadRecord:
        return BadRecord(f"line {self.number}: {why}")

    def take(self, what: str) -> str:
        if not self.more:
            raise BadRecord(f"the record is cut off in line {self.number + 1}, before {what}")
        line = self.next_line
        self.at += 1
        return line

    def check(self, wanted: str) -> None:
        line = self.take("its first line") if self.more else ""
        if line != wanted:
            raise BadRecord(
                f"line 1: {shown(line)} where {shown(wanted)} is wanted: no game record, or of another version"
            )

    def match(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        line = self.take(what)
        found = pattern.fullmatch(line)
        if found is None:
            raise self.bad(f"{shown(line)} where {what} should be")
        return found

    def json(self, text: str, kind: type) -> Any:
        try:
            value = json.loads(text, parse_constant=_refuse, parse_float=_finite)
        except (ValueError, RecursionError):
            raise self.bad(f"{shown(text)} is no JSON") from None
        if not isinstance(value, kind):
            raise self.bad(f"{shown(text)} is no JSON {_KINDS[kind]}")
        return value


def _read_move(reader: _Reader, number: int, seats: int) -> RecordedMove:
    found = reader.match(_MOVE, f"decision {number}")
    if int(found["number"]) != number:
        raise reader.bad(f"decision {found['number']} where decision {number} should be")
    if int(found["seat"]) >= seats:
        raise reader.bad(f"there is no seat {found['seat']}")
    remarks = reader.json(found["remarks"], dict) if found["remarks"] else {}
    return RecordedMove(int(found["seat"]), found["move"], int(found["choices"] or 0), remarks, reader.number)


def _read_ending(reader: _Reader, seats: int) -> Ending:
    return _ending(reader, reader.match(_ENDING, "a decision or the end"), seats)


def _ending(reader: _Reader, found: re.Match[str], seats: int) -> Ending:
    points, ranks = (tuple(reader.json(found[name], list)) for name in ("points", "ranks"))
    loser = None if found["seat"] is None else int(found["seat"])
    if len(points) != seats or len(ranks) != seats or (loser or 0) >= seats:
        raise reader.bad(f"the end is not of {seats} seats")
    if (found["how"] == FORFEITED) != (loser is not None):
        raise reader.bad("a forfeit needs a seat and a reason, and nothing else has them")
    return Ending(found["how"], points, ranks, loser, "" if loser is None else reader.json(found["reason"], str))


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):  # such as 1e999
        _refuse(text)
    return number


def _json(value: object) -> str:
    return json_text(value, sort_keys=True, allow_nan=False)


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, bool | int | float | str)
