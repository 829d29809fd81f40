"""A game that people and agents play: what is allowed now, undo, and what each seat sees. No server, no terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any, TypeVar

from bdgame_env.engine.match import Match
from bdgame_env.engine.quoting import listed, one_line, shown
from bdgame_env.records.game_record import FORFEITED, Ending, GameRecord, RecordedMove
from bdgame_env.render.drawings import drawing_of, events_of, reason_against, words_of
from bdgame_env.render.picture import positions_between, table
from bdgame_env.render.scene import Scene
from bdgame_env.render.wording import Event, Step

from ..arena.matches import ranks_after_forfeit
from .clocks import Clocks, TimeControl
from .following import Following, follow
from .opinions import Question, is_number, named_moves
from .reveals import reveals, same_views

HUMAN = "human"
_MOST_KEPT = 64  # tables, and snapshots

K = TypeVar("K")
V = TypeVar("V")


def name_of(seat: str) -> str:
    """The name of a seat's player, in one line that can be shown anywhere."""
    kind, _, given = seat.partition(":")
    return (one_line(given) or HUMAN) if kind == HUMAN else one_line(seat)


class Refused(ValueError):
    """A player's request was refused and nothing was changed; the message says why in one line."""


@dataclass(frozen=True)
class Played:
    """A decision that was taken.

    Attributes:
        move: the move as recorded.
        state: the state of the match after it.
        told: the move as each viewer (a seat, or None for a spectator) knows it; "" if the viewer does not see it.
        shared: the viewers that saw everything that seat saw, to whom its remarks reveal nothing.
    """

    move: RecordedMove
    state: bytes
    told: Mapping[int | None, str]
    shared: frozenset[int | None]


@dataclass(frozen=True)
class LogLine:
    """A decision as a viewer knows it.

    Attributes:
        move: as its reader knows it.
        words: the same in plain words.
        round: the round it was taken in; 0 if the game has none.
        said: the moves of its remarks in words.
        first: whether a turn begins with it: another seat decided before it, or in another round.
        events: what has happened in the turn, this decision included.
    """

    move: RecordedMove
    words: str
    round: int
    said: Mapping[str, str]
    first: bool
    events: Sequence[Event]

    def told(self, names: Sequence[str]) -> str:
        """The turn so far in a line, with the names of the seats."""
        return "; ".join(f"{names[seat]} {text}" for seat, text in self.events)

    def to_json(self) -> dict[str, Any]:
        """The line as pages show it."""
        return {
            "seat": self.move.seat,
            "move": self.move.move,
            "words": self.words,
            "round": self.round,
            "remarks": dict(self.move.remarks),
            "said": dict(self.said),
            "first": self.first,
            "events": list(self.events),
        }


class Log:
    """The decisions that a viewer knows of, as lines.

    Args:
        names: the names of all moves of the game.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.lines: list[LogLine] = []
        self._names = frozenset(names)
        self._turn: list[list[Step]] = []  # for each line of the last turn what it adds

    def add(self, move: RecordedMove, before: Scene, after: Scene, since: Scene | None = None) -> None:
        """Add a line.

        Args:
            move: the decision as the viewer knows it.
            before: the scene before it.
            after: the scene after it.
            since: the scene after the last line's decision, if the viewer does not know of some in between.
        """
        round = int(before.snapshot.get("round") or 0)
        last = self.lines[-1] if self._turn else None
        first = last is None or (last.move.seat, last.round) != (move.seat, round)
        unknown = [] if since is None else [Step(since, before, None, "")]
        self._turn = [*([] if first else self._turn), [*unknown, Step(before, after, move.seat, move.move)]]
        said = {each: words_of(before, each) for each in named_moves(move.remarks, self._names)}
        events = events_of([step for steps in self._turn for step in steps])
        self.lines.append(LogLine(move, words_of(before, move.move), round, said, first, events))

    def cut(self, length: int) -> None:
        """Forget all lines but the first ones; within the last turn."""
        del self._turn[max(0, len(self._turn) - (len(self.lines) - length)) :]
        del self.lines[length:]


@dataclass
class Session:
    """One game from the deal to the end.

    Args:
        match: the match at its beginning.
        seats: for each seat `HUMAN`, "human:NAME" or the spec of an agent.
        control: of the clocks of people; None for no clocks.
        names: what words and drawings call the players; empty to call them by their seats.
    """

    match: Match
    seats: Sequence[str]
    control: TimeControl | None = None
    names: Sequence[str] = ()
    played: list[Played] = field(default_factory=list)
    changes: int = 0  # increases with every change, including undo

    def __post_init__(self) -> None:
        self._begun = GameRecord.begun(self.match, [self.name(seat) for seat in range(self.match.players)])
        self._first = self.match.get_state()
        self._ending: Ending | None = None
        self._undoable = 0  # decisions that the seat to move may undo, but for the doubtful ones after them
        self._doubtful: list[tuple[Match, int, Match]] = []  # before, action, after: did it reveal something?
        self._open_number = 0  # decisions after which no seat had chosen in secret
        self.clocks: Clocks | None = None
        self.begin_clocks(self.control)
        self._tables: dict[tuple[int, int | None, bool, bool], tuple[list[dict[str, Any]], list[str]]] = {}
        self._snapshots: dict[tuple[int, int | None, bool], dict[str, Any]] = {}
        self._following: dict[int, Following] = {}
        self._logs: dict[tuple[int | None, bool], Log] = {}

    def name(self, seat: int) -> str:
        """The name of a seat's player."""
        return name_of(self.seats[seat])

    def call_players(self, seats: Sequence[str], names: Sequence[str]) -> None:
        """Call the players otherwise, also in the record: `seats` and `names` as above, with the same agents."""
        self.seats, self.names = list(seats), tuple(names)
        self._begun = replace(self._begun, seats=tuple(map(self.name, range(self.match.players))))
        for kept in (self._tables, self._logs):
            kept.clear()

    @property
    def humans(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, who in enumerate(self.seats) if who.partition(":")[0] == HUMAN]

    @property
    def number(self) -> int:
        """Decisions taken so far."""
        return len(self.played)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.match.over or self._ending is not None

    @property
    def to_move(self) -> int | None:
        """The seat to decide; None if the game is over."""
        return None if self.over else self.match.seat

    @property
    def ending(self) -> Ending:
        """The current standing, as the ending of a record."""
        return self._ending or Ending.of_match(self.match)

    def remark(self, number: int, remarks: Mapping[str, Any]) -> None:
        """Add remarks on decision `number` to the record."""
        one = self.played[number - 1]
        self.played[number - 1] = replace(one, move=replace(one.move, remarks={**one.move.remarks, **remarks}))

    def record(self) -> GameRecord:
        """The record of the game so far. It includes the game seed, and so everything that is hidden."""
        return replace(self._begun, moves=tuple(one.move for one in self.played), ending=self.ending)

    # Actions

    def play(
        self, seat: int, move: str, *, number: int | None = None, remarks: Mapping[str, Any] | None = None
    ) -> None:
        """Play a move for a seat.

        Args:
            seat: the seat that plays it.
            move: the move in notation.
            number: number of decisions that the seat knew of when it chose (`known`), so that a late or repeated move
                is refused.
            remarks: remarks for the record.

        Raises:
            Refused: the move cannot be played now.
        """
        if self.over:
            raise Refused("the game is over")
        if self.time_left() == 0.0:
            raise Refused("your time is up")
        if seat != self.match.seat:
            raise Refused(f"seat {self.match.seat} ({self.name(self.match.seat)}) is to move, not seat {seat}")
        if number is not None and number != (now := len(self.known(seat))):
            raise Refused(f"the table has changed: this is decision {now + 1}, the move was for decision {number + 1}")
        legal = self.match.legal_moves()
        if move not in legal:
            known = move in self.match.action_names
            reason = reason_against(self.scene(self.number, seat), move) if known else None
            why = f"; legal moves: {listed(legal)}" if reason is None else f": {reason.text} ({reason.rule})"
            raise Refused(f"{shown(move)} is not legal now{why}")
        before = self.match.clone()
        action = before.string_to_action(move)
        self.match.play(action)
        recorded = RecordedMove(seat, move, len(legal), {**self._clock_remark(seat), **(remarks or {})})
        told, shared = before.told_to_all(action), same_views(before, seat)
        self.played.append(Played(recorded, self.match.get_state(), told, shared))
        secret = before.choosing()[0]
        if secret == 0 or self.over or self.match.choosing()[0] != secret:
            self._open_clocks, self._open_number = self._clocks_before(), self.number
        self.changes += 1
        if seat not in self.humans or self.over or self.match.seat != seat:
            self._keep_all()
        else:
            self._doubtful.append((before, action, self.match.clone()))

    def _keep_all(self) -> None:
        """No decision so far can be undone."""
        self._undoable, self._doubtful = 0, []

    def can_undo(self, seat: int) -> bool:
        """Whether a seat may undo its last decision: during its turn, unless it showed a person something hidden."""
        return self.undoable(seat) > 0

    def undoable(self, seat: int) -> int:
        """How many of its last decisions a seat may undo, one after the other."""
        if self.to_move != seat:
            return 0
        while self._doubtful:
            self._undoable += 1
            if reveals(*self._doubtful.pop(0), self.humans):  # agents forget what is undone
                self._undoable = 0
        return self._undoable

    def undo(self, seat: int) -> None:
        """Undo the last decision.

        Raises:
            Refused: it is another seat's turn, or the decision revealed something hidden.
        """
        if not self.can_undo(seat):
            raise Refused("nothing to undo: the turn just began, or something hidden was revealed")
        self.played.pop()
        for kept in (self._tables, self._snapshots):
            kept.clear()
        for (viewer, _), log in self._logs.items():
            log.cut(min(len(log.lines), len(self.known(viewer))))
        self.match.set_state(self.played[-1].state if self.played else self._first)
        if self.match.choosing()[0] == 0:
            self._open_number = self.number
        self._undoable -= 1
        self.changes += 1

    def following(self) -> Following:
        """What follows from each legal move, as far as the seat to move can know."""
        wording = drawing_of(self.match.game).wording
        repeated = () if wording is None else wording.repeated
        return _kept(self._following, self.changes, lambda: follow(self.match, repeated))

    def forfeit(self, seat: int, reason: str) -> None:
        """End the game with a loss for a seat, for example when its agent fails."""
        ranks = ranks_after_forfeit(self.match.players, seat)
        self._ending = Ending(FORFEITED, tuple(self.match.points()), ranks, seat, reason)
        self._keep_all()
        self.changes += 1
        if self.clocks is not None:
            self.clocks.stop()

    def question(self) -> Question:
        """The pending decision, as a question for an agent."""
        return Question.at(self.match, self.number)

    # Clocks

    def begin_clocks(self, control: TimeControl | None) -> None:
        """Give people clocks, which go on from what the remarks of decisions say; None for no clocks."""
        self.control = control
        self.clocks = None if control is None else Clocks(control, self.humans)
        self._open_clocks = self._clocks_before()
        if self.clocks is None:
            return
        for number, one in enumerate(self.played, 1):
            if is_number(left := one.move.remarks.get("clock")):
                self.clocks.set_left(one.move.seat, left)
            if number == self._open_number:
                self._open_clocks = self._clocks_before()
        self.clocks.turn_to(self.to_move)

    def time_left(self) -> float | None:
        """Seconds that the seat to move has; None without a clock that runs."""
        running = None if self.clocks is None else self.clocks.running
        return None if self.clocks is None or running is None else self.clocks.left(running)

    def clocks_seen_by(self, viewer: int | None) -> tuple[float | None, ...]:
        """For each seat the seconds that it had at the beginning of its turn; None for one without a clock.

        While seats choose in secret, those of the others are as they were before.
        """
        now = self._clocks_before()
        secret = not self.over and self.match.choosing()[0] != 0
        return tuple(
            before if secret and seat != viewer else mine
            for seat, (mine, before) in enumerate(zip(now, self._open_clocks, strict=True))
        )

    def _clocks_before(self) -> tuple[float | None, ...]:
        return tuple(None if self.clocks is None else self.clocks.before(seat) for seat in range(self.match.players))

    def _clock_remark(self, seat: int) -> dict[str, float]:
        """Let the clocks follow a move of this seat; what the record says of its clock."""
        if self.clocks is None:
            return {}
        self.clocks.turn_to(self.to_move)
        return {} if self.clocks.before(seat) is None else {"clock": round(self.clocks.left(seat), 1)}

    # Views

    def position(self, number: int) -> Match:
        """The match after `number` decisions."""
        twin = self.match.clone()
        twin.set_state(self.played[number - 1].state if number else self._first)
        return twin

    @property
    def points(self) -> tuple[int, ...]:
        """Points of every seat as everybody may see them."""
        return self.points_at(self.number)

    def points_at(self, number: int) -> tuple[int, ...]:
        """Points after `number` decisions as everybody may see them; all of them once the game is over."""
        position = self.position(number)
        return tuple(position.points() if self.over else position.shown_points())

    def known(self, viewer: int | None) -> list[int]:
        """The numbers (from 1) of the decisions that a viewer knows of; even the count of the others is hidden from it.

        A viewer is a seat, or None for a spectator. At the end of the game everything is open.
        """
        played = enumerate(self.played, 1)
        return [number for number, one in played if self.over or one.told[viewer]]

    def known_move(self, number: int, viewer: int | None) -> RecordedMove:
        """Decision `number` (from 1) as a viewer knows it; the move is "" if the viewer does not see it.

        Remarks are included if they reveal nothing to the viewer.
        """
        one = self.played[number - 1]
        if self.over or viewer == one.move.seat:
            return one.move
        if viewer in one.shared and one.told[viewer] == one.move.move:
            return one.move
        return replace(one.move, move=one.told[viewer], choices=0, remarks={})

    def last_moves(self, number: int, viewer: int | None) -> list[str]:
        """The moves of the last turn up to position `number`, as far as a viewer knows them."""
        known = [self.known_move(each, viewer) for each in self.known(viewer) if each <= number]
        turn = takewhile(lambda move: move.seat == known[-1].seat, reversed(known))
        return [move.move for move in turn][::-1]

    def scene(self, number: int, seat: int | None) -> Scene:
        """The position after `number` decisions as a seat (None: a spectator) sees it; all of it once the game is over.

        It has the legal moves if it is the newest position and the seat is to move.
        """
        now = number == self.number and self.to_move == seat is not None

        def snapshot() -> dict[str, Any]:
            position = self.position(number)
            return position.snapshot(omniscient=True) if self.over else position.snapshot(seat=seat)

        key = (number, None if self.over else seat, self.over)
        seen = _kept(self._snapshots, key, snapshot)  # many pages show the same
        legal = self.match.legal_moves() if now else ()
        return Scene(self.match.game, seen, config=self.match.config, seat=seat, legal=legal, names=self.names)

    def table(self, number: int, seat: int | None) -> tuple[list[dict[str, Any]], list[str]]:
        """The position after `number` decisions in parts, and the legal moves about nothing drawn in them."""
        now = number == self.number and self.to_move == seat is not None
        return _kept(self._tables, (number, seat, now, self.over), lambda: table(self.scene(number, seat)))

    def steps(self, number: int, seat: int | None) -> list[Scene]:
        """The steps of decision `number` (from 1); none if the viewer does not see the whole move."""
        move = self.played[number - 1].move.move
        if self.known_move(number, seat).move != move:
            return []
        before, after = self.scene(number - 1, seat), self.scene(number, seat)
        return [before.at(each) for each in positions_between(before, move, after.snapshot)]

    def log(self, viewer: int | None) -> list[LogLine]:
        """The decisions that a viewer knows of, as lines of the log."""
        log = self._logs.setdefault((viewer, self.over), Log(self.match.action_names))
        known = self.known(viewer)
        for place in range(len(log.lines), len(known)):
            number, last = known[place], known[place - 1] if place else 0
            since = self.scene(last, viewer) if last < number - 1 else None
            before, after = self.scene(number - 1, viewer), self.scene(number, viewer)
            log.add(self.known_move(number, viewer), before, after, since)
        return log.lines

    def since_known(self, viewer: int | None) -> list[Event]:
        """What a viewer sees that has happened since the last decision it knows of, such as a choice made in secret
        that is open now.
        """
        last = max(self.known(viewer), default=0)
        if last == self.number:
            return []
        return events_of([Step(self.scene(last, viewer), self.scene(self.number, viewer), None, "")])


def _kept(cache: dict[K, V], key: K, make: Callable[[], V]) -> V:
    """What a cache has for a key, or what is made for it now; of more than `_MOST_KEPT` entries, the oldest goes."""
    if key not in cache:
        cache[key] = make()
        if len(cache) > _MOST_KEPT:
            del cache[next(iter(cache))]
    return cache[key]


def resumed(match: Match, seats: Sequence[str], record: GameRecord, control: TimeControl | None = None) -> Session:
    """A session that continues from where a record ends.

    Raises:
        Refused: a move of the record is not legal.
    """
    session = Session(match, seats)
    for move in record.moves:
        session.play(move.seat, move.move, remarks=move.remarks)
    session._keep_all()
    session.begin_clocks(control)
    return session
