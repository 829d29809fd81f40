"""Ray RLlib without Ray: one line says what to install. With it, `tests/clients/rllib_self_play.py` runs the checks."""

from __future__ import annotations

import sys

import pytest


def test_without_ray_one_line_tells_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    for name in [name for name in sys.modules if name.startswith("ray.")]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "bdgame_env.adapters.rllib", raising=False)
    with pytest.raises(ModuleNotFoundError, match=r"^RLlib needs ray\S*: pip install 'bdgame_env\[rllib\]'$"):
        import bdgame_env.adapters.rllib  # noqa: F401
