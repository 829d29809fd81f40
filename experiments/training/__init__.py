"""Training in compiled code. Read train, config, training_run, rollouts, matches, samples, lessons, gradients, updates.

`rollout_loops` and `adam` are compiled loops, `league` and `evaluation` the opponents, `checkpoints` what survives a
kill, `cluster_rollouts`, `packing` and `averaging` what workers elsewhere do, `ship` the way into the package,
`history` what its card tells of earlier runs; `maskable_ppo` is a baseline in one script.
"""

from bdgame_env.engine.cache import keep

keep(__name__, calls=("bdgame_env.agents.networks",))
