"""`engine.jit`: where compiled rules are kept, and that edited rules never use old machine code."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

import bdgame_env.games
from bdgame_env.engine import cache, compile_listener, jit
from bdgame_env.engine.rewards import rank_reward

ROOT = Path(__file__).resolve().parents[2]
needs_permissions = pytest.mark.skipif(
    os.name == "nt" or (hasattr(os, "geteuid") and os.geteuid() == 0), reason="root may write everywhere"
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Calls `cache_folder` for the engine, each time as if for the first time, with a temporary folder."""
    monkeypatch.setenv("BDGAME_ENV_CACHE_DIR", str(tmp_path))
    cache.cache_folder.cache_clear()

    def fresh() -> Path:
        cache.cache_folder.cache_clear()
        cache._digest.cache_clear()
        found = cache.folder_of("bdgame_env.engine")
        assert found is not None
        return found

    yield fresh
    monkeypatch.undo()
    cache.cache_folder.cache_clear()
    cache._digest.cache_clear()


def test_the_folder_is_below_the_one_chosen(folder, tmp_path):
    """BDGAME_ENV_CACHE_DIR decides; the name stays the same while nothing changes."""
    assert folder().parent == tmp_path and folder() == folder() and folder().is_dir()
    assert len(folder().name) == 20


@pytest.mark.parametrize("what", ["source_hash", "versions", "BOUNDSCHECK", "OPTIONS"])
def test_another_source_version_or_option_has_another_folder(folder, monkeypatch, what):
    """Old machine code is never used, because it is in another folder."""
    before = folder()
    changed = {
        "source_hash": lambda folder, without: "0" * 64,
        "versions": lambda: {"python": "4.0.0"},
        "BOUNDSCHECK": not cache.BOUNDSCHECK,
        "OPTIONS": {"nogil": False},
    }
    monkeypatch.setattr(cache, what, changed[what])
    assert folder() != before and folder().parent == before.parent


def test_the_hash_sees_every_edit(tmp_path):
    """It covers contents, names and folders of Python and card files; nothing else, and no excluded folders."""
    (tmp_path / "games").mkdir()
    rules, cards = tmp_path / "games" / "rules.py", tmp_path / "cards.toml"
    rules.write_text("limit = 10\n")
    cards.write_text("cost = 1\n")
    seen = [cache.source_hash(tmp_path)]
    for change in (
        lambda: rules.write_text("limit = 11\n"),
        lambda: cards.write_text("cost = 2\n"),
        lambda: rules.rename(tmp_path / "games" / "other.py"),
        lambda: (tmp_path / "games" / "more.py").write_text(""),
    ):
        change()
        seen.append(cache.source_hash(tmp_path))
    assert len(set(seen)) == len(seen)
    (tmp_path / "notes.md").write_text("no rule")
    (tmp_path / "games" / "pictures").mkdir()
    (tmp_path / "games" / "pictures" / "seat.py").write_text("wide = 40")
    assert cache.source_hash(tmp_path, without=("pictures",)) == seen[-1] != cache.source_hash(tmp_path)


PACKAGES = ("bdgame_env.engine", "bdgame_env.games", "bdgame_env.agents.heuristics")


def asked(package_root: Path, cache: Path, *imports: str, **environment: str) -> list[Path]:
    """The cache folders that a copy of the package has for PACKAGES, in another process."""
    lines = [
        *(f"import {name}" for name in imports or PACKAGES),
        "from bdgame_env.engine import cache",
    ]
    lines += ["import bdgame_env.agents.heuristics", f"for name in {PACKAGES}: print(cache.folder_of(name))"]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        cwd=package_root,
        env={**os.environ, "BDGAME_ENV_CACHE_DIR": str(cache), "PYTHONPATH": str(package_root), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return [Path(line) for line in done.stdout.splitlines()]


@pytest.fixture
def package(tmp_path):
    """A copy of the package."""
    root = tmp_path / "copy"
    shutil.copytree(
        ROOT / "bdgame_env", root / "bdgame_env", ignore=shutil.ignore_patterns("__pycache__", "agents", "experiments")
    )
    shutil.copytree(ROOT / "agents", root / "agents", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "pyproject.toml").touch()  # a checkout
    return root


@pytest.fixture(scope="module")
def unedited(tmp_path_factory):
    """The names of the folders before any edit, which do not depend on the place of the package."""
    return [folder.name for folder in asked(ROOT, tmp_path_factory.mktemp("cache"))]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edited", "changed"),
    [
        ("bdgame_env/engine/match_loops.py", (True, True, True)),
        ("bdgame_env/games/bdgame/legal_and_apply.py", (False, True, True)),
        ("bdgame_env/games/bdgame/cards.toml", (False, True, True)),
        ("agents/heuristics/bdgame/player.py", (False, False, True)),
        ("bdgame_env/adapters/aec.py", (False, False, False)),
        ("bdgame_env/games/bdgame/drawing/__init__.py", (False, False, False)),
        ("agents/search/tree_loops.py", (False, False, False)),  # each game's copy has its own folder
    ],
)
def test_an_edit_means_new_folders_for_all_that_may_call_it(package, tmp_path, unedited, edited, changed):
    """An edit of the engine concerns all, of a game or its cards games and players, of a player only players."""
    assert len(set(unedited)) == 3
    path = package / edited
    path.write_text(path.read_text() + "\n# edited\n")
    after = [folder.name for folder in asked(package, tmp_path / "cache")]
    assert tuple(new != old for new, old in zip(after, unedited, strict=True)) == changed


@pytest.mark.slow
def test_the_place_of_the_package_and_the_order_of_imports_do_not_matter(package, tmp_path):
    """An unchanged copy elsewhere has the same folders."""
    here = asked(ROOT, tmp_path / "cache")
    assert asked(package, tmp_path / "cache") == here
    assert asked(package, tmp_path / "cache", "bdgame_env.agents.heuristics.nicodemus", *PACKAGES[::-1]) == here


def test_a_package_that_does_not_say_so_is_not_kept():
    """It is unknown which sources its code depends on. Its hash is that of its folder; without a file, a new one."""
    assert cache.folder_of("somebody.elses.rules") is None
    assert cache.folder_of("bdgame_env.games.bdgame.legal_and_apply") == cache.folder_of(bdgame_env.games.__name__)
    assert (
        cache.digest_of_sources(__name__)
        == cache.digest_of_sources("tests.engine")
        != cache.digest_of_sources("bdgame_env.engine")
    )
    assert cache.digest_of_sources("no.such.module") != cache.digest_of_sources("no.such.module")


@needs_permissions
def test_a_package_that_cannot_be_written_is_fine(package, tmp_path):
    """Nothing is written beside the sources."""
    for path in [package, *package.rglob("*")]:
        path.chmod(path.stat().st_mode & ~0o222)
    try:
        assert all(path.is_dir() for path in asked(package, tmp_path / "cache"))
    finally:
        for path in [package, *package.rglob("*")]:
            path.chmod(path.stat().st_mode | 0o200)


def test_nothing_is_written_beside_the_sources(package, tmp_path):
    """Compiled rules go to the cache folder: no file appears in the package."""
    asked(package, tmp_path / "cache", PYTHONDONTWRITEBYTECODE="1")
    before = {path for path in package.rglob("*") if "__pycache__" not in path.parts}
    kinds = {".py", ".pyi", ".toml", ".md", ".typed", ".npz", ".json"}
    assert {path.suffix for path in before if path.is_file()} <= kinds
    assert not list(package.rglob("*.nbi")) and not list(package.rglob("*.nbc"))


def test_a_cache_that_cannot_be_written_has_a_substitute(folder, tmp_path, monkeypatch):
    """With a file where the folder should be, the next place is used, and finally a temporary one."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("BDGAME_ENV_CACHE_DIR", str(blocked))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    found = folder()
    assert found.is_dir() and blocked not in found.parents
    if sys.platform.startswith("linux"):
        assert found.parent == tmp_path / "user" / "bdgame_env"
    monkeypatch.setattr(cache, "_cache_roots", lambda: iter([blocked]))
    assert folder().is_dir() and folder() != folder()


def test_stale_folders_are_removed(folder, tmp_path):
    """Only folders of other versions that nobody has opened for a month; nothing recent, nothing that is not ours."""
    now = time.time()
    ages = {"a" * 20: 31, "b" * 20: 29, "not-ours": 400}
    for name, days in ages.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "rules.nbi").write_text("")
        os.utime(tmp_path / name, (now - days * 86400,) * 2)
    (tmp_path / ("c" * 20)).write_text("a file")
    used = folder()
    assert {path.name for path in tmp_path.iterdir()} == {"b" * 20, "c" * 20, "not-ours", used.name}
    os.utime(used, (now - 40 * 86400,) * 2)
    assert folder() == used and used.stat().st_mtime > now - 60  # opened, so recent again


@pytest.fixture
def twice(tmp_path, monkeypatch):
    """A function of a module whose machine code is cached."""
    monkeypatch.setitem(cache._kept, __name__, "0" * 64)
    return _twice


def _twice(x: int) -> int:
    return 2 * x


def test_machine_code_is_cached_there_and_numba_is_left_as_it_was(twice):
    """The caches of other libraries stay where they were."""
    if jit.JIT_DISABLED:
        pytest.skip("about compiled code")
    from numba import config

    before = config.CACHE_DIR
    compiled = jit.entry_point(twice)
    assert before == config.CACHE_DIR
    assert compiled(4) == 8
    assert list(cache.folder_of(__name__).rglob("*_twice*.nbi"))


def test_what_is_kept_is_decided_by_the_package(monkeypatch):
    """A kernel of the package is loaded by the next process; one from elsewhere might call what has been edited."""
    if jit.JIT_DISABLED:
        pytest.skip("about compiled code")
    assert rank_reward.stats.cache_path == str(cache.folder_of("bdgame_env.engine"))
    assert jit.kernel(_twice).stats.cache_path is None and jit.entry_point(_twice).stats.cache_path is None
    monkeypatch.setitem(cache._kept, __name__, "0" * 64)
    assert jit.kernel(_twice).stats.cache_path == str(cache.folder_of(__name__))


def test_two_processes_never_write_the_same_file(twice):
    """Both may add the machine code of a signature to the same list at the same time."""
    if jit.JIT_DISABLED:
        pytest.skip("about compiled code")
    compiled = jit.entry_point(twice)
    assert compiled(4) == 8 and compiled(4.0) == 8.0
    names = [path.name for path in cache.folder_of(__name__).rglob("*_twice*.nbc")]
    assert len(names) >= 2 and not [name for name in names if name.endswith((".1.nbc", ".2.nbc"))]


def test_only_our_functions_are_counted(monkeypatch):
    """The notice recognizes them by a mark, wherever they are defined."""
    if jit.JIT_DISABLED:
        pytest.skip("about compiled code")
    import numba

    told = []
    monkeypatch.setattr(compile_listener._listener, "tell", told.append)
    before = compile_listener.compiling()
    numba.njit(lambda x: x + 1)(1)
    assert not told and compile_listener.compiling() == before and not before.running
    jit.entry_point(_twice)(1)
    assert told == [compile_listener.compiling()] and told[0].functions == before.functions + 1
    assert told[0].seconds > before.seconds and not told[0].running


def test_a_listener_takes_the_place_of_stderr():
    before = compile_listener.on_compiling(print)
    assert compile_listener.on_compiling(before) is print and compile_listener._listener.tell is before


def test_functions_stay_plain_with_the_jit_off():
    """Coverage and debuggers see plain Python."""
    if not jit.JIT_DISABLED:
        pytest.skip("about plain Python")
    assert jit.kernel(_twice) is _twice and jit.entry_point(_twice) is _twice


# Without a home


def test_without_a_home_the_cache_is_below_the_temporary_folder(folder, tmp_path, monkeypatch):
    """A container's user missing from the user database has no home: the folder is private and stays the same."""
    monkeypatch.delenv("BDGAME_ENV_CACHE_DIR")
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", no_home)
    found = folder()
    assert found.is_dir() and found.parent.parent == tmp_path and found == folder()
    if os.name != "nt":
        assert found.parent.stat().st_mode & 0o777 == 0o700
    monkeypatch.setattr(Path, "home", Path)  # HOME="": no folder that depends on the working directory
    assert folder() == found


@pytest.mark.skipif(os.name == "nt", reason="about owners and modes of POSIX")
@pytest.mark.parametrize("planted", ["open to others", "a link", "a file", "another's"])
def test_a_folder_that_others_may_have_filled_is_not_used(folder, tmp_path, monkeypatch, planted):
    """Machine code is loaded from the cache, so a folder set up by somebody else must not be used."""
    monkeypatch.setenv("BDGAME_ENV_CACHE_DIR", "/dev/null/no")
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null/no")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    shared = tmp_path / f"bdgame_env-{os.getuid()}"
    if planted == "open to others":
        shared.mkdir()
        shared.chmod(0o777)
    elif planted == "a link":
        (tmp_path / "elsewhere").mkdir()
        shared.symlink_to(tmp_path / "elsewhere")
    elif planted == "a file":
        shared.write_text("")
    else:
        another = os.getuid() + 1
        monkeypatch.setattr(os, "getuid", lambda: another)
        shared = tmp_path / f"bdgame_env-{another}"
        shared.mkdir(mode=0o700)
    found = folder()
    assert found.is_dir() and shared not in found.parents and not list((tmp_path / "elsewhere").glob("*"))
    assert found.stat().st_mode & 0o777 == 0o700


# A second installation

_COMPILES = """
import numpy as np
from bdgame_env.engine import rng
from bdgame_env.engine.loop_builder import loops_of
from bdgame_env.engine.match import Match
from tests.support.nim_game import GAME

match = Match(GAME, seed=1)
match.mask()
rng.mix(np.uint64(1))
loops = loops_of(GAME)
made = [rng.mix, loops.reset_games, loops.legal_games, GAME.rules.reset, GAME.rules.legal]
print(sum(sum(function.stats.cache_misses.values()) for function in made))
"""


def compiled_in(root: Path, cache: Path) -> int:
    """How many functions a process has to compile to run the package in a folder."""
    done = subprocess.run(
        [sys.executable, "-c", _COMPILES],
        cwd=root,
        env={**os.environ, "BDGAME_ENV_CACHE_DIR": str(cache), "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


@pytest.mark.parametrize("registered", [True, False])
def test_a_second_installation_compiles_nothing(package, tmp_path, registered):
    """The same sources in another place, with other dates, find the machine code; an edited game does not.

    For a game whose package calls `keep`, and for one whose package does not: then only its loops are cached.
    """
    if jit.JIT_DISABLED:
        pytest.skip("about compiled code")
    support = package / "tests" / "support"
    support.mkdir(parents=True)
    (package / "tests" / "__init__.py").write_text("")
    (support / "__init__.py").write_text("")
    if registered:
        shutil.copy(ROOT / "tests" / "support" / "__init__.py", support)
    shutil.copy(ROOT / "tests" / "support" / "nim_game.py", support)
    cache, twin = tmp_path / "cache", tmp_path / "twin"
    assert compiled_in(package, cache) >= 3
    made = {path for path in cache.rglob("*") if path.is_file()}
    shutil.copytree(package, twin, copy_function=shutil.copyfile)
    for path in twin.rglob("*.py"):
        os.utime(path, (10**9, 10**9))
    assert compiled_in(twin, cache) == 0
    assert {path for path in cache.rglob("*") if path.is_file()} == made
    game = twin / "tests" / "support" / "nim_game.py"
    game.write_text(game.read_text().replace("MOST = 3", "MOST = 2"))
    assert compiled_in(twin, cache) > 0
