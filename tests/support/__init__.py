from bdgame_env.engine.cache import keep

keep(__name__, calls=("bdgame_env.games",))  # test games call kernels of real games: one is a variant of a real game
