"""What pyright says of users' scripts: `python -m tests.clients pyright_types`, in `make test-clients`.

It finds the mistakes that mypy finds (`tests/test_types.py`), and nothing in correct scripts.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.typed_scripts import MISTAKES, RIGHT, WRONG

PROGRAM_NEEDS = [".", "pyright[nodejs]"]
ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Check both scripts in a folder of their own.

    Raises:
        SystemExit: it found something else.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "right.py").write_text(RIGHT, encoding="utf-8")
        (folder / "wrong.py").write_text(WRONG, encoding="utf-8")
        (folder / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(ROOT)]}), encoding="utf-8")
        command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(folder)]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        told = json.loads(done.stdout)["generalDiagnostics"] if done.stdout.startswith("{") else []
        errors = [one for one in told if one["severity"] == "error"]
        found = [(Path(one["file"]).name, one["range"]["start"]["line"] + 1) for one in errors]
        if sorted(set(found)) != [("wrong.py", line) for line in MISTAKES]:
            listed = "\n".join(f"{where}: {one['message']}" for where, one in zip(found, errors, strict=True))
            raise SystemExit(f"pyright: {listed}\n{done.stderr}")
    print(f"pyright: {len(MISTAKES)} mistakes found, nothing in the correct script")


if __name__ == "__main__":
    main()
