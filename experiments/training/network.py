"""The learner's network in torch: computes what `agents.networks.Policy` computes, with the same weight names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from bdgame_env.agents.networks import CardInputs, Inputs, Policy
from bdgame_env.engine.game import MAX_SEATS

_EMBEDDING, _CELL_FEATURES, _WORKSHOP_FEATURES = 8, 8, 32
# Initial logits of the actions of advisers after the first, and of actions that nobody advises.
_OTHERS_WEIGHT, _UNADVISED = 0.5, -1.0


class Trunk(nn.Module):
    """Layers from the inputs to features.

    Args:
        inputs: the plain inputs.
        cards: the card inputs, or None.
        advisers: number of advisers; 0 for a trunk without advice.
        hidden: widths of the layers.
    """

    def __init__(self, inputs: Inputs, cards: CardInputs | None, advisers: int, hidden: Sequence[int]) -> None:
        super().__init__()
        self._advisers, self._has_cards = advisers, cards is not None
        self.first = nn.Linear(inputs.width, hidden[0])
        self._sizes = [_constant(values) for values in (inputs.entries, inputs.scale)]
        self._steps = [_constant(values) for values in (inputs.step_entries, inputs.thresholds)]
        if cards is not None:
            self._card_entries = [_constant(values) for values in (cards.faces, cards.counts, cards.grid)]
            self._card_layers = [_constant(values) for values in (cards.layers, cards.layer_scale)]
            self.embedding = nn.Embedding(cards.kinds + 1, _EMBEDDING)
            seats, columns, rows = cards.grid.shape
            read = _EMBEDDING * (len(cards.faces) + len(cards.counts)) + _WORKSHOP_FEATURES * seats
            self.cards = nn.Linear(read, hidden[0], bias=False)
            if seats:
                self.cells = nn.Linear(9 * (_EMBEDDING + len(cards.layer_scale)), _CELL_FEATURES)
                self.workshop = nn.Linear(_CELL_FEATURES * columns * rows, _WORKSHOP_FEATURES)
        if advisers:
            self.advised = nn.Linear(2 * advisers, hidden[0], bias=False)
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(hidden))

    def forward(self, observation: torch.Tensor, advice: torch.Tensor) -> torch.Tensor:
        """Features (n, width), for observations float (n, size) and advice int64 (n, advisers)."""
        values = self._read_plainly(observation)
        if self._has_cards:
            values = values + self.cards(self._read_cards(observation))
        if self._advisers:
            opinions = torch.cat([advice >= 0, advice == advice[:, :1]], dim=1)
            values = values + self.advised(opinions.to(values.dtype))
        for layer in self.layers:
            values = layer(torch.relu(values))
        return torch.relu(values)

    def _read_plainly(self, observation: torch.Tensor) -> torch.Tensor:
        """Skip inputs that are 0 in every row of the batch, as most are: their weights have no effect, no gradient."""
        device = observation.device
        (entries, scale), (step_entries, thresholds) = (
            [values.to(device) for values in pair] for pair in (self._sizes, self._steps)
        )
        lowest, highest = observation.amin(0), observation.amax(0)
        sized = ((highest != 0) | (lowest != 0))[entries].nonzero().flatten()
        stepped = (highest[step_entries] >= thresholds).nonzero().flatten()
        sizes = observation[:, entries[sized]] * scale[sized]
        steps = (observation[:, step_entries[stepped]] >= thresholds[stepped]).to(sizes.dtype)
        weights = self.first.weight[:, torch.cat([sized, len(entries) + stepped])]
        return functional.linear(torch.cat([sizes, steps], dim=1), weights, self.first.bias)

    def _read_cards(self, observation: torch.Tensor) -> torch.Tensor:
        n, device = len(observation), observation.device
        faces, counts, grid = (values.to(device) for values in self._card_entries)
        read = [self.embedding(observation[:, faces].long()).flatten(1)]
        read.append((observation[:, counts] @ self.embedding.weight[1:]).flatten(1))
        seats = len(grid)
        if seats:
            layers, scale = (values.to(device) for values in self._card_layers)
            cells = torch.cat([self.embedding(observation[:, grid].long()), observation[:, layers] * scale], dim=-1)
            weights = self.cells.weight.reshape(_CELL_FEATURES, 3, 3, -1).permute(0, 3, 1, 2)
            planes = cells.flatten(0, 1).permute(0, 3, 1, 2)
            seen = torch.relu(functional.conv2d(planes, weights, self.cells.bias, padding=1))
            seen = seen.permute(0, 2, 3, 1).reshape(n * seats, -1)
            read.append(torch.relu(self.workshop(seen)).reshape(n, -1))
        return torch.cat(read, dim=1)


class Network(nn.Module):
    """Observation and advice to logits and values; see `agents.networks.Policy` for what the parts are.

    Args:
        inputs: the plain inputs.
        cards: the card inputs, or None.
        advisers: number of advisers.
        actions: size of the action space.
        hidden: widths of the layers of each trunk.
        prior_weight: initial logit of the first adviser's action.
    """

    def __init__(
        self,
        inputs: Inputs,
        cards: CardInputs | None,
        advisers: int,
        actions: int,
        hidden: Sequence[int],
        prior_weight: float = 4.0,
    ) -> None:
        super().__init__()
        self.inputs, self.card_inputs, self.advisers = inputs, cards, advisers
        self.policy = Trunk(inputs, cards, advisers, hidden)
        self.value = Trunk(inputs, cards, 0, hidden)
        self.logits = _quiet(nn.Linear(hidden[-1], actions))
        if advisers:
            self.gates = _quiet(nn.Linear(hidden[-1], advisers))
            with torch.no_grad():
                self.gates.bias[0], self.gates.bias[1:] = prior_weight, _OTHERS_WEIGHT
                self.logits.bias.fill_(_UNADVISED)
        self.expected = _quiet(nn.Linear(hidden[-1], MAX_SEATS))

    def action_logits(self, features: torch.Tensor, advice: torch.Tensor) -> torch.Tensor:
        """Logits (n, actions), illegal actions included, from the policy trunk's features."""
        logits: torch.Tensor = self.logits(features)
        if self.advisers:
            weights = self.gates(features) * (advice >= 0)
            logits = logits.scatter_add(1, advice.clamp(min=0), weights)
        return logits

    def values(self, features: torch.Tensor) -> torch.Tensor:
        """Expected final rewards (n, MAX_SEATS), the observer's seat first, from the value trunk's features."""
        return torch.tanh(self.expected(features))

    def forward(self, observation: torch.Tensor, advice: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and values."""
        logits = self.action_logits(self.policy(observation, advice), advice)
        return logits, self.values(self.value(observation, advice))

    def export(self, meta: Mapping[str, Any]) -> Policy:
        """The same network on NumPy, equal up to rounding."""
        weights = {name: values.detach().cpu().numpy().copy() for name, values in self.state_dict().items()}
        return Policy(self.inputs, self.card_inputs, weights, {"layers": len(self.policy.layers), **meta})


def _constant(values: Any) -> torch.Tensor:
    """A constant as a tensor: floats stay floats, entries become int64 indices."""
    tensor = torch.as_tensor(np.asarray(values))
    return tensor if tensor.is_floating_point() else tensor.long()


def _quiet(layer: nn.Linear) -> nn.Linear:
    """Initialize a last layer so that its outputs are close to 0."""
    with torch.no_grad():
        layer.weight *= 0.01
        layer.bias.zero_()
    return layer
