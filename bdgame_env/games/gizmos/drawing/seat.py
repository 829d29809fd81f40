"""Draws a player of Gizmos: points, ring, archive and built cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....render import widgets
from ....render.scene import Scene
from ....render.svg import Canvas, fit_grid
from ..cards import (
    ADDS,
    AMOUNT,
    ARCHIVE_LIMIT,
    BUILD_CARD,
    COLORS,
    CONVERTER_CARD,
    CREDIT,
    DRAW,
    FILE,
    FILE_CARD,
    FREE_BUILD,
    KIND,
    LEVEL,
    PICK,
    PICK_CARD,
    POINTS,
    POINTS_CREDIT,
    RESEARCH,
    RESEARCH_LIMIT,
    RING_LIMIT,
    RING_SCORER,
    SCORES,
    TOKENS_SCORER,
    UPGRADE_CARD,
)
from ..state import FIRST_ARCHIVE, FIRST_RESEARCH, FIRST_RING, LAST_ROUND_CARDS, LAST_ROUND_LEVEL_3
from .cards import FILLS, LETTERS, TILE, strip, strip_height, strip_width, tile
from .paying import moves_that_pay

_PAD, _SPACE, _LABEL = 12, 8, 20
_USES = {DRAW: "draw", PICK: "pick", FILE: "file", FREE_BUILD: "build", RESEARCH: "research", POINTS_CREDIT: "take"}
_BLOCK = 250  # width of a block of facts at full width
_NAME, _RING = 46, 46
_ARCHIVE_WIDE, _ARCHIVE_TALL, _BUILT_TALL = 96, 64, 190
WIDE = _PAD + _NAME + _SPACE + _LABEL + _RING + _SPACE + _LABEL + _ARCHIVE_WIDE + _PAD
TALL = _PAD + _LABEL + _RING + _SPACE + _LABEL + _ARCHIVE_TALL + _SPACE + _LABEL + _BUILT_TALL + _PAD
_GAP = 10
COLUMN = 169  # width of a built card


def limits(facts: Mapping[str, Any]) -> tuple[int, int, int]:
    """A player's limits: marbles in the ring, cards in the archive, cards seen in a Research (G13.2)."""
    more = ADDS[facts["built"]].sum(axis=0)
    research = FIRST_RESEARCH + int(more[RESEARCH_LIMIT])
    return FIRST_RING + int(more[RING_LIMIT]), FIRST_ARCHIVE + int(more[ARCHIVE_LIMIT]), research


def points(facts: Mapping[str, Any]) -> int:
    """The points that a player's cards, tokens and marbles show (G15.1)."""
    built, tokens = facts["built"], facts["tokens"]
    scorers = SCORES[built].sum(axis=0)
    marbles = sum(int(count) for count in facts["ring"].values())
    of_scorers = marbles * int(scorers[RING_SCORER]) + int(tokens) * int(scorers[TOKENS_SCORER])
    return int(POINTS[built].sum()) + int(tokens) + of_scorers


def draw_seat(canvas: Canvas, scene: Scene, seat: int, x: float, y: float, width: float, height: float) -> None:
    """Draw the area of one player."""
    decides = scene.decides(seat)
    area = widgets.panel(canvas, x, y, width, height, active=decides, id=f"seat-{seat}")
    inner = width - 2 * _PAD
    if width > 800:
        ring_y = _PAD + _NAME + _SPACE
        archive_y = ring_y + _LABEL + _RING + _SPACE
        _name(area.group(_PAD, _PAD), scene, seat, _BLOCK)
        draw_ring(area.group(_PAD, ring_y), scene, seat, _BLOCK)
        draw_archive(area.group(_PAD, archive_y), scene, seat, _BLOCK, _ARCHIVE_WIDE)
        left = 2 * _PAD + _BLOCK + 6
        draw_built(area.group(left, _PAD), scene, seat, width - left - _PAD, height - 2 * _PAD - _LABEL)
    else:
        block = (inner - _PAD) / 2
        archive_y = _PAD + _LABEL + _RING + _SPACE
        built_y = archive_y + _LABEL + _ARCHIVE_TALL + _SPACE
        _name(area.group(_PAD, _PAD + 6), scene, seat, block)
        draw_ring(area.group(2 * _PAD + block, _PAD), scene, seat, block)
        draw_archive(area.group(_PAD, archive_y), scene, seat, inner, _ARCHIVE_TALL)
        draw_built(area.group(_PAD, built_y), scene, seat, inner, _BUILT_TALL)


def _name(canvas: Canvas, scene: Scene, seat: int, width: float) -> None:
    facts = scene.snapshot["seats"][seat]
    text = f"Seat {seat}" + (" (you)" if seat == scene.seat else "")
    canvas.text(0, 14, text, 24, bold=True, width=width - 80)
    tokens = canvas.group(id=f"seat-{seat}-tokens", data_count=facts["tokens"])
    tokens.text(0, 39, f"{facts['tokens']} in tokens · research {limits(facts)[2]}", 15, fill=widgets.FAINT)
    total = points(facts)
    badge = canvas.group(width - 34, 22, id=f"seat-{seat}-points", data_points=total)
    widgets.badge(badge, 0, 0, str(total), fill=widgets.POINTS, size=28)


def draw_ring(canvas: Canvas, scene: Scene, seat: int, width: float) -> None:
    """Draw the marbles in the ring, from (0, 0)."""
    facts = scene.snapshot["seats"][seat]
    held, most = sum(facts["ring"].values()), limits(facts)[0]
    ring = canvas.group(id=f"seat-{seat}-ring", data_count=held, data_limit=most)
    widgets.label(ring, 0, 8, f"RING: {held} of {most}")
    each = width / len(COLORS)
    for number, color in enumerate(COLORS):
        count = facts["ring"][color]
        place = ring.group(number * each, _LABEL, id=f"seat-{seat}-ring-{color}", data_count=count)
        place.rect(0, 0, each - 5, _RING, radius=7, fill="#ffffff", stroke=widgets.LINE, stroke_width=1.5)
        shown = place.group(opacity=1 if count else 0.35)
        widgets.marble(shown, 19, _RING / 2, 28, FILLS[number], LETTERS[number])
        shown.text(each - 17, _RING / 2, str(count), 22, anchor="middle", bold=True)


def draw_ring_line(canvas: Canvas, scene: Scene, seat: int, width: float) -> None:
    """Draw the marbles in the ring in a line, from (0, 0)."""
    facts = scene.snapshot["seats"][seat]
    held, most = sum(facts["ring"].values()), limits(facts)[0]
    ring = canvas.group(id=f"seat-{seat}-ring", data_count=held, data_limit=most)
    each = (width - 50) / len(COLORS)
    amounts = [int(move.split()[1]) for move in scene.legal if move.startswith("pay ")] if scene.decides(seat) else []
    paying = moves_that_pay(scene.snapshot, amounts)
    for number, color in enumerate(COLORS):
        count = facts["ring"][color]
        moves = scene.moves(*paying[number])
        place = ring.group(number * each, 0, id=f"seat-{seat}-ring-{color}", moves=moves, data_count=count)
        place.rect(0, 0, each - 4, 38, radius=7, fill="#ffffff", stroke=widgets.LINE, stroke_width=1.5)
        if moves:
            widgets.outline(place, 0, 0, each - 4, 38)
        shown = place.group(opacity=1 if count else 0.35)
        widgets.marble(shown, 15, 19, 22, FILLS[number], LETTERS[number])
        shown.text(each - 15, 19, str(count), 18, anchor="middle", bold=True)
    told = f"{held} of {most}" if most < 10 else f"{held}/{most}"
    ring.text(width - 46, 19, told, 13, bold=held >= most, width=46, least=12)


def draw_archive(canvas: Canvas, scene: Scene, seat: int, width: float, height: float) -> float:
    """Draw the archived cards, from (0, 0); returns the height of one."""
    facts = scene.snapshot["seats"][seat]
    archive, most = facts["archive"], limits(facts)[1]
    widgets.label(canvas, 0, 8, f"ARCHIVE: {len(archive)} of {most}")
    decides = scene.decides(seat)
    moves = [scene.moves(f"build archive {place}") if decides else [] for place in range(len(archive))]
    ids = [f"seat-{seat}-archive-{place}" for place in range(len(archive))]
    return lay(canvas.group(0, _LABEL), archive, ids, moves, width, height)


def by_kind(built: Sequence[int]) -> list[int]:
    """Built cards in the columns' order of a player's board: upgrades, converters, File, Pick, Build (G1.5)."""
    kinds = (UPGRADE_CARD, CONVERTER_CARD, FILE_CARD, PICK_CARD, BUILD_CARD)
    return sorted(built, key=lambda card: (kinds.index(int(KIND[card])), card))


def draw_built(canvas: Canvas, scene: Scene, seat: int, width: float, height: float) -> None:
    """Draw the built cards, from (0, 0)."""
    facts = scene.snapshot["seats"][seat]
    built = by_kind(facts["built"])
    third = sum(1 for card in built if LEVEL[card] == 3)
    widgets.label(canvas, 0, 8, f"BUILT: {len(built)}, {third} of level 3")
    ids, moves = [f"seat-{seat}-built-{card}" for card in built], [_triggered(scene, card) for card in built]
    lay(canvas.group(0, _LABEL), built, ids, moves, width, height, done(scene))


def draw_strips(canvas: Canvas, scene: Scene, seat: int, width: float) -> float:
    """Draw the built cards as strips in columns, from (0, 0); returns the height."""
    facts = scene.snapshot["seats"][seat]
    built = by_kind(facts["built"])
    third = sum(1 for card in built if LEVEL[card] == 3)
    told = f"BUILT: {len(built)} of {LAST_ROUND_CARDS}, {third} of {LAST_ROUND_LEVEL_3} of level 3"
    area = canvas.group(data_touch="whole")
    area.rect(0, 0, 120, _LABEL + strip_height(2), fill=widgets.PANEL, fill_opacity=0)  # for a finger, with the label
    widgets.label(area, 0, 8, told, width=width)
    ids, moves = [f"seat-{seat}-built-{card}" for card in built], [_triggered(scene, card) for card in built]
    row = area.group(0, _LABEL)
    return _LABEL + lay_strips(row, built, ids, moves, width, done(scene), column=COLUMN, most=LAST_ROUND_CARDS)


def waiting(scene: Scene) -> set[int]:
    """The triggered cards whose effects may still be used.

    Credits do not say which card granted them (D3.2): as many cards wait as grant what is left, the last ones.
    """
    position, found = scene.snapshot, set()
    left = {credit: int(number) for credit, number in enumerate(position["credits"].values())}
    for card in reversed(position["spent"]):
        if left[int(CREDIT[card])] > 0:
            left[int(CREDIT[card])] -= int(AMOUNT[card])
            found.add(card)
    return found


def done(scene: Scene) -> set[int]:
    """The cards that were already used this turn."""
    return {*scene.snapshot["spent"], *scene.snapshot["used"]} - waiting(scene)


def _triggered(scene: Scene, card: int) -> list[str]:
    """The legal moves that use the effect of a built card."""
    chain = scene.snapshot["phase"] == "chain"  # a card that is being researched is filed or built for other reasons
    return scene.moves_starting(_USES[int(CREDIT[card])]) if chain and card in waiting(scene) else []


def draw_archive_strips(canvas: Canvas, scene: Scene, seat: int, width: float) -> float:
    """Draw the archived cards as strips, from (0, 0); returns the height."""
    facts = scene.snapshot["seats"][seat]
    archive, most = facts["archive"], limits(facts)[1]
    widgets.label(canvas, 0, 8, f"ARCHIVE: {len(archive)} of {most}")
    decides = scene.decides(seat)
    moves = [scene.moves(f"build archive {place}") if decides else [] for place in range(len(archive))]
    ids = [f"seat-{seat}-archive-{place}" for place in range(len(archive))]
    return _LABEL + lay_strips(canvas.group(0, _LABEL), archive, ids, moves, width)


def lay_strips(
    canvas: Canvas,
    cards: Sequence[int],
    ids: Sequence[str],
    moves: Sequence[list[str]],
    width: float,
    done: set[int] | frozenset[int] = frozenset(),
    *,
    column: float = 0,
    most: int | None = None,
) -> float:
    """Draw cards as strips of two rows beside and below each other, as `lay` does; returns the height.

    Every strip is as wide as its text needs, or as a column of this width. Pages draw them larger where there is room
    for `most` of them.
    """
    x, y, high = 0.0, 0.0, strip_height(2)
    canvas = canvas.group(data_flow=f"{column + 4 if column else 0} {high + 3}", data_most=most)
    for card, id, legal in zip(cards, ids, moves, strict=True):
        wide = column or strip_width(card, 2)
        if x and x + wide > width:
            x, y = 0.0, y + high + 3
        place = canvas.group(x, y, id=id, moves=legal, data_card=card, data_wide=wide)
        strip(place.group(opacity=0.45 if card in done else 1), card, rows=2, column=column)
        if legal:
            widgets.outline(place, 1, 1, wide - 2, high - 2)
        x += wide + 4
    return y + high if cards else 0.0


def draw_brief(canvas: Canvas, scene: Scene, seat: int) -> None:
    """Draw in two lines from (0, 0) what a player has."""
    facts = scene.snapshot["seats"][seat]
    most, archived, _ = limits(facts)
    for number, color in enumerate(COLORS):
        place = canvas.group(number * 46, 0, id=f"seat-{seat}-brief-{color}", data_count=facts["ring"][color])
        widgets.marble(place, 9, 10, 18, FILLS[number], LETTERS[number])
        place.text(22, 10, str(facts["ring"][color]), 15, bold=True)
    canvas.text(190, 10, f"{sum(facts['ring'].values())} of {most} marbles", 13, fill=widgets.FAINT)
    built, third = len(facts["built"]), sum(1 for card in facts["built"] if LEVEL[card] == 3)
    told = f"{built} built, {third} of level 3; archive {len(facts['archive'])} of {archived}"
    canvas.text(0, 30, told, 13, fill=widgets.FAINT)


def lay(
    canvas: Canvas,
    cards: Sequence[int],
    ids: Sequence[str],
    moves: Sequence[list[str]],
    width: float,
    height: float,
    done: set[int] | frozenset[int] = frozenset(),
) -> float:
    """Draw cards in rows, as large as the area allows; returns the height of one.

    Args:
        canvas: the canvas to draw on, from (0, 0).
        cards: the cards' numbers.
        ids: an element id for each card.
        moves: the legal moves about each card.
        width: the area's width.
        height: the area's height.
        done: the cards that were already used this turn.
    """
    wide, high = TILE[0] + _GAP, TILE[1] + _GAP
    columns, scale = fit_grid(len(cards), width + 6, height + 6, (wide, high), most=0.8)
    for number, (card, id, legal) in enumerate(zip(cards, ids, moves, strict=True)):
        x, y = number % columns * wide * scale, number // columns * high * scale
        place = canvas.group(x, y, scale=scale, id=id, moves=legal, data_card=card)
        if card in done:
            tile(place.group(opacity=0.45), card)
            widgets.badge(place, TILE[0] / 2, TILE[1] - 6, "used", fill=widgets.BACK, size=18)
        else:
            tile(place, card)
        if legal:
            widgets.outline(place, 0, 0, *TILE)
    return TILE[1] * scale
