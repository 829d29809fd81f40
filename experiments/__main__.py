"""The command line: `bdgame`, or `python -m experiments` in a checkout."""

from __future__ import annotations

import sys

from bdgame_env.experiments.errors import missing_extra


def main() -> int:
    """Run the command in `sys.argv`; returns the exit code."""
    try:
        from bdgame_env.experiments.cli import main

        return main()
    except KeyboardInterrupt:  # before `cli.main` could handle it
        print("interrupted", file=sys.stderr)
        return 130
    except ModuleNotFoundError as error:  # typer and rich come with the extra `arena`
        line = missing_extra(error, "bdgame")
        if line is None:
            raise
        print(f"error: {line}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
