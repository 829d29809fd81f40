"""The levels that ship, as a page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bdgame_env import get_game, list_games
from bdgame_env.agents.levels import levels_file

from ..tables import Table, percent

_HEAD = """# Levels

Every game has agents at ten levels: `level:1` is for beginners, `level:10` searches. Each level should rank above the
one below in 64 % of their games (ties count half), a difference of 100 Elo points. Level 10 would then rank above level
5 in about 95 %, as 500 points imply. Levels are agent names like any other: `bdgame play GAME --seats human,level:3`,
`make_gym(GAME, opponents=["level:3"])`, `bdgame tournament GAME level:3 level:4`. The lobby of `bdgame play` shows
them.

A level is another agent with fixed settings. From the top down, these agents are tree search by the network with fewer
and fewer simulations, the network alone, and the network with growing noise: it samples its actions at a growing
`temperature`, so that its mistakes are those of somebody who sees less difference between moves. In Bdgame, where a
turn has many small decisions, players as weak as the lowest levels would then often not finish: at temperatures 4 and
4.3 against each other, 10.0 % of 300 games were truncated (`bdgame tournament bdgame-v3 ppo:temperature=4
ppo:temperature=4.3 --games 150 --seed 778`). There the noise is `epsilon`, the probability of a random legal action at
each decision; of `level:1` against `level:2` on the same deals, 0.7 % were truncated.

`bdgame levels GAME` chooses the levels in this order, with two players. It finds each next level by bisection, until
the level above wins a share of 64 %, as closely as the games can tell. Then it measures all levels on deals not used
for choosing; the tables have these figures. With three and four players it only measures the same agents: two
neighboring levels both have seats in every game, and the share is over all pairs of their seats. More opponents mean
more luck, which makes these shares smaller. Intervals are 95 %, over deals.
"""


def shipped_results() -> list[dict[str, Any]]:
    """The levels of all games that ship with some."""
    files = [levels_file(name) for name in list_games()]
    return [json.loads(file.read_text(encoding="utf-8")) for file in files if file.exists()]


def levels_table(result: Mapping[str, Any]) -> Table:
    """A row for each level, from the highest down."""
    rows = []
    players = list(result["levels"][-1]["above"])
    for row in reversed(result["levels"]):
        shares = []
        for count in players:
            found = row["above"].get(count)
            shares.append("" if found is None else percent(found["share"], tuple(found["interval"])))
        games = " + ".join(str(row["above"][count]["games"]) for count in players) if row["above"] else ""
        spent = f"{1000 * row['seconds_per_decision']:.2g}"
        rows.append((str(row["level"]), f"`{row['agent']}`", *shares, games, spent))
    names = [f"above the one below, {count} players" for count in players]
    return Table("", ("level", "agent", *names, "games", "ms/decision"), rows)


def off_target(result: Mapping[str, Any], players: str = "2", most: float = 0.03) -> list[int]:
    """The levels whose measured share is further from the target."""
    return [
        row["level"]
        for row in result["levels"]
        if row["above"] and abs(row["above"][players]["share"] - result["target"]) > most + 1e-9
    ]


def levels_page(results: Sequence[Mapping[str, Any]]) -> str:
    """The page: a table for each game."""
    parts = [_HEAD]
    for result in results:
        missed = off_target(result)
        numbers = ", ".join(map(str, missed))
        told = (
            f"Levels further than 3 % from the target with two players: {numbers}."
            if missed
            else "With two players all are within 3 % of the target."
        )
        commit = str(result["run"].get("commit"))[:12]
        parts += [
            f"## {get_game(result['game']).title}\n",
            levels_table(result).markdown(),
            f"\n{told} Written at commit `{commit}` by:\n\n```sh\n{result['command']}\n```\n",
        ]
    return "\n".join(parts)
