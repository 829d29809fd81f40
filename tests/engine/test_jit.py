"""`engine.jit`: where compiled rules are kept, and that an edit never meets old ones."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from bdgame_env.engine import jit
from bdgame_env.engine.rewards import rank_reward

ROOT = Path(__file__).resolve().parents[2]
needs_permissions = pytest.mark.skipif(
    os.name == "nt" or (hasattr(os, "geteuid") and os.geteuid() == 0), reason="root may write everywhere"
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Calls `cache_folder` afresh, below a folder of its own."""
    monkeypatch.setenv("BDGAME_ENV_CACHE_DIR", str(tmp_path))
    jit.cache_folder.cache_clear()

    def fresh() -> Path:
        jit.cache_folder.cache_clear()
        return jit.cache_folder()

    yield fresh
    monkeypatch.undo()
    jit.cache_folder.cache_clear()


def test_the_folder_is_below_the_one_chosen(folder, tmp_path):
    """BDGAME_ENV_CACHE_DIR decides; the name stays while nothing changes."""
    assert folder().parent == tmp_path and folder() == folder() and folder().is_dir()
    assert len(folder().name) == 20


@pytest.mark.parametrize("what", ["source_hash", "versions", "BOUNDSCHECK", "_OPTIONS"])
def test_another_source_version_or_option_has_another_folder(folder, monkeypatch, what):
    """Old machine code is never met, because it lies elsewhere."""
    before = folder()
    changed = {
        "source_hash": lambda *folders: "0" * 64,
        "versions": lambda: {"python": "4.0.0"},
        "BOUNDSCHECK": not jit.BOUNDSCHECK,
        "_OPTIONS": {"nogil": False},
    }
    monkeypatch.setattr(jit, what, changed[what])
    assert folder() != before and folder().parent == before.parent


def test_the_hash_sees_every_edit(tmp_path):
    """Contents, names and folders of Python and card files; nothing else, and no file that only draws."""
    (tmp_path / "games").mkdir()
    rules, cards = tmp_path / "games" / "rules.py", tmp_path / "cards.toml"
    rules.write_text("limit = 10\n")
    cards.write_text("cost = 1\n")
    seen = [jit.source_hash(tmp_path)]
    for change in (
        lambda: rules.write_text("limit = 11\n"),
        lambda: cards.write_text("cost = 2\n"),
        lambda: rules.rename(tmp_path / "games" / "other.py"),
        lambda: (tmp_path / "games" / "more.py").write_text(""),
    ):
        change()
        seen.append(jit.source_hash(tmp_path))
    assert len(set(seen)) == len(seen)
    (tmp_path / "notes.md").write_text("no rule")
    (tmp_path / "games" / "drawing").mkdir()
    (tmp_path / "games" / "drawing" / "seat.py").write_text("wide = 40")
    assert jit.source_hash(tmp_path) == seen[-1]


def asked(package_root: Path, cache: Path, **environment: str) -> Path:
    """The cache folder that a copy of the package names, in a process of its own."""
    code = "from bdgame_env.engine import jit; print(jit.cache_folder())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=package_root,
        env={**os.environ, "BDGAME_ENV_CACHE_DIR": str(cache), "PYTHONPATH": str(package_root), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return Path(done.stdout.strip())


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


def test_an_edit_of_a_rule_or_card_means_a_new_folder(package, tmp_path):
    """In the engine, in a game, in its cards, in a compiled player; not in the frameworks' adapters."""
    cache = tmp_path / "cache"
    folders = [asked(package, cache)]
    edited = ["engine/match_loops.py", "games/bdgame/rules.py", "games/bdgame/cards.toml"]
    for path in [*(package / "bdgame_env" / name for name in edited), package / "agents/heuristics/bdgame/greedy.py"]:
        path.write_text(path.read_text() + "\n# edited\n")
        folders.append(asked(package, cache))
    assert len(set(folders)) == 5
    adapter = package / "bdgame_env" / "adapters" / "aec.py"
    adapter.write_text(adapter.read_text() + "\n# edited\n")
    assert asked(package, cache) == folders[-1]


def test_the_place_of_the_package_does_not_matter(package, tmp_path):
    """An unchanged copy elsewhere names the same folder."""
    assert asked(package, tmp_path / "cache") == asked(ROOT, tmp_path / "cache")


@needs_permissions
def test_a_package_that_cannot_be_written_is_fine(package, tmp_path):
    """Nothing is written beside the sources."""
    for path in [package, *package.rglob("*")]:
        path.chmod(path.stat().st_mode & ~0o222)
    try:
        assert asked(package, tmp_path / "cache").is_dir()
    finally:
        for path in [package, *package.rglob("*")]:
            path.chmod(path.stat().st_mode | 0o200)


def test_nothing_is_written_beside_the_sources(package, tmp_path):
    """The compiled rules go to the cache folder: no file appears in the package."""
    asked(package, tmp_path / "cache", PYTHONDONTWRITEBYTECODE="1")
    before = {path for path in package.rglob("*") if "__pycache__" not in path.parts}
    assert {path.suffix for path in before if path.is_file()} <= {".py", ".toml", ".md", ".typed", ".npz", ".json"}
    assert not list(package.rglob("*.nbi")) and not list(package.rglob("*.nbc"))


def test_a_cache_that_cannot_be_written_has_a_substitute(folder, tmp_path, monkeypatch):
    """A file where the folder should be: the next place is taken, in the end a temporary one."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("BDGAME_ENV_CACHE_DIR", str(blocked))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    found = folder()
    assert found.is_dir() and blocked not in found.parents
    if sys.platform.startswith("linux"):
        assert found.parent == tmp_path / "user" / "bdgame_env"
    monkeypatch.setattr(jit, "_cache_roots", lambda: iter([blocked]))
    assert folder().is_dir() and folder() != folder()


def test_stale_folders_are_removed(folder, tmp_path):
    """Folders of other versions that nobody has opened for a month; nothing that is not ours, nothing recent."""
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
    assert folder() == used and used.stat().st_mtime > now - 60  # opened: young again


def test_a_driver_is_cached_there_and_numba_is_left_as_it_was():
    """Other libraries' caches stay where they were."""
    if jit.JIT_DISABLED:
        pytest.skip("about compiled code")
    from numba import config

    before = config.CACHE_DIR
    compiled = jit.entry_point(_twice)
    assert before == config.CACHE_DIR
    assert compiled(4) == 8
    assert list(jit.cache_folder().rglob("*_twice*.nbi"))


def test_a_rule_is_kept_if_its_source_names_the_cache_folder():
    """A rule of the package is loaded by the next process; one from elsewhere might call what has been edited."""
    if jit.JIT_DISABLED:
        pytest.skip("about compiled code")
    assert str(jit.cache_folder()) in rank_reward.stats.cache_path
    assert jit.kernel(_twice).stats.cache_path is None
    assert str(jit.cache_folder()) in jit.kernel(_twice, kept=True).stats.cache_path


def test_two_processes_never_write_the_same_file():
    """Both may add the machine code of a signature to the same list at the same time."""
    if jit.JIT_DISABLED:
        pytest.skip("about compiled code")
    compiled = jit.entry_point(_twice)
    assert compiled(4) == 8 and compiled(4.0) == 8.0
    names = [path.name for path in jit.cache_folder().rglob("*_twice*.nbc")]
    assert len(names) >= 2 and not [name for name in names if name.endswith((".1.nbc", ".2.nbc"))]


def _twice(x: int) -> int:
    return 2 * x


def test_rule_and_driver_keep_the_function_with_the_jit_off():
    """Coverage and debuggers see plain Python."""
    if not jit.JIT_DISABLED:
        pytest.skip("about plain Python")
    assert jit.kernel(_twice) is _twice and jit.entry_point(_twice) is _twice


# Without a home


def test_without_a_home_the_cache_is_below_the_temporary_folder(folder, tmp_path, monkeypatch):
    """A container's user that is in no list has no home: the folder is that user's own, and stays the same."""
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
    monkeypatch.setattr(Path, "home", Path)  # HOME="": no folder that depends on where one works
    assert folder() == found


@pytest.mark.skipif(os.name == "nt", reason="about owners and modes of POSIX")
@pytest.mark.parametrize("planted", ["open to others", "a link", "a file", "another's"])
def test_a_folder_that_others_may_have_filled_is_not_used(folder, tmp_path, monkeypatch, planted):
    """Machine code is loaded from the cache, so a folder set up by somebody else must not be met."""
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
from bdgame_env.engine.match import Match
from tests.support.nim_game import GAME

match = Match(GAME, seed=1)
match.mask()
rng.mix(np.uint64(1))
made = [rng.mix, match._loops.reset_games, match._loops.legal_games]
print(sum(sum(function.stats.cache_misses.values()) for function in made))
"""


def compiled_in(root: Path, cache: Path) -> int:
    """How many functions a process has to compile that runs the package of a folder."""
    done = subprocess.run(
        [sys.executable, "-c", _COMPILES],
        cwd=root,
        env={**os.environ, "BDGAME_ENV_CACHE_DIR": str(cache), "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


def test_a_second_installation_compiles_nothing(package, tmp_path):
    """The same sources in another place and of another time find the machine code; an edited game does not."""
    if jit.JIT_DISABLED:
        pytest.skip("about compiled code")
    support = package / "tests" / "support"
    support.mkdir(parents=True)
    (package / "tests" / "__init__.py").write_text("")
    (support / "__init__.py").write_text("")
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
