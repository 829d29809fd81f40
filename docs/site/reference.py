"""The reference: a page for each part of the package, from the docstrings, and one for the command line."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import click
import typer
from pages import Pages

import bdgame_env
from bdgame_env.experiments.cli import COMMANDS

MODULES = [f"bdgame_env.{game.name}_v{game.version}" for game in map(bdgame_env.get_game, bdgame_env.list_games())]
# Of these modules only some members are shown, since others are those of another module.
MEMBERS = {"bdgame_env": bdgame_env.__all__, "bdgame_env.registry": ["register_game", "canonical_id"]}
# Title, path, what it is, and the packages or modules it is about.
PARTS = (
    ("Package", "package", "What `import bdgame_env` offers.", ("bdgame_env", "bdgame_env.registry", *MODULES)),
    ("Environments", "adapters", "The frameworks' forms of a game.", ("bdgame_env.adapters",)),
    ("Engine", "engine", "Matches, batches, and what a game declares.", ("bdgame_env.engine",)),
    ("Agents", "agents", "Players by name, their interface, search and networks.", ("bdgame_env.agents",)),
    ("Records", "records", "Positions and games as text.", ("bdgame_env.records",)),
    ("Pictures", "render", "Positions as SVG, text and pixels.", ("bdgame_env.render",)),
)
_LEFT_OUT = ("bdgame_env.agents.heuristics.",)  # the players of one game each
_ELSEWHERE = ("bdgame_env.adapters.rllib",)  # needs Ray, which `make venv` does not install: shown, not checked
# Modules whose docstrings are checked, but which only their own package uses.
_INTERNAL = {
    *("arguments", "compile_notice", "conservation", "kernels", "loop_builder", "quoting", "saved_states"),
    *("threads", "aec_wrapper", "learner_games", "settings", "forest", "network_forest", "playouts"),
    *("tree_nodes", "trees", "row_plan", "forward"),
}


def add_pages(pages: Pages) -> list[dict[str, str]]:
    """Add the pages; returns their entries in the navigation.

    Raises:
        SystemExit: public names have no docstring; lists them.
    """
    missing: list[str] = []
    entries = []
    for title, path, about, roots in PARTS:
        modules = [name for root in roots for name in _modules(root)]
        missing += [name for module in modules if module not in _ELSEWHERE for name in _undocumented(_imported(module))]
        shown = [name for name in modules if not _is_internal(name.rpartition(".")[2])]
        parts = [f"# {title}", about, *(_directive(module) for module in shown)]
        pages.add(f"reference/{path}.md", "\n\n".join(parts) + "\n")
        entries.append({title: f"reference/{path}.md"})
    if missing:
        raise SystemExit("public names without a docstring: " + ", ".join(sorted(set(missing))))
    pages.add("reference/commands.md", commands())
    return [*entries, {"Command line": "reference/commands.md"}]


def _modules(root: str) -> Iterator[str]:
    """A module; of a package other than the topmost all its public modules too."""
    module = _imported(root)
    yield root
    if root != "bdgame_env" and hasattr(module, "__path__"):
        for found in pkgutil.walk_packages(module.__path__, f"{root}."):
            name = found.name.rpartition(".")[2]
            if not name.startswith("_") and not found.name.startswith(_LEFT_OUT):
                yield found.name


def _imported(name: str) -> ModuleType:
    return importlib.import_module(name)


def _is_internal(name: str) -> bool:
    return name in _INTERNAL or name.endswith("_loops")  # templates, made into each game's own loops


def _directive(module: str) -> str:
    """What mkdocstrings, which imports nothing, replaces by a module's documentation."""
    lines = [f"::: {module}", "    options:", "      heading_level: 2"]
    if module in MEMBERS:
        lines += ["      members:", *(f"        - {name}" for name in MEMBERS[module])]
    return "\n".join(lines)


def _undocumented(module: ModuleType) -> list[str]:
    """The public names of a module that nothing is said about."""
    found = [] if module.__doc__ else [module.__name__]
    for name, value in vars(module).items():
        if name.startswith("_") or getattr(value, "__module__", None) != module.__name__:
            continue
        if inspect.isfunction(value) or inspect.isclass(value):
            if not inspect.getdoc(value):
                found.append(f"{module.__name__}.{name}")
            if inspect.isclass(value):
                found += _undocumented_members(value)
    return found


def _undocumented_members(kind: type[Any]) -> list[str]:
    """Methods and properties of a class; one that fulfils an interface may leave it to the interface to say."""
    return [
        f"{kind.__module__}.{kind.__qualname__}.{name}"
        for name, member in vars(kind).items()
        if not name.startswith("_")
        and (inspect.isfunction(member) or isinstance(member, property | staticmethod | classmethod))
        and not inspect.getdoc(getattr(kind, name))
    ]


def commands() -> str:
    """All commands with their arguments and options, from the functions that Typer calls."""
    parts = ["# Command line", "`bdgame COMMAND`; in a checkout, `python -m experiments COMMAND` does the same."]
    for name, (where, text) in sorted(COMMANDS.items()):
        module, _, function = where.partition(":")
        app = typer.Typer(add_completion=False)
        app.command(name)(getattr(importlib.import_module(module, "bdgame_env.experiments"), function))
        command = typer.main.get_command(app)
        parts.append(f"## {name}\n\n{inspect.cleandoc(command.help or text)}")
        rows = [row for parameter in command.params for row in _row(parameter)]
        if rows:
            parts.append("\n".join(["| argument | meaning |", "| --- | --- |", *rows]))
    return "\n\n".join(parts) + "\n"


def _row(parameter: click.Parameter) -> Iterator[str]:
    told = str(getattr(parameter, "help", None) or "")
    if parameter.name == "help":
        return
    if parameter.param_type_name == "argument":
        name = str(parameter.metavar or parameter.name or "")
    else:
        name = ", ".join(parameter.opts)
    yield f"| `{name}` | {told.replace('|', '/')} |"
