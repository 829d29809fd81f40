"""What the page of Gizmos says of cards that cannot be used."""

from __future__ import annotations

import json
from collections.abc import Iterator

from bdgame_env import get_game
from bdgame_env.engine.match import Match
from bdgame_env.games.gizmos.cards import COLORS
from bdgame_env.games.gizmos.drawing import DRAW
from bdgame_env.games.gizmos.drawing.seat import draw_ring_line
from bdgame_env.render.drawings import words_of, words_of_moves
from bdgame_env.render.picture import scene_of
from bdgame_env.render.svg import Canvas
from bdgame_env.render.wording import listed_words
from tests.support.pictures import Shown

from .positions import Position, position


def why(at: Position, id: str) -> str:
    wording = DRAW.wording
    assert wording is not None
    reason = wording.why_not(scene_of(at.match, seat=at.match.seat), id)
    assert reason is not None
    return reason.text


def test_an_archived_card_is_not_refused_for_a_full_archive() -> None:
    """It lies there already; a card of the display is refused for it."""
    at = position(archive=[76], display={7: 77})
    told = why(at, "seat-0-archive-0")
    assert told.startswith("You cannot pay ") and told.endswith(" It stays in your archive until you build it.")
    assert why(at, "display-7").endswith("Your archive is full, so you cannot file it either.")


def asked(at: Position) -> str:
    wording = DRAW.wording
    assert wording is not None
    return wording.turn(scene_of(at.match, seat=at.match.seat))


def test_what_is_asked_names_what_is_possible() -> None:
    assert asked(position(display={0: 33}, ring="1 blue")) == "File, pick, build or research"
    assert asked(position(archive=[76], ring="5 red", display={0: 33})) == "Build or research"
    assert asked(position(display={0: 32}).play("file 0")) == "You may draw a random marble or end your turn"


def test_it_says_if_none_of_the_researched_cards_can_be_kept() -> None:
    full = position(archive=[76], tops={1: [33, 34, 35]}).play("research 1")
    assert full.legal == {"keep none"} and asked(full) == "You can keep none of these cards"
    for ring, told in (("1 red", "File"), ("1 red 1 blue 1 black 1 yellow", "File or build")):
        at = position(tops={1: [33, 34, 35]}, ring=ring).play("research 1")
        assert asked(at) == f"{told} one of these cards, or keep none"


def decisions() -> Iterator[Match]:
    """Positions of games in which much is built."""
    for seed in range(12):
        match = Match(get_game("gizmos-v3"), seed=seed, players=2)
        for number in range(240):
            if match.over:
                break
            yield match
            legal = match.legal_moves()
            match.play(next((each for each in legal if each.startswith("build")), legal[number * 7919 % len(legal)]))


def test_a_payment_names_what_follows_from_it() -> None:
    """D4.7: where a choice leaves no other, all is named that is paid from now on; else what is chosen."""
    whole, chosen = set(), set()
    for match in decisions():
        for each in match.legal_moves() if match.snapshot()["phase"] == "pay" else ():
            words, paid, asked = words_of(scene_of(match, seat=match.seat), each), *_paid_with(match, each)
            (whole if paid is not None else chosen).add(words)
            assert words == f"Pay {asked if paid is None else paid or 'nothing more'}"
    assert whole and any("Pay no " in words for words in chosen)


def test_a_converter_can_leave_nothing_more_to_pay() -> None:
    """A red that counts as two (66) pays 2 red, and a blue counts as any color (30)."""
    at = position(archive=[60], ring="1 red 2 blue 2 black", built=[66, 30]).play("build archive 0")
    assert asked(at) == "Pay 2 with converters: which marbles?"
    assert said(at) == {"pay 0": "Pay 1 blue", "pay 1": "Pay 1 red, then choose the rest"}
    at.play("pay 1")
    assert asked(at) == "Pay 2 with converters: which marbles?"
    assert said(at) == {"pay 0": "Pay nothing more", "pay 1": "Pay 1 blue"}


def test_a_marble_of_the_ring_is_clicked_to_pay_with_it() -> None:
    """Those of a color stand for the moves after which it may be paid; what is paid already stands for none."""
    at = position(archive=[60], ring="1 red 2 blue 2 black", built=[66, 30]).play("build archive 0")
    assert clicked(at) == {"red": ["pay 1"], "blue": ["pay 0", "pay 1"], "black": [], "yellow": []}
    at.play("pay 1")
    assert clicked(at) == {"red": [], "blue": ["pay 1"], "black": [], "yellow": []}


def clicked(at: Position) -> dict[str, list[str]]:
    canvas, seat = Canvas.sheet(300, 40, set()), at.match.seat
    draw_ring_line(canvas, scene_of(at.match, seat=seat), seat, 300)
    spots = Shown.of(str(canvas)).by_id
    return {color: json.loads(spots[f"seat-{seat}-ring-{color}"].get("data-moves", "[]")) for color in COLORS}


def said(at: Position) -> dict[str, str]:
    return words_of_moves(scene_of(at.match, seat=at.match.seat), at.match.legal_moves())


def _paid_with(match: Match, move: str) -> tuple[str | None, str]:
    """What is paid from this decision on if no other decision about marbles follows; and what the move says."""
    before, amount = match.snapshot(), int(move.split()[1])
    first, twin = len(before["payment"]["paid"]), match.clone()
    twin.play(move)
    after = twin.snapshot()
    asked = f"{amount or 'no'} {COLORS[first]}, then choose the rest"
    if after["phase"] == "pay":
        return None, asked
    if after["payment"] is not None:  # it asks for converters
        paid = after["payment"]["paid"]
    else:
        ring, left = (there["seats"][match.seat]["ring"] for there in (before, after))
        paid = [ring[color] - left[color] for color in COLORS]
    told = [f"{n} {color}" for n, color in zip(paid[first:], COLORS[first:], strict=True) if n]
    return listed_words(told or [""]), asked


def test_a_card_says_what_is_paid_for_it_if_that_is_no_choice() -> None:
    """Also where converters pay."""
    told = set()
    for match in decisions():
        builds = [each for each in match.legal_moves() if each.startswith("build")]
        for each in builds if match.snapshot()["phase"] == "main" else ():
            words, twin = words_of(scene_of(match, seat=match.seat), each), match.clone()
            twin.play(each)
            if twin.snapshot()["payment"] is None and "for free" not in words and "of any" not in words:
                before, after = (one.snapshot()["seats"][match.seat]["ring"] for one in (match, twin))
                paid = [f"{before[color] - after[color]} {color}" for color in COLORS]
                named = words.split(" for ")[1].split(": ")[0].removesuffix(", with converters")
                assert named == listed_words(each for each in paid if not each.startswith("0 ")), words
                told.add("converters" in words)
    assert told == {False, True}


def test_a_card_that_cannot_be_paid_says_its_price() -> None:
    """Also what converters would pay for: the first two ways to pay are named."""
    for ring, built, told in (
        ("1 red", [], "1 blue"),
        ("1 red 1 yellow", [26, 27], "1 red or 1 yellow, with converters"),
    ):
        at = position(display={0: 33}, ring=ring, built=built)
        words = words_of(scene_of(at.match, seat=at.match.seat), "build 0")
        assert f" for {told}: " in words, words
