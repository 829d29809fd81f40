"""What a client's script consists of.

A script has functions under `check`, each a first thing that the client's own guide does, for a game and a number of
players. What a user has to add to the guide's lines stands in a block from `# glue` to `# end of glue`; its lines of
code are counted. A check that fails by the client's own making says why.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bdgame_env import get_game, list_games

Run = Callable[[str, int], None]
GAMES = {game: get_game(game).title for game in list_games()}
SIZES = [(game, players) for game in GAMES for low, high in [get_game(game).seats] for players in range(low, high + 1)]


@dataclass(frozen=True)
class Check:
    """One function of a script.

    Attributes:
        title: what it does, in the words of the client's guide.
        run: the function.
        fails: by game, why it fails by the client's own making.
        glue: the lines of code that a user has to add, or "".
    """

    title: str
    run: Run
    fails: Mapping[str, str]
    glue: str


CHECKS: list[Check] = []


def check(title: str, *, fails: str | Mapping[str, str] = "") -> Callable[[Run], Run]:
    """Make a function a check.

    Args:
        title: what it does, in the words of the client's guide.
        fails: why it fails by the client's own making, with all games or by game.
    """
    if isinstance(fails, str):
        fails = dict.fromkeys(GAMES, fails) if fails else {}

    def add(run: Run) -> Run:
        CHECKS.append(Check(title, run, fails, glue_in(inspect.getsource(run))))
        return run

    return add


def glue_in(source: str) -> str:
    """The lines of code in marked blocks, without blank lines and comments."""
    blocks = re.findall(r"^ *# glue\n(.*?)^ *# end of glue$", source, re.DOTALL | re.MULTILINE)
    if len(blocks) != len(re.findall(r"# (?:end of )?glue$", source, re.MULTILINE)) / 2:
        raise ValueError(f"a block of glue has no end, or no beginning:\n{source}")
    lines = "".join(map(textwrap.dedent, blocks)).splitlines()
    return "\n".join(line for line in lines if line.strip() and not line.strip().startswith("#"))
