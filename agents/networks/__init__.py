"""Trained policies on NumPy alone: what they read (`inputs`), what they compute and their files (`policy`)."""

from .inputs import CardInputs, Inputs, plan_card_inputs, plan_inputs
from .policy import BadPolicy, Policy, load_policy

__all__ = ["BadPolicy", "CardInputs", "Inputs", "Policy", "load_policy", "plan_card_inputs", "plan_inputs"]
