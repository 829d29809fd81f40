"""Machine code that comes with a platform wheel, so that a new installation need not compile.

It is read-only and lies beside the user's cache: what is not in the cache is looked for here, and compiled if it is not
here either. A file is named by all that decides what is in it, the sources above all, so that code of other sources is
never found; the manifest says for which interpreter, compiler and processor all files were made.

As it is executed, it is only taken from the package's own folder, and only as the manifest there has it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from llvmlite import binding as llvm

FOLDER = Path(__file__).resolve().parents[1] / "machine_code"
MANIFEST = "manifest.json"
PROCESSOR = "x86-64-v3"  # a level of the x86-64 ABI: what most machines since 2015 have
_FEATURES = (
    *("avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt"),
    *("movbe", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3", "xsave"),
)
# Beginnings of the names of Numba's settings that change machine code, or that show how it is made.
_SETTINGS = (
    *("ANNOTATE", "BOUNDSCHECK", "DEBUG", "DIFF_IR", "DUMP_", "ENABLE_AVX", "ENABLE_PROFILING", "EXTEND_VARIABLE"),
    *("HTML", "JIT_COVERAGE", "LLVM_", "LOOP_VECTORIZE", "NRT_STATS", "OPT", "SLP_VECTORIZE", "TRACE", "USE_LLVMLITE"),
)


def conditions() -> dict[str, Any]:
    """What has to be the same where code is made and where it runs, besides the sources."""
    config = vars(numba.config).items()
    return {
        "extension": EXTENSION_SUFFIXES[0],  # names interpreter, its version, and platform
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "numpy": np.__version__.partition(".")[0],  # the binary interface stays within a major version
        "processor": PROCESSOR,
        "settings": {name: str(value) for name, value in sorted(config) if name.startswith(_SETTINGS)},
    }


def file_name(digest: str, function: str, key: tuple[Any, Any, Any]) -> str:
    """The name of a file.

    Args:
        digest: a hash of the sources that the code depends on.
        function: tells the function from all others that have the same digest.
        key: what Numba tells the code of a function apart by: types, processor, and hashes of its bytecode.
    """
    types, _, hashes = key
    return hashlib.sha256(repr((digest, function, [str(one) for one in types], hashes)).encode()).hexdigest()


def read(name: str) -> bytes | None:
    """The contents of a file; None if it is not there, or not as it was made, or made for other than this process."""
    wanted = _files().get(name)
    if wanted is None:
        return None
    try:
        data = (FOLDER / name).read_bytes()
    except OSError:
        return None
    return data if hashlib.sha256(data).hexdigest() == wanted else None


@cache
def _files() -> Mapping[str, str]:
    """Of each file that may be used, by its name, a hash (SHA-256, hex) of the contents."""
    if os.environ.get("BDGAME_ENV_SHIPPED_CODE") == "0":
        return {}
    try:
        manifest = json.loads((FOLDER / MANIFEST).read_bytes())
        fits = manifest["conditions"] == conditions() and _has_features()
        return dict(manifest["files"]) if fits else {}
    except (OSError, ValueError, KeyError, TypeError, RuntimeError):  # the last if LLVM does not know the processor
        return {}


def _has_features() -> bool:
    """Whether this processor runs the code, and no other is asked for."""
    found = llvm.get_host_cpu_features()
    return numba.config.CPU_NAME is numba.config.CPU_FEATURES is None and all(found.get(name) for name in _FEATURES)
