"""Training. Read train, config, pipeline, run, then the stages imitation, self_play and expert_iteration, then ship.

`imitation` and `expert_iteration` use samples (collector and replay buffer) and fit; `self_play` uses model
(MaskablePPO), environment and league. The rest serves `run`: network, evaluation, checkpoints, random_state, progress.
"""
