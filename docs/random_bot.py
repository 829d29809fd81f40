"""A program that plays any game at random over the line protocol (docs/program_agents.md). It needs only Python.

bdgame tournament bdgame-v3 'program:python docs/random_bot.py' greedy
"""

import json
import random
import sys


def main() -> None:
    """Answer each line until the input ends."""
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
