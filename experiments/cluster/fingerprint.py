"""What has to be the same on all machines for them to play the same games: the sources, the weights, the compiler."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import bdgame_env
from bdgame_env.engine.cache import source_hash, versions

_EXPERIMENTS = Path(__file__).resolve().parents[1]
_AGENTS = _EXPERIMENTS.with_name("agents")  # in a checkout as in a wheel


@cache
def fingerprint() -> str:
    """The version of the package, a hash (hex) of sources, weights and levels, and versions of what compiles them."""
    digest = hashlib.sha256()
    digest.update(source_hash(Path(bdgame_env.__file__).parent, without=("agents", "experiments")).encode())
    digest.update(source_hash(_AGENTS).encode())
    digest.update(source_hash(_EXPERIMENTS).encode())
    for path in sorted([*_AGENTS.rglob("*.npz"), *(_AGENTS / "levels").glob("*.json")]):
        digest.update(path.name.encode() + path.read_bytes())
    compilers = ", ".join(f"{name} {version}" for name, version in versions().items() if name != "python")
    return f"bdgame_env {bdgame_env.__version__} ({digest.hexdigest()[:12]}), {compilers}"
