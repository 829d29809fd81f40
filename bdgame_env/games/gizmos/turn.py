"""The course of a turn (G5): what is possible in MAIN and CHAIN, and how the turn passes to the next seat."""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from . import actions as act
from .building import payable
from .cards import DRAW, FILE, FREE_BUILD, LEVEL, NUM_COLORS, PICK, POINTS_CREDIT, RESEARCH
from .ending import game_over, next_seat
from .marbles import can_draw, can_pick, mover, reckon
from .market import can_build_free, can_file_display, may_file
from .research import can_research
from .state import CHAIN, DISPLAY, FROM_ARCHIVE, FROM_DISPLAY, FROM_HAND, LEVEL_1_PLACES, NONE, Config, State


@kernel
def legal_in_main(s: State, mask: Ints) -> None:
    """G5.1, G5.3: File, Pick, Build or Research; a pass only if none of them is possible."""
    me = mover(s)
    found = legal_picks(s, mask)
    found |= legal_files(s, mask)
    found |= legal_researches(s, mask)
    for place in range(DISPLAY):
        if s.display[place] != NONE and payable(me, int(me.energies), s.display[place], FROM_DISPLAY):
            mask[act.BUILD_DISPLAY + place] = 1
            found = True
    for place in range(me.archived):
        if payable(me, int(me.energies), me.archive[place], FROM_ARCHIVE):
            mask[act.BUILD_ARCHIVED + place] = 1
            found = True
    if not found:
        mask[act.END] = 1


@kernel
def legal_picks(s: State, mask: Ints) -> bool:
    """G7, D2.2: allow each color in the row; returns whether there is any."""
    if not can_pick(s):
        return False
    for color in range(NUM_COLORS):
        if s.row[color] > 0:
            mask[act.PICK_COLOR + color] = 1
    return True


@kernel
def legal_files(s: State, mask: Ints) -> bool:
    """G6: allow each card in the display; returns whether there is any."""
    if not can_file_display(s):
        return False
    for place in range(DISPLAY):
        if s.display[place] != NONE:
            mask[act.FILE_DISPLAY + place] = 1
    return True


@kernel
def legal_researches(s: State, mask: Ints) -> bool:
    """G9.1, G9.2: allow each deck with a card; returns whether there is any."""
    if not can_research(s):
        return False
    for deck in range(3):
        if s.deck_sizes[deck] > 0:
            mask[act.RESEARCH_LEVEL + deck] = 1
    return True


@kernel
def legal_in_hand(s: State, mask: Ints) -> None:
    """G9.3: file a researched card, build one, or keep none."""
    me = mover(s)
    if may_file(me):
        for place in range(s.hand_size):
            mask[act.FILE_HAND + place] = 1
    for place in range(s.hand_size):
        if payable(me, int(me.energies), s.hand[place], FROM_HAND):
            mask[act.BUILD_HAND + place] = 1
    mask[act.KEEP_NONE] = 1


@kernel
def legal_in_chain(s: State, mask: Ints) -> None:
    """D3.1, D3.3, G11.6, G11.7, G12.7: whatever the credits pay for, in any order, or the end of the turn."""
    mask[act.END] = 1
    if s.credits[PICK] > 0:
        legal_picks(s, mask)
    if s.credits[FILE] > 0:
        legal_files(s, mask)
    if s.credits[RESEARCH] > 0:
        legal_researches(s, mask)
    if s.credits[FREE_BUILD] > 0:
        _legal_free_builds(s, mask)
    if s.credits[DRAW] > 0 and can_draw(s):
        mask[act.DRAW_ONE] = 1
    if s.credits[POINTS_CREDIT] > 0:
        mask[act.TAKE_POINTS] = 1


@kernel
def _legal_free_builds(s: State, mask: Ints) -> None:
    """G12.5: any card of level 1 in the display or in the mover's archive."""
    me = mover(s)
    for place in range(LEVEL_1_PLACES):
        if s.display[place] != NONE:
            mask[act.BUILD_DISPLAY + place] = 1
    for place in range(me.archived):
        if LEVEL[me.archive[place]] == 1:
            mask[act.BUILD_ARCHIVED + place] = 1


@kernel
def can_go_on(s: State) -> bool:
    """D3.4, G11.9: whether any credit can be used now."""
    credits = s.credits
    if credits[POINTS_CREDIT] > 0 or (credits[PICK] > 0 and can_pick(s)) or (credits[DRAW] > 0 and can_draw(s)):
        return True
    if credits[FILE] > 0 and can_file_display(s):
        return True
    if credits[RESEARCH] > 0 and can_research(s):
        return True
    return credits[FREE_BUILD] > 0 and can_build_free(s)


@kernel
def take_points(s: State) -> None:
    """D3.5: take all waiting points."""
    mover(s).tokens += s.credits[POINTS_CREDIT]
    s.credits[POINTS_CREDIT] = 0


@kernel
def settle(s: State, config: Config) -> None:
    """D3.4: end a turn in which only `end` is left."""
    if s.phase == CHAIN and not can_go_on(s):
        end_turn(s, config)


@kernel
def pass_turn(s: State, config: Config) -> None:
    """G5.3, G5.4: pass, as nothing can be done. When all seats pass in a row, the game is over."""
    s.passes += 1
    if s.passes == config.players:
        game_over(s)
    else:
        end_turn(s, config)


@kernel
def end_turn(s: State, config: Config) -> None:
    """G5.5: credits lapse and marks are cleared; the next seat's turn begins."""
    s.credits[:] = 0
    s.spent = 0
    if s.used != 0:
        s.used = 0
        reckon(s, s.seat)
    next_seat(s, config)
