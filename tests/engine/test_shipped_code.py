"""Machine code that comes with a wheel is used where it fits, and nowhere else."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import pytest

import bdgame_env
from bdgame_env.engine import shipped_code
from bdgame_env.engine.jit import JIT_DISABLED
from tests.support import machine_code

ROOT = Path(__file__).resolve().parents[2]
NAME = "ab" * 32
needs_permissions = pytest.mark.skipif(
    os.name == "nt" or (hasattr(os, "geteuid") and os.geteuid() == 0), reason="root may write everywhere"
)
needs_baseline = pytest.mark.skipif(
    JIT_DISABLED or not machine_code.can_be_made(), reason="no machine code is shipped for this platform"
)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with one file, on a processor and with settings that it fits."""
    monkeypatch.setattr(shipped_code, "FOLDER", tmp_path)
    monkeypatch.delenv("BDGAME_ENV_SHIPPED_CODE", raising=False)
    for setting in ("BOUNDSCHECK", "CPU_NAME", "CPU_FEATURES"):
        monkeypatch.setattr(numba.config, setting, None)
    monkeypatch.setattr(shipped_code.llvm, "get_host_cpu_features", lambda: dict.fromkeys(shipped_code._FEATURES, True))
    (tmp_path / NAME).write_bytes(b"machine code")
    machine_code.write_manifest(tmp_path)
    yield tmp_path
    shipped_code._files.cache_clear()


def read() -> bytes | None:
    shipped_code._files.cache_clear()
    return shipped_code.read(NAME)


def test_it_lies_in_the_package() -> None:
    """Code that is executed is taken from nowhere else, whatever the environment says."""
    assert bdgame_env.__file__ is not None
    assert Path(bdgame_env.__file__).resolve().parent / "machine_code" == shipped_code.FOLDER


def test_what_fits_is_read(store: Path) -> None:
    assert read() == b"machine code"
    assert shipped_code.read("cd" * 32) is None


@pytest.mark.parametrize("data", [b"machine codE", b"machine cod", b"", b"machine code "], ids=repr)
def test_a_damaged_file_is_not_read(store: Path, data: bytes) -> None:
    (store / NAME).write_bytes(data)
    assert read() is None


def test_a_file_that_is_not_there_is_not_read(store: Path) -> None:
    (store / NAME).unlink()
    assert read() is None
    (store / NAME).mkdir()
    assert read() is None


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"{}", b"null", b'{"conditions": 1}', b"\xff"], ids=repr)
def test_a_damaged_manifest_is_as_none(store: Path, data: bytes) -> None:
    (store / shipped_code.MANIFEST).write_bytes(data)
    assert read() is None
    (store / shipped_code.MANIFEST).unlink()
    assert read() is None


@pytest.mark.parametrize("files", [None, [], 1, "files", {NAME: None}, {NAME: "0" * 64}], ids=repr)
def test_files_that_the_manifest_does_not_have_so_are_not_read(store: Path, files: Any) -> None:
    manifest = {"conditions": shipped_code.conditions(), "files": files}
    (store / shipped_code.MANIFEST).write_text(json.dumps(manifest))
    assert read() is None


@pytest.mark.parametrize("condition", ["extension", "numba", "llvmlite", "numpy", "processor"])
def test_code_for_another_python_or_compiler_is_not_read(store: Path, condition: str) -> None:
    manifest = json.loads((store / shipped_code.MANIFEST).read_text())
    manifest["conditions"][condition] += "9"
    (store / shipped_code.MANIFEST).write_text(json.dumps(manifest))
    assert read() is None


@pytest.mark.parametrize("lacking", shipped_code._FEATURES)
def test_a_processor_that_lacks_a_feature_has_none(store: Path, monkeypatch: pytest.MonkeyPatch, lacking: str) -> None:
    features = dict.fromkeys(shipped_code._FEATURES, True) | {lacking: False}
    monkeypatch.setattr(shipped_code.llvm, "get_host_cpu_features", lambda: features)
    assert read() is None
    del features[lacking]
    assert read() is None


def test_a_processor_that_llvm_does_not_know_has_none(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> None:
        raise RuntimeError("failed to get host cpu features.")

    monkeypatch.setattr(shipped_code.llvm, "get_host_cpu_features", unknown)
    assert read() is None


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        *(("BOUNDSCHECK", 1), ("CPU_FEATURES", "+avx2"), ("CPU_NAME", "generic"), ("DEBUGINFO_DEFAULT", 1)),
        *(("DUMP_ASSEMBLY", 1), ("ENABLE_AVX", 0), ("LOOP_VECTORIZE", 0), ("OPT", 1), ("SLP_VECTORIZE", 1)),
    ],
)
def test_with_other_settings_of_numba_it_is_not_read(
    store: Path, monkeypatch: pytest.MonkeyPatch, setting: str, value: Any
) -> None:
    monkeypatch.setattr(numba.config, setting, value)
    assert read() is None


def test_it_can_be_switched_off(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BDGAME_ENV_SHIPPED_CODE", "0")
    assert read() is None


def test_names_tell_sources_functions_types_and_bytecode_apart() -> None:
    """Not processors: the code is for the baseline, whatever this one is."""
    key: Any = ((numba.types.int64,), ("linux", "skylake", ""), ("code", "closure"))
    same: Any = (key[0], ("linux", "znver4", "+avx2"), key[2])
    name = shipped_code.file_name("digest", "rules.apply-1", key)
    assert name == shipped_code.file_name("digest", "rules.apply-1", same) and len(name) == 64
    others = [
        shipped_code.file_name("edited", "rules.apply-1", key),
        shipped_code.file_name("digest", "rules.legal-1", key),
        shipped_code.file_name("digest", "rules.apply-1", ((numba.types.int32,), *key[1:])),
        shipped_code.file_name("digest", "rules.apply-1", (*key[:2], ("other", "closure"))),
        shipped_code.file_name("digest", "rules.apply-1", (*key[:2], ("code", "other"))),
    ]
    assert len({name, *others}) == 6


# The whole way, in processes of their own

_PROGRAM = """
import os
import sys
from pathlib import Path

import numpy as np

from bdgame_env.engine import cache, compile_listener, jit, shipped_code

folder, digest, *pack = sys.argv[1:]
shipped_code.FOLDER = Path(folder)
cache.keep_module("__main__", digest * 64)


@jit.kernel
def checked(x):
    if x < 0:
        raise ValueError("a negative number")
    return 2 * x


@jit.entry_point
def double_all(values, into):
    for k in range(values.shape[0]):
        into[k] = checked(values[k]) + np.exp(values[k] - values[k])


@jit.entry_point
def other(x):
    return checked(x)


def tried(values):
    into = np.zeros(values.shape[0])
    try:
        double_all(values, into)
    except ValueError as error:
        return str(error)
    return into.tolist()


if "compiled caller" in pack:
    jit.entry_point(lambda values, into: double_all(values, into))(np.ones(1), np.zeros(1))
print(tried(np.arange(3.0)), tried(-np.ones(2)), compile_listener.compiling().functions)
if "pack" in pack:
    from tests.support import machine_code

    machine_code.pack(shipped_code.FOLDER)
    machine_code.write_manifest(shipped_code.FOLDER)
if "other" in pack:
    print(other(4), compile_listener.compiling().functions)
"""
RESULT = "[1.0, 3.0, 5.0] a negative number"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("program")
    (folder / "program.py").write_text(_PROGRAM)
    return folder / "program.py"


def played(program: Path, folder: Path, *words: str, digest: str = "a", **variables: str) -> list[str]:
    """The lines that the program prints, with an empty cache unless `variables` name another."""
    cache = folder.with_name(f"{folder.name} cache {os.urandom(8).hex()}")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "BDGAME_ENV_"))}
    done = subprocess.run(
        [sys.executable, program, folder, digest, *words],
        env=kept | {"BDGAME_ENV_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT)} | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def packed(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The machine code of the program's entry point `double_all`."""
    folder = tmp_path_factory.mktemp("packed") / "machine_code"
    folder.mkdir()
    assert played(program, folder, "pack", **machine_code.variables(folder)) == [f"{RESULT} 2"]
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@needs_baseline
def test_what_was_shipped_is_not_compiled(program: Path, packed: Path) -> None:
    """What was not is compiled with all that it calls; nothing is written to the folder."""
    before = contents(packed)
    assert len(before) == 2  # entry points only: one file, and the manifest
    assert played(program, packed) == [f"{RESULT} 0"]
    assert played(program, packed, "other") == [f"{RESULT} 0", "8 2"]
    assert contents(packed) == before


@needs_baseline
def test_the_users_own_code_comes_first(program: Path, packed: Path, tmp_path: Path) -> None:
    """It is for this very processor. What is shipped is not copied to the user's folder."""
    own = {"BDGAME_ENV_CACHE_DIR": str(tmp_path)}
    assert played(program, packed, **own) == [f"{RESULT} 0"]
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert played(program, packed, **own, BDGAME_ENV_SHIPPED_CODE="0") == [f"{RESULT} 2"]
    assert played(program, packed, **own, BDGAME_ENV_SHIPPED_CODE="0") == [f"{RESULT} 0"]
    assert played(program, packed, **own) == [f"{RESULT} 0"]


@needs_baseline
def test_a_compiled_caller_of_what_was_shipped_compiles_it(program: Path, packed: Path) -> None:
    """Machine code from a file cannot be linked into new code: the caller, a kernel of its own, and what that calls."""
    assert played(program, packed, "compiled caller") == [f"{RESULT} 3"]


@needs_baseline
@pytest.mark.parametrize(
    "variables",
    [{"NUMBA_BOUNDSCHECK": "1"}, {"BDGAME_ENV_PLAIN_JIT": "1"}],  # for others the tests above ask `read`
    ids=lambda variables: next(iter(variables)),
)
def test_with_other_settings_it_is_compiled(program: Path, packed: Path, variables: dict[str, str]) -> None:
    assert played(program, packed, **variables) == [f"{RESULT} 2"]


@needs_baseline
def test_with_other_sources_it_is_compiled(program: Path, packed: Path) -> None:
    assert played(program, packed, digest="b") == [f"{RESULT} 2"]


@needs_baseline
def test_damaged_code_is_compiled_instead(program: Path, packed: Path, tmp_path: Path) -> None:
    """Even where it is what the manifest says."""
    manifest = json.loads((packed / shipped_code.MANIFEST).read_text())
    for name in manifest["files"]:
        (tmp_path / name).write_bytes(b"not what it was")
    manifest["files"] = dict.fromkeys(manifest["files"], hashlib.sha256(b"not what it was").hexdigest())
    (tmp_path / shipped_code.MANIFEST).write_text(json.dumps(manifest))
    assert played(program, tmp_path) == [f"{RESULT} 2"]


@needs_baseline
@needs_permissions
def test_a_folder_that_cannot_be_written_is_fine(program: Path, packed: Path) -> None:
    for path in [packed, *packed.iterdir()]:
        path.chmod(path.stat().st_mode & ~0o222)
    try:
        assert played(program, packed) == [f"{RESULT} 0"]
    finally:
        for path in [packed, *packed.iterdir()]:
            path.chmod(path.stat().st_mode | 0o200)


@needs_baseline
def test_the_code_calls_what_is_everywhere(packed: Path) -> None:
    """Python, Numba and the C library; `pack` refuses other code."""
    manifest = json.loads((packed / shipped_code.MANIFEST).read_text())
    (name,) = manifest["files"]
    data = (packed / name).read_bytes()
    assert manifest["files"][name] == hashlib.sha256(data).hexdigest()
    called = set(machine_code.undefined_symbols(data[data.index(b"\x7fELF") :]))
    assert {"exp", "PyErr_SetString"} <= called and all(machine_code.KNOWN.fullmatch(one) for one in called)
    assert not machine_code.KNOWN.fullmatch("__svml_exp4")
