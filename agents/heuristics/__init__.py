"""Compiled players that know one game each, in a folder per game, and the agents made of them."""

from bdgame_env.engine.jit import keep

keep(__name__, calls=("bdgame_env.games",))
