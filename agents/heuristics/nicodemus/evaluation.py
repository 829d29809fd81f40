"""Nicodemus: a linear evaluation of positions, from what both seats can see.

The features are points, tokens, the workshop, the hand, and what the bric-a-brac offers: the repairs that can be paid
for, those for which a few tokens are missing, and the projects that they would complete. The weights are a
least-squares fit, the fourth in a row, of the final lead in points to the features of 65,000 positions from self-play;
in half of the games, some decisions were random.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.arrays import Floats, Ints
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.struct import Struct, unsaved
from bdgame_env.games.nicodemus import cards
from bdgame_env.games.nicodemus import state as st
from bdgame_env.games.nicodemus.bric_a_brac import count_of, symbols_of
from bdgame_env.games.nicodemus.repairing import fee_of, need_of
from bdgame_env.games.nicodemus.state import Config, Seat, State

# Features by number. All except points and immediate repairs are scaled by how much of the game is left.
F_POINTS = 0
F_FEW = 1  # of each token, at most 2
F_ALL = F_FEW + cards.NUM_TOKENS  # of each token
F_SYMBOLS = F_ALL + cards.NUM_TOKENS  # machines of the workshop by symbol
F_FULL = F_SYMBOLS + cards.NUM_SYMBOLS  # three machines, which the next one drives out
F_CHANCE = F_FULL + 1  # projects that one more machine would complete
F_RESERVED = F_CHANCE + 1
F_HAND = F_RESERVED + 1  # machines in hand
F_KINDS = F_HAND + 1  # in hand, by kind
F_REPAIRS = F_KINDS + cards.NUM_KINDS  # best and second best that can be paid for, best with 1, 2, 3 tokens missing
MOST_MISSING = 3
OFFERS = MOST_MISSING + 2
F_TO_MOVE = F_REPAIRS + OFFERS  # the same for the seat to move, and that it is
FEATURES = F_TO_MOVE + OFFERS + 1
WEIGHTS = np.array(  # points of the final lead, by feature
    [
        1.06,
        *(0.147, 0.268, 0.196, 0.218),
        *(0.243, 0.672, 0.752, 0.646),
        *(0.187, 1.16, 1.32, 1.42, 2.61),
        *(-1.37, 1.34, 0.405, -0.0856),
        *(0.226, -0.405, 0.109, -0.177, 0.133),
        *(0.354, -0.239, -0.0444, -0.442, 0.314),
        *(-0.608, 0.311, -0.326, 0.458),
        *(-0.641, 0.891),
        *(0.262, 0.195, 0.127, 0.0299, -0.0228),
        *(0.373, 0.0844, 0.14, 0.0717, 0.0746, 0.869),
    ]
)
assert len(WEIGHTS) == FEATURES
W_COAL = 0.25  # of charcoalium on a machine, in points
_HALF_LEFT = 8.0  # turns left at which things kept for later count half

_SETS = 1 << st.MOST_IN_WORKSHOP - 1  # of machines in the workshop


class View(Struct):
    """Work space for the evaluation of a position."""

    weights: Floats = unsaved(np.float64, FEATURES)
    features: Floats = unsaved(np.float64, FEATURES)
    traits: Ints = unsaved(np.int64, _SETS)
    sizes: Ints = unsaved(np.int8, _SETS)  # of the set; 0 if it includes an empty place
    alike: Ints = unsaved(np.int8, _SETS)  # the kind that all machines of the set share, or NONE


if TYPE_CHECKING:

    class Scratch(Struct):
        """A record with such work space."""

        sight: View


def _partners() -> npt.NDArray[np.float64]:
    """For each project and kind: the fraction of all machines that would complete it with one of that kind."""
    part = np.zeros((cards.NUM_PROJECTS, cards.NUM_KINDS))
    for project in range(cards.NUM_PROJECTS):
        for kind in range(cards.NUM_KINDS):
            for other in range(cards.NUM_KINDS):
                traits = int(cards.TRAITS_OF[kind]) + int(cards.TRAITS_OF[other])
                fits = traits & int(cards.ASKED[project]) == int(cards.WANTED[project]) and (
                    kind == other or not cards.TWINS[project]
                )
                if fits and cards.PROJECT_MACHINES[project] == 2:
                    part[project, kind] += cards.COPIES[other] / cards.COPIES.sum()
    part.setflags(write=False)
    return part


PARTNERS = _partners()
assert PARTNERS.shape == (cards.NUM_PROJECTS, len(cards.KINDS))


@kernel
def turns_left(s: State) -> float:
    """About how many turns of both seats are left after this one, until the deck ends or a score wins."""
    if s.ending:
        return 1.0 - s.seat
    most = max(int(s.seats[0].points), int(s.seats[1].points))
    return 1.0 + min(1.3 * s.deck_size, 2.0 * (st.WINNING_POINTS - most))


@kernel
def _note_workshop(view: View, me: Seat) -> None:
    """Note traits and sizes of all sets of the workshop's machines, with which a new one could complete projects."""
    view.sizes[:] = 0
    view.traits[:] = 0
    view.alike[:] = st.NONE
    machines = min(int(me.machines), st.MOST_IN_WORKSHOP - 1)
    for chosen in range(1, 1 << machines):
        for position in range(machines):
            if chosen >> position & 1:
                kind = int(me.workshop[position])
                first = view.sizes[chosen] == 0
                view.alike[chosen] = kind if first or view.alike[chosen] == kind else st.NONE
                view.traits[chosen] += cards.TRAITS_OF[kind]
                view.sizes[chosen] += 1


@kernel
def _completes(view: View, kind: int, project: int) -> bool:
    """Whether repairing a machine of this kind would complete a project with others in the workshop."""
    for chosen in range(1, 1 << st.MOST_IN_WORKSHOP - 1):
        if view.sizes[chosen] + 1 == cards.PROJECT_MACHINES[project] and view.sizes[chosen] > 0:
            traits = view.traits[chosen] + cards.TRAITS_OF[kind]
            if traits & cards.ASKED[project] == cards.WANTED[project] and (
                cards.TWINS[project] == 0 or view.alike[chosen] == kind
            ):
                return True
    return False


@kernel
def _project_points(view: View, s: State, me: Seat, kind: int) -> int:
    """The points of all projects that a repair of this kind would complete; machines may serve for several."""
    total = 0
    for place in range(st.BOARD):
        if s.board[place] != st.NONE and _completes(view, kind, int(s.board[place])):
            total += int(cards.PROJECT_POINTS[s.board[place]])
    for place in range(st.MOST_RESERVED):
        if me.reserved[place] == st.NONE:
            break
        if _completes(view, kind, int(me.reserved[place])):
            total += int(cards.PROJECT_POINTS[me.reserved[place]])
    return total


@kernel
def _chance(me: Seat, project: int) -> float:
    """The points of a project, times the probability that a machine completes it with the best one in the workshop."""
    best = 0.0
    for position in range(me.machines):
        best = max(best, PARTNERS[project, me.workshop[position]])
    return best * float(cards.PROJECT_POINTS[project])


@kernel
def _write_offers(view: View, s: State, me: Seat, first: int) -> None:
    """Write what the bric-a-brac offers: the points of the best repairs, by tokens missing."""
    out = view.features
    if s.machines == 0:
        return
    _note_workshop(view, me)
    symbols = symbols_of(me.workshop)
    for space in range(s.machines):
        kind = int(s.kinds[space])
        missing = -count_of(symbols, cards.WILD_SYMBOL)
        for resource in range(cards.NUM_RESOURCES):
            missing += max(0, need_of(kind, resource, symbols) - int(me.tokens[resource + 1]))
        missing = max(0, missing) + max(0, fee_of(s, space, symbols) - int(me.tokens[cards.CHARCOALIUM]))
        if missing <= MOST_MISSING:
            value = cards.POINTS[kind] + W_COAL * s.coal[space] + _project_points(view, s, me, kind)
            place = first if missing == 0 else first + 1 + missing
            if value > out[place]:
                if missing == 0:
                    out[place + 1] = out[place]
                out[place] = value
            elif missing == 0 and value > out[place + 1]:
                out[place + 1] = value


@kernel
def write_features(view: View, s: State, seat: int, to_move: int, held: int, kinds: Ints) -> None:
    """Write the features of one seat's position to `view.features`.

    Args:
        view: a VIEW record.
        s: the game.
        seat: the seat to evaluate.
        to_move: whether it is that seat's turn.
        held: the number of machines in its hand.
        kinds: the known ones among them, by kind.
    """
    me, out = s.seats[seat], view.features
    out[:] = 0.0
    later = turns_left(s)
    later /= later + _HALF_LEFT
    for token in range(cards.NUM_TOKENS):
        out[F_FEW + token] = min(2, int(me.tokens[token]))
        out[F_ALL + token] = me.tokens[token]
    for position in range(me.machines):
        out[F_SYMBOLS + cards.SYMBOL[me.workshop[position]]] += 1.0
    if me.machines + 1 == st.MOST_IN_WORKSHOP:
        out[F_FULL] = 1.0
    for place in range(st.BOARD):
        if s.board[place] != st.NONE:
            out[F_CHANCE] += _chance(me, int(s.board[place]))
    for place in range(st.MOST_RESERVED):
        if me.reserved[place] == st.NONE:
            break
        out[F_CHANCE] += _chance(me, int(me.reserved[place]))
        out[F_RESERVED] += 1.0
    out[F_HAND] = held
    for kind in range(cards.NUM_KINDS):
        out[F_KINDS + kind] = kinds[kind]
    _write_offers(view, s, me, F_TO_MOVE if to_move else F_REPAIRS)
    if to_move:
        out[FEATURES - 1] = 1.0
    for feature in range(FEATURES):
        if feature != F_TO_MOVE:
            out[feature] *= later
    out[F_POINTS] = me.points


@kernel
def weighed(view: View) -> float:
    """The value of the features written, in points; fills in the weights if the scratch space is fresh."""
    if view.weights[F_POINTS] == 0.0:
        view.weights[:] = WEIGHTS
    total = 0.0
    for feature in range(FEATURES):
        total += view.weights[feature] * view.features[feature]
    return total


@kernel
def evaluate(s: State, config: Config, seat: int, scratch: Scratch) -> float:
    """The score a seat is expected to end with, relative to a winning score; only differences between seats matter."""
    view, me = scratch.sight, s.seats[seat]
    write_features(view, s, seat, s.seat == seat, int(me.hand_size), me.hand)
    return weighed(view) / st.WINNING_POINTS
