"""A game in plain words: its moves, its cards, how it is played, and why something is not possible now."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..engine.game import GameConfig
    from .scene import Scene
    from .svg import Canvas

_OWNED = re.compile(r"seat-(\d)-")
_NUMBERED = re.compile(r"^ *- \*\*([A-Z]+\d+(?:\.\d+)*[a-z]?)\*\*[:.]? (.*)$")
_SOURCE = re.compile(r"\s*\((?:rulebook|ruling|text|photo|follows)\b[^()]*(?:\([^()]*\)[^()]*)*\)")
_NEAR = 10  # rounds
_MARKS = re.compile(r"\*\*|`|\*(?=\()|(?<=\))\*")


@dataclass(frozen=True)
class Reason:
    """Why something cannot be done now.

    Attributes:
        text: one sentence, for people.
        rule: the paragraph of the rules, e.g. "B24".
        moves: moves that, one after the other, do what the element stands for after all; empty if there are none.
        offer: these in words, such as "Pay 2 Red and buy it".
    """

    text: str
    rule: str
    moves: tuple[str, ...] = ()
    offer: str = ""


@dataclass(frozen=True)
class Step:
    """What happened between two positions, as one viewer sees both.

    Attributes:
        before: the scene before it.
        after: the scene after it.
        seat: whose decision it was; None for decisions that the viewer does not know of, whose effects now show.
        move: the decision, in the form told to the viewer; "" if `seat` is None.
    """

    before: Scene
    after: Scene
    seat: int | None
    move: str


# What a seat did or what became of it: the seat, and words that follow its name, such as "loaded 7 Yellow".
Event = tuple[int, str]
Icon = Callable[["Canvas", float], None]  # draws a picture that fills a square of this size, from (0, 0)


def _forgoes_nothing(scene: Scene, move: str) -> str:
    """No move rules out another one that could come before it."""
    return ""


def _no_rest(scene: Scene) -> tuple[str, str] | None:
    """In no phase is there a move for all that is left."""
    return None


@dataclass(frozen=True)
class Wording:
    """The words of a game. Only what is in a scene's snapshot goes into them.

    Attributes:
        folder: the game's folder, with GUIDE.md, which says in at most 60 lines how the game is played, and RULES.md.
        move: `(scene before it, move in notation) -> words`; the move may be in the form told to others.
        events: `(steps of one turn) -> events`: what happened, in the past tense, with its results. Steps that belong
            together, such as several cubes loaded, are one event.
        cards: `(config) -> {card: explanation}` for everything that drawings name: by `data-says`, the names of one or
            more cards joined by ", ", or else by `data-card`.
        letters: what letters on tokens stand for.
        foreign: why an element in another seat's area stands for no legal move.
        only: by the first word of moves that belong to certain phases, those phases and why not in others.
        absent: by the first word of moves, why one that is about nothing on the table is not possible.
        reason: `(scene, name, own) -> Reason` why an element stands for no legal move, or None if nothing can be said:
            one of the common area, or one of the seat to decide, then without the "seat-0-" before its name.
        turn: `(scene) -> str`: what the seat to decide has to do now, in a few words.
        stage: `(scene) -> str`: how far the game is and what ends it, in a few words.
        phases: `(scene) -> (names, number)`: the phases of a round or turn in order, and which it is; -1 for none.
        sources: `(scene, seat, gains) -> {source: points}`: where the points of a seat come from at the end; `gains`
            are the points that its moves brought at once, by the first word of the notation.
        forgoes: `(scene, move) -> str`: what a legal move rules out that could have been done before it, or takes away
            besides, as a sentence without its period; empty if there is nothing.
        rest: `(scene) -> (move, words)`: a move that may be made until a phase is over, because the order of what is
            left does not matter to most players; None if there is none.
        brief: what one does in the game, in two sentences.
        effort: how long a game takes people, and how hard it is.
        repeated: by the first word, the moves that people make several times in a row, such as loading a cube.
        stops: by the first word, the moves that say that something ends, so that nobody makes them by mistake.
        icons: by words of its texts, such as "Yellow", what is drawn in their place; see `Icon`.
    """

    folder: Path
    move: Callable[[Scene, str], str]
    events: Callable[[Sequence[Step]], list[Event]]
    cards: Callable[[GameConfig], Mapping[str, str]]
    letters: Mapping[str, str]
    foreign: Reason
    only: Mapping[str, tuple[tuple[str, ...], Reason]]
    absent: Mapping[str, Reason]
    reason: Callable[[Scene, str, bool], Reason | None]
    turn: Callable[[Scene], str]
    stage: Callable[[Scene], str]
    phases: Callable[[Scene], tuple[Sequence[str], int]]
    sources: Callable[[Scene, int, Mapping[str, int]], Mapping[str, int]]
    forgoes: Callable[[Scene, str], str] = _forgoes_nothing
    rest: Callable[[Scene], tuple[str, str] | None] = _no_rest
    brief: str = ""
    effort: str = ""
    repeated: frozenset[str] = frozenset()
    stops: frozenset[str] = frozenset({"end", "done", "pass"})
    icons: Mapping[str, Icon] = field(default_factory=dict)

    def why_not(self, scene: Scene, id: str) -> Reason | None:
        """Why an element of the table stands for no legal move; None if nothing can be said."""
        owned = _OWNED.match(id)
        if owned and int(owned[1]) != scene.snapshot["seat"]:
            return self.foreign
        return self.reason(scene, id[owned.end() :] if owned else id, owned is not None)

    @property
    def guide(self) -> str:
        """How the game is played, as Markdown."""
        return (self.folder / "GUIDE.md").read_text(encoding="utf-8")

    @property
    def about(self) -> str:
        """What the game is about, in a few sentences: how its guide begins."""
        return " ".join(self.guide.split("\n\n")[1].split()).replace("**", "")

    def icons_svg(self) -> dict[str, str]:
        """The icons as SVG documents."""
        return {word: _drawn(icon) for word, icon in self.icons.items()}

    def paragraph(self, number: str) -> str:
        """The text of a numbered paragraph of the rules; empty if there is none."""
        return _paragraphs(self.folder / "RULES.md").get(number, "")

    def paragraph_for_players(self, number: str) -> str:
        """The same without emphasis, numbers of paragraphs and sources, which are for readers of RULES.md."""
        letters = "".join({each[0] for each in _paragraphs(self.folder / "RULES.md")})
        text = _SOURCE.sub("", self.paragraph(number))
        if text.endswith(":"):  # what follows is a list
            return ""
        return re.sub(rf"\s*\([^()]*\b[{letters}]\d[^()]*\)|\*", "", text)


def _drawn(icon: Icon, size: float = 18) -> str:
    from .svg import Canvas

    canvas = Canvas.sheet(size, size, set())
    icon(canvas, size)
    return str(canvas)


def listed_words(words: Iterable[str], joined: str = "and") -> str:
    """Words as a list such as "a, b and c"."""
    *most, last = words
    return f"{', '.join(most)} {joined} {last}" if most else last


def choices(scene: Scene, said: Mapping[str, str]) -> str:
    """What may be done, such as "file, pick or build".

    Args:
        scene: the position; without legal moves, nothing is left out.
        said: by the first word of moves, what they do, in the order to name it in.
    """
    verbs = {move.partition(" ")[0] for move in scene.legal}
    return listed_words(dict.fromkeys([words for verb, words in said.items() if verb in verbs] or said.values()), "or")


def difference(before: Mapping[str, int], after: Mapping[str, int]) -> tuple[dict[str, int], dict[str, int]]:
    """What is more after something, and what is less."""
    changed = {name: after.get(name, 0) - before.get(name, 0) for name in {**before, **after}}
    return {name: n for name, n in changed.items() if n > 0}, {name: -n for name, n in changed.items() if n < 0}


def phase_of(scene: Scene, phases: Mapping[str, Sequence[str]]) -> tuple[Sequence[str], int]:
    """`Wording.phases` from the names of phases, each with those of the snapshot that are part of it."""
    now = [place for place, parts in enumerate(phases.values()) if scene.snapshot["phase"] in parts]
    return tuple(phases), now[0] if now else -1


def round_words(scene: Scene) -> str:
    """The round, such as "round 9", and the last possible one when that is near."""
    now, most = scene.snapshot["round"], scene.config.options["max_rounds"]
    return f"round {now} of at most {most}" if most - now < _NEAR else f"round {now}"


def points_words(points: int) -> str:
    """A number of points, such as "1 point"."""
    return f"{points} point{'' if points == 1 else 's'}"


@lru_cache(maxsize=16)
def _paragraphs(file: Path) -> Mapping[str, str]:
    """The numbered paragraphs of a RULES.md as plain text."""
    found: dict[str, list[str]] = {}
    lines: list[str] | None = None
    for line in file.read_text(encoding="utf-8").splitlines():
        if begun := _NUMBERED.match(line):
            lines = [begun[2]]
            found.setdefault(begun[1], lines)
        elif not line.strip() or line.lstrip().startswith(("#", "|", "- ")):
            lines = None
        elif lines is not None:
            lines.append(line.strip())
    return {number: _MARKS.sub("", " ".join(text)) for number, text in found.items()}
