"""Lets a language model behind an OpenAI-compatible endpoint play, over the line protocol (docs/program_agents.md).

bdgame tournament nicodemus-v2 "program:python docs/language_model.py --url http://127.0.0.1:8080/v1" random

It needs bdgame_env and nothing else. See docs/language_models.md.
"""

import argparse
import json
import os
import random
import re
import sys
import urllib.error
import urllib.request
from collections.abc import Sequence

from bdgame_env import get_game
from bdgame_env.render.prompt import moves_text, prompt
from bdgame_env.render.scene import Scene

ANSWER = "Think briefly. Then write the number of your move, alone on the last line."


def main() -> None:
    """Answer each line until the input ends."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--url", default="http://127.0.0.1:8080/v1", help="the endpoint, up to /v1")
    parser.add_argument("--model", default="default", help="the model's name there")
    parser.add_argument(
        "--key", default="OPENAI_API_KEY", help="the environment variable with the key, if one is needed"
    )
    parser.add_argument("--tries", type=int, default=3, help="answers that are asked for before a random move is made")
    parser.add_argument("--seconds", type=float, default=120.0, help="to wait for an answer")
    parser.add_argument("--tokens", type=int, default=600, help="most tokens of an answer")
    chosen = parser.parse_args()
    game = config = None
    rng = random.Random()
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        content = json.loads(rest or "null")
        if word == "hello":
            game = get_game(content["game"])
            config = game.config(**{"players": content["players"], **content["options"]})
            print("hello 1", flush=True)
        elif word == "seed":
            rng.seed(content)
        elif word == "position":
            assert game is not None
            scene = Scene(game, content["snapshot"], config=config, seat=content["seat"], legal=content["legal"])
            print(choose(scene, chosen, rng), flush=True)
        elif word == "quit":
            return


def choose(scene: Scene, chosen: argparse.Namespace, rng: random.Random) -> str:
    """The model's move; a random one if it does not give a legal one in time."""
    talk = [{"role": "user", "content": f"{prompt(scene)}\n{ANSWER}"}]
    for _ in range(chosen.tries):
        try:
            answer = ask(chosen, talk)
        except (OSError, ValueError, KeyError, IndexError, TypeError, urllib.error.URLError) as error:
            print(f"no answer: {error}", file=sys.stderr, flush=True)
            continue
        move = read_move(answer, scene.legal)
        if move is not None:
            return move
        print(f"no legal move in: {answer[-200:]!r}", file=sys.stderr, flush=True)
        again = f"That is not the number of a legal move. The legal moves are:\n{moves_text(scene)}\n{ANSWER}"
        talk += [{"role": "assistant", "content": answer}, {"role": "user", "content": again}]
    print("a random move is made", file=sys.stderr, flush=True)
    return rng.choice(list(scene.legal))


def ask(chosen: argparse.Namespace, talk: Sequence[dict[str, str]]) -> str:
    """The model's next message."""
    headers = {"Content-Type": "application/json"}
    if key := os.environ.get(chosen.key):
        headers["Authorization"] = f"Bearer {key}"
    body = {"model": chosen.model, "messages": list(talk), "max_tokens": chosen.tokens}
    request = urllib.request.Request(f"{chosen.url}/chat/completions", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=chosen.seconds) as reply:
        return str(json.load(reply)["choices"][0]["message"]["content"] or "")


def read_move(answer: str, legal: Sequence[str]) -> str | None:
    """The move in the last line of an answer: a number, or a move in notation; None if there is none."""
    lines = [line.strip(" *`.>#") for line in answer.splitlines() if line.strip()]
    if not lines:
        return None
    if lines[-1] in legal:
        return lines[-1]
    numbers = re.findall(r"\d+", lines[-1])
    number = int(numbers[-1]) if numbers and len(numbers[-1]) < 7 else 0
    return legal[number - 1] if 1 <= number <= len(legal) else None


if __name__ == "__main__":
    main()
