"""Trained policies, on NumPy alone. Read inputs, policy, policy_file, then ppo_agent, the agent that plays them."""

from .inputs import CardInputs, Inputs, plan_card_inputs, plan_inputs
from .policy import Policy
from .policy_file import BadPolicy, load_policy, policy_of

__all__ = ["BadPolicy", "CardInputs", "Inputs", "Policy", "load_policy", "plan_card_inputs", "plan_inputs", "policy_of"]
