"""Nicodemus as text: the bric-a-brac, the projects, then each player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....render.scene import Line, Scene
from ..cards import COLOR, KINDS, TOKENS
from .cards import LETTERS, machine_words, project_words
from .words import fee

PHASES = {
    "turn": "plays or repairs a machine",
    "wild": "uses wild symbols",
    "pick": "picks a resource",
    "hand": "discards a machine",
    "target": "chooses a machine",
    "exchange": "exchanges tokens",
    "keep": "reserves a project",
    "projects": "may complete projects",
    "partner": "chooses machines for a project",
}
_INKS = ("blue", "magenta", "red", "yellow")
_TOKEN_INKS = ("black", "yellow", "red", "cyan")


def subtitle(scene: Scene) -> str:
    """The round, and who decides what."""
    position = scene.snapshot
    told = f"round {position['round']}"
    if position["ending"]:
        told += ", the last"
    if position["phase"] == "over":
        return f"{told}: the game is over" + (" (round limit)" if position["truncated"] else "")
    return f"{told}: seat {position['seat']} {PHASES[position['phase']]}"


def lines(scene: Scene) -> list[Line]:
    """The position, for terminals and logs."""
    position = scene.snapshot
    deck, projects = (_size(position[name]) for name in ("deck", "project_deck"))
    found: list[Line] = [[(f"{scene.game.title}, {subtitle(scene)}", "bold")]]
    found.append(["reserve ", *_tokens(position["reserve"]), f"  deck {deck}  project deck {projects}"])
    found.append(["letters ", ", ".join(f"{letters} {name}" for letters, name in zip(LETTERS, TOKENS, strict=False))])
    payer = position["seat"] if scene.seat is None else scene.seat
    for space, there in enumerate(position["bric_a_brac"], 1):
        coal = f", {there['charcoalium']}Ch on it" if there["charcoalium"] else ""
        due = "" if payer is None else f", fee for seat {payer}: {fee(position, payer, space)}Ch"
        found.append([f"  {space:2} ", _machine(there["kind"]), f"{due}{coal}"])
    shown = [project_words(number) for number in position["projects"] if number is not None]
    found.append(["projects  ", " | ".join(shown) or "none"])
    found += _turn(position)
    for seat in range(scene.players):
        found += _seat(scene, seat)
    return found


def _size(deck: Any) -> int:
    return deck if isinstance(deck, int) else len(deck)


def _turn(position: Mapping[str, Any]) -> list[Line]:
    """A line for the state of the turn, if there is anything to say."""
    told = [f"{entry} {position[entry]}" for entry in ("played", "effect", "discarded") if position[entry] is not None]
    if position["left"]:
        told.append(f"{position['left']} to go")
    if position["repair"] is not None:
        need = " ".join(f"{count} {name}" for name, count in position["repair"]["need"].items() if count)
        told.append(f"repair of {position['repair']['space']} needs {need}, fee {position['repair']['fee']}")
    offer = position["offer"]
    if isinstance(offer, int):
        told += [f"{offer} projects to choose from"] if offer else []
    else:
        told += [f"offer {project_words(number)}" for number in offer]
    if position["project"] is not None:
        told.append(f"completing {project_words(position['project'])}")
    return [["turn      ", ", ".join(told)]] if told else []


def _seat(scene: Scene, seat: int) -> list[Line]:
    position = scene.snapshot
    facts = position["seats"][seat]
    decides = scene.decides(seat)
    name = f"seat {seat}" + (" (you)" if seat == scene.seat else "") + (" *" if decides else "")
    hand = facts["hand"]
    held = f"{hand} cards"
    if not isinstance(hand, int):
        held = _kinds(hand) or "none"
    if known := known_words(position, seat):
        held += f" ({known})"
    head: Line = [(name, "bold"), f"  {facts['points']} points  ", *_tokens(facts["tokens"]), f"  hand {held}"]
    found: list[Line] = [head]
    for kind in facts["workshop"]:
        found.append(["  workshop ", _machine(kind)])
    for entry in ("reserved", "completed"):
        if facts[entry]:
            found.append([f"  {entry} ", " | ".join(map(project_words, facts[entry]))])
    return found


def known_words(position: Mapping[str, Any], seat: int) -> str:
    """What the other seat knows about a hand (N16.6); empty if it knows nothing or the viewer cannot tell."""
    facts = position["seats"][1 - seat]
    words = {"known": facts["known"], "perhaps": facts["doubtful"]}
    return "; ".join(f"{word} {_kinds(kinds)}" for word, kinds in words.items() if kinds)


def _kinds(counts: Mapping[str, int]) -> str:
    return " ".join(kind if count == 1 else f"{count}x{kind}" for kind, count in counts.items())


def _machine(kind: str) -> tuple[str, str]:
    return machine_words(kind), _INKS[COLOR[KINDS.index(kind)]]


def _tokens(counts: Mapping[str, int]) -> Line:
    line: Line = []
    for number, name in enumerate(TOKENS):
        line += [" " if line else "", (f"{counts[name]}{LETTERS[number]}", _TOKEN_INKS[number])]
    return line
