"""One folder per game; none knows another, nor any framework."""

from ..engine.cache import keep

keep(__name__, without=("drawing",))  # an edit to a picture compiles nothing again
