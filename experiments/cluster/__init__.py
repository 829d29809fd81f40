"""Workers on other machines, by Ray. Read connection, crew, host, fingerprint, shipping.

Only `connection` and `host` import Ray. What the workers do is no business of this folder: see `arena/cluster_pool.py`
and `training/cluster_rollouts.py`.
"""
