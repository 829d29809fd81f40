"""Environments hold the files that they were made from, in copies, pickles and other folders."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pyspiel
import pytest

import bdgame_env
from bdgame_env.agents.opponents import keep_opponents
from bdgame_env.games.bdgame.cards import STANDARD_DECK
from tests.support.decks import with_hopper_at
from tests.support.policies import plain_policy

ID = "bdgame-v3"
GAME = bdgame_env.get_game(ID)
DEAR = with_hopper_at(77).encode()
OTHER = STANDARD_DECK.read_bytes()

Make = Callable[..., Any]
LEARNER: dict[str, Make] = {
    "gym": partial(bdgame_env.make_gym, ID),
    "vector": partial(bdgame_env.make_vector, ID, 2),
    "sb3": partial(bdgame_env.make_sb3_vec, ID, 2),
    "gymnasium.make": partial(gymnasium.make, "bdgame_env/Bdgame-v3"),
    "gymnasium.make_vec": partial(gymnasium.make_vec, "bdgame_env/Bdgame-v3", num_envs=2),
}
MAKERS: dict[str, Make] = {
    "match": partial(bdgame_env.make_match, ID),
    "batch": partial(bdgame_env.make_batch, ID, 2),
    "aec": partial(bdgame_env.make_aec, ID),
    "parallel": partial(bdgame_env.make_parallel, ID),
    "pettingzoo.make": partial(pettingzoo.make, "aec", "bdgame_env/bdgame-v3"),
    **LEARNER,
}


def costs(env: Any) -> Any:
    """The prices in the cards of an environment, wherever its adapter has them."""
    env = getattr(env, "unwrapped", env)
    env = getattr(env, "venv", env)
    holder = getattr(env, "batch", None) or (env if hasattr(env, "config") else env.match)
    return holder.config.record["of"]["cost"][0, 0].tolist()


@pytest.fixture
def leave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """In a folder with a card file and a policy; the function leaves it, and edits or removes the files."""
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    Path("mine.toml").write_bytes(DEAR)
    Path("net.npz").write_bytes(plain_policy(GAME, GAME.config(), scale=0.3).to_bytes())

    def leave(then: str) -> None:
        for name in ("mine.toml", "net.npz"):
            Path(name).unlink()
        if then == "edited":
            Path("mine.toml").write_bytes(OTHER)
        else:
            monkeypatch.chdir(tmp_path / "there")

    return leave


@pytest.mark.parametrize("then", ["edited", "gone"])
@pytest.mark.parametrize("maker", MAKERS)
def test_cards_travel_with_environments(leave: Callable[[str], None], maker: str, then: str) -> None:
    env = MAKERS[maker](deck="mine.toml")
    wanted = costs(env)
    assert 77 in wanted
    leave(then)
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    own = getattr(env, "unwrapped", env)
    if hasattr(own, "clone"):
        twins.append(own.clone())
    for twin in twins:
        assert costs(twin) == wanted
        getattr(twin, "reset", lambda: None)()


@pytest.mark.parametrize("maker", ["gymnasium.make", "gymnasium.make_vec"])
def test_a_spec_remakes_the_same_environment(leave: Callable[[str], None], maker: str) -> None:
    env = MAKERS[maker](deck="mine.toml", opponents=[("net.npz", 2.0), Path("net.npz"), "random"])
    wanted, again = costs(env), getattr(gymnasium, maker.partition(".")[2])
    leave("gone")
    for spec in (env.spec, copy.deepcopy(env.spec), pickle.loads(pickle.dumps(env.spec))):
        twin = again(spec)
        assert costs(twin) == wanted
        assert [one.name for one in twin.unwrapped.batch.opponents] == [
            "ppo:path=net.npz",
            "ppo:path=net.npz",
            "random",
        ]


@pytest.mark.parametrize("maker", LEARNER)
@pytest.mark.parametrize("opponents", ["net.npz", "ppo:path=net.npz", Path("net.npz"), [(Path("net.npz"), 1.0)]])
def test_policies_travel_with_environments(leave: Callable[[str], None], maker: str, opponents: Any) -> None:
    env = LEARNER[maker](opponents=opponents)
    kept = keep_opponents(opponents)
    leave("gone")
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        twin.reset()
        own = getattr(twin, "unwrapped", twin)
        getattr(own, "venv", own).set_opponents(pickle.loads(pickle.dumps(kept)))


def test_openspiel_pickles_hold_the_cards(leave: Callable[[str], None]) -> None:
    """Read by another process in another folder, as OpenSpiel serializes games by name."""
    import bdgame_env.adapters.openspiel

    state = pyspiel.load_game("python_bdgame(deck=mine.toml)").new_initial_state()
    for byte in range(8):
        state.apply_action(byte)
    wanted = (state.legal_actions(), costs(state.position.match))
    pickled = pickle.dumps(state).hex()
    leave("gone")
    script = (
        "import pickle, bdgame_env.adapters.openspiel;"
        f"state = pickle.loads(bytes.fromhex({pickled!r}));"
        "print((state.legal_actions(), state.position.match.config.record['of']['cost'][0, 0].tolist()))"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert told.strip() == repr(wanted)
    with pytest.raises(bdgame_env.BadOption, match="is no packed file"):
        pyspiel.load_game("python_bdgame", {"deck": "mine.toml;contents;AAAA"})


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("windows", [b"\xef\xbb\xbf", b""], ids=["byte order mark", "ends of line"])
def test_card_files_of_windows_are_read(tmp_path: Path, maker: str, windows: bytes) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(windows + DEAR.replace(b"\n", b"\r\n"))
    assert 77 in costs(MAKERS[maker](deck=file)) and np.max(costs(MAKERS[maker](deck=str(file)))) == 77
