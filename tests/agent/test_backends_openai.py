"""The server backend against a small real HTTP server that speaks the protocol, well and badly."""

from __future__ import annotations

import json
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest
from rtl_agent.agent.backends.base import Prompt
from rtl_agent.agent.backends.openai import OpenAIBackend
from rtl_agent.agent.errors import BackendError, ExitCode
from rtl_agent.decoding.api import FinishReason, SamplingParams

if TYPE_CHECKING:
    from collections.abc import Iterator

PROMPT = Prompt("draft", messages=(("system", "s"), ("user", "write it")))


class Server:
    """Answers each request with the next of `replies`: a list of chunks, a status, or a string."""

    def __init__(self, replies: list) -> None:
        self.replies = replies
        self.requests: list[tuple[str, dict]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.requests.append((self.path, json.loads(body)))
                reply = outer.replies[min(len(outer.requests), len(outer.replies)) - 1]
                outer.reply(self, reply)

            def log_message(self, *args: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.01,))
        self.thread.start()

    @staticmethod
    def reply(handler: BaseHTTPRequestHandler, reply) -> None:
        if isinstance(reply, int):
            handler.send_response(reply)
            handler.send_header("Content-Type", "application/json")
            handler.end_headers()
            handler.wfile.write(b'{"error": {"message": "no such thing"}}')
            return
        handler.send_response(200)
        kind = "text/html" if isinstance(reply, str) else "text/event-stream"
        handler.send_header("Content-Type", kind)
        handler.end_headers()
        if isinstance(reply, str):
            handler.wfile.write(reply.encode())
            return
        for chunk in reply:
            handler.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        handler.wfile.write(b"data: [DONE]\n\n")

    def close(self) -> None:
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()


def chunk(index: int, text: str, finish: str | None = None) -> dict:
    choice = {"index": index, "delta": {"content": text}, "finish_reason": finish}
    return {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"} | {
        "choices": [choice]
    }


def usage(prompt: int, new: int) -> dict:
    counts = {"prompt_tokens": prompt, "completion_tokens": new, "total_tokens": prompt + new}
    return chunk(0, "") | {"choices": [], "usage": counts}


@pytest.fixture
def serve() -> Iterator:
    running: list = []

    def start(*replies, timeout_s: float = 5.0):
        server = Server(list(replies))
        backend = OpenAIBackend("m", base_url=server.url, timeout_s=timeout_s)
        running.extend((backend, server))
        return server, backend

    yield start
    for thing in running:
        thing.close()


def test_answers_stream_and_are_counted(serve):
    server, backend = serve(
        [
            chunk(0, "mod"),
            chunk(1, "x"),
            chunk(0, "ule", "stop"),
            chunk(1, "y", "length"),
            usage(7, 8),
        ]
    )
    pieces = []
    answers = backend.answer(
        PROMPT,
        n=2,
        params=SamplingParams(max_new_tokens=9, temperature=0.5, seed=3, stop=("END",)),
        on_text=lambda i, text: pieces.append((i, text)),
    )
    assert [a.text for a in answers] == ["module", "xy"]
    assert [a.finish for a in answers] == [FinishReason.EOS, FinishReason.LENGTH]
    assert [a.stats.new_tokens for a in answers] == [4, 4]
    assert answers[0].stats.prompt_tokens == 7
    assert pieces == [(0, "mod"), (1, "x"), (0, "ule"), (1, "y")]
    path, request = server.requests[0]
    assert path == "/v1/chat/completions"
    assert (request["n"], request["seed"], request["max_tokens"]) == (2, 3, 9)
    assert request["stop"] == ["END"]
    assert request["messages"][1] == {"role": "user", "content": "write it"}


def test_a_server_that_ignores_n_is_asked_again_with_other_seeds(serve):
    server, backend = serve([chunk(0, "a", "stop")], [chunk(0, "b", "stop")])
    seen = []
    answers = backend.answer(
        PROMPT, n=2, params=SamplingParams(seed=5), on_text=lambda i, t: seen.append((i, t))
    )
    assert [a.text for a in answers] == ["a", "b"]
    assert [r["seed"] for _, r in server.requests] == [5, 6]
    assert seen == [(0, "a"), (1, "b")]


def test_raw_prompts_use_the_completion_protocol(serve):
    choice = {"index": 0, "text": "endmodule", "finish_reason": "stop", "logprobs": None}
    server, backend = serve(
        [{"id": "1", "object": "text_completion", "created": 1, "model": "m", "choices": [choice]}]
    )
    (answer,) = backend.answer(Prompt("draft", raw="module x"), n=1, params=SamplingParams())
    assert answer.text == "endmodule"
    assert server.requests[0][0] == "/v1/completions"
    assert server.requests[0][1]["prompt"] == "module x"


def test_prefill_becomes_an_instruction(serve):
    server, backend = serve([chunk(0, "a", "stop")])
    prompt = Prompt("draft", messages=(("user", "write"),), prefill="module x (")
    backend.answer(prompt, n=1, params=SamplingParams())
    assert (
        "Begin your answer with exactly:\nmodule x ("
        in (server.requests[0][1]["messages"][-1]["content"])
    )


def test_stopping_cuts_the_stream(serve):
    _, backend = serve([chunk(0, "a"), chunk(0, "b"), chunk(0, "c", "stop")])
    (answer,) = backend.answer(PROMPT, n=1, params=SamplingParams(), should_stop=lambda: True)
    assert (answer.text, answer.finish) == ("a", FinishReason.CANCELLED)


def test_stopping_does_not_wait_for_a_server_that_sends_nothing():
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        backend = OpenAIBackend("m", base_url=url, timeout_s=2)
        begun = time.monotonic()
        # Without a thread of its own for the read this would end with the client's timeout.
        answers = backend.answer(PROMPT, n=2, params=SamplingParams(), should_stop=lambda: True)
        assert [(a.text, a.finish) for a in answers] == [("", FinishReason.CANCELLED)] * 2
        assert time.monotonic() - begun < 1.5
    backend.close()


@pytest.mark.parametrize(
    "strange",
    [
        {"choices": None},
        {"choices": 7},
        {"choices": [None]},
        {"choices": [{"index": "q", "delta": {"content": "x"}}]},
        {"choices": [{"index": 0, "delta": {"content": 5}}]},
        {},
        [1, 2],
        5,
    ],
)
@pytest.mark.parametrize("should_stop", [None, lambda: False])
def test_chunks_of_a_strange_form_are_an_error_of_the_server(serve, strange, should_stop):
    _, backend = serve([strange])
    with pytest.raises(BackendError, match=r"sent (something that is )?no answer"):
        backend.answer(PROMPT, n=1, params=SamplingParams(), should_stop=should_stop)


def test_a_strange_usage_and_an_empty_delta_do_not_matter(serve):
    strange = {"completion_tokens": None, "prompt_tokens": "x"}
    nothing = chunk(0, "") | {"choices": [{"index": 0, "delta": None, "finish_reason": None}]}
    _, backend = serve([nothing, chunk(0, "a", "stop") | {"usage": strange}])
    (answer,) = backend.answer(PROMPT, n=1, params=SamplingParams())
    assert (answer.text, answer.stats.new_tokens, answer.stats.prompt_tokens) == ("a", 1, 0)


def test_no_server_names_the_remedy():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    backend = OpenAIBackend("m", base_url=f"http://127.0.0.1:{port}/v1", timeout_s=2)
    with pytest.raises(BackendError, match="cannot be reached") as caught:
        backend.answer(PROMPT, n=1, params=SamplingParams())
    assert f":{port}" in caught.value.message
    assert "start it" in caught.value.remedy
    assert caught.value.exit_code is ExitCode.MISSING
    backend.close()


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (401, "refused the API key"),
        (404, "does not know model 'm'"),
        (400, "answered 400"),
        ("<html>hello</html>", "sent no answer"),
        ([], "sent no answer"),
    ],
)
def test_refusals_and_nonsense_are_one_clear_error(serve, reply, message):
    _, backend = serve(reply)
    with pytest.raises(BackendError, match=message) as caught:
        backend.answer(PROMPT, n=1, params=SamplingParams())
    assert caught.value.remedy


def test_a_server_that_never_answers_is_given_up():
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        backend = OpenAIBackend("m", base_url=url, timeout_s=0.2)
        with pytest.raises(BackendError, match=r"within 0\.2 s"):
            backend.answer(PROMPT, n=1, params=SamplingParams())
        backend.close()
