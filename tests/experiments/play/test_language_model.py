"""A language model plays over the line protocol, here against a stand-in for its endpoint."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from bdgame_env import get_game
from bdgame_env.agents import make_agent
from bdgame_env.engine.match import Match
from bdgame_env.experiments.play.opinions import Question, ask

SCRIPT = Path(__file__).resolve().parents[3] / "docs" / "language_model.py"


class StandIn(ThreadingHTTPServer):
    """Answers chat completions with prepared texts, the last one for ever."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.texts: list[str] = []
        self.asked: list[dict[str, Any]] = []


class Handler(BaseHTTPRequestHandler):
    server: StandIn

    def do_POST(self) -> None:
        self.server.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        text = self.server.texts.pop(0) if len(self.server.texts) > 1 else self.server.texts[0]
        body = json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]}).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


@pytest.fixture
def model() -> Iterator[StandIn]:
    with StandIn() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def test_a_model_plays_and_is_told_when_it_errs(model: StandIn) -> None:
    match = Match(get_game("nicodemus-v2"), seed=3)
    url = f"http://127.0.0.1:{model.server_port}/v1"
    agent = make_agent(f"program:{sys.executable} {SCRIPT} --url {url} --model mine", match.game, match.config)
    try:
        legal = match.legal_moves()
        model.texts = ["I would like number 99\n99", "The second one.\n**2.**"]
        assert match.action_names[ask(agent, Question.at(match, 0), match.action_names).action] == legal[1]
        assert [one["model"] for one in model.asked] == ["mine", "mine"]
        first, second = (one["messages"] for one in model.asked)
        assert "| Goal" in first[0]["content"] and f"  {len(legal):3}  {legal[-1]}" in first[0]["content"]
        assert first[0]["content"].index("Cards in sight:") < first[0]["content"].index("Legal moves:")
        assert "not the number of a legal move" in second[-1]["content"] and legal[-1] in second[-1]["content"]
        model.texts = [f"My move:\n`{legal[0]}`"]
        assert match.action_names[ask(agent, Question.at(match, 0), match.action_names).action] == legal[0]
        model.texts = ["I pass on this."]
        chosen = match.action_names[ask(agent, Question.at(match, 0), match.action_names).action]
        assert chosen in legal and len(model.asked) == 6, "after three answers without a move, a random one"
    finally:
        agent.close()
