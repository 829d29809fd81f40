"""Rewrites the recorded games and counts: `python -m tests.golden.record`.

A difference in review means that play has changed: then the game's version moves.

A recording is one game, move by move. Its moves are chosen by numbers that are the same on every machine: with
h = output number d of the SplitMix64 stream that begins at the deal's number (`tests.support.splitmix`), decision d
takes, of the legal moves in order of their ids, or with h % 16 < 11 of those that begin with a preferred verb if
there are any, the one at (h >> 32) % count. At most DECISIONS decisions are played.

A count (perft) is the number of lines of 1, 2, 3, 4 decisions from the beginning of a deal, or from a later decision
of the game that is played from it without preferred verbs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bdgame_env.engine.match import Match
from bdgame_env.registry import get_game
from tests.support import splitmix

FOLDER = Path(__file__).parent
DECISIONS = 300
HASH_EVERY = 10
DEPTH = 4


@dataclass(frozen=True)
class Recording:
    """One game to be recorded: the file's name says with what."""

    game: str
    name: str
    deal: int
    options: dict[str, Any]
    preferred: tuple[str, ...] = ()  # verbs

    @property
    def path(self) -> Path:
        """tests/golden/<game>/<name>.txt"""
        return FOLDER / get_game(self.game).name / f"{self.name}.txt"


@dataclass(frozen=True)
class Counts:
    """Deals whose lines of play are counted."""

    game: str
    name: str
    deals: tuple[int, ...]
    options: dict[str, Any] = field(default_factory=dict)
    after: int = 0  # decisions

    @property
    def path(self) -> Path:
        """tests/golden/<game>/<name>.perft"""
        return FOLDER / get_game(self.game).name / f"{self.name}.perft"


_BUILD = ("place", "select", "buy", "load", "activate", "accept", "fulfil", "hold", "split", "collect")
_ALL = {"selling": True, "trading": True}
_CHAIN = ("build", "pay", "convert", "draw", "pick", "take")
_QUICK = {"rules": "quick"}
_REPAIR = ("repair", "complete", "partner", "wild")
_EFFECT = ("effect", "exchange", "target", "pick", "keep", "discard", "repair")
_MACHINE = ("install", "activate", "fill")
RECORDINGS = (  # of 250 deals (in Bdgame 45) those with the most kinds of moves and the most points
    Recording("bdgame-v3", "2_players", 2012, {"players": 2, "max_rounds": 60}, _BUILD),
    Recording("bdgame-v3", "3_players", 2010, {"players": 3, "max_rounds": 60}, _BUILD),
    Recording("bdgame-v3", "4_players", 2001, {"players": 4, "max_rounds": 3}, _BUILD),
    Recording(
        "bdgame-v3",
        "3_players_selling_trading",
        2007,
        {"players": 3, "max_rounds": 60, **_ALL},
        (*_BUILD, "sell", "offer", "seat", "want", "agree"),
    ),
    Recording("gizmos-v3", "2_players", 2336, {"players": 2, "max_rounds": 60}, _CHAIN),
    Recording("gizmos-v3", "3_players", 2186, {"players": 3, "max_rounds": 60}, _CHAIN),
    Recording("gizmos-v3", "4_players", 2319, {"players": 4, "max_rounds": 60}, _CHAIN),
    Recording("gizmos-v3", "3_players_quick", 2319, {"players": 3, "max_rounds": 60, **_QUICK}, _CHAIN),
    Recording("nicodemus-v2", "2_players", 3233, {"players": 2, "max_rounds": 60}, _REPAIR),
    Recording("nicodemus-v2", "2_players_effects", 3024, {"players": 2, "max_rounds": 60}, _EFFECT),
    Recording("pixel-pusher-v2", "2_players", 3000, {"players": 2}, _MACHINE),
    Recording("pixel-pusher-v2", "3_players", 3169, {"players": 3}, _MACHINE),
    Recording("pixel-pusher-v2", "4_players", 3054, {"players": 4}, _MACHINE),
)
COUNTS = (
    Counts("bdgame-v3", "2_players", (1, 2), {"players": 2}),
    Counts("bdgame-v3", "4_players_selling_trading", (3, 4), {"players": 4, **_ALL}),
    Counts("gizmos-v3", "2_players", (1, 2), {"players": 2}),
    Counts("gizmos-v3", "4_players_quick", (3, 4), {"players": 4, **_QUICK}),
    Counts("nicodemus-v2", "2_players", (1, 2), {"players": 2}),
    Counts("pixel-pusher-v2", "2_players", (2, 4), {"players": 2}, after=70),
    Counts("pixel-pusher-v2", "3_players", (3, 8), {"players": 3}, after=90),
    Counts("pixel-pusher-v2", "4_players", (3, 4), {"players": 4}, after=70),
)


def choose(moves: list[str], preferred: tuple[str, ...], deal: int, decision: int) -> str:
    """The move of a recording, see above."""
    number = splitmix.output(deal, decision)
    liked = [move for move in moves if move.split(" ")[0] in preferred]
    among = liked if liked and number % 16 < 11 else moves
    return among[(number >> 32) % len(among)]


def digest(match: Match) -> str:
    """First eight hex digits of the SHA-256 of the whole position, as JSON with sorted keys."""
    text = json.dumps(match.snapshot(omniscient=True), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def header(game: str, options: dict[str, Any]) -> str:
    """Game and options, as the first line has them."""
    return f"{game} {json.dumps(options, sort_keys=True)}"


def game_lines(recording: Recording) -> Iterator[str]:
    """The recording's lines."""
    match = Match(get_game(recording.game), seed=0, **recording.options)
    match.deal(recording.deal)
    yield f"# {header(recording.game, recording.options)}"
    yield f"# deal {recording.deal}; position {digest(match)}"
    yield "# decision, seat, move, number of legal moves, every tenth: position after it"
    for decision in range(1, DECISIONS + 1):
        moves = match.legal_moves()
        if not moves:
            break
        seat, move = match.seat, choose(moves, recording.preferred, recording.deal, decision)
        match.play(move)
        tail = f"  {digest(match)}" if decision % HASH_EVERY == 0 else ""
        yield f"{decision:3} {seat} {move}  ({len(moves)}){tail}"
    how = "truncated" if match.truncated else "over" if match.over else "to be continued"
    yield f"# {how}; position {digest(match)}; points {match.points()}; ranks {match.ranks()}"


def lines_of_play(match: Match, depth: int) -> int:
    """The number of lines of `depth` decisions from here."""
    actions = match.legal_actions()
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        after = match.clone()
        after.play(action)
        total += lines_of_play(after, depth - 1)
    return total


def count_lines(counts: Counts, depth: int = DEPTH) -> Iterator[str]:
    """The counts' lines, with the numbers for 1 to `depth` decisions."""
    yield f"# {header(counts.game, counts.options)}"
    yield f"# deal: lines of 1 to {DEPTH} decisions{f', after {counts.after}' if counts.after else ''}"
    match = Match(get_game(counts.game), seed=0, **counts.options)
    for deal in counts.deals:
        match.deal(deal)
        for decision in range(1, counts.after + 1):
            match.play(choose(match.legal_moves(), (), deal, decision))
        yield " ".join([f"{deal}:", *(str(lines_of_play(match, number + 1)) for number in range(depth))])


def main() -> None:
    """Write all files, and say which have changed."""
    files = {recording.path: list(game_lines(recording)) for recording in RECORDINGS}
    files |= {counts.path: list(count_lines(counts)) for counts in COUNTS}
    for path, lines in files.items():
        text = "\n".join(lines) + "\n"
        path.parent.mkdir(exist_ok=True)
        before = path.read_text("utf-8") if path.exists() else None
        path.write_text(text, "utf-8", newline="\n")
        state = "new" if before is None else "same" if before == text else "CHANGED"
        print(f"{state:8}{path.relative_to(FOLDER)} ({len(lines)} lines)")


if __name__ == "__main__":
    main()
