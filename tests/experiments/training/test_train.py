"""The command `train`: tiny runs from end to end, and how they are resumed, started and set."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bdgame_env.agents import make_agent
from bdgame_env.agents.identity import file_digest
from bdgame_env.agents.networks import load_policy
from bdgame_env.engine.match import Match
from bdgame_env.experiments import demo
from bdgame_env.experiments.arena.tournament import Place
from bdgame_env.experiments.cli import INTERRUPTED
from bdgame_env.experiments.errors import BadInput
from bdgame_env.experiments.inputs import SUITE_SEEDS
from bdgame_env.experiments.suites import suite as suites
from bdgame_env.experiments.suites.benchmark import play_pool
from bdgame_env.experiments.training import train, training_run
from bdgame_env.experiments.training.checkpoints import RunState, read_checkpoint
from bdgame_env.experiments.training.config import TrainConfig
from bdgame_env.experiments.training.evaluation import CurveRow
from bdgame_env.experiments.training.history import earlier_runs
from bdgame_env.experiments.training.opponents import policy_path, teacher_of
from bdgame_env.experiments.training.training_run import TrainingRun
from bdgame_env.registry import get_game
from tests.support.tiny_training import NIM, TOY, as_arguments, as_toml, command, tiny, tiny_runs, weights_of

ROOT = Path(__file__).resolve().parents[3]
WINDOW = 8 * 6  # decisions of a tiny run between two updates


@pytest.fixture(autouse=True)
def _tiny() -> Iterator[None]:
    with tiny_runs():
        yield


def curve_of(out: Path) -> list[dict[str, str]]:
    with (out / "learning_curve.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def state_of(out: Path) -> RunState:
    found = read_checkpoint(out / "checkpoint.npz")
    assert found is not None
    return found[0]


def settings_of(out: Path) -> dict[str, Any]:
    settings: dict[str, Any] = json.loads((out / "run.json").read_text())["config"]
    return settings


def run_python(program: str, folder: Path, *arguments: str) -> str:
    """Run a program in a new process, without compiling; returns what it printed."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def assert_same_weights(one: Path, other: Path) -> None:
    first, second = weights_of(one / "policy.npz"), weights_of(other / "policy.npz")
    assert first.keys() == second.keys()
    for name, values in first.items():
        np.testing.assert_array_equal(values, second[name], name)


# From end to end


def test_a_run_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A game from outside the package, for which nobody wrote a player, with two numbers of players."""
    out = tmp_path / "deep" / "run"
    assert command("train", TOY, "--decisions", 600, "--players", "2,3", *as_arguments(), "--out", out) == 0
    told = capsys.readouterr()
    assert told.out == f"written: {out / 'policy.npz'}, {out / 'learning_curve.png'}\n"
    lines = [line for line in told.err.splitlines() if "decisions: wins" in line]
    assert len(lines) == 6 and all(line.endswith("truncated") for line in lines)  # lines are not wrapped
    names = {"checkpoint.npz", "learning_curve.csv", "learning_curve.png", "policy.npz", "run.json"}
    assert {path.name for path in out.iterdir()} - {"tensorboard"} == names
    assert (out / "learning_curve.png").read_bytes().startswith(b"\x89PNG")

    rows = curve_of(out)
    assert list(rows[0]) == [field.name for field in fields(CurveRow)]
    assert [(row["players"], row["opponent"], row["label"]) for row in rows] == [
        ("2", "random", "random, 2 players"),
        ("3", "random", "random, 3 players"),
    ] * 3
    assert [int(row["games"]) for row in rows] == [6, 9, 6, 9, 10, 15]
    decisions = [int(row["decisions"]) for row in rows[::2]]
    assert 200 <= decisions[0] < 400 <= decisions[1] < 600 <= decisions[2] < 600 + WINDOW
    for row in rows:
        assert 0 <= float(row["low"]) <= float(row["win_rate"]) <= float(row["high"]) <= 1

    data = json.loads((out / "run.json").read_text())
    assert data["config"]["players"] == [2, 3] and data["config"]["decisions"] == 600
    assert data["run"]["command"].endswith(f"--out {out}") and "bdgame_env" in data["run"]["versions"]
    policy = load_policy(out / "policy.npz", get_game(TOY), get_game(TOY).config())
    assert policy.players == (2, 3) and policy.meta["decisions"] == decisions[2]
    assert policy.meta["options"] == {"max_rounds": 4} and policy.meta["run"]["versions"]


def test_its_policy_plays(tmp_path: Path) -> None:
    """With every number of players that it learned with, and with options that it did not learn with."""
    path = train.run(tiny(decisions=100, players=(2, 4)), tmp_path)
    game = get_game(TOY)
    for players, rounds in ((2, 4), (4, 20)):
        match = Match(game, seed=3, players=players, max_rounds=rounds)
        agent = make_agent(f"ppo:path={path}", game, match.config)
        while not match.over:
            match.play(int(agent.act(match.observe()[None], match.mask()[None])[0]))


@pytest.mark.parametrize(
    ("game", "teacher", "number"),
    [("bdgame-v3", "strongest", 3), ("bdgame-v3", "heuristic", 1), ("gizmos-v3", "strongest", 1), ("gizmos-v3", "", 0)],
)
def test_the_teacher_is_the_strongest_compiled_player_unless_named(game: str, teacher: str, number: int) -> None:
    assert teacher_of(get_game(game), TrainConfig(game, teacher=teacher)) == number
    assert TrainConfig(game).teacher == "strongest"
    with pytest.raises(BadInput, match="teacher='greedi', must be one of strongest, heuristic, "):
        teacher_of(get_game(game), TrainConfig(game, teacher="greedi"))


def test_it_learns_from_itself_and_from_a_teacher(tmp_path: Path) -> None:
    """Nim, whose best moves are known. Of two perfect players the one to start wins, for every heap but 4, 8, ..."""
    settings = {"options": {"heap": 10}, "width": 16, "decisions": 60_000, "matches": 64, "batch_size": 64}
    for name, more in (
        ("imitation", {"imitation": 1.0}),
        ("self-play", {"teacher": ""}),
        ("both", {"teacher_matches": 0.25, "snapshot_share": 0.25}),
    ):
        train.run(tiny(NIM, **settings, **more), tmp_path / name)
        rows = {row["opponent"]: row for row in curve_of(tmp_path / name)[-2:]}
        assert rows.keys() == {"random", "perfect"}
        assert float(rows["random"]["win_rate"]) >= 0.8, (name, rows)
        assert float(rows["perfect"]["win_rate"]) == 0.5, (name, rows)
    assert not state_of(tmp_path / "imitation").scores
    assert any(games for _, games in state_of(tmp_path / "both").scores)


def test_a_game_without_plans_meets_no_planner(tmp_path: Path) -> None:
    train.run(tiny(planner_deals=3, decisions=100), tmp_path)
    assert {row["opponent"] for row in curve_of(tmp_path)} == {"random"}


def test_a_game_of_the_package_learns_from_its_heuristic(tmp_path: Path) -> None:
    """As typed in a shell, but without compiling."""
    short = {"evaluations": 1, "evaluation_deals": 1, "planner_deals": 1, "steps": 12}
    arguments = as_arguments(options={"max_rounds": 1}, imitation=0.5, **short)
    program = (
        "from bdgame_env.experiments.training import training_run; training_run.FINAL_DEALS = 1\n"
        "import sys; from bdgame_env.experiments.cli import main; sys.exit(main())"
    )
    run_python(program, tmp_path, "train", "bdgame-v3", "--decisions", "150", *arguments, "--out", "run")
    *opponents, last = curve_of(tmp_path / "run")
    assert [row["opponent"] for row in opponents[:2]] == ["random", "greedy"]
    assert {row["opponent"] for row in opponents[2:]} <= {"random", "greedy", "engineer", "ppo"}
    assert (last["opponent"], last["games"], last["decisions"]) == ("planner", "2", opponents[-1]["decisions"])
    game = get_game("bdgame-v3")
    assert load_policy(tmp_path / "run" / "policy.npz", game, game.config()).meta["decisions"] >= 150


def test_a_batch_larger_than_a_window_learns(tmp_path: Path) -> None:
    """All that there is makes one step; of several batches, the last is used if it is more than half full."""
    for batch in (10_000, WINDOW, WINDOW // 2, 20, 16, 1):
        with new_run(tiny(batch_size=batch, epochs=1, segment=1), tmp_path) as one:
            before = one.learner.weights.copy()
            one.update()
            full, rest = divmod(one.state.decisions, batch)
            assert WINDOW // 2 < one.state.decisions <= WINDOW
            assert one.learner.steps == max(1, full + (rest > batch // 2))
            assert (one.learner.weights != before).any()


def test_a_window_without_a_return_teaches_nothing(tmp_path: Path) -> None:
    """With one decision of each match, only games that end have one."""
    with new_run(tiny(steps=1, options={"max_rounds": 1000, "target": 100}), tmp_path) as one:
        before = one.learner.weights.copy()
        one.update()
        assert one.state.decisions == one.learner.steps == 0 and (one.learner.weights == before).all()


def test_the_network_that_is_written_is_a_mean_of_the_last_updates(tmp_path: Path) -> None:
    """Of all updates of self-play at first, then a moving one; what plays and learns is the newest."""
    config = tiny(NIM, options={}, averaged_updates=3)
    with new_run(config, tmp_path / "mean") as one, new_run(tiny(NIM, options={}), tmp_path / "newest") as other:
        expected, number = one.learner.weights.copy(), 0
        while one.progress < 1.0:
            teach = one.update()["imitation"]
            other.update()
            newest = one.learner.weights
            number = 0 if teach else number + 1
            expected = newest.copy() if teach or number == 1 else expected + (newest - expected) / min(number, 3)
            np.testing.assert_allclose(one.averaged, expected, rtol=1e-5, atol=1e-7)
            np.testing.assert_array_equal(newest, other.learner.weights)
            np.testing.assert_array_equal(newest, other.averaged)
        assert number > 4 and np.abs(one.averaged - newest).max() > 1e-4
        written = one.policy.weights
        met = written != 0  # rows that were never met are not written
        assert met.mean() > 0.1 and (written[met] == one.averaged[met]).all()


@contextmanager
def new_run(config: TrainConfig, out: Path) -> Iterator[TrainingRun]:
    """A run that has not begun."""
    with train.showing() as show:
        yield TrainingRun(config, out, show)


# The budget


@pytest.mark.slow
def test_minutes_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Evaluations count, compiling does not; a run that is over does not go on."""
    config = tiny(decisions=0, minutes=0.05)
    train.run(config, tmp_path)
    state = state_of(tmp_path)
    assert 3.0 <= state.seconds <= 3.3 + 1.0
    rows = curve_of(tmp_path)
    seconds = [float(row["seconds"]) for row in rows]
    assert len(rows) == 3 and 0 < seconds[0] < seconds[1] < seconds[2] == pytest.approx(state.seconds, abs=0.06)
    train.run(config, tmp_path)
    assert state_of(tmp_path) == state and curve_of(tmp_path) == rows


def test_no_minutes_give_a_fresh_network(tmp_path: Path) -> None:
    assert command("train", TOY, "--minutes", 0, *as_arguments(), "--out", tmp_path) == 0
    assert state_of(tmp_path).updates == 0 and len(curve_of(tmp_path)) == 1


# Resuming


def test_a_stopped_run_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After Ctrl-C in an evaluation; it ends like a run that was not stopped."""
    arguments = ("train", TOY, "--decisions", 600, *as_arguments(), "--out")
    assert command(*arguments, tmp_path / "whole") == 0
    monkeypatch.setattr(training_run, "CHECKPOINT_SECONDS", 0.0)
    with monkeypatch.context() as patch:
        patch.setattr(training_run, "play_deals", _second_time(training_run.play_deals, KeyboardInterrupt))
        assert command(*arguments, tmp_path / "run") == INTERRUPTED
    assert "interrupted" in capsys.readouterr().err
    assert not (tmp_path / "run" / "policy.npz").exists() and len(curve_of(tmp_path / "run")) == 1
    assert command(*arguments, tmp_path / "run") == 0
    assert "resuming after 3" in capsys.readouterr().err
    assert curve_of(tmp_path / "run") == curve_of(tmp_path / "whole")
    assert_same_weights(tmp_path / "run", tmp_path / "whole")
    assert command(*arguments, tmp_path / "run") == 0  # it has ended
    assert curve_of(tmp_path / "run") == curve_of(tmp_path / "whole")
    assert_same_weights(tmp_path / "run", tmp_path / "whole")


def _second_time(true: Any, error: type[BaseException]) -> Any:
    calls: list[int] = []

    def call(*arguments: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            raise error
        return true(*arguments)

    return call


# Settings


def test_settings_come_from_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kind of value; the folder is named for the game if none is given."""
    monkeypatch.chdir(tmp_path)
    arguments = as_arguments(decisions=50, noise=0.25, options={"max_rounds": 3, "rolling": True}, players=[3])
    assert command("train", TOY, "--from-scratch", "--seed", 7, *arguments, "--set", "trace=1") == 0
    settings = settings_of(tmp_path / "runs" / TOY)
    assert settings["options"] == {"max_rounds": 3, "rolling": True} and settings["players"] == [3]
    assert (settings["seed"], settings["noise"], settings["trace"], settings["teacher"]) == (7, 0.25, 1.0, "")


def test_settings_come_from_a_file(tmp_path: Path) -> None:
    """The command line overrides it; a bare word is a text."""
    path = tmp_path / "toy.toml"
    path.write_text(as_toml(decisions=50, players=3, seed=3, start="nowhere.npz"), encoding="utf-8")
    start = train.run(tiny(decisions=50), tmp_path / "first")
    arguments = ("--seed", 4, "--players", 2, "--start", start, "--set", "teacher=heuristic")
    assert command("train", path, *arguments, "--out", tmp_path / "run") == 0
    settings = settings_of(tmp_path / "run")
    assert (settings["seed"], settings["players"], settings["decisions"]) == (4, [2], 50)
    assert (settings["start"], settings["teacher"], settings["width"]) == (str(start), "heuristic", 8)


def test_a_run_starts_from_a_policy(tmp_path: Path) -> None:
    """With no budget, it ends with that policy; with one, it learns from there."""
    first = train.run(tiny(decisions=100), tmp_path / "first")
    arguments = ("train", TOY, "--start", first, *as_arguments(), "--out")
    assert command(*arguments, tmp_path / "same", "--minutes", 0) == 0
    assert_same_weights(tmp_path / "first", tmp_path / "same")
    slowly = ("--decisions", 50, "--set", "learning_rate=1e-6", "--set", "learning_rate_end=0")
    assert command(*arguments, tmp_path / "more", *slowly) == 0
    before, after = (weights_of(tmp_path / name / "policy.npz") for name in ("first", "more"))
    assert 0 < np.abs(after["heads"] - before["heads"]).max() < 1e-4


def test_rivals_are_met_from_the_beginning_and_after_a_break(tmp_path: Path) -> None:
    """Also much larger ones."""
    first = train.run(tiny(decisions=100, width=24, layers=2), tmp_path / "first")
    wanted = load_policy(first, get_game(TOY), get_game(TOY).config()).network
    config = tiny(decisions=400, snapshots=2, snapshot_share=0.5, rivals=(str(first),))
    for before in (0, 2):  # the second time from the checkpoint
        with new_run(config, tmp_path / "run") as run:
            (rival,) = run.league.rivals
            for part, values in zip(rival, wanted, strict=True):
                np.testing.assert_array_equal(part, values)
            assert rival.width == 24 and len(run.league.weights) == before
            run.update()
            assert run.league.weights, "the network itself is met at once too"
            for _ in range(3):
                run.update()
            assert len(run.league.weights) == 2 and run.league.scores[0][1] > 0
            run.checkpoint()


def test_networks_teach_instead_of_rules(tmp_path: Path) -> None:
    """Also much larger ones."""
    first = train.run(tiny(decisions=100, seed=7, width=24, layers=2), tmp_path / "first")
    config = tiny(imitation=1.0, teacher="", teachers=(str(first), str(first)), imitation_rate=0.01)
    with new_run(config, tmp_path / "run") as run:
        agreed = [run.update()["agreement"] for _ in range(10)]
    assert agreed[0] < 1.0 and agreed[-1] == 1.0


def test_the_network_that_ships_is_named_ppo() -> None:
    """The one for all numbers of players of a run; its contents count as those of a file."""
    for game_id, counts, file in (
        ("nicodemus-v2", (2,), "ppo_nicodemus-v2_2p.npz"),
        ("gizmos-v3", (2,), "ppo_gizmos-v3_all.npz"),
        ("gizmos-v3", (2, 3), "ppo_gizmos-v3_all.npz"),
    ):
        game = get_game(game_id)
        path = policy_path("ppo", game, [game.config(players=players) for players in counts])
        assert Path(path).name == file and policy_path(path, game, []) == path
        config = TrainConfig(game.id, players=counts, start="ppo", teachers=("ppo",))
        contents = training_run.contents_of_run(config)
        assert {name: facts["file"] for name, facts in contents.items()} == {
            "setting start": file_digest(path),
            "setting teachers ppo": file_digest(path),
        }


@pytest.mark.parametrize("layers", [0, 2])
def test_a_narrower_network_is_widened(tmp_path: Path, layers: int) -> None:
    """It computes the same before it learns, and then its new units learn."""
    first = train.run(tiny(decisions=100, layers=layers), tmp_path / "first")
    game = get_game(TOY)
    match = Match(game, seed=3, max_rounds=4)
    seen, mask = match.observe()[None], match.mask()[None]
    said = []
    for name, decisions in (("same", 0), ("more", 100)):
        budget = {"decisions": decisions} if decisions else {"minutes": 0.0, "decisions": 0}
        path = train.run(tiny(start=str(first), width=24, layers=layers, **budget), tmp_path / name)
        policy = load_policy(path, game, match.config)
        assert policy.network.width == 24
        said.append(np.concatenate(policy.evaluate(seen, mask), axis=1))
        assert policy.network.heads[:, 8:].any() == (decisions > 0)
    wanted = np.concatenate(load_policy(first, game, match.config).evaluate(seen, mask), axis=1)
    np.testing.assert_allclose(said[0], wanted, rtol=1e-4, atol=1e-5)
    assert not np.allclose(said[1], wanted)


def test_a_network_remembers_those_that_led_to_it(tmp_path: Path) -> None:
    """The fourth one has a teacher, and began with the third."""
    paths = [train.run(tiny(decisions=100), tmp_path / "first")]
    for name, more in (("second", {}), ("third", {}), ("fourth", {"teachers": (str(paths[0]),), "imitation": 0.5})):
        paths.append(train.run(tiny(decisions=50, start=str(paths[-1]), **more), tmp_path / name))
    policies = [load_policy(path, get_game(TOY), get_game(TOY).config()) for path in paths]
    counts = [policy.meta["decisions"] for policy in policies]
    lines = [list(earlier_runs(policy)) for policy in policies]
    assert [len(one) for one in lines] == [0, 1, 2, 4]
    assert lines[2][0].startswith("Began with the network of `") and lines[2][1:] == lines[1] == lines[3][3:]
    assert lines[2][0].endswith(f", {counts[1]} decisions") and lines[3][2] == lines[2][0]
    assert lines[3][0].startswith("Taught by") and lines[3][0].endswith(f", {counts[0]} decisions")


def test_a_policy_is_for_the_game_however_its_id_is_spelled(tmp_path: Path) -> None:
    with new_run(TrainConfig("pixel_pusher-v2", matches=1, width=2, threads=1), tmp_path) as one:
        assert one.policy.meta["game"] == "pixel-pusher-v2"


# TensorBoard


def test_figures_for_tensorboard(tmp_path: Path) -> None:
    """Losses while it learns, and strength at the end."""
    pytest.importorskip("tensorboard")
    program = (
        "import sys\nfrom pathlib import Path\nfrom tests.support.tiny_training import tiny, tiny_runs\n"
        "from bdgame_env.experiments.training import train\n"
        "with tiny_runs(torch=True):\n    train.run(tiny(decisions=100), Path('run'))\n"
        "from tensorboard.backend.event_processing.event_accumulator import EventAccumulator\n"
        "events = EventAccumulator('run/tensorboard').Reload()\n"
        "print(*sorted(events.Tags()['scalars']), [event.step for event in events.Scalars('wins/random')])\n"
    )
    told = run_python(program, tmp_path)
    steps = [int(row["decisions"]) for row in curve_of(tmp_path / "run")]
    for name in ("entropy", "policy_loss", "value_loss", "learning_rate", "truncated", "decisions_per_second"):
        assert name in told.split()
    assert told.endswith(f"wins/random {steps}\n")


# The demo


def test_the_demo(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Training, a tournament, then a card; a second demo replaces the first one's files and no others."""
    true = demo.tournament
    pool = f'seed = {SUITE_SEEDS}\ndeals = 3\npool_games = 8\n[pools]\n{TOY} = ["random", "tests.support.bots:First"]'
    (tmp_path / "tiny-1.toml").write_text(pool)
    monkeypatch.setattr(suites, "FOLDER", tmp_path)
    monkeypatch.setattr(demo, "SUITE", "tiny-1")
    monkeypatch.setattr(demo, "DEALS", 2)
    suite = suites.read_suite("tiny-1")
    play_pool(suite, suite.cells(players="2"), tmp_path / "pool", Place(1))

    def without_heuristic(game: str, agents: list[str], **settings: Any) -> None:
        assert agents[1:] == ["heuristic", "random"]
        true(game, [agents[0], "random"], workers=1, **settings)

    monkeypatch.setattr(demo, "GAME", TOY)
    monkeypatch.setattr(demo, "tournament", without_heuristic)
    monkeypatch.setattr(demo, "TrainConfig", lambda game, minutes: tiny(game, minutes=minutes, decisions=50))
    out = tmp_path / "demo"
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    for _ in range(2):
        assert command("demo", "--out", out, "--minutes", 0.1, "--games", 2) == 0
        told = capsys.readouterr().out
        standings = json.loads((out / "tournament" / "result.json").read_text())["standings"]
        (one, other), share = (Path(row["agent"]).name for row in standings["agents"]), standings["win_matrix"][0][1]
        assert {one, other} == {"policy.npz", "random"}
        assert f"{one} beat {other} in {100 * share:.1f} % of their games" in told
        assert told.splitlines()[-1].startswith("done in 0 min")
        assert "a small sample, 2 of 3 deals: the intervals say how much" in told
        card = json.loads((out / "benchmark" / "card.json").read_text())
        assert [(cell["games"], len(cell["score_interval"])) for cell in card["cells"]] == [(8, 2)]
        for name in ("ratings.png", "matrix.png", "learning_curve.png", "card.png"):
            assert (out / name).read_bytes().startswith(b"\x89PNG")
    assert (out / "mine.txt").read_text() == "mine"
    assert settings_of(out / "training")["minutes"] == 0.1
