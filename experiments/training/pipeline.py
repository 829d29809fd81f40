"""From checked settings to a trained policy: the three stages in turn."""

from __future__ import annotations

from pathlib import Path

from .config import TrainConfig
from .expert_iteration import iterate
from .imitation import imitate
from .progress import Show
from .run import TrainingRun, check_folder, claim_folder
from .self_play import play_against_league


def train_policy(config: TrainConfig, out: Path, show: Show) -> Path:
    """Train a policy in a folder, from the folder's last checkpoint if there is one.

    Returns:
        The path of the policy file.

    Raises:
        BadInput: the folder holds another run or a damaged one, or the settings do not fit the game.
    """
    check_folder(config, out)
    run = TrainingRun(config, out, show)  # before `claim_folder`, so that a mistake in the settings leaves no folder
    claim_folder(config, out)
    imitate(run)
    play_against_league(run)
    iterate(run)
    return run.finish()
