"""A program that plays any game by the line protocol (docs/protocol.md), at random. Needs nothing but Python.

python -m experiments tournament bdgame-v2 'program:python docs/random_bot.py' greedy
"""

import json
import random
import sys


def main() -> None:
    """Answer line by line until there are no more."""
    rng = random.Random()
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        content = json.loads(rest or "null")
        if word == "hello":
            print("hello 1", flush=True)
        elif word == "seed":
            rng.seed(content)
        elif word == "position":
            print(rng.choice(content["legal"]), flush=True)
        elif word == "quit":
            return


if __name__ == "__main__":
    main()
