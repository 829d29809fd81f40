"""Compiles what a platform wheel ships: `python -m tests.support.machine_code FOLDER GAME ...`.

The environment has to be that of `variables`. What is compiled is kept in a folder beside FOLDER, so that an
interrupted run goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import platform
import re
import shutil
import struct
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from bdgame_env.engine import cache, shipped_code
from bdgame_env.experiments.warmup import PARTS, compile_game

# What machine code may call: Python, Numba, and what every C library has (of glibc, since long before 2.17).
KNOWN = re.compile(
    r"_?Py\w+|NRT_\w+|numba_\w+|mem(cpy|move|set|cmp|chr)|bcmp|"
    r"(exp|exp2|log|log2|log10|log1p|expm1|pow|sqrt|sin|cos|tanh|floor|ceil|trunc|round|fmod|ldexp|frexp|fma)f?|"
    r"_GLOBAL_OFFSET_TABLE_"
)


def can_be_made() -> bool:
    """Whether this is a platform for which machine code is shipped."""
    here = sys.platform, platform.machine(), platform.python_implementation()
    return here == ("linux", "x86_64", "CPython")


def variables(folder: Path) -> dict[str, str]:
    """The environment in which code for FOLDER is made: that of this process, but for what would change the code."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "BDGAME_ENV_"))}
    return kept | {
        "BDGAME_ENV_CACHE_DIR": str(folder.with_name(f"{folder.name}_cache")),
        "NUMBA_CPU_NAME": shipped_code.PROCESSOR,
        "NUMBA_CPU_FEATURES": "",
        "NUMBA_DISABLE_INTEL_SVML": "1",
    }


def make(folder: Path, games: list[str], jobs: int) -> None:
    """Compile games for the baseline processor, and fill a folder as `shipped_code` reads it. Errors as for `pack`."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        working = {pool.submit(_make_game, game, folder): game for game in games}
        for done in as_completed(working):
            print(f"machine code of {working[done]}: {done.result():.0f} s", flush=True)
    write_manifest(folder)


def write_manifest(folder: Path) -> None:
    """Say what the files of a folder are."""
    files = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())}
    manifest = {"conditions": shipped_code.conditions(), "files": files}
    (folder / shipped_code.MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def _make_game(game: str, folder: Path) -> float:
    began = time.monotonic()
    compile_game(game, PARTS)
    pack(folder)
    return time.monotonic() - began


def pack(folder: Path) -> None:
    """Write the machine code of all entry points that this process may have used.

    Raises:
        SystemExit: the code calls what is not everywhere.
    """
    for name, data in _kept_entry_points():
        try:
            code, *_ = pickle.loads(data)
        except ModuleNotFoundError:
            continue  # belongs to a game that another process compiled, which packs it
        if unknown := {called for called in undefined_symbols(code) if not KNOWN.fullmatch(called)}:
            raise SystemExit(f"machine code calls what may be missing elsewhere: {', '.join(sorted(unknown))}")
        (folder / name).write_bytes(data)


def _kept_entry_points() -> Iterator[tuple[str, bytes]]:
    """Names and contents of the files to ship."""
    for holder in list(cache._kept):
        digest = cache.digest_of_sources(holder)
        for index in cache.cache_folder(digest).glob("*.nbi"):
            if index.name.endswith(".kernel.nbi"):
                continue
            for key, data in _entries(index).items():
                yield shipped_code.file_name(digest, index.stem, key), (index.parent / data).read_bytes()


def _entries(index: Path) -> Mapping[tuple[object, object, object], str]:
    """Key and file of all machine code of a function, from an index file of Numba."""
    with index.open("rb") as file:
        pickle.load(file)  # Numba's version
        _, entries = pickle.loads(file.read())
    return {key: data for key, data in entries.items() if key[1][1] == shipped_code.PROCESSOR}


def undefined_symbols(code: bytes) -> Iterator[str]:
    """The names that an object file (ELF, 64 bits, little endian) takes from elsewhere."""
    (headers,), (size, count) = struct.unpack_from("<Q", code, 0x28), struct.unpack_from("<HH", code, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", code, headers + k * size) for k in range(count)]
    for section in sections:
        if section[1] == 2:  # SHT_SYMTAB; the first symbol stands for none
            names = sections[section[6]][4]
            for at in range(section[4] + 24, section[4] + section[5], 24):
                name, _, _, place = struct.unpack_from("<IBBH", code, at)
                if place == 0:
                    yield code[names + name : code.index(b"\0", names + name)].decode()


if __name__ == "__main__":
    make(Path(sys.argv[1]), sys.argv[2:], int(os.environ.get("JOBS", "2")))
