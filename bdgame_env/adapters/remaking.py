"""How an environment's spec remakes it where files have gone, or are called otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Remade:
    """What Gymnasium calls the spec of an environment, with the contents of the files that it was made from.

    Attributes:
        made_from: settings that name files, with the files' contents.
    """

    made_from: Mapping[str, Any] = {}
    _spec: Any = None

    @property
    def spec(self) -> Any:
        """The `EnvSpec` that `gymnasium.make` sets; None without it."""
        return self._spec

    @spec.setter
    def spec(self, spec: Any) -> None:
        if spec is not None:
            spec.kwargs = {name: self.made_from.get(name, value) for name, value in spec.kwargs.items()}
        self._spec = spec
