"""The picture of Gizmos holds what the snapshot holds, element by element."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bdgame_env.engine.match import Match
from bdgame_env.games.gizmos.cards import AMOUNT, COLORS, CREDIT, CREDITS, KIND, KINDS, LEVEL, NUM_CARDS
from bdgame_env.games.gizmos.drawing.cards import LETTERS, cost_words, printed_points, strip, strip_height, tile
from bdgame_env.games.gizmos.drawing.effects import says
from bdgame_env.games.gizmos.drawing.seat import COLUMN, limits
from bdgame_env.games.gizmos.game import GAME
from bdgame_env.render.drawings import drawing_of
from bdgame_env.render.svg import Canvas, text_width
from bdgame_env.render.text_picture import text_picture
from bdgame_env.render.widgets import POINTS
from tests.games.gizmos.positions import position
from tests.support.pictures import Shown, positions

pytestmark = pytest.mark.plain  # cards and pictures do not depend on the JIT

WORDING = drawing_of(GAME).wording
USES = {"draw": "draw", "pick": "pick", "file": "file", "build": "free_build", "research": "research", "take": "points"}
LINES = [({"players": 2}, 1), ({"players": 3, "rules": "quick"}, 2), ({"players": 4}, 3)]


@pytest.fixture(params=LINES, ids=lambda line: f"{line[0]['players']}p", scope="module")
def pictures(request: pytest.FixtureRequest) -> list[tuple[Match, Shown]]:
    """Positions of one game, each with its picture."""
    options, seed = request.param
    return [(match.clone(), Shown(match)) for match in positions(Match(GAME, seed=seed, **options), 11, 300)]


def test_display_decks_and_marbles(pictures: list[tuple[Match, Shown]]) -> None:
    for _, shown in pictures:
        position = shown.snapshot
        cards = [shown.data(f"display-{place}", "card") for place in range(9)]
        assert cards == ["" if card is None else str(card) for card in position["display"]]
        assert [shown.count(f"deck-{level}") for level in (1, 2, 3)] == position["decks"]
        assert {color: shown.count(f"row-{color}") for color in COLORS} == position["row"]
        assert {color: shown.count(f"row-{color}", "left") for color in COLORS} == position["dispenser"]
        assert {color: shown.count(f"dispenser-{color}") for color in COLORS} == position["dispenser"]
        letters = {color: shown.text(f"row-{color}").split() for color in COLORS}
        assert letters == {color: [LETTERS[COLORS.index(color)]] * n for color, n in position["row"].items()}


def test_each_player(pictures: list[tuple[Match, Shown]]) -> None:
    """G13.2, G15.1: limits and points are those of the rules."""
    for match, shown in pictures:
        for seat, facts in enumerate(shown.snapshot["seats"]):
            name, state = f"seat-{seat}", match.state.seats[seat]
            assert shown.count(f"{name}-points", "points") == match.points()[seat]
            assert limits(facts) == (state.ring_limit, state.archive_limit, state.research)
            assert shown.count(f"{name}-ring", "limit") == state.ring_limit
            assert {color: shown.count(f"{name}-ring-{color}") for color in COLORS} == facts["ring"]
            assert [shown.count(id, "card") for id in shown.ids(f"{name}-archive-")] == facts["archive"]
            built = [shown.count(id, "card") for id in shown.ids(f"{name}-built-")]
            assert sorted(built) == facts["built"]
            kinds = [("upgrade", "convert", "file", "pick", "build").index(KINDS[KIND[card]]) for card in built]
            assert kinds == sorted(kinds), "as on a player's board"
            used = [card for card in facts["built"] if shown.text(f"{name}-built-{card}").endswith("used")]
            done = {*shown.snapshot["spent"], *shown.snapshot["used"]} - may_still_be_used(shown.snapshot)
            assert sorted(used) == sorted(done & {*facts["built"]})
            assert shown.count(f"{name}-tokens") == facts["tokens"]


def may_still_be_used(position: dict[str, Any]) -> set[int]:
    """The last triggered cards that together grant what is still to be used, or more."""
    found = set()
    for place, card in enumerate(position["spent"]):
        later = sum(int(AMOUNT[other]) for other in position["spent"][place + 1 :] if granted(other) == granted(card))
        if later < position["credits"][granted(card)]:
            found.add(card)
    return found


def granted(card: int) -> str:
    return str(CREDITS[CREDIT[card]])


def test_what_is_open(pictures: list[tuple[Match, Shown]]) -> None:
    for _, shown in pictures:
        position = shown.snapshot
        assert ("payment" in shown.by_id) == (position["payment"] is not None)
        assert ("credits" in shown.by_id) == any(position["credits"].values())
        hand = position["hand"]
        assert [shown.count(id, "card") for id in shown.ids("hand-")] == (hand["cards"] if hand else [])


def test_moves_are_on_the_element_that_they_are_about(pictures: list[tuple[Match, Shown]]) -> None:
    for match, shown in pictures:
        about = shown.moves()
        for move in match.legal_moves():
            verb, *rest = move.split()
            wanted = f"move-{move.replace(' ', '-')}"
            if verb in ("file", "build", "under") and rest[0] not in ("hand", "archive") and verb != "under":
                wanted = f"display-{rest[0]}"
            elif verb == "under" or rest[:1] == ["hand"]:
                wanted = f"hand-{rest[-1]}"
            elif rest[:1] == ["archive"]:
                wanted = f"seat-{match.seat}-archive-{rest[1]}"
            elif verb == "pick":
                wanted = f"row-{rest[0]}"
            elif verb == "research":
                wanted = f"deck-{rest[0]}"
            places = [wanted]
            if shown.snapshot["phase"] == "chain" and verb in USES:
                cards = [card for card in may_still_be_used(shown.snapshot) if granted(card) == USES[verb]]
                assert cards, "a click on the card that was triggered uses it, too"
                places = [wanted] * (verb not in ("draw", "take")) + [
                    f"seat-{match.seat}-built-{card}" for card in cards
                ]
            assert sorted(id for id, moves in about.items() if move in moves) == sorted(places)


def test_a_triggered_card_is_marked_until_it_is_used() -> None:
    """G11.1: on the table and in the text."""
    t = position(display={0: 32}, built=[7]).play("file 0")
    shown = Shown(t.match)
    built = ["seat-0-built-0", "seat-0-built-7"]
    assert [shown.moves().get(id, []) for id in built] == [
        ["draw"],
        [f"pick {color}" for color in ("red", "blue", "black", "yellow")],
    ]
    assert not any("used" in shown.text(id) for id in built)
    assert text_picture(shown.scene).count("(waits)") == 2
    reason = WORDING and WORDING.why_not(shown.scene, built[1])
    assert reason is not None and "you may pick a marble from the row" in reason.text
    t.play("draw", "pick red")
    shown = Shown(t.match, seat=0)
    assert t.match.seat == 1 and not any("used" in shown.text(id) for id in built), "in its next turn it works again"
    t = position(display={0: 32}, built=[7]).play("file 0", "draw")
    shown = Shown(t.match)
    assert shown.text(built[0]).endswith("used") and not shown.text(built[1]).endswith("used")


def test_researched_cards_are_shown_to_the_researcher_only() -> None:
    """G17.4: the others see how many there are."""
    match = Match(GAME, seed=1, players=3)
    match.play("research 2")
    own, other = Shown(match), Shown(match, seat=1)
    assert [shown_card(own, id) for id in own.ids("hand-")] == own.snapshot["hand"]["cards"]
    assert other.ids("hand-") == [] and other.count("hand") == len(own.ids("hand-")) == 3


def shown_card(shown: Shown, id: str) -> int:
    return shown.count(id, "card")


def test_every_card_says_what_it_does() -> None:
    """Cards that differ say something else; two lines will do, but for the largest upgrades."""
    told = {}
    for card in range(NUM_CARDS):
        lines = says(card)
        assert 1 <= len(lines) <= (3 if LEVEL[card] == 2 else 2) and all(lines)
        told.setdefault((LEVEL[card], cost_words(card), printed_points(card), str(lines)), []).append(card)
    assert len(told) == 107  # C2


def test_a_sign_on_every_card_says_what_triggers_it() -> None:
    """G1.5, G11.2: also on the narrow strips, where the word is left out."""
    for card in range(NUM_CARDS):
        for draw in (tile, strip):
            canvas = Canvas.sheet(300, 100, set())
            draw(canvas, card)
            assert re.findall('data-sign="([a-z]+)"', str(canvas)) == [KINDS[KIND[card]]]


def test_the_text_tells_the_same(pictures: list[tuple[Match, Shown]]) -> None:
    for match, shown in pictures:
        text = text_picture(shown.scene)
        for seat, facts in enumerate(shown.snapshot["seats"]):
            head = next(line for line in text.splitlines() if line.startswith(f"seat {seat}"))
            assert f"  {match.points()[seat]} points" in head
            assert all(f"#{card} " in text for card in facts["built"])
        assert "\x1b" not in text and text.isascii()


@pytest.mark.parametrize("card", range(NUM_CARDS))
def test_a_card_in_a_column_can_be_read(card: int) -> None:
    """Its rows are the lines of the card, in letters of at least 12 pixels, left of the points."""
    canvas = Canvas.sheet(COLUMN, strip_height(2), set())
    strip(canvas, card, rows=2, column=COLUMN)
    letters = [float(size) for size in re.findall(r'font-size="([\d.]+)"', str(canvas))]
    assert min(letters) >= 11.95
    badge = re.search(rf'<rect x="([\d.]+)"[^>]*fill="{POINTS}"', str(canvas))
    assert (badge is not None) == bool(printed_points(card) != "0" or LEVEL[card])
    right = float(badge[1]) - 3 if badge else COLUMN
    rows = re.split(r'<g transform="translate\(31 [\d.]+\)">', str(canvas))[1:]
    assert len(rows) == len(says(card))
    for row in rows:
        for x, size, text in re.findall(r'<text x="([\d.]+)" [^>]*font-size="([\d.]+)"[^>]*>([^<]*)<', row):
            middle = "text-anchor" in row[: row.index(f">{text}<")].rpartition("<text")[2]
            assert 31 + float(x) + text_width(text.strip(), float(size)) / (1 + middle) < right
