#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Models that a server holds, against one on the loopback interface that streams what a script says.

Usage: test-server.py DYNO-CLI
"""

import base64
import contextlib
import json
import os
import pathlib
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap
from scripted_server import ROLE, Server, done, frame, message, stream, text, usage

CLI = os.path.abspath(sys.argv.pop(1))
GAP = 0.004


class ServedModels(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.addCleanup(self.server.is_open.set)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        # A case that fails asks all engines whether they could run it.
        self.environment = {**os.environ, **tap.without_engines(), "DYNO_DATA_DIR": self.folder.name,
                            "DYNO_NO_CEILINGS": "1"}
        self.stream([text("a"), text("b"), text("c"), usage(3)])

    def stream(self, events):
        self.server.script = stream(events, GAP)

    def run_cli(self, *arguments, **environment):
        return subprocess.run([CLI, *arguments], env={**self.environment, **environment}, text=True,
                              capture_output=True, timeout=100)

    def measure(self, *more, address=None, model="server:tiny:1b"):
        answer = self.run_cli("run", "-b", f"server:{address or self.server.address}", "-m", model, "--generate", "3",
                              "--warmup-seconds", "0.05", "--min-seconds", "0.1", "--max-seconds", "0.4",
                              "--invocations", "1", "--json", *more)
        self.said = answer.stdout
        self.errors = answer.stderr
        return self.said

    def results(self):
        return json.loads(self.said)["runs"][0]["results"]

    def values(self):
        return {value["name"]: value["value"] for result in self.results()
                for value in result["values"] if value.get("value") is not None}

    def qualities(self):
        return {value["name"]: value["quality"] for result in self.results() for value in result["values"]}

    def reasons(self):
        return {value["name"]: value["source"] for result in self.results()
                for value in result["values"] if value.get("value") is None}

    def test_stream_is_measured(self):
        self.measure()
        values = self.values()
        for name in ("first_token_latency_ms", "inter_token_latency_ms", "inter_chunk_latency_ms"):
            self.assertIn(name, values, self.said)
            self.assertGreater(values[name], 0)
        self.assertEqual({result["case"]["precision"] for result in self.results()}, {"as-served"})
        self.assertIn("does not say in which precision", self.said)
        self.assertEqual(values["chunks_per_token"], 1)
        self.assertEqual(values["prompt_tokens"], 9)
        self.assertEqual(values["output_tokens"], 3)
        self.assertGreater(values["output_tokens_per_sec"], 0)
        self.assertNotIn("throughput_tokens_per_sec", values)

    def test_role_is_no_token(self):
        """Before the prompt is read, many servers send who is going to speak."""
        self.server.script = [frame(ROLE), 0.05, frame(text("a")), GAP, frame(usage(1)), frame("[DONE]")]
        self.measure()
        self.assertGreaterEqual(self.values()["first_token_latency_ms"], 50)

    @tap.thorough
    def test_pieces_are_not_tokens(self):
        """Then nothing is said of the time between tokens, and the limit of that time cannot be judged."""
        self.stream([text("ab"), text("cd"), usage(4)])
        self.assertIn("chunks-of-tokens", self.measure())
        self.assertEqual(self.values()["chunks_per_token"], 0.5)
        for name in ("inter_token_latency_ms", "decode_tokens_per_sec", "user_tokens_per_sec"):
            self.assertIn("several tokens at once", self.reasons()[name], name)
        self.assertIn("first_token_latency_ms", self.values())

    @tap.thorough
    def test_bytes_are_not_events(self):
        """Any kind of line end, comments, no space, characters and lines cut in the middle, no end mark."""
        whole = b": ping\r\n\r\n" + frame(text("é"), "\r\n\r\n") + frame(text("→")).replace(b"data: ", b"data:")
        pieces = [whole[i:i + 1] for i in range(len(whole))]
        last = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
        self.server.script = pieces + [frame(last, "\r\r"), frame(usage(2), "\r\n\r\n")]
        self.measure()
        self.assertEqual(self.values()["chunks_per_token"], 1, self.said)

    def test_burst_is_no_stream(self):
        self.server.script = [frame(ROLE), 0.02, b"".join(frame(text(c)) for c in "abcdef"), frame(usage(6)),
                              frame("[DONE]")]
        self.assertIn("not-streaming", self.measure())
        self.assertNotIn("inter_chunk_latency_ms", self.values())
        for name in ("first_token_latency_ms", "inter_token_latency_ms", "decode_tokens_per_sec", "user_tokens_per_sec",
                     "decode_duration_ms", "prefill_tokens_per_sec"):
            self.assertIn("does not stream", self.reasons()[name], name)
        self.assertGreater(self.values()["output_tokens_per_sec"], 0)

    @tap.thorough
    def test_burst_after_reasoning_has_no_first_output(self):
        self.server.script = [frame(ROLE), 0.02, frame(text("hm", "reasoning")) + b"".join(frame(text(c)) for c in "abcde"),
                              frame(usage(6)), frame("[DONE]")]
        self.measure()
        self.assertIn("does not stream", self.reasons()["first_output_latency_ms"], self.said)

    def test_reasoning_is_apart(self):
        self.stream([text("hm", "reasoning_content"), text("ha", "reasoning"), text("so"), usage(3)])
        self.measure()
        values = self.values()
        self.assertGreater(values["first_output_latency_ms"], values["first_token_latency_ms"] + 1.5 * GAP * 1000)

    def test_cache_is_noticed(self):
        self.server.owner = "llamacpp"
        self.stream([text("a"), text("b"), usage(2, timings={"cache_n": 5, "prompt_ms": 1.5, "predicted_ms": 4})])
        self.assertIn("cache-hit", self.measure())
        self.assertEqual(self.values()["server_prompt_ms"], 1.5)
        self.assertTrue(all(r["cache_prompt"] is False and r["ignore_eos"] for r in self.server.requests))
        prompts = [r["messages"][0]["content"] for r in self.server.requests]
        self.assertEqual(len(set(prompts)), len(prompts))

    def read_picture(self, encoded):
        """Its width, height, and pixels."""
        png = base64.b64decode(encoded, validate=True)
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        chunks, start = {}, 8
        while start < len(png):
            (length,) = struct.unpack(">I", png[start:start + 4])
            name, data = png[start + 4:start + 8], png[start + 8:start + 8 + length]
            self.assertEqual(struct.unpack(">I", png[start + 8 + length:start + 12 + length])[0], zlib.crc32(name + data))
            chunks[name] = data
            start += 12 + length
        # A name in lower case is of a chunk that need not be understood.
        self.assertEqual([name for name in chunks if name[:1].isupper()], [b"IHDR", b"IDAT", b"IEND"])
        width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
        pixels = zlib.decompress(chunks[b"IDAT"])
        self.assertEqual(len(pixels), height * (1 + 3 * width))
        return width, height, pixels

    def test_pictures(self):
        """Of the size that was asked for, and no two alike; the protocol says where they go."""
        self.server.owner = "llamacpp"
        self.measure("--option", "picture=40")
        self.assertGreater(len(self.server.requests), 2, self.said + self.errors)
        seen = set()
        for request in self.server.requests:
            words, picture = request["messages"][0]["content"]
            self.assertEqual((words["type"], picture["type"]), ("text", "image_url"))
            kind, encoded = picture["image_url"]["url"].split(",")
            self.assertEqual(kind, "data:image/png;base64")
            width, height, pixels = self.read_picture(encoded)
            self.assertEqual((width, height), (40, 40))
            seen.add(pixels)
        self.assertEqual(len(seen), len(self.server.requests))

    @tap.thorough
    def test_pictures_for_ollama(self):
        self.be_ollama()
        self.measure("--option", "picture=16")
        self.assertGreater(len(self.server.requests), 2, self.said + self.errors)
        for request in self.server.requests:
            (encoded,) = request["messages"][0]["images"]
            self.assertEqual(self.read_picture(encoded)[:2], (16, 16))
            self.assertIsInstance(request["messages"][0]["content"], str)

    @tap.thorough
    def test_picture_of_no_size(self):
        self.measure("--option", "picture=large")
        self.assertIn("a whole number from 0 to 4096", self.errors)

    @tap.thorough
    def test_strangers_get_plain_requests(self):
        self.measure()
        self.assertGreater(len(self.server.requests), 2, self.said)
        for request in self.server.requests:
            self.assertEqual(set(request), {"model", "messages", "stream", "stream_options", "temperature", "max_tokens"})
            self.assertEqual(request["temperature"], 0)

    @tap.thorough
    def test_tokens_are_not_guessed(self):
        self.stream([text("a"), text("b")])
        self.assertIn("does not tell how many tokens", self.measure())
        self.assertNotIn("chunks_per_token", self.values())

    @tap.thorough
    def test_short_answers_are_told(self):
        """Three tokens were asked for, and the model may stop before."""
        self.stream([text("a"), text("b"), usage(2)])
        self.assertIn("short-answers", self.measure())

    @tap.thorough
    def test_first_request_may_load_the_model(self):
        self.server.first = [0.3]
        self.measure()
        values = self.values()
        self.assertGreaterEqual(values["first_run_ms"], 300)
        self.assertLess(values["latency_min_ms"], values["first_run_ms"])
        self.assertIn("loads the model by itself", self.reasons()["load_time_ms"])

    def test_connection_stays_open(self):
        self.measure()
        self.assertEqual(len(self.server.asking), 1)
        self.assertGreater(len(self.server.requests), 2)

    @tap.thorough
    def test_closed_connections_are_no_failures(self):
        """Some servers close after each answer and do not say so; the next question may be on its way already."""
        self.server.closes = True
        self.measure()
        self.assertEqual(self.values()["failed_requests"], 0, self.said)
        self.assertGreater(len(self.server.asking), 2)

    @tap.thorough
    def test_guessed_tokens_are_told(self):
        self.server.owner = "llamacpp"
        self.stream([text("a"), text("b"), text("c"), usage(3, timings={"draft_n": 4, "draft_n_accepted": 1})])
        self.assertIn("speculative-decoding", self.measure())
        self.assertEqual(self.values()["draft_acceptance_percent"], 25)

    @tap.thorough
    def test_unknown_acceptance_is_not_told(self):
        self.server.owner = "llamacpp"
        self.stream([text("a"), text("b"), text("c"), usage(3, timings={"draft_n": 4})])
        self.assertIn("speculative-decoding", self.measure())
        self.assertNotIn("draft_acceptance_percent", self.values())

    def be_ollama(self, **durations):
        """Its models have the namespace of their names as owners, which may be anybody."""
        self.server.owner = "bartowski"
        self.server.facts = {"/api/show": {"details": {"quantization_level": "Q4_K_M"},
                                           "model_info": {"general.parameter_count": 1235814400}},
                             "/api/tags": {"models": [{"name": "tiny:1b", "size": 770000000}]}}
        self.server.script = [0.02, message("a"), GAP, message("b"), GAP, message("c"), done(3, **durations)]

    def test_server_says_what_it_holds(self):
        self.be_ollama()
        self.assertIn("Ollama holds the model as “tiny:1b” and says that it is in Q4_K_M.", self.measure())
        self.assertEqual(self.results()[0]["parameter_count"], 1235814400)
        self.assertEqual(self.values()["memory_weights_mb"], 770)
        # Two for each parameter and token: nine of the prompt, and three of the answer.
        self.assertEqual(self.values()["flops"], 2 * 1235814400 * 12)
        self.assertEqual(self.qualities()["flops"], "estimated")

    @tap.thorough
    def test_unknown_is_no_precision(self):
        self.be_ollama()
        self.server.facts["/api/show"]["details"]["quantization_level"] = "unknown"
        self.assertIn("does not say in which precision", self.measure())
        self.assertNotIn("in unknown", self.said)

    @tap.thorough
    def test_others_have_paths_of_ollama_too(self):
        """A version has also llama-swap, and names of models of its own also KoboldCpp."""
        self.server.facts = {"/api/version": {"version": "v170", "commit": "abc", "build_date": "2026"}}
        for tags in (None, {}, {"models": []}, {"models": ["tiny:1b", {"name": "koboldcpp", "model": "tiny:1b"}]}):
            with self.subTest(tags=tags):
                self.server.facts["/api/tags"] = tags
                self.assertNotIn("Ollama holds", self.measure() + self.errors)
                self.assertEqual(self.server.paths, {"/v1/chat/completions"})

    def test_ollama_is_asked_its_own_way(self):
        self.be_ollama(load=1.5, prompt_eval=10, eval=8, total=25)
        self.measure()
        values = self.values()
        self.assertEqual(self.server.paths, {"/api/chat"}, self.said)
        for request in self.server.requests:
            self.assertEqual(set(request), {"model", "messages", "stream", "options"})
            self.assertEqual(request["options"], {"temperature": 0, "num_predict": 3})
        self.assertEqual(values["chunks_per_token"], 1)
        self.assertEqual(values["prompt_tokens"], 9)
        self.assertEqual(values["server_prompt_ms"], 10)
        self.assertEqual(values["server_token_ms"], 4)
        self.assertEqual(values["server_load_ms"], 1.5)
        self.assertAlmostEqual(values["prefill_tokens_per_sec"], 900)
        self.assertIn("that the server told it read them", self.said)
        self.assertAlmostEqual(values["first_token_overhead_ms"], values["first_token_latency_ms"] - 10)
        self.assertGreaterEqual(values["first_token_latency_ms"], 20)

    @tap.thorough
    def test_ollama_tells_what_loading_took(self):
        self.be_ollama(load=2)
        self.measure()
        self.assertIn("loads the model by itself", self.reasons()["load_time_ms"])
        self.server.whole_first = [0.02, message("a"), message("b"), done(3, load=700)]
        self.measure()
        self.assertEqual(self.values()["load_time_ms"], 700, self.said)
        self.assertEqual(self.values()["server_load_ms"], 2)
        self.server.whole_first = [0.02, message("a"), message("b"), done(3, load=700)]
        self.measure("--load", "concurrent=2")
        self.assertEqual(self.values()["load_time_ms"], 700, self.said + self.errors)

    @tap.thorough
    def test_ollama_lines_are_not_reads(self):
        """Cut anywhere, and several at once."""
        self.be_ollama()
        whole = message("é") + message("→") + b"\r\n" + done(2, prompt_eval=1)
        self.server.script = [whole[i:i + 7] for i in range(0, len(whole), 7)]
        self.measure()
        self.assertEqual(self.values()["chunks_per_token"], 1, self.said + self.errors)

    @tap.thorough
    def test_ollama_refuses_in_words(self):
        self.be_ollama()
        self.server.error = "the model does not fit"
        self.server.statuses = [400] * 9
        self.assertIn("HTTP 400: “the model does not fit”", self.measure() + self.errors)

    @tap.thorough
    def test_ollama_thinks_apart(self):
        self.be_ollama()
        self.server.script = [message("hm", "thinking"), GAP, message("so"), GAP, message("on"), done(3)]
        self.measure()
        self.assertGreater(self.values()["first_output_latency_ms"], self.values()["first_token_latency_ms"] + GAP * 750)

    @tap.thorough
    def test_ollama_breaks_off_in_words(self):
        self.be_ollama()
        self.server.script = [message("a"), b'{"error": "no memory left"}\n']
        self.assertIn("broke off its answer", self.measure() + self.errors)

    def test_lm_studio_is_asked_its_own_way(self):
        self.server.owner = "organization_owner"
        self.server.facts = {"/api/v0/models/tiny%3A1b": {"quantization": "Q8_0"},
                             "/api/v1/models": {"models": [{"key": "tiny:1b", "size_bytes": 5000000}]}}
        stats = {"tokens_per_second": 200, "time_to_first_token": 0.002, "generation_time": 0.015}
        self.stream([text("a"), text("b"), text("c"), usage(3, stats=stats)])
        self.measure()
        self.assertEqual(self.server.paths, {"/api/v0/chat/completions"}, self.said)
        self.assertEqual(self.values()["server_token_ms"], 5)
        self.assertEqual(self.values()["server_first_token_ms"], 2)
        # A time to the first token is not that of the prompt.
        self.assertIn("does not tell how long it read", self.reasons()["server_prompt_ms"])
        self.assertNotIn("first_token_overhead_ms", self.values())
        self.assertIn("which also contains waiting", self.said)
        self.assertIn(self.qualities()["prefill_tokens_per_sec"], ("estimated", "unsteady"))
        self.assertEqual(self.values()["memory_weights_mb"], 5)

    @tap.thorough
    def test_lm_studio_cannot_have_waited_longer(self):
        self.server.owner = "organization_owner"
        self.stream([text("a"), text("b"), usage(2, stats={"time_to_first_token": 90})])
        self.assertIn("its first token took 90\u00a0s", self.measure())

    def guess(self, drafted, accepted):
        """Lets a vLLM count guesses for each request."""
        self.be_vllm()
        tell = self.server.texts["/metrics"]
        guesses = "".join(f'vllm:spec_decode_num_{name}_tokens_total{{engine="0",model_name="a"}} %d\n'
                          for name in ("draft", "accepted"))
        self.server.texts = {"/metrics": lambda: tell() + guesses % (drafted * self.server.finished,
                                                                     accepted * self.server.finished)}
        self.measure()

    def test_vllm_counts_guesses(self):
        self.guess(8, 6)
        self.assertEqual(self.values()["draft_acceptance_percent"], 75, self.said)

    @tap.thorough
    def test_impossible_guesses_are_not_told(self):
        self.guess(6, 8)
        self.assertIn("server_queue_ms", self.values(), self.said)
        self.assertNotIn("draft_acceptance_percent", self.values())

    def be_vllm(self, others=0):
        """With histograms of all requests, of several engines, each of which says 2 ms in the queue, 10 for the prompt."""
        def tell():
            n = self.server.finished * (1 + others)
            sums = {"request_queue_time_seconds": 0.002, "request_prefill_time_seconds": 0.010,
                    "request_decode_time_seconds": 0.008, "request_generation_tokens": 3}
            return "".join(f'# TYPE vllm:{name} histogram\nvllm:{name}_bucket{{engine="{engine}",le="+Inf"}} {n}\n'
                           f'vllm:{name}_count{{engine="{engine}",model_name="a, b"}} {n / 2}\n'
                           f'vllm:{name}_sum{{engine="{engine}",model_name="a, b"}} {n / 2 * value}\n'
                           for name, value in sums.items() for engine in (0, 1))
        self.server.owner = "vllm"
        self.server.texts = {"/metrics": tell}
        self.server.script = [frame(ROLE), 0.02]
        for piece in "abc":
            self.server.script += [GAP, frame(text(piece))]
        self.server.script += [frame(usage(3)), frame("[DONE]")]

    def test_histograms_are_differenced(self):
        self.be_vllm()
        self.measure()
        values = self.values()
        self.assertAlmostEqual(values["server_prompt_ms"], 10, msg=self.said)
        self.assertAlmostEqual(values["server_queue_ms"], 2)
        self.assertAlmostEqual(values["server_token_ms"], 4)
        self.assertAlmostEqual(values["prefill_tokens_per_sec"], 900)
        self.assertGreater(values["first_token_overhead_ms"], 10)

    @tap.thorough
    def test_histograms_under_load(self):
        self.be_vllm()
        self.measure("--load", "concurrent=2")
        self.assertAlmostEqual(self.values()["server_prompt_ms"], 10, msg=self.said + self.errors)

    @tap.thorough
    def test_histograms_are_of_the_whole_stretch(self):
        """Under load, fewer requests count than the server tells of: not those before its rate is even."""
        self.be_vllm()
        tell, slow = self.server.texts["/metrics"], []

        def tell_and_delay():
            told = tell() + f"vllm:request_prefill_time_seconds_sum {self.server.finished * 0.014 + len(slow) * 0.4}\n"
            slow.append(True)
            self.server.first = [0.4]
            return told
        self.server.texts = {"/metrics": tell_and_delay}
        self.measure("--load", "concurrent=2", "--min-seconds", "0.8", "--max-seconds", "0.8")
        self.assertGreater(self.values()["server_prompt_ms"], 24, self.said + self.errors)
        self.assertNotIn("it read a prompt for", self.said)

    @tap.thorough
    def test_histograms_that_are_missing_are_no_zeros(self):
        self.be_vllm()
        tell = self.server.texts["/metrics"]
        for name in ("request_decode_time", "request_queue_time", "request_generation_tokens"):
            with self.subTest(name=name):
                self.server.texts = {"/metrics": lambda missing=name: "\n\n" + tell().replace(missing, "other")}
                self.measure()
                for value in ("server_prompt_ms", "server_token_ms", "server_queue_ms"):
                    self.assertNotIn(value, self.values(), self.said)
                self.assertNotIn("server-disagrees", self.said)

    @tap.thorough
    def test_histograms_that_fall_are_no_times(self):
        """A server that is started anew begins to count from nothing."""
        self.be_vllm()
        tell, asked = self.server.texts["/metrics"], []

        def fall():
            asked.append(True)
            return tell() + f'vllm:request_decode_time_seconds_sum{{engine="2"}} {1e6 / len(asked)}\n'
        self.server.texts = {"/metrics": fall}
        self.measure()
        self.assertGreater(len(asked), 1)
        self.assertNotIn("server_token_ms", self.values(), self.said)
        self.assertNotIn("server-disagrees", self.said)

    @tap.thorough
    def test_impossible_numbers_are_not_told(self):
        """Neither infinite ones, nor those beyond all counts, nor more tokens from a cache than there were."""
        self.server.owner = "llamacpp"
        end = ('{"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 1e300, "prompt_tokens_details":'
               ' {"cached_tokens": 50}}, "timings": {"prompt_ms": %s, "predicted_ms": 1e999, "draft_n": -5e18}}')
        for told in ("5", "1e999", "1e300"):
            with self.subTest(told=told):
                self.server.script = [frame(ROLE), GAP, frame(text("a")), GAP, frame(text("b")), frame(end % told),
                                      frame("[DONE]")]
                self.measure()
                self.assertEqual(self.results()[0]["status"], "ok", self.said + self.errors)
                self.assertEqual(self.values()["prompt_tokens"], 9)
                self.assertEqual(self.values()["prefill_tokens_per_sec"], 0)
                for name in ("output_tokens", "server_token_ms"):
                    self.assertNotIn(name, self.values())
                self.assertEqual("server_prompt_ms" in self.values(), told == "5")
                self.assertNotIn("speculative-decoding", self.said)

    @tap.thorough
    def test_only_tokens_are_not_decoded(self):
        """An answer of one token has nothing after its first."""
        self.server.turns = [stream([text("a"), usage(1)], GAP),
                             stream([text("a"), text("b"), text("c"), usage(3)], GAP)]
        self.measure()
        # Two tokens in twice the gap; with the only ones it would be at most half as many again.
        self.assertLess(self.values()["decode_tokens_per_sec"], 1.2 / GAP, self.said)

    @tap.thorough
    def test_histograms_of_others_too(self):
        self.be_vllm(others=1)
        self.measure()
        self.assertIn("server-shared", self.said)
        self.assertNotIn("server_prompt_ms", self.values())

    def test_server_may_disagree(self):
        """What it says it needed and what was seen are both told, where they are apart."""
        self.be_ollama(prompt_eval=10, eval=40)
        self.assertIn("it wrote what follows the first token of an answer in 40\u00a0ms", self.measure())
        self.be_ollama(prompt_eval=3000, eval=8)
        self.assertIn("it read a prompt for 3\u00a0s", self.measure())

    @tap.thorough
    def test_time_per_token_is_as_told(self):
        """Some divide by the tokens after the first, and some by all of them."""
        self.server.owner = "llamacpp"
        self.stream([text("a"), text("b"), text("c"), usage(3, timings={"predicted_ms": 9, "predicted_per_token_ms": 4.5})])
        self.measure()
        self.assertEqual(self.values()["server_token_ms"], 4.5, self.said)
        self.stream([text("a"), text("b"), text("c"), usage(3, timings={"predicted_ms": 9})])
        self.measure()
        self.assertEqual(self.values()["server_token_ms"], 4.5, self.said)

    @tap.thorough
    def test_prefill_is_estimated_where_it_is_not_told(self):
        self.measure()
        self.assertIn(self.qualities()["prefill_tokens_per_sec"], ("estimated", "unsteady"), self.said)
        self.assertIn("which also contains waiting", self.said)
        self.assertGreater(self.values()["decode_duration_ms"], 1.5 * GAP * 1000)
        self.assertGreater(self.values()["user_tokens_per_sec"], 0)
        self.assertIn("does not tell how long it read", self.reasons()["server_prompt_ms"])
        self.assertIn("how many parameters", self.reasons()["flops"])
        self.assertIn("how large the weights", self.reasons()["memory_weights_mb"])

    def test_prompts_of_tokens(self):
        """Where a server takes tokens, a prompt has exactly as many as were asked for."""
        self.server.owner = "llamacpp"
        self.server.facts = {"/tokenize": {"tokens": [11, 12, 13]}, "meta": {"meta": {"size": 591104}}}
        script = [{"choices": [{"text": piece, "finish_reason": None}]} for piece in "abc"]
        self.stream([*script, usage(3)])
        self.measure("--sequence", "16")
        self.assertEqual(self.server.paths, {"/v1/completions"}, self.said + self.errors)
        for request in self.server.requests:
            self.assertEqual(len(request["prompt"]), 16)
            self.assertLessEqual(set(request["prompt"]), {11, 12, 13})
        self.assertEqual(self.values()["output_tokens"], 3)
        self.assertAlmostEqual(self.values()["memory_weights_mb"], 0.591104)

    @tap.thorough
    def test_text_is_counted_where_the_server_did_not(self):
        self.server.owner = "vllm"
        self.server.facts = {"/tokenize": {"tokens": [11, 12, 13, 14]}}
        self.stream([{"choices": [{"text": piece, "finish_reason": None}]} for piece in "abc"])
        self.measure()
        self.assertEqual(self.values()["output_tokens"], 4, self.said + self.errors)

    def test_own_process_is_not_the_server(self):
        """This test is the server and has started Dyno, so nothing can be told apart."""
        self.measure()
        for name in ("memory_peak_mb", "memory_average_mb", "power_avg_watts", "energy_joules",
                     "temperature_max_celsius", "avg_bandwidth_gbps", "server_load_processors"):
            self.assertIn("cannot be told apart", self.reasons()[name], name)
        self.assertFalse([name for name in self.values() if name.startswith("energy_")])
        self.assertNotIn("load-during", self.said)
        self.assertEqual(self.results()[0]["device_kind"], "server")

    @tap.thorough
    def test_another_machine_is_not_this_one(self):
        """What is not at a loopback address is elsewhere, even where it is not."""
        self.measure(address=self.server.address.replace("127.0.0.1", "0.0.0.0"))
        self.assertEqual(self.results()[0]["device_kind"], "remote")
        for name in ("memory_peak_mb", "power_avg_watts", "energy_per_token_joules", "clock_avg_mhz"):
            self.assertIn("loopback", self.reasons()[name], name)

    def start_apart(self, *lines):
        """A server that is a process by itself, and runs these lines before it serves."""
        program = "\n".join(["import os, sys, threading, time", "sys.path.insert(0, sys.argv[1])", "import scripted_server",
                             *lines, "scripted_server.main(3, 0.004)"])
        process = subprocess.Popen([sys.executable, "-c", program, str(pathlib.Path(__file__).parent)],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.stdout.close)
        return process, process.stdout.readline().strip()

    @tap.thorough
    def test_client_keeps_off_the_processors_of_the_server(self):
        processors = sorted(os.sched_getaffinity(0))
        if len(processors) < 2:
            self.skipTest("There is one processor.")
        _, address = self.start_apart(f"os.sched_setaffinity(0, {{{processors[0]}}})")
        self.measure(address=address)
        self.assertNotIn("client-shares-processors", self.said)
        placement = next(d["message"] for d in self.results()[0]["diagnostics"] if d["code"] == "placement")
        self.assertRegex(placement, rf"work {processors[1]}\b", self.said)
        _, address = self.start_apart()
        self.measure(address=address)
        self.assertIn("client-shares-processors", self.said)

    def test_memory_is_that_of_the_server(self):
        """Of another process, which holds more memory than the one that measures, and computes for many ticks of a clock."""
        process, address = self.start_apart('held = b"x" * 300_000_000',
                                            "def compute():",
                                            "    while True:",
                                            "        sum(range(100_000))",
                                            "        time.sleep(0.005)",
                                            "threading.Thread(target=compute, daemon=True).start()")
        self.measure("--min-seconds", "0.5", address=address)
        values = self.values()
        self.assertGreater(values["memory_peak_mb"], 300, self.said)
        self.assertGreater(values["memory_average_mb"], 300)
        self.assertGreater(values["server_load_processors"], 0)
        self.assertIn(f"The server is process {process.pid} ", self.said)

    def test_rejected_requests_are_counted(self):
        self.server.statuses = [200, 200, 200, 429, 200, 503] * 500
        self.assertIn("failed-requests", self.measure())
        self.assertGreater(self.values()["failed_requests"], 0)

    def test_failures_have_words(self):
        for status, words in ((401, "wants a key"), (404, "does not have the model"), (429, "turned the request away"),
                              (400, "HTTP 400: “the prompt is too long”"), (500, "HTTP 500: Internal Server Error.")):
            with self.subTest(status=status):
                self.server.statuses = [status] * 9
                self.assertIn(words, self.measure() + self.errors)

    def test_broken_answers_have_words(self):
        for script, is_whole, words in (([frame("{garbage")], True, "not JSON"),
                                        ([frame(text("a"))], False, "Look at what it logged"), # libsoup 3.6 says it first
                                        ([frame(text("a"))], True, "in the middle of its answer"),
                                        ([frame({"error": {"message": "no"}})], True, "broke off its answer"),
                                        ([b'{"choices": [{"message": {"content": "a"}}]}'], True, "Only streams"),
                                        ([frame(ROLE), frame("[DONE]")], True, "without any text")):
            with self.subTest(words=words):
                self.server.script, self.server.is_whole = script, is_whole
                self.assertIn(words, self.measure() + self.errors)

    def test_plan_goes_on(self):
        """A model whose answers break off takes none of the others with it."""
        self.server.models = ["tiny:1b", "other"]
        self.server.statuses = [500] * 3
        self.measure("-m", "server:other", "--listed")
        self.assertEqual(sorted(result["status"] for result in self.results()), ["failed", "ok"], self.errors)

    def test_silence_ends_at_the_stall_limit(self):
        self.server.script = [frame(ROLE), None]
        said = self.measure("--stall-seconds", "2") + self.errors
        self.assertIn("The server sent nothing for 2 s", said)
        self.assertNotIn("another runtime", said)

    @tap.thorough
    def test_long_answers_are_no_silence(self):
        """The first answer takes longer than the limit, but pieces of it keep coming."""
        self.server.first = [0.25, frame(text("a"))] * 10
        self.measure("--stall-seconds", "2")
        self.assertGreater(self.values()["first_run_ms"], 2000)

    def test_key_is_only_for_whom_it_was_meant(self):
        """Servers that merely answer at a usual port do not learn it."""
        shown = self.run_cli("hardware", "--json", DYNO_SERVERS=self.server.address, DYNO_SERVER_KEY="secret").stdout
        self.assertIn("tiny:1b", shown)
        self.assertEqual(self.server.keys, {"Bearer secret"})

    def test_redirects_are_not_followed(self):
        """Nobody named the other address, so it gets neither the key nor a question."""
        other = Server()
        threading.Thread(target=other.serve_forever, daemon=True).start()
        self.addCleanup(other.server_close)
        self.addCleanup(other.shutdown)
        self.server.statuses, self.server.location = [302] * 9, f"{other.address}/v1/models"
        self.assertIn("HTTP 302", self.measure() + self.errors)
        self.assertEqual((other.keys, other.requests), (set(), []))

    @tap.thorough
    def test_settings_that_a_server_does_not_have(self):
        """Precisions, batches and threads are none of its, so they make no cases."""
        self.measure("-p", "fp32,fp16", "--batch", "1,4", "--threads", "1,2")
        self.assertEqual(len(self.results()), 1)

    def test_clients_at_once(self):
        """Each has a connection of its own, and what they saw is told as of one."""
        self.server.owner = "llamacpp"
        self.server.facts = {"/props": {"total_slots": 2}}
        self.measure("--load", "concurrent=3")
        values = self.values()
        self.assertEqual(values["load_clients"], 3, self.errors)
        self.assertEqual(len(self.server.asking), 3)
        self.assertEqual(values["output_tokens"], 3)
        self.assertIn("first_token_latency_ms", values)
        self.assertIn("more-than-slots", self.said)
        self.assertNotIn("no-continuous-batching", self.said)

    def test_requests_at_a_rate(self):
        self.measure("--load", "rate=50/s clients=4", "--limit", "p90=10s")
        values = self.values()
        self.assertEqual(values["goodput_percent"], 100, self.said + self.errors)
        self.assertGreater(values["output_tokens"], 0)
        self.assertIn("output_tokens_per_sec", values)

    @tap.thorough
    def test_clients_are_as_many_as_the_server_takes(self):
        """One at a time would be all that the server is asked, however many it could work on."""
        self.measure("--load", "rate=20/s")
        self.assertEqual(self.values()["load_clients"], 64, self.said + self.errors)
        self.server.owner = "llamacpp"
        self.server.facts = {"/props": {"total_slots": 3}}
        for load, clients in (("rate=20/s", 3), ("offline", 3), ("rate=20/s clients=1", 1)):
            with self.subTest(load=load):
                self.measure("--load", load)
                self.assertEqual(self.values()["load_clients"], clients, self.said + self.errors)

    @tap.thorough
    def test_tokens_beyond_the_window_are_not_counted(self):
        """Of more requests than two slots can answer, half are answered when no more come."""
        self.server.slots = threading.BoundedSemaphore(2)
        self.server.script = stream([text(c) for c in "abcdefgh"] + [usage(8)], 0.002)
        self.measure("--load", "rate=300/s clients=8")
        values = self.values()
        self.assertIn("overloaded", self.said + self.errors)
        self.assertAlmostEqual(values["output_tokens_per_sec"], 8 * values["throughput_items_per_sec"],
                               delta=values["output_tokens_per_sec"] / 1000)

    @tap.thorough
    def test_limits_of_tokens(self):
        """A request is good that keeps all limits; the first token is late by the queue as well."""
        self.measure("--load", "concurrent=2", "--limit", "p90=10s,first-token-p90=10s,inter-token-p90=10s")
        self.assertEqual(self.values()["goodput_percent"], 100, self.said + self.errors)
        self.server.script = stream([text("a"), text("b"), text("c"), usage(3)], 0.05)
        self.measure("--load", "concurrent=2 inter-token-p90=0.001ms")
        self.assertEqual(self.values()["goodput_percent"], 0, self.said + self.errors)
        self.assertIn("limit-missed", self.said)
        self.assertIn("first_token_p90_ms", {**self.values(), **self.reasons()})
        self.assertIn("from when each was to be sent", self.said)

    @tap.thorough
    def test_limits_of_what_cannot_be_seen(self):
        self.server.script = [frame(ROLE), 0.02, b"".join(frame(text(c)) for c in "abc"), frame(usage(3)), frame("[DONE]")]
        self.measure("--load", "concurrent=2 first-token-p90=10s")
        self.assertNotIn("goodput_percent", self.values(), self.said + self.errors)
        self.assertIn("does not stream", self.said)
        self.stream([text("a"), text("b")])
        self.measure("--load", "concurrent=2 inter-token-p90=10s")
        self.assertNotIn("goodput_percent", self.values(), self.said + self.errors)
        self.assertIn("does not tell how many tokens", self.said)

    def test_rates_are_found(self):
        """Up to what the server can bear, by closed loops first."""
        self.server.script = stream([text("a"), text("b"), usage(2)], 0.001)
        self.measure("--load", "rate=auto clients=2", "--limit", "first-token-p90=10s")
        values = self.values()
        self.assertGreater(values["capacity_items_per_sec"], 0, self.said + self.errors)
        self.assertIn(values["knee_clients"], (1, 2))
        self.assertGreater(values["load_rate_asked"], 0)

    @tap.thorough
    def test_turned_away_is_not_good(self):
        """Nothing is sent again, and what was turned away counts against the goodput."""
        self.server.statuses = ([200] * 40 + [429, 200] * 500)
        self.measure("--load", "concurrent=2", "--limit", "p90=10s", "--max-seconds", "1")
        values = self.values()
        self.assertLess(values["goodput_percent"], 100, self.said + self.errors)
        self.assertGreater(values["failed_requests"], 0)
        self.assertEqual(self.results()[0]["status"], "ok")

    @tap.thorough
    def test_capacity_that_was_not_reached(self):
        """Two clients cannot show that more would bring nothing."""
        self.measure("--load", "rate=auto clients=2")
        self.assertIn("capacity-not-reached", self.said + self.errors)

    def test_what_was_measured_before_it_died_is_kept(self):
        """The closed loops take fewer requests, and the rates more, before the server goes away."""
        self.server.slots = threading.BoundedSemaphore(1)
        self.server.script = stream([text("a"), text("b"), usage(2)], 0.004)
        self.server.statuses = [200] * 130 + [500] * 100000
        self.measure("--load", "rate=auto clients=2", "--min-samples", "10", "--limit", "p90=10s")
        self.assertEqual(self.results()[0]["status"], "ok", self.said + self.errors)
        self.assertIn("load-broken-off", self.said)
        self.assertIn("HTTP 500", self.said)
        self.assertIn("broke off", self.reasons()["load_rate_best"])
        self.assertGreater(self.values()["throughput_items_per_sec"], 0)

    @tap.thorough
    def test_beginning_is_kept(self):
        """Of one stretch as well, what was over before the server went away."""
        self.server.statuses = [200] * 150 + [500] * 100000
        self.measure("--load", "concurrent=2", "--max-seconds", "20")
        self.assertEqual(self.results()[0]["status"], "ok", self.said + self.errors)
        self.assertIn("load-broken-off", self.said)
        self.assertLess(self.values()["failed_requests"], 6)
        self.assertGreater(self.values()["latency_p50_ms"], 0)

    @tap.thorough
    def test_requests_that_break_off_have_a_beginning(self):
        """They have no latency, and when their first text came is told apart."""
        self.server.broken_every = 5
        self.measure("--load", "concurrent=2")
        self.assertGreater(self.values()["failed_requests"], 0, self.said + self.errors)
        self.assertGreater(self.values()["broken_first_token_ms"], GAP * 1000)

    @tap.thorough
    def test_a_server_that_dies_under_load(self):
        self.server.statuses = [200] * 20 + [500] * 10000
        self.assertIn("HTTP 500", self.measure("--load", "concurrent=2") + self.errors)
        self.assertEqual(self.results()[0]["status"], "failed")

    def test_an_overloaded_server(self):
        """What has no level has no percentile of any time."""
        self.measure("--load", "rate=400/s clients=1")
        self.assertIn("overloaded", self.said + self.errors)
        for name in ("first_token_latency_ms", "inter_token_latency_ms"):
            self.assertIn("faster than they were answered", self.reasons()[name])
        for name in ("inter_token_p90_ms", "inter_chunk_latency_ms"):
            self.assertNotIn(name, self.values())

    def test_no_server(self):
        with contextlib.closing(socket.socket()) as closed:
            closed.bind(("127.0.0.1", 0))
            address = "http://127.0.0.1:%d" % closed.getsockname()[1]
            self.assertIn("does not answer", self.measure(address=address) + self.errors)

    def test_unknown_model_names_those_there_are(self):
        self.assertIn("It lists: tiny:1b", self.measure(model="server:other") + self.errors)

    @tap.thorough
    def test_other_models_are_refused(self):
        self.assertIn("server:MODEL", self.measure(model="bert-tiny") + self.errors)

    @tap.thorough
    def test_models_go_where_they_belong(self):
        """What a server holds is left to it, and files to engines."""
        del self.environment["DYNO_ONNXRUNTIME"]
        self.measure("-b", "cpu", "-m", "bert-tiny")
        self.assertEqual({(result["case"]["model"], result["case"]["backend"]) for result in self.results()},
                         {("server:tiny:1b", "server"), ("bert-tiny", "cpu")})

    def test_hardware_lists_server_and_models(self):
        shown = self.run_cli("hardware", DYNO_SERVERS=self.server.address).stdout
        self.assertIn(self.server.address, shown)
        self.assertIn("server:tiny:1b", shown)
        self.assertIn("Server on this machine", shown)


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[1:]))
