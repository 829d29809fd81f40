"""The round and its phases in order (P16), and which seats choose at once (P21, P38)."""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from .cards import BUILD, COLLECT, SCORE
from .collecting import collect
from .converting import begin_convert, end_convert, is_asked
from .conveyor import generate
from .draft import begin_draft, turn_up_abilities
from .ending import end_game, in_secret
from .knowledge import forget
from .scoring import replace_finished
from .setup import set_up
from .state import CONVERTING, DRAFTING, NONE, SCORING, Config, State

_PHASES_OF_A_ROUND = 8  # more than picks and Convert together


@kernel
def reset(s: State, config: Config) -> None:
    """P10-P15: set up the game, then begin round 1, without Generate (P17)."""
    set_up(s, config)
    s.round_number = 1
    begin_draft(s, config)


@kernel
def turn_of(s: State, config: Config, leader: int) -> int:
    """P23: how many seats had their turn before the one that decides, clockwise from the leader."""
    return (int(s.seat) - int(leader)) % int(config.players)


@kernel
def after_draft(s: State, config: Config) -> None:
    """P22, P26: turn up ability cards and begin Build with its leader."""
    turn_up_abilities(s, config)
    s.seat = s.leaders[BUILD]
    skip_builders(s, config)


@kernel
def skip_builders(s: State, config: Config) -> None:
    """P26, P27: go on to the next seat with cards to play; after the last one, Collect and then Convert (P16)."""
    players = int(config.players)
    turn = turn_of(s, config, s.leaders[BUILD])
    while s.seats[s.seat].drafted_size == 0:
        turn += 1
        if turn >= players:
            forget(s)
            collect(s, config)
            begin_convert(s, config)
            return
        s.seat = (int(s.seat) + 1) % players


@kernel
def next_to_convert(s: State, config: Config) -> None:
    """P44, P60: go on to the next seat in Collect order; after the last one all changes show, and Score begins.

    In a secret phase the order only decides who is asked when.
    """
    players = int(config.players)
    if turn_of(s, config, s.leaders[COLLECT]) + 1 < players:
        s.seat = (int(s.seat) + 1) % players
        s.phase = CONVERTING
        return
    end_convert(s, config)
    s.phase = SCORING
    s.seat = s.leaders[SCORE]


@kernel
def next_to_score(s: State, config: Config) -> None:
    """P45, P47: one turn for each seat; then replace finished images, and end the game (P48) or begin a round."""
    players = int(config.players)
    if turn_of(s, config, s.leaders[SCORE]) + 1 < players:
        s.seat = (int(s.seat) + 1) % players
        return
    replace_finished(s, config)
    if s.deck_size == 0:
        end_game(s)
    else:
        _next_round(s, config)


@kernel
def _next_round(s: State, config: Config) -> None:
    """P16, P17, P22, P40: return ability cards, make converters ready again, Generate, then begin Draft."""
    for seat in range(config.players):
        me = s.seats[seat]
        me.used[:] = 0
        me.abilities[:] = 0
        me.used_abilities[:] = 0
    s.round_number += 1
    generate(s)
    begin_draft(s, config)


@kernel
def simultaneous(s: State, config: Config, out: Ints) -> int:
    """P21, P38, P59, P60: which seats still have to choose in the phase in which all choose at once.

    Returns a number that is unique to each such phase (each pick, each secret Convert and Store), or 0 where players
    take turns, as in an open Convert and Store (P44).
    """
    out[:] = 0
    players = int(config.players)
    if s.phase == DRAFTING:
        for seat in range(players):
            out[seat] = s.seats[seat].choice == NONE
        return _PHASES_OF_A_ROUND * int(s.round_number) + int(s.seats[0].drafted_size)
    if in_secret(s):
        out[s.seat] = 1
        for turn in range(turn_of(s, config, s.leaders[COLLECT]) + 1, players):
            seat = (int(s.leaders[COLLECT]) + turn) % players
            out[seat] = is_asked(s, config, s.seats[seat])  # other seats' choices make no difference (P44)
        return _PHASES_OF_A_ROUND * int(s.round_number) + _PHASES_OF_A_ROUND - 1
    return 0
