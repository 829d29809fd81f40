"""What a move leads to, in the game's words: the points it brings, and what it makes possible in the same turn.

Only what is sure is told: what holds in several samples of all that the seat to decide does not know.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from bdgame_env.engine.match import Match
from bdgame_env.render.drawings import drawing_of, words_of_moves
from bdgame_env.render.picture import scene_of
from bdgame_env.render.wording import listed_words, points_words

from .opinions import chance, is_hopeless, is_number

_LIKED = ("visits", "preferences")
_SAMPLES = 3
_MOST_MOVES = 24  # new ones that are looked at: more are no lead
_TOLD = 2


def leads_to(match: Match, move: str) -> str:
    """Sentences on what a legal move leads to; empty if nothing is sure or there are no words."""
    if drawing_of(match.game).wording is None:
        return ""
    found = [_lead(match, move, sample) for sample in range(_SAMPLES)]
    gains = {gain for gain, _ in found}
    told = [f"This move scores {points_words(gains.pop())}."] if len(gains) == 1 and min(gains) > 0 else []
    first, *others = (opened for _, opened in found)
    sure = [(points, words) for words, points in first.items() if all(other.get(words) == points for other in others)]
    best = sorted(sure, key=lambda one: -one[0])[:_TOLD]
    if best:
        named = (f"“{words}”" if "point" in words else f"“{words}” ({points_words(points)})" for points, words in best)
        told.append(f"After it, you can play {listed_words(named)}.")
    return " ".join(told)


def because(
    move: str, remarks: Mapping[str, Any], words: Mapping[str, str], players: int, *, fell_back: bool = False
) -> str:
    """Why an agent prefers its move: what it expects of it, and of the next best one; "" if it does not say.

    Searches choose by visits, too: where another move looks as good by its few visits, that one is not named.
    """
    liked = [other for other in remarks.get("visits") or remarks.get("preferences") or {} if other != move]
    values = remarks.get("values") or {}
    own = remarks.get("value", values.get(move))
    if not is_number(own):
        return f"Preferred to {len(liked)} other move{'' if len(liked) == 1 else 's'}." if liked else ""
    told = f"With this, your chance to {'finish ahead of an opponent' if players > 2 else 'win'} is {chance(own)}%."
    if is_hopeless(own):
        return told if not fell_back else f"{told} No move changes that much; this is what a simple plan would play."
    judged = [other for other in liked if is_number(values.get(other))]
    if judged:
        best = max(judged, key=lambda other: float(values[other]))
        if chance(values[best]) < chance(own):
            told += f" Next best: “{words.get(best, best)}”, {chance(values[best])}%."
    return told


def without_doubtful_values(move: str, remarks: Mapping[str, Any]) -> dict[str, Any]:
    """An agent's remarks without the values that are above that of its move: they rest on few tries, and it knows.

    The moves are in descending order of the others.
    """
    values, own = remarks.get("values") or {}, remarks.get("value")
    if not is_number(own):
        return dict(remarks)
    kept = {other: value for other, value in values.items() if is_number(value) and (other == move or value <= own)}
    liked = {
        entry: dict(sorted(moves.items(), key=lambda one: -kept.get(one[0], -math.inf)))
        for entry in _LIKED
        if (moves := remarks.get(entry))
    }
    return {**remarks, **liked, "values": kept}


def _lead(match: Match, move: str, sample: int) -> tuple[int, Mapping[str, int]]:
    """The points that a move brings at once, and the moves in words that it makes possible, with what those bring."""
    seat, before = match.seat, set(match.legal_moves())
    twin = match.clone(determinize=seat, seed=sample)
    points = twin.points()[seat]
    twin.play(move)
    gain = twin.points()[seat] - points
    if twin.over or twin.seat != seat:
        return gain, {}
    opened = [new for new in twin.legal_moves() if new not in before][:_MOST_MOVES]
    bring = {new: _gain(twin, new) for new in opened}
    good = [new for new in opened if bring[new] > 0]
    words = words_of_moves(scene_of(twin, seat=seat), good)
    return gain, {words[new]: bring[new] for new in good}


def _gain(match: Match, move: str) -> int:
    twin, seat = match.clone(), match.seat
    twin.play(move)
    return int(twin.points()[seat] - match.points()[seat])
