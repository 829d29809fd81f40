"""Game records: reading and writing files, the games of tournaments as records, and replaying."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

from bdgame_env import BadOption, UnknownGame, get_game
from bdgame_env.agents import make_agent
from bdgame_env.agents.base import AgentFault
from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.match import Match
from bdgame_env.engine.quoting import shown
from bdgame_env.engine.user_files import NotRead, read_text
from bdgame_env.records.game_record import FORFEITED, OVER, TRUNCATED, BadRecord, Ending, GameRecord, RecordedMove
from bdgame_env.render.scene import Scene

from ..arena.matches import GameResult
from ..arena.store import NAME, stored_game
from ..contents import options_changed
from ..errors import BadInput
from ..files import write_text
from ..inputs import read_options
from .opinions import Question, ask, is_number

_MOST_BYTES = 20_000_000


def write_record(path: Path, record: GameRecord) -> None:
    """Write a record to a file, whole or not at all.

    Raises:
        OSError: the file cannot be written.
    """
    write_text(path, record.to_text())


def read_record(path: str | PathLike[str]) -> GameRecord:
    """Read a record from a file.

    Raises:
        BadInput: the file cannot be read, or is no text.
        BadRecord: the file is not a record; the message names the line and the reason.
    """
    try:
        return GameRecord.from_text(read_text(path, _MOST_BYTES))
    except NotRead as error:
        raise BadInput(f"{path}: {error}") from None
    except BadRecord as error:
        raise BadRecord(f"{path}: {error}") from None


def holds_tournament(path: Path) -> bool:
    """Whether a path is the folder or the file of a tournament."""
    return path.name == NAME or (path / NAME).exists()


def tournament_record(path: Path, number: int) -> GameRecord:
    """The record of a tournament's game.

    Raises:
        BadInput: there is no such tournament or game.
        BadRecord: its actions are not legal, because it was played with other rules or cards.
    """
    settings, result = stored_game(path, number)
    try:
        game, specs, options = get_game(settings["game"]), settings["agents"], settings["options"]
        config = game.config(**options)
        names = [specs[agent] for agent in result.agents]
        if change := options_changed(settings.get("contents"), config):
            raise BadInput(f"{path} was played with another file: {change}")
    except (KeyError, IndexError, TypeError) as error:
        raise BadInput(f"{path} does not hold the settings of a tournament: {shown(error)}") from None
    except (UnknownGame, BadOption, BadInput):
        raise
    except ValueError as error:  # such as a missing card file
        raise BadInput(f"{path}: the config cannot be opened: {error}") from None
    return result_record(game, config, names, result)


def result_record(game: Game, config: GameConfig, names: Sequence[str], result: GameResult) -> GameRecord:
    """The record of a game that the arena played.

    Raises:
        BadRecord: its actions are not legal.
    """
    how = FORFEITED if result.forfeit is not None else TRUNCATED if result.truncated else OVER
    ending = Ending(how, result.points, result.ranks, result.forfeit, result.reason)
    return GameRecord.of_actions(game, config, result.game_seed, names, result.action_ids, ending)


@dataclass(frozen=True)
class Replay:
    """A record, replayed as far as possible.

    Attributes:
        record: the record.
        match: the match at its beginning.
        states: states of the match at the beginning and after each move that could be played.
        problem: why the replay stops before the end, or "".
        points: points of every seat at the beginning and after each move that could be played.
        viewer: the seat whose view it is limited to (`seen_by`), or None for everything.
    """

    record: GameRecord
    match: Match
    states: Sequence[bytes]
    problem: str
    points: Sequence[tuple[int, ...]]
    viewer: int | None = None

    @property
    def moves(self) -> Sequence[RecordedMove]:
        """The moves that could be played."""
        return self.record.moves[: len(self.states) - 1]

    @property
    def whole(self) -> bool:
        """Whether the replay agrees with the whole record, even if the record itself was cut off."""
        return not self.problem or self.problem == self.record.cut

    def position(self, number: int) -> Match:
        """The match after `number` moves."""
        twin = self.match.clone()
        twin.set_state(self.states[number])
        return twin

    def scene(self, number: int, names: Sequence[str] = ()) -> Scene:
        """The position after `number` moves, of which the last is named, as the viewer sees it; `names` of players."""
        match, seat = self.position(number), self.viewer
        snapshot = match.snapshot(omniscient=seat is None, seat=seat)
        last = [move.move for move in self.moves[max(0, number - 1) : number]]
        return Scene(match.game, snapshot, config=match.config, seat=seat, last=last, names=names)

    def seen_by(self, seat: int) -> Replay:
        """The game as a seat saw it while it was played: the moves that it saw, in the form in which it saw them.

        Other players' remarks are left out, and so are points that were not open yet. The last position and `problem`
        are those of the whole replay.
        """
        moves, states, points = [], [self.states[0]], [tuple(self.match.shown_points())]
        for number, move in enumerate(self.moves, 1):
            before, after = self.position(number - 1), self.position(number)
            seen = before.told(before.string_to_action(move.move), seat)
            if seen and move.seat == seat:
                moves.append(move)
            elif seen:
                moves.append(replace(move, move=seen, choices=0, remarks={}))
            else:
                continue
            states.append(self.states[number])
            points.append(tuple(after.shown_points()))
        states[-1], points[-1] = self.states[-1], tuple(self.position(len(self.moves)).shown_points())
        return replace(self, record=replace(self.record, moves=tuple(moves)), states=states, points=points, viewer=seat)


def play_through(record: GameRecord, options: Sequence[str] = ()) -> Replay:
    """Replay a record as far as possible.

    Args:
        record: the record of a registered game.
        options: options of the game, "KEY=VALUE", that replace the record's.

    Raises:
        UnknownGame, BadInput, BadRecord: not even the first position can be set up.
    """
    game = get_game(record.game)
    chosen: Mapping[str, Any] = read_options(game, options)
    positions = record.play(game, **chosen)
    first = next(positions).clone()
    states, points, problem = [first.get_state()], [tuple(first.points())], record.cut
    try:
        for match in positions:
            states.append(match.get_state())
            points.append(tuple(match.points()))
    except BadRecord as error:
        problem = str(error)
    return Replay(record, first, states, problem, points)


def resumable(record: GameRecord) -> Match:
    """The match at the beginning of a record's game that can be continued.

    Raises:
        UnknownGame, BadInput, BadRecord: it cannot, or it was played with other cards; one line.
    """
    played = play_through(record)
    if problem := record.difference(played.match) if played.whole else played.problem:
        raise BadInput(problem)
    return played.match


def with_opinions(played: Replay, spec: str, seed: int = 0) -> Replay:
    """The game with an agent's opinion of every decision as remarks, which replace the recorded ones.

    The agent is asked in the place of the seat that decided, and sees what that seat saw.

    Raises:
        UnknownAgent: there is no such agent.
        BadInput: it failed.
    """
    match = played.match
    agent = make_agent(spec, match.game, match.config, seed=seed)
    moves = []
    try:
        for number, move in enumerate(played.moves):
            answer = ask(agent, Question.at(played.position(number), number), match.action_names)
            moves.append(replace(move, remarks={"agent": spec, **answer.remarks}))
    except AgentFault as error:
        raise BadInput(f"{spec} failed at decision {len(moves) + 1}: {error}") from None
    finally:
        agent.close()
    rest = played.record.moves[len(moves) :]
    return replace(played, record=replace(played.record, moves=(*moves, *rest)))


def ending_line(end: Ending) -> str:
    """An ending in one line."""
    points, ranks = ("-".join(map(str, numbers)) for numbers in (end.points, end.ranks))
    return f"{how_it_ended(end)}; points {points}, ranks {ranks}"


def how_it_ended(end: Ending) -> str:
    """How a game ended, and by whose fault."""
    return end.how if end.loser is None else f"{end.how} by seat {end.loser}: {end.reason}"


def move_line(move: RecordedMove, names: Sequence[str], words: str = "") -> str:
    """A decision in one line: seat, move, its words if they are others, and the seat's evaluation."""
    value = move.remarks.get("value")
    said = f"{move.move}  - {words}" if words not in ("", move.move) else move.move
    worth = f"  value {value:+.2f}" if is_number(value) else ""
    return f"seat {move.seat} {names[move.seat]}: {said}{worth}"
