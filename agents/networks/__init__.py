"""Trained policies, compiled. Read row_plan, network, forward, policy, policy_file; ppo_agent plays them."""

from bdgame_env.engine.jit import keep

from .policy import Policy
from .policy_file import BadPolicy, load_policy, policy_of

__all__ = ["BadPolicy", "Policy", "load_policy", "policy_of"]

keep(__name__)
