#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A server that speaks OpenAI's protocol, or Ollama's, on the loopback interface, and streams what a script says.

Usage: scripted_server.py [TOKENS]; it prints its address, and serves until its standard input is closed.
"""

import contextlib
import http.server
import json
import socket
import sys
import threading
import time

ROLE = {"choices": [{"delta": {"role": "assistant", "content": None}}]}
GAP = 0.004
CHATS = ("/v1/chat/completions", "/v1/completions", "/api/v0/chat/completions", "/api/chat")


def text(content, key="content"):
    return {"choices": [{"delta": {key: content}}]}


def usage(tokens, **more):
    return {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": tokens}, **more}


def frame(event, end="\n\n"):
    return b"data: " + (event if isinstance(event, str) else json.dumps(event, ensure_ascii=False)).encode() + end.encode()


def line(event):
    """As Ollama has it."""
    return json.dumps(event).encode() + b"\n"


def message(content, key="content"):
    return line({"model": "m", "message": {"role": "assistant", "content": "", key: content}, "done": False})


def done(tokens, **durations):
    """The last line; durations are in ms, and zero ones are left out."""
    return line({"model": "m", "message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "length",
                 "prompt_eval_count": 9, "eval_count": tokens,
                 **{f"{name}_duration": round(ms * 1e6) for name, ms in durations.items() if ms}})


class Server(http.server.ThreadingHTTPServer):
    """What it sends: bytes, and numbers for pauses in seconds; None is a pause without end."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.owner = "somebody"
        self.models = ["tiny:1b"]
        self.facts = {}
        self.script = []
        self.turns = []  # in place of the script, one after another and again
        self.first = []  # before the script, of the first request alone
        self.whole_first = []  # in place of the script, of the first request alone
        self.statuses = []
        self.error = {"message": "the prompt is too long"}  # of status 400
        self.location = None  # of another status than 200: where it sends the client
        self.is_whole = True
        self.broken_every = 0  # so many requests, one is cut in the middle
        self.closes = False
        self.texts = {}  # by path, what is no JSON: called for each answer
        self.slots = None  # a semaphore, where it works on so many at once
        self.finished = 0
        self.is_open = threading.Event()  # whoever waits for it ends with the test
        self.requests = []
        self.paths = set()
        self.keys = set()
        self.asking = set()  # connections that posted

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}"


class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self.server.keys.add(self.headers["Authorization"])
        models = [{"id": name, "owned_by": self.server.owner, **self.server.facts.get("meta", {})}
                  for name in self.server.models]
        if self.path in self.server.texts:
            self.send_body(self.server.texts[self.path]().encode())
        else:
            self.send_json({"data": models} if self.path == "/v1/models" else self.server.facts.get(self.path))

    def send_json(self, answer):
        self.send_body(json.dumps(answer).encode(), 200 if answer is not None else 404)

    def send_body(self, body, status=200):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path not in CHATS:
            self.send_json(self.server.facts.get(self.path))
            return
        with self.server.slots or contextlib.nullcontext():
            self.answer(request)

    def answer(self, request):
        self.server.requests.append(request)
        self.server.paths.add(self.path)
        self.server.asking.add(self.client_address)
        status = self.server.statuses.pop(0) if self.server.statuses else 200
        self.send_response(status)
        if status != 200:
            body = json.dumps({"error": self.server.error}).encode() if status == 400 else b""
            if self.server.location is not None:
                self.send_header("Location", self.server.location)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            return
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        if self.server.turns:
            self.server.script = self.server.turns.pop(0)
            self.server.turns.append(self.server.script)
        script = self.server.whole_first or self.server.first + self.server.script
        self.server.first, self.server.whole_first = [], []
        is_whole = self.server.is_whole
        if self.server.broken_every and len(self.server.requests) % self.server.broken_every == 0:
            script, is_whole = script[:len(script) // 2], False
        for part in script:
            if part is None:
                self.server.is_open.wait()
            elif isinstance(part, bytes):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            else:
                time.sleep(part)
        self.server.finished += 1
        if is_whole:
            self.wfile.write(b"0\r\n\r\n")
        if self.server.closes or not is_whole:
            self.close_connection = True


def stream(events, gap):
    """A whole answer: who speaks, what, and how much."""
    script = [frame(ROLE)]
    for event in events:
        script += [gap, frame(event)] if gap else [frame(event)]
    return script + [frame("[DONE]")]


def main(tokens=8, gap=0):
    server = Server()
    server.script = stream([text("a")] * tokens + [usage(tokens)], gap)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]))
