"""Trained policies, compiled. Read row_plan, network, forward, policy, policy_file; ppo_agent plays them."""

from bdgame_env.engine.cache import keep

keep(__name__)  # first: a function asks when it is made whether its machine code is kept

from .policy import Policy  # noqa: E402
from .policy_file import BadPolicy, file_of, load_meta, load_policy, policy_of  # noqa: E402

__all__ = ["BadPolicy", "Policy", "file_of", "load_meta", "load_policy", "policy_of"]
