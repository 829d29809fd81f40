"""Rendering of environments: text, pixels, a window without a screen, video; messages about missing libraries."""

from __future__ import annotations

import copy
import json
import pickle
import sys
from types import ModuleType

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import RecordVideo, RenderCollection
from stable_baselines3.common.env_util import make_vec_env

from bdgame_env import BadOption, get_game, make_aec, make_gym, make_parallel, make_vector
from bdgame_env.adapters.parallel import RawParallel
from bdgame_env.adapters.rendering import RENDER_FPS, RENDER_MODES, Renderer
from bdgame_env.registration import gymnasium_id, register_gymnasium
from bdgame_env.registry import list_games
from bdgame_env.render.pixels import pixels, png

register_gymnasium()
SQUARE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="20" height="20" fill="#ff0000"/></svg>'
)


@pytest.fixture(autouse=True)
def no_screen(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("NO_COLOR", "1")


def played(game="gizmos-v3", **settings):
    env = make_aec(game, **settings)
    env.reset(seed=1)
    for _ in range(3):
        env.play(env.legal_moves()[0])
    return env


def test_pixels_are_red_green_blue():
    image = pixels(SQUARE)
    assert image.shape == (20, 40, 3) and image.dtype == np.uint8
    assert image[10, 10].tolist() == [255, 0, 0] and pixels(SQUARE, width=80).shape == (40, 80, 3)
    assert png(SQUARE).startswith(b"\x89PNG")
    with pytest.raises(ValueError, match=r".+"):
        pixels("no picture")


def test_text_is_drawn_in_the_fonts_of_the_extra():
    text = '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="20" font-family="DejaVu Sans, Nowhere">{}</svg>'
    image = pixels(text.format('<text y="16" fill="#ffffff">MMM</text>'))
    assert (image > 200).any()


@pytest.mark.parametrize("game", list_games())
def test_an_aec_environment_gives_pixels_of_one_size(game):
    env = make_aec(game, render_mode="rgb_array")
    assert env.metadata["render_modes"] == list(RENDER_MODES) and env.metadata["render_fps"] == RENDER_FPS
    env.reset(seed=1)
    first = env.render()
    assert first.dtype == np.uint8 and first.ndim == 3 and first.shape[1:] == (1200, 3) and first.shape[0] % 2 == 0
    for _ in range(30):
        env.play(env.legal_moves()[-1])
    later = env.render()
    assert later.shape == first.shape and (later != first).any()


def test_text_shows_what_a_seat_may_see_and_by_default_what_all_may():
    env = make_aec("gizmos-v3", render_mode="ansi")
    env.reset(seed=1)
    env.play("research 2")
    public, own, other = env.render(), env.render(seat=0), env.render(seat=1)
    assert "looked at 3 of level 2" in public and "hand 0" not in public and "hand 0" not in other
    assert "hand 0: #" in own and "keep none" in own and "keep none" not in public
    assert own.splitlines()[-2] == "last   0: research 2" and "\x1b" not in own
    with pytest.raises(ValueError, match="no seat 2"):
        env.render(seat=2)


def test_the_latest_moves_are_of_this_game():
    env = played(render_mode="ansi")
    assert "last   0: " in env.render()
    env.reset(seed=2)
    assert "last" not in env.render()
    other = played(render_mode="ansi")
    other.set_state(env.get_state())
    assert other.render() == env.render()


def test_a_window_follows_the_game_and_can_be_closed():
    env = played(render_mode="human")
    assert env.render() is None
    shown = env.unwrapped._renderer._window
    assert shown._surface.get_size()[0] > 100
    twin, packed = copy.copy(env), pickle.loads(pickle.dumps(env))
    assert twin.unwrapped._renderer._window is None and packed.unwrapped._renderer._window is None
    env.close()
    assert shown._surface is None
    env.reset(seed=3)
    assert shown._surface is not None
    env.close()
    env.close()


def test_a_window_that_the_player_closed_stays_closed():
    import pygame

    env = played(render_mode="human")
    window = env.unwrapped._renderer._window
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    env.render()
    assert window._surface is None
    env.play(env.legal_moves()[0])
    assert window._surface is None
    env.close()


def test_a_window_is_no_larger_than_the_screen(monkeypatch):
    import pygame

    env = played(render_mode="human")
    env.close()
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: [(800, 600)])
    env.render()
    width, height = env.unwrapped._renderer._window._surface.get_size()
    assert width <= 720 and height <= 540
    env.close()


def picture(make, mode):
    env = make("bdgame-v3", render_mode=mode)
    assert mode == "rgb_array", "a window is needed at once"
    env.reset(seed=1)
    return env.render()


@pytest.mark.parametrize(("mode", "missing"), [("rgb_array", "resvg_py"), ("rgb_array", "PIL"), ("human", "pygame")])
def test_a_missing_library_is_told_in_one_line_with_the_extra(monkeypatch, mode, missing):
    from importlib import util

    monkeypatch.setattr(
        "bdgame_env.adapters.rendering.find_spec", lambda name: None if name == missing else util.find_spec(name)
    )
    for make in (make_aec, make_gym, make_parallel):
        with pytest.raises(ModuleNotFoundError) as caught:
            picture(make, mode)
        told = f"bdgame-v3: render_mode='{mode}' needs {missing}: pip install 'bdgame_env[render]'"
        assert str(caught.value) == told
    make_aec("bdgame-v3", render_mode="ansi")


@pytest.mark.parametrize("game", list_games())
def test_an_environment_for_pixels_plays_without_the_extra(monkeypatch, game):
    """SB3's `make_vec_env` asks for pixels unasked; only a picture needs the libraries."""
    monkeypatch.setattr("bdgame_env.adapters.rendering.find_spec", lambda name: None)
    envs = make_vec_env(gymnasium_id(game), n_envs=2, seed=1)
    assert envs.render_mode == "rgb_array"
    envs.reset()
    envs.step(np.array([envs.action_space.sample()] * 2))
    with pytest.raises(ModuleNotFoundError, match=r"needs resvg_py: pip install 'bdgame_env\[render\]'"):
        envs.render()


def test_seats_that_choose_at_once_are_shown_their_own_choices():
    """In a parallel environment, where nobody else is shown them."""
    env = RawParallel(get_game("pixel-pusher-v2"), players=3, render_mode="ansi")
    observations, _ = env.reset(seed=1)
    before = [env.render(seat) for seat in range(3)]
    assert all(f"seat {seat} (you) *" in text and "draft 0, draft 1" in text for seat, text in enumerate(before))
    assert "draft 0" not in env.render() and "hand 4 cards" in env.render()
    env.step({agent: int(np.flatnonzero(seen["action_mask"])[0]) for agent, seen in observations.items()})
    after = [env.render(seat) for seat in range(3)]
    assert all(one != other for one, other in zip(before, after, strict=True))
    assert all(f"last   {seat}: draft 0\n" in text for seat, text in enumerate(after)) and "last" not in env.render()
    with pytest.raises(ValueError, match="no seat 3"):
        env.render(3)
    env.close()
    pixels_of = RawParallel(get_game("pixel-pusher-v2"), render_mode="rgb_array")
    pixels_of.reset(seed=1)
    assert pixels_of.render().dtype == np.uint8


# One learner


@pytest.mark.parametrize("game", list_games())
def test_gymnasium_renders_what_the_learner_may_see(game):
    env = gymnasium.make(gymnasium_id(game), render_mode="rgb_array", seat=1)
    env.reset(seed=1)
    first = env.render()
    assert first.dtype == np.uint8 and first.shape[1:] == (1200, 3)
    env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))
    assert env.render().shape == first.shape
    text = make_gym(game, render_mode="ansi", seat=1, seed=1)
    text.reset()
    assert "seat 1 (you)" in text.render()
    assert text.snapshot(seat=1) == text.match().snapshot(seat=1)


def test_frames_are_collected():
    env = RenderCollection(make_gym("bdgame-v3", render_mode="rgb_array", seed=1))
    env.reset()
    env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))
    frames = env.render()
    assert len(frames) == 2 and frames[0].shape == frames[1].shape


@pytest.mark.parametrize("mode", ["ansi_list", "rgb_array_list"])
@pytest.mark.parametrize("game", list_games())
def test_a_list_mode_collects_frames_as_gymnasiums_wrapper_does(game, mode, monkeypatch):
    """Also after a step that ends the game; a reset drops what was not asked for."""
    monkeypatch.setattr("bdgame_env.render.pixels.pixels", lambda svg: np.full((1, 1, 3), len(svg), np.int64))
    plain = mode.removesuffix("_list")
    envs = [
        make_gym(game, render_mode=mode),
        gymnasium.make(gymnasium_id(game), render_mode=mode, disable_env_checker=True),
        RenderCollection(make_gym(game, render_mode=plain)),
    ]
    assert all(mode in env.metadata["render_modes"] and env.unwrapped.render_mode for env in envs)
    assert envs[0].render_mode == envs[1].render_mode == mode
    shown = []
    for env in envs:
        mask = env.reset(seed=1)[1]["action_mask"]
        env.step(int(mask.argmax()))
        mask = env.reset(seed=2)[1]["action_mask"]
        *_, info = env.step(int(mask.argmax()))
        env.step(int(info["action_mask"].argmin()))
        shown.append(([str(frame) for frame in env.render()], env.render()))
    assert len(shown[0][0]) == 3 and shown[0] == shown[1] == shown[2] and shown[0][1] == []


@pytest.mark.parametrize("game", list_games())
def test_frames_of_a_list_are_copied_but_not_to_who_knows_less(game):
    env = make_gym(game, render_mode="ansi_list", seat=0, seed=1)
    env.reset()
    twin, unknowing = copy.deepcopy(env), env.clone(determinize=1)
    assert len(twin.render()) == len(pickle.loads(pickle.dumps(env)).render()) == 1
    assert unknowing.render() == [] and len(env.render()) == 1


def test_gymnasium_records_a_video(monkeypatch, tmp_path):
    """With a stand-in encoder that counts frames: encoding itself is not our concern."""
    clips = []

    class Clip:
        def __init__(self, frames, fps):
            clips.append((len(frames), {frame.shape for frame in frames}, fps))

        def write_videofile(self, path, logger):
            clips.append(path)

    names = ("moviepy", "moviepy.video", "moviepy.video.io", "moviepy.video.io.ImageSequenceClip")
    for name in names:
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    sys.modules[names[-1]].ImageSequenceClip = Clip
    env = RecordVideo(make_gym("bdgame-v3", render_mode="rgb_array", seed=1), str(tmp_path / "videos"), video_length=3)
    env.reset()
    for _ in range(4):
        env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))
    env.close()
    assert clips[0][0] >= 3 and len(clips[0][1]) == 1 and clips[0][2] == RENDER_FPS and clips[1].endswith(".mp4")


def test_human_shows_every_step_of_the_learner(monkeypatch):
    shown = []
    monkeypatch.setattr(Renderer, "render", lambda self, match, seat: shown.append((self.mode, seat)))
    env = make_gym("bdgame-v3", render_mode="human", seat=0, seed=1)
    env.reset()
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    env.close()
    assert shown == [("human", 0)] * 2


def test_without_a_mode_rendering_says_so():
    for env in (make_aec("bdgame-v3"), make_gym("bdgame-v3")):
        env.reset()
        with pytest.warns(UserWarning, match="without a render_mode"):
            assert env.render() is None
        env.close()


def test_copies_render_alike():
    env = make_gym("gizmos-v3", render_mode="ansi", seed=1)
    env.reset()
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    assert (
        env.clone().render() == copy.deepcopy(env).render() == pickle.loads(pickle.dumps(env)).render() == env.render()
    )
    assert json.dumps(env.metadata)


def test_a_vector_environment_gives_a_frame_for_each_game():
    """The same as the single environment of that row shows."""
    settings = {"render_mode": "ansi", "seed": 3, "players": 2}
    envs, env = make_vector("gizmos-v3", 2, **settings), make_gym("gizmos-v3", **settings)
    assert envs.metadata["render_modes"] == ["ansi", "rgb_array"] and envs.metadata["render_fps"] == RENDER_FPS
    _, infos = envs.reset(seed=3)
    env.reset(seed=3)
    for _ in range(4):
        first, second = envs.render()
        assert first == env.render() and first != second
        actions = infos["action_mask"].argmax(1)
        *_, infos = envs.step(actions)
        env.step(int(actions[0]))
    frames = make_vector("bdgame-v3", 2, render_mode="rgb_array", seed=3)
    frames.reset()
    assert [frame.dtype for frame in frames.render()] == [np.uint8] * 2
    with pytest.raises(BadOption, match="render_mode='human', must be None or one of 'ansi', 'rgb_array'"):
        make_vector("bdgame-v3", 2, render_mode="human")


def test_a_vector_environment_forgets_the_moves_of_a_game_that_ended():
    envs = make_vector("bdgame-v3", 2, render_mode="ansi", seed=3, max_rounds=1)
    _, infos = envs.reset(seed=3)
    while not (ended := infos.get("_final_info", np.zeros(2, bool))).any():
        *_, infos = envs.step(infos["action_mask"].argmax(1))
    for row in np.flatnonzero(ended):
        assert "last" not in envs.render()[row]
