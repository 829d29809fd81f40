"""What is legal, phase by phase (P55, P58), and what a decision does. Each chapter of the rules has its own file:

setup.py P10-P15, rounds.py P16, conveyor.py P17, draft.py P18-P24, building.py P26-P33, collecting.py P34-P37,
converting.py P38-P43, shortage.py P44, scoring.py P45-P47, ending.py P48-P49, observe.py P64-P65, knowledge.py P66,
resample.py P67, prospects.py P65.1.
"""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from . import actions as act
from .building import discard, has_choice_in_build, install, legal_in_build, pay_for_random
from .cards import LINES, NUM_ALL_RECIPES, NUM_COLORS, NUM_RECIPES
from .converting import activate, can_convert, finish, more_usable_recipes, must_give, usable_recipes
from .draft import lock
from .ending import in_secret
from .pixels import colors_held, first_color, give, mover
from .rounds import after_draft, next_to_convert, next_to_score, skip_builders
from .scoring import can_fill_any, fill, legal_in_score
from .state import BUILDING, CONVERTING, DRAFTING, NONE, PAYING, SCORING, SLOTS, STORING, Config, State


@kernel
def legal(s: State, config: Config, mask: Ints) -> None:
    """P55: set mask[a] = 1 for every legal action of the seat that decides; there is always one (P58)."""
    phase = int(s.phase)
    me = mover(s)
    if phase == DRAFTING:
        for place in range(me.hand_size):
            mask[act.DRAFT + place] = 1
    elif phase == BUILDING:
        legal_in_build(s, mask)
    elif phase in (PAYING, STORING):
        for color in range(NUM_COLORS):
            mask[act.GIVE + color] = me.pixels[color] > 0
    elif phase == CONVERTING:
        mask[act.FINISH] = 1
        recipes = usable_recipes(s, me)
        for recipe in range(NUM_RECIPES):
            mask[act.ACTIVATE + recipe] = recipes >> recipe & 1
        if config.any_triple != 0:
            more = more_usable_recipes(s, config, me)
            for k in range(NUM_ALL_RECIPES - NUM_RECIPES):
                mask[act.ACTIVATE_MORE + k] = more >> k & 1
    elif phase == SCORING:
        legal_in_score(s, me, mask)


@kernel
def apply(s: State, config: Config, action: int) -> None:
    """P55: carry out a legal action, then every decision with only one legal action, up to the next real decision."""
    if in_secret(s):
        mover(s).asked += 1
    _carry_out(s, config, int(action))
    carry_out_forced(s, config)


@kernel
def carry_out_forced(s: State, config: Config) -> None:
    """P55: carry out decisions with only one legal action, up to the next real decision."""
    while s.over == 0:
        forced = _only_action(s, config)
        if forced == NONE:
            return
        _carry_out(s, config, forced)


@kernel
def _only_action(s: State, config: Config) -> int:
    """P55: the only legal action, or NONE if there are several."""
    phase = int(s.phase)
    me = mover(s)
    if phase == DRAFTING:
        return act.DRAFT if me.hand_size == 1 else NONE
    if phase == BUILDING:
        return NONE if has_choice_in_build(me) else act.DISCARD
    if phase == CONVERTING:
        return NONE if can_convert(s, config, me) else act.FINISH
    if phase == SCORING:
        return NONE if can_fill_any(s, me) else act.PASS
    return act.GIVE + first_color(me) if colors_held(me) == 1 else NONE


@kernel
def _carry_out(s: State, config: Config, action: int) -> None:
    """P55: carry out one action, and pass the decision on."""
    family = int(act.FAMILY[action])
    choice = int(action) - family
    if family == act.DRAFT:
        if lock(s, config, choice):
            after_draft(s, config)
    elif family == act.INSTALL:
        _install(s, config, choice)
    elif family == act.DISCARD:
        discard(s, choice)
        skip_builders(s, config)
    elif family == act.ACTIVATE:
        activate(s, mover(s), choice)
    elif family == act.ACTIVATE_MORE:
        activate(s, mover(s), choice + NUM_RECIPES)
    elif family == act.FINISH:
        if finish(s, mover(s)):
            next_to_convert(s, config)
    elif family == act.GIVE:
        _give(s, config, choice)
    elif family == act.FILL:
        fill(s, config, mover(s), choice // LINES, choice % LINES)
        next_to_score(s, config)
    else:  # PASS
        next_to_score(s, config)


@kernel
def _install(s: State, config: Config, k: int) -> None:
    """P28, P57: k = 12 * hand position + 6 * end + slot."""
    place, rest = k // act.INSTALLS_OF_A_CARD, k % act.INSTALLS_OF_A_CARD
    install(s, place, rest // SLOTS, rest % SLOTS)
    if s.phase == BUILDING:
        skip_builders(s, config)


@kernel
def _give(s: State, config: Config, color: int) -> None:
    """P57: give up a pixel: the cost of a random end, or one that cannot be stored (P43)."""
    if s.phase == PAYING:
        pay_for_random(s, color)
        skip_builders(s, config)
        return
    me = mover(s)
    give(s, me, color)
    if not must_give(me):
        next_to_convert(s, config)
