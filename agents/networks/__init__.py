"""Trained policies on NumPy alone: what they read (`inputs`), compute (`policy`), and their files (`policy_file`)."""

from .inputs import CardInputs, Inputs, plan_card_inputs, plan_inputs
from .policy import Policy
from .policy_file import BadPolicy, load_policy, policy_of

__all__ = ["BadPolicy", "CardInputs", "Inputs", "Policy", "load_policy", "plan_card_inputs", "plan_inputs", "policy_of"]
