"""Training in compiled code. Read train, config, training_run, then matches, samples, gradients, updates.

`rollout_loops` and `adam` are compiled loops, `league` and `evaluation` the opponents, `checkpoints` what survives a
kill, `ship` the way into the package, `history` what its card tells of earlier runs; `maskable_ppo` is a baseline in
one script.
"""
