"""The state of the process's global random generators: torch's, NumPy's and Python's."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import numpy.typing as npt
import torch


def get_random_state() -> dict[str, npt.NDArray[Any]]:
    """The states of all generators, as plain arrays."""
    legacy: Any = np.random.get_state(legacy=False)  # noqa: NPY002  (SB3 shuffles its rollouts with it)
    _, words, gauss = random.getstate()
    arrays = {
        "torch": torch.get_rng_state().numpy().copy(),
        "numpy.key": legacy["state"]["key"].copy(),
        "numpy.rest": np.array([legacy["state"]["pos"], legacy["has_gauss"], legacy["gauss"]], np.float64),
        "python.words": np.array(words, np.uint32),
        "python.gauss": np.array(np.nan if gauss is None else gauss, np.float64),
    }
    if torch.cuda.is_available():
        arrays |= {f"cuda.{k}": state.numpy().copy() for k, state in enumerate(torch.cuda.get_rng_state_all())}
    return arrays


def set_random_state(arrays: dict[str, npt.NDArray[Any]]) -> None:
    """Restore the states that `get_random_state` returned.

    Raises:
        KeyError, TypeError, ValueError, RuntimeError: the arrays are no such states.
    """
    torch.set_rng_state(torch.as_tensor(arrays["torch"]))
    position, has_gauss, gauss = arrays["numpy.rest"].tolist()
    state = {"key": arrays["numpy.key"], "pos": int(position)}
    np.random.set_state(  # noqa: NPY002
        {"bit_generator": "MT19937", "state": state, "has_gauss": int(has_gauss), "gauss": gauss}
    )
    gauss = float(arrays["python.gauss"])
    random.setstate((3, tuple(arrays["python.words"].tolist()), None if np.isnan(gauss) else gauss))
    if torch.cuda.is_available():
        states = [torch.as_tensor(arrays[f"cuda.{k}"]) for k in range(torch.cuda.device_count())]
        torch.cuda.set_rng_state_all(states)
