"""Kernels are compiled into their callers, and only there."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from numba.core.errors import NumbaError

from bdgame_env.engine import jit

pytestmark = pytest.mark.skipif(jit.JIT_DISABLED, reason="about compiled code")

_KEPT = """
import sys
from bdgame_env.engine import cache, jit

cache.keep_module("__main__", "0" * 64)


@jit.kernel
def checked(x):
    if x < 0:
        raise ValueError("a negative number")
    return 2 * x


@jit.kernel
def plus_one(x):
    return checked(x) + 1


@jit.entry_point
def first(x):
    return plus_one(x)


@jit.entry_point
def second(x):
    return plus_one(x) + plus_one(x + 1)


def message(function, x):
    try:
        return function(x)
    except ValueError as error:
        return str(error)


function = globals()[sys.argv[1]]
print(function(3), message(function, -3))
print([sum(f.stats.cache_hits.values()) for f in (checked, plus_one, first, second)])
"""


def test_a_kernel_has_no_machine_code_until_python_calls_it():
    @jit.kernel
    def twice(x: int) -> int:
        return 2 * x

    @jit.entry_point
    def four_times(x: int) -> int:
        return twice(twice(x))

    assert four_times(3) == 12
    (compiled,) = twice.overloads.values()
    assert not compiled.library._codegen._engine.is_symbol_defined(compiled.fndesc.llvm_cpython_wrapper_name)
    assert twice(3) == 6 and twice(1.5) == 3.0


def test_a_kept_kernel_is_loaded_into_a_new_caller(tmp_path):
    """Results and exceptions are the same, whether caller and kernels were just compiled or come from the disk."""
    program = tmp_path / "program.py"
    program.write_text(_KEPT)

    def run(entry: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, program, entry],
            env={**os.environ, "BDGAME_ENV_CACHE_DIR": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.splitlines()

    assert run("first") == ["7 a negative number", "[0, 0, 0, 0]"]
    assert run("first") == ["7 a negative number", "[0, 0, 1, 0]"]
    assert run("second") == ["16 a negative number", "[0, 1, 0, 0]"]
    assert run("second") == ["16 a negative number", "[0, 0, 0, 1]"]
    assert run("plus_one") == ["7 a negative number", "[1, 0, 0, 0]"]  # an entry point of its own, compiled now


def test_kernels_that_a_lean_kernel_calls_are_compiled_as_elsewhere():
    """They may copy arrays, for which a lean kernel has no means."""

    @jit.kernel
    def copy(values, into):
        into[:] = values

    @jit.lean_kernel
    def doubled(values, into):
        copy(values, into)
        for k in range(into.shape[0]):
            into[k] *= 2

    @jit.lean_kernel
    def made(count):
        return np.empty(count)

    @jit.entry_point
    def start(values, into):
        doubled(values, into)

    @jit.entry_point
    def start_making(count):
        return made(count)[0]

    values, into = np.arange(1, 4), np.zeros(3, np.int64)
    start(values, into)
    assert into.tolist() == [2, 4, 6]
    with pytest.raises(NumbaError):
        start_making(3)
