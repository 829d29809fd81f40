"""The picture of Bdgame holds what the snapshot holds, element by element."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bdgame_env.engine.match import Match
from bdgame_env.games.bdgame.cards import STANDARD_DECK
from bdgame_env.games.bdgame.device_steps import run_positions
from bdgame_env.games.bdgame.game import GAME
from bdgame_env.render.picture import picture, steps
from bdgame_env.render.scene import Scene
from bdgame_env.render.text_picture import text_picture
from tests.support.pictures import Shown, positions

pytestmark = pytest.mark.plain  # cards and pictures do not depend on the JIT

LINES = [({"players": 2}, 1), ({"players": 3, "selling": True, "trading": True}, 2), ({"players": 4}, 3)]


@pytest.fixture(params=LINES, ids=lambda line: f"{line[0]['players']}p", scope="module")
def pictures(request: pytest.FixtureRequest) -> list[tuple[Match, Shown]]:
    """Positions of one game, each with its picture."""
    options, seed = request.param
    return [(match.clone(), Shown(match)) for match in positions(Match(GAME, seed=seed, **options), 23, 400)]


def test_the_shop(pictures: list[tuple[Match, Shown]]) -> None:
    for _, shown in pictures:
        position = shown.snapshot
        assert [shown.data(f"order-{slot}", "card") for slot in range(4)] == [o or "" for o in position["orders_row"]]
        assert [shown.data(f"market-{slot}", "card") for slot in range(4)] == [k or "" for k in position["parts_row"]]
        assert {kind: shown.count(f"pile-{kind}") for kind in position["piles"]} == position["piles"]
        assert {color: shown.count(f"bank-{color}") for color in "YRB"} == position["bank"]
        assert shown.count("orders-deck") == position["orders_deck"]
        assert shown.count("parts-deck") == position["parts_deck"]


def test_recipes_prices_and_points_are_printed(pictures: list[tuple[Match, Shown]]) -> None:
    for match, shown in pictures:
        deck = match.config.cards
        for slot, kind in enumerate(shown.snapshot["parts_row"]):
            if kind is not None:
                number = deck.kinds.index(kind)
                both = deck.takes[number].sum(axis=0) + deck.gives[number].sum(axis=0)
                assert shown.cubes(f"market-{slot}") == {c: int(n) for c, n in zip("YRB", both, strict=True) if n}
                assert shown.text(f"market-{slot}").endswith(f"{kind} {deck.cost[number]}")
        for slot, order in enumerate(shown.snapshot["orders_row"]):
            if order is not None:
                number = deck.orders.index(order)
                needs = {c: int(n) for c, n in zip("YRB", deck.needs[number], strict=True) if n}
                assert shown.cubes(f"order-{slot}") == needs
                assert shown.text(f"order-{slot}").endswith(f"{order} {deck.points[number]}")


def test_each_player(pictures: list[tuple[Match, Shown]]) -> None:
    for match, shown in pictures:
        for seat, facts in enumerate(shown.snapshot["seats"]):
            name = f"seat-{seat}"
            assert shown.count(f"{name}-points", "points") == facts["points"] == match.points()[seat]
            assert {color: shown.count(f"{name}-storage-{color}") for color in "YRB"} == facts["storage"]
            assert shown.count(f"{name}-fulfilled") == len(facts["fulfilled"])
            queue = [shown.data(f"{name}-order-{place}", "card") for place in range(3)]
            assert queue == [*facts["orders"], *[""] * (3 - len(facts["orders"]))]
            hand = {shown.data(id, "card"): shown.count(id) for id in shown.ids(f"{name}-hand-")}
            assert hand == facts["hand"]
            decides = seat == shown.snapshot["seat"] and not match.over
            assert ("data-active" in shown.by_id[name].attrib) == decides
            assert ("(you)" in shown.text(f"{name}-name")) == (seat == shown.seat)


def test_each_workshop(pictures: list[tuple[Match, Shown]]) -> None:
    """B18: finished Devices and open ports are those of the rules."""
    for match, shown in pictures:
        for seat, facts in enumerate(shown.snapshot["seats"]):
            drawn = [id for id in shown.ids(f"seat-{seat}-") if "data-place" in shown.by_id[id].attrib]
            places = {shown.data(id, "place"): shown.data(id, "card") for id in drawn}
            assert places == {f"{card['x']},{card['y']}": card["kind"] for card in facts["workshop"]}
            for card in facts["workshop"]:
                if "slot" in card:
                    found = shown.cubes(f"seat-{seat}-hopper-{card['slot']}")
                    assert found == {color: count for color, count in card["cubes"].items() if count}
            fields = {field.name: field for field in GAME.schema}
            seen = match.observe(seat)
            finished, ports = (
                seen[fields[name].slice].reshape(fields[name].shape)[0] for name in ("finished", "open_ports")
            )
            for id in drawn:
                x, y = map(int, shown.data(id, "place").split(","))
                assert shown.data(id, "finished") == str(bool(finished[x, y])).lower()
            assert len(shown.ids(f"seat-{seat}-open-")) == np.count_nonzero(ports)


def test_moves_are_on_the_element_that_they_are_about(pictures: list[tuple[Match, Shown]]) -> None:
    wanted = {
        "accept": "order-",
        "clear": "parts-deck",
        "collect": "bank-Y",
        "activate": "seat-{}-hopper-",
        "load": "seat-{}-hopper-",
        "pay": "seat-{}-storage-",
        "place": "seat-{}-cell-",
        "fulfil": "seat-{}-order-",
        "end": "move-end",
        "split": "move-split",
    }
    for match, shown in pictures:
        about = shown.moves()
        for move in match.legal_moves():
            places = [id for id, moves in about.items() if move in moves]
            start = wanted.get(move.split()[0], "").format(match.seat)
            assert places and places[0].startswith(start), (move, places)


def test_what_is_open(pictures: list[tuple[Match, Shown]]) -> None:
    for _, shown in pictures:
        position = shown.snapshot
        assert {id.removeprefix("bought-"): shown.count(id) for id in shown.ids("bought-")} == position["bought"]
        assert ("selected" in shown.by_id) == (position["selected"] is not None)
        assert ("made" in shown.by_id) == any(position["made"].values())
        assert ("Credit" in shown.text("status")) == (position["open"] == "buy")
        assert ("arrived" in shown.by_id) == (position["pending"] is not None)
        assert ("offered" in shown.by_id) == (position["offer"] is not None)


def splitter_position() -> dict[str, Any]:
    """E6: 2 Yellow and 1 Blue on the hopper of a grey splitter, and a Red held below."""
    data = Match(GAME, seed=1, players=2).snapshot()
    data["seats"][0]["workshop"] = [
        {"x": 0, "y": 2, "kind": "hopper", "slot": 0, "cubes": {"Y": 2, "R": 0, "B": 1}},
        {"x": 1, "y": 2, "kind": "splitter"},
        {"x": 2, "y": 1, "kind": "packer"},
        {"x": 2, "y": 3, "kind": "pause", "held": "R", "fresh": False},
        {"x": 3, "y": 3, "kind": "packer"},
    ]
    return {**data, "phase": "activate"}


def test_a_running_device_shows_the_question_and_the_flow() -> None:
    asked = {"ask": "split", "x": 1, "y": 2, "color": "Y", "arrived": {"Y": 2, "R": 0, "B": 1}}
    waiting = [{"x": 2, "y": 3, "port": "mid", "cubes": {"Y": 0, "R": 4, "B": 0}}]
    data = splitter_position()
    data = {**data, "phase": "split", "pending": {**asked, "up": {"Y": 0, "R": 0, "B": 0}, "flow": waiting}}
    shown = Shown.of(picture(Scene(GAME, data, seat=0, legal=["split 0", "split 1", "split 2"])))
    assert shown.cubes("arrived") == {"Y": 2, "B": 1}
    assert shown.cubes("seat-0-flow-2-3-mid") == {"R": 4}
    assert shown.text("seat-0-card-2-3") == "pause at 2,3 R"
    assert list(shown.moves()) == ["move-split-0", "move-split-1", "move-split-2"]


def test_steps_show_the_cubes_on_their_way() -> None:
    """E6 on a screen: what a Device passes through up to its question, and after the answer."""
    before = splitter_position()
    (first,) = (Shown.of(svg) for svg in steps(Scene(GAME, before), "activate 0", before))
    assert first.cubes("seat-0-flow-1-2-mid") == {"Y": 2, "B": 1} and first.cubes("seat-0-hopper-0") == {}
    asked = {"ask": "split", "x": 1, "y": 2, "color": "B", "arrived": {"Y": 2, "R": 0, "B": 1}}
    split = {**before, "phase": "split", "pending": {**asked, "up": {"Y": 1, "R": 0, "B": 0}, "flow": []}}
    split["seats"][0]["workshop"][0]["cubes"] = {"Y": 0, "R": 0, "B": 0}
    (second,) = (Shown.of(svg) for svg in steps(Scene(GAME, split), "split 1", split))
    assert second.cubes("seat-0-flow-2-1-mid") == {"Y": 1, "B": 1}
    assert second.cubes("seat-0-flow-2-3-mid") == {"Y": 1}
    assert steps(Scene(GAME, before), "collect", before) == []


def test_steps_lose_no_cube(pictures: list[tuple[Match, Shown]]) -> None:
    """B1: 24 of each color in every picture between two positions."""
    for match, shown in pictures:
        for move in match.legal_moves():
            for between in run_positions(shown.snapshot, move, match.config):
                assert total(between) == {"Y": 24, "R": 24, "B": 24}, move


def total(position: dict[str, Any]) -> dict[str, int]:
    """All cubes of a position."""
    counts = [position["bank"], position["made"], *(waiting["cubes"] for waiting in position["pending"]["flow"])]
    for seat in position["seats"]:
        counts += [seat["storage"], *(card["cubes"] for card in seat["workshop"] if "cubes" in card)]
        counts += [{card["held"]: 1} for card in seat["workshop"] if card.get("held")]
    return {color: sum(count.get(color, 0) for count in counts) for color in "YRB"}


def test_the_picture_of_the_readme_is_drawn_as_it_is_now(tmp_path: Path) -> None:
    """`python docs/draw_device.py`"""
    docs = Path(__file__).resolve().parents[3] / "docs"
    runpy.run_path(str(docs / "draw_device.py"))["main"](tmp_path / "device.svg")
    assert (tmp_path / "device.svg").read_text("utf-8") == (docs / "device.svg").read_text("utf-8")


def test_the_text_tells_the_same(pictures: list[tuple[Match, Shown]]) -> None:
    for _, shown in pictures:
        text = text_picture(shown.scene)
        assert f"round {shown.snapshot['round']}" in text.splitlines()[0]
        for seat, facts in enumerate(shown.snapshot["seats"]):
            head = next(line for line in text.splitlines() if line.startswith(f"seat {seat}"))
            assert f"  {facts['points']} points" in head and ("(you)" in head) == (seat == shown.seat)
        names = [card["kind"][:11] for facts in shown.snapshot["seats"] for card in facts["workshop"]]
        assert all(text.count(name) >= names.count(name) for name in names)
        assert "\x1b" not in text and text.isascii()


def test_another_deck_is_drawn_from_its_box(tmp_path: Path) -> None:
    """B6: a snapshot does not name the card file."""
    path = tmp_path / "cards.toml"
    text = re.sub(r'(kind = "hopper"\ncost =) \d+', r"\1 77", STANDARD_DECK.read_text("utf-8"))
    path.write_text(text, "utf-8")
    assert Shown(Match(GAME, seed=1, deck=str(path))).text("pile-hopper").startswith("hopper 77")
