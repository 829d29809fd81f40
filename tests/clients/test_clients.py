"""The scripts of the clients can be read, glue is counted, and the page says what was seen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.clients.checks import GAMES, SIZES, glue_in
from tests.clients.installing import SCRIPTS, clients, needs, programs
from tests.clients.table import Seen, page

ABOUT = {
    "python": "3.11.7",
    "versions": {"somelib": "1.2"},
    "checks": [
        {"title": "`first`", "glue": "", "fails": {}},
        {"title": "`second`", "glue": "a = 1\nb = 2", "fails": {}},
        {"title": "`third`", "glue": "", "fails": dict.fromkeys(GAMES, "somelib cannot.")},
    ],
}


def seen(tmp_path: Path, errors: dict[tuple[int, str, int], str]) -> Seen:
    rows = [
        {"check": number, "game": game, "players": players, "error": error, "seconds": 0.1}
        for (number, game, players), error in errors.items()
    ]
    file = tmp_path / "results.jsonl"
    file.write_text("\n".join(map(json.dumps, [ABOUT, *rows])), "utf-8")
    return Seen.read("somelib", file)


def all_as_told() -> dict[tuple[int, str, int], str]:
    return {(check, *size): "ValueError: no" if check == 2 else "" for check in range(3) for size in SIZES}


def test_every_client_says_what_it_needs() -> None:
    assert {"gymnasium", "openspiel", "pettingzoo", "rllib", "sb3", "sb3_contrib"} <= set(clients())
    assert {"supersuit", "tianshou", "torchrl"} <= set(clients())
    for client in clients():
        assert needs(client)[0].startswith(".") and len(needs(client)) > 1
        assert "from tests.clients.checks import check" in (SCRIPTS / f"{client}.py").read_text("utf-8")


def test_programs_are_no_clients() -> None:
    assert programs() == ["pyright_types", "rllib_self_play"] and not set(programs()) & set(clients())
    assert all(needs(program, "PROGRAM_NEEDS")[0].startswith(".") for program in programs())


def test_glue_is_counted_from_marked_blocks() -> None:
    block = "    # glue\n    # why\n    y = 2\n\n    if y:\n        z = 3\n    # end of glue\n"
    source = f"def f():\n    x = 1\n{block}    return x\n"
    assert glue_in(source) == "y = 2\nif y:\n    z = 3"
    assert glue_in("def f():\n    return 1\n") == ""
    with pytest.raises(ValueError, match="a block of glue has no end"):
        glue_in("def f():\n    # glue\n    y = 2\n")


def test_the_page_has_a_cell_for_every_size(tmp_path: Path) -> None:
    found = seen(tmp_path, all_as_told())
    assert found.surprises(SIZES) == []
    text = page([found], GAMES, SIZES)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if "| `" in line]
    assert [row[:2] for row in rows] == [
        ["somelib 1.2", "`first`"],
        ["somelib 1.2", "`second`"],
        ["somelib 1.2", "`third`"],
    ]
    assert [set(row[2:]) for row in rows] == [{"✓"}, {"+2"}, {"✗ [1]"}]
    assert all(len(row) == 2 + len(SIZES) for row in rows)
    assert "1. somelib cannot.\n" in text and "\n\n    a = 1\n    b = 2\n\n" in text


def test_surprises_are_told(tmp_path: Path) -> None:
    game, players = SIZES[0]
    errors = {**all_as_told(), (0, game, players): "KeyError: 'x'", **{(2, *size): "" for size in SIZES}}
    del errors[(1, game, players)]
    found = seen(tmp_path, errors)
    assert found.surprises(SIZES) == [
        f"somelib: `first`: {game} {players}: KeyError: 'x'",
        f"somelib: `second`: {game} {players}: the process ended",
        *(f"somelib: `third`: {game} {players}: runs, though the script says that it fails" for game, players in SIZES),
    ]
    text = page([found], GAMES, SIZES)
    assert "KeyError: 'x'" in text and "| ? |" in text
    assert Seen.read("other", tmp_path / "none.jsonl").surprises(SIZES) == ["other: not tried"]
