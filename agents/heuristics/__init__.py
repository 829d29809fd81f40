"""Compiled players that know one game each, with a folder per game, and the agents built on them."""

from bdgame_env.engine.cache import keep

keep(__name__, calls=("bdgame_env.games",))
