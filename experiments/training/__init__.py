"""Training in compiled code. Read train, config, training_run, stage, rollouts, samples, learner, gradients.

`rollout_loops` and `adam` are compiled loops, `opponents` and `league` who else plays, `search_teacher` searches to
learn from, `evaluation` says how strong a network is, `checkpoints` is what survives a kill, `cluster_rollouts` has
workers elsewhere play, `ship` is the way into the package, `history` what its card tells of earlier runs; `exploit`
trains against an agent, `maskable_ppo` is a baseline in one script.
"""

from bdgame_env.engine.cache import keep

keep(__name__, calls=("bdgame_env.agents.networks",))
