from bdgame_env.engine.jit import keep

keep(__name__, calls=("bdgame_env.games",))  # the games for tests; one is a variant of a real game
