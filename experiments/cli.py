"""The command line. A new command is a function and one line in `COMMANDS`."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated, Any

import typer

from bdgame_env import BadOption, BadSnapshot, IllegalAction, UnknownGame, __version__
from bdgame_env.agents import UnknownAgent
from bdgame_env.engine.quoting import cut
from bdgame_env.records.game_record import BadRecord

from .command_name import command_name
from .errors import BadInput, missing_extra

# name -> ("module:function", short help). A module is imported only when its command is run, so that `--help` is fast
# and works without torch. Typer reads a command's parameters from the function's signature, and its
# help from the docstring.
COMMANDS: dict[str, tuple[str, str]] = {
    "balance": (".balance.balance:balance", "Report what the cards and actions of a game are worth."),
    "baselines": (".baselines.baselines:baselines", "Compare learners at the same budget, over several seeds."),
    "benchmark": (".suites.benchmark:benchmark", "Measure an agent on fixed deals against fixed opponents."),
    "games": (".games:games", "List the games and their options."),
    "bench": (".benchmarks.bench:bench", "Measure the speed of the games on this machine."),
    "demo": (".demo:demo", "Train a network for a few minutes, then play a tournament against the baselines."),
    "describe": (".describe:describe", "Print a game's actions and observations as tables."),
    "depth": (".levels.depth:depth", "Measure how much strength each doubling of the search budget gains."),
    "design": (".design.design:design", "Find a better deck of cards for a game."),
    "exploit": (".training.exploit:exploit", "Train a best response to an agent, and say how often it wins."),
    "ladder": (".arena.ladder:ladder", "Play the baselines of a game, and other agents, against each other."),
    "ladders": (
        ".arena.ladder:ladders",
        "Play the ladders of all games and numbers of players.",
    ),
    "leaderboard": (".suites.leaderboard:leaderboard", "Check the card of a benchmark, and add it to a page."),
    "levels": (".levels.levels:levels", "Choose and measure the levels of skill of a game."),
    "play": (".play.play:play", "Play against agents or people, in the browser or in lines of text."),
    "replay": (".play.replay:replay", "Step through a recorded game, or write it as an HTML page."),
    "ship": (".training.ship:ship", "Add a trained policy to the package, with a card that describes it."),
    "train": (".training.train:train", "Train a network by imitation and self-play."),
    "tournament": (".arena.tournament:tournament", "Play agents against each other and rate them."),
    "warmup": (".warmup:warmup", "Compile ahead of time what playing, searching and training need."),
}

_LONGEST = 600  # characters of an error, whatever it quotes
INTERRUPTED = 130  # the exit code of shells after Ctrl-C
_MISTAKES = (BadInput, BadRecord, UnknownGame, BadOption, UnknownAgent, BadSnapshot, IllegalAction, OSError)
_UsageError: Any = typer.BadParameter.__base__  # typer exports this subclass only


def main() -> int:
    """Run the command in `sys.argv`; returns the exit code, 2 for a mistake that is reported in one line."""
    arguments = sys.argv[1:] or ["--help"]
    name = arguments[0]
    try:
        code = _app(name)(args=arguments, prog_name=command_name(), standalone_mode=False)
    except _UsageError as error:
        return _complain(error.format_message())
    except _MISTAKES as error:
        return _complain(str(error))
    except ModuleNotFoundError as error:
        line = missing_extra(error, name)
        if line is None:
            raise
        return _complain(line)
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except BrokenPipeError:
        return 1
    if code == INTERRUPTED:  # typer returns this code too, but prints nothing
        print("interrupted", file=sys.stderr)
    return code if isinstance(code, int) else 0


def _app(chosen: str) -> typer.Typer:
    """The application: the chosen command with its parameters, the others with name and short help only."""
    app = typer.Typer(
        help="Tournaments, training and measurements for the games of bdgame_env.",
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    for name, (where, text) in COMMANDS.items():
        if name == chosen:
            module, _, function = where.partition(":")
            app.command(name)(getattr(import_module(module, __package__), function))
        else:
            app.command(name, help=text)(_no_options)
    return app


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"bdgame_env {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


def _no_options() -> None:
    pass


def _complain(text: str) -> int:
    print(f"error: {cut(text, _LONGEST)}", file=sys.stderr)
    return 2
