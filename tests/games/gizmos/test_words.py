"""What the page of Gizmos says of cards that cannot be used."""

from __future__ import annotations

from bdgame_env import get_game
from bdgame_env.engine.match import Match
from bdgame_env.games.gizmos.cards import COLORS
from bdgame_env.games.gizmos.drawing import DRAW
from bdgame_env.render.drawings import words_of
from bdgame_env.render.picture import scene_of

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


def test_a_payment_names_what_follows_from_it() -> None:
    """D4.7: where only one color is left to make up the rest, that is paid without being asked for."""
    told = set()
    for seed in range(12):
        match = Match(get_game("gizmos-v3"), seed=seed, players=2)
        for number in range(200):
            legal = match.legal_moves()
            if match.over:
                break
            move = next((each for each in legal if each.startswith("build")), legal[number * 7919 % len(legal)])
            if legal[0].startswith("pay"):
                seat, before = match.seat, match.snapshot()["seats"][match.seat]["ring"]
                words = {each: words_of(scene_of(match, seat=seat), each) for each in legal}
                for each in [each for each in legal if words[each] != f"Pay {each.split()[1]} {_asked_for(match)}"]:
                    twin = match.clone()
                    twin.play(each)
                    after = twin.snapshot()["seats"][seat]["ring"]
                    named = [piece.split() for piece in words[each].removeprefix("Pay ").split(" and ")]
                    assert all(before[color] - after[color] == int(amount) for amount, color in named), words[each]
                    assert twin.snapshot()["phase"] != "pay"
                    told.add(words[each])
            match.play(move)
    assert told


def _asked_for(match: Match) -> str:
    payment = match.snapshot()["payment"]
    return COLORS[len(payment["paid"])]
