"""Pages for each game, from its declaration, its rules and guide, its renderer and the tables of docs/strength.md."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from pages import Pages

from bdgame_env import list_games, make_match
from bdgame_env.agents import make_agent
from bdgame_env.engine.game import Game
from bdgame_env.engine.match import Match
from bdgame_env.experiments import describe
from bdgame_env.experiments.play.web.guide import gallery_html, guide_html
from bdgame_env.registry import get_game
from bdgame_env.render.drawings import drawing_of
from bdgame_env.render.picture import picture_of
from bdgame_env.render.text_picture import text_of

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from draw_entities import draw_entities

DECISIONS = 60  # of the heuristic player, before the picture
SEED = 3
LATEST = 4  # moves shown


def game_pages(pages: Pages) -> dict[str, str]:
    """The text of every game's page, by its path; adds their pictures."""
    return {f"games/{game_id}.md": _page(pages, get_game(game_id)) for game_id in list_games()}


def guide_pages() -> dict[str, str]:
    """How each game is played, with all its cards, by the page's path."""
    return {f"games/{game_id}-guide.md": _guide(get_game(game_id)) for game_id in list_games()}


def _guide(game: Game) -> str:
    drawing, config = drawing_of(game), game.config()
    assert drawing.wording is not None
    shelves, words = drawing.gallery(config), drawing.wording.cards(config)
    guide = guide_html(drawing.wording.guide, shelves, words)
    return f"# How to play {game.title}\n\n{guide}\n<h2>All cards</h2>\n{gallery_html(shelves, words)}\n"


def overview(pages: Pages, *, cards_only: bool = False) -> str:
    """All games with a picture of each, and what tells them apart."""
    games = [get_game(game_id) for game_id in list_games()]
    folder = "games/" if cards_only else ""
    cards = "\n".join(_card(pages, game, folder) for game in games)
    text = f'<div class="cards">\n{cards}\n</div>\n'
    if cards_only:
        return text
    facts = [dict(describe.facts(game).rows) for game in games]
    names = [name for name in facts[0] if name != "Rewards"]
    head = "| | " + " | ".join(f"[{game.title}]({game.id}.md)" for game in games) + " |"
    rows = [f"| {name} | " + " | ".join(fact[name] for fact in facts) + " |" for name in names]
    return "\n".join(["# Games", "", text, head, "|" + " --- |" * (len(games) + 1), *rows, ""])


def _card(pages: Pages, game: Game, folder: str) -> str:
    first = _introduction(pages, game).split(". ")[0].replace("\n", " ")
    picture = f'<img alt="{game.title}" loading="lazy" src="{folder}pictures/{game.id}-middle.svg">'
    return f'<a href="{folder}{game.id}.html">{picture}<strong>{game.title}</strong><span>{first}.</span></a>'


def _introduction(pages: Pages, game: Game) -> str:
    """The first paragraph of the game's rules."""
    return pages.section(pages.root / "bdgame_env" / "games" / game.name / "RULES.md").split("\n\n")[0]


def _page(pages: Pages, game: Game) -> str:
    module = f"{game.name}_v{game.version}"
    begin, middle, last = _positions(game)
    for name, svg in (
        ("begin", picture_of(begin, seat=0)),
        ("middle", picture_of(middle, seat=0, last=last)),
        ("entities", draw_entities(game)),
    ):
        pages.picture(f"games/pictures/{game.id}-{name}.svg", svg)
    text = _indented("```text\n" + text_of(middle, seat=0, last=last, color=False).rstrip() + "\n```")
    observation, entities = describe.observation(game), describe.entities(game)
    parts = [
        f"# {game.title}",
        _introduction(pages, game),
        f"[How to play]({game.id}-guide.md), with pictures of all cards. The [rules]({game.id}-rules.md) are numbered; "
        "the tables below cite their paragraphs.",
        _picture(f"{game.title} in the middle of a game, as seat 0 sees it", f"pictures/{game.id}-middle.svg"),
        describe.facts(game).markdown(),
        _snippet(game, module),
        f"## Options\n\n{describe.options(game).markdown()}",
        f"## Actions\n\nThe mask says which are legal. {_actions_note(game)}\n\n{describe.actions(game).markdown()}",
        "## Observations\n\nThe forms are explained in [Observations](../observations.md): "
        '`observation="flat"` is the entries below in one vector, `"dict"` has an array for each field. Seats are '
        "numbered from the observer: 0 is the observer, 1 the next in turn order.\n\n" + observation.markdown(),
        f'### As entities\n\nWith `observation="entities"`; every array is int8.\n\n{entities.markdown()}',
        _picture(f"An observation of {game.title}, as a vector and as entities", f"pictures/{game.id}-entities.svg"),
        f"## Strength of its agents\n\n{_strength(pages, game)}",
        "## More pictures\n\n"
        + _picture(f"{game.title} after the deal, as seat 0 sees it", f"pictures/{game.id}-begin.svg"),
        f'??? note "The position at the top as a terminal shows it"\n\n{text}',
    ]
    return "\n\n".join(parts) + "\n"


def _positions(game: Game) -> tuple[Match, Match, list[str]]:
    """A game after the deal and after some decisions of the heuristic player; the latest ones that seat 0 knows of."""
    begin = make_match(game.id, seed=SEED, players=game.seats[0])
    match = begin.clone()
    agent: Any = make_agent("heuristic", game, match.config, seed=SEED)
    last: list[str] = []
    for _ in range(DECISIONS):
        states = match.clone(determinize=match.seat, seed=SEED).states
        action = int(agent.act(match.observe()[None], match.mask()[None], states)[0])
        if told := match.told_to_all(action)[0]:
            last.append(f"{match.seat}: {told}")
        match.play(action)
    return begin, match, last[-LATEST:]


def _picture(title: str, path: str) -> str:
    return f"![{title}]({path}){{ .picture loading=lazy }}"


def _snippet(game: Game, module: str) -> str:
    players = min(3, game.seats[1])
    return f"""```python
from bdgame_env import {module}

env = {module}.env(players={players}, observation="dict")  # PettingZoo AEC
env.reset(seed=7)
print(env.agent_selection, env.legal_moves()[:3])
env.play(env.legal_moves()[0])
```"""


def _actions_note(game: Game) -> str:
    if not game.has_simultaneous_phases:
        return "Ids are those of the default options."
    return "Ids are those of the default options. In Parallel environments one more action, the last, is to wait."


def _strength(pages: Pages, game: Game) -> str:
    """The rows of docs/strength.md that begin with the game's title, and the card of its weights."""
    lines = (pages.root / "docs" / "strength.md").read_text(encoding="utf-8").splitlines()
    tables: list[str] = []
    for number, line in enumerate(lines):
        if line.startswith("|") and set(line) <= set("|-: "):
            rows = []
            for row in lines[number + 1 :]:
                if not row.startswith("|"):
                    break
                rows += [row] if row.startswith(f"| {game.title} |") else []
            if rows:
                heading = next(text[3:] for text in reversed(lines[:number]) if text.startswith("## "))
                tables.append("\n".join([f"**{heading}**", "", lines[number - 1], line, *rows]))
    cards = sorted((pages.root / "agents" / "networks" / "weights").glob(f"ppo_{game.id}_*.md"))
    shipped = [f" How the shipped network was trained: [its card](../{pages.source_page(card)})." for card in cards]
    more = "What was measured, with the commands, and comparisons of other agents: [Strength](../strength.md)."
    return "\n\n".join([*tables, more + "".join(shipped)])


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.splitlines())
