#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Models that a server holds, against one on the loopback interface that streams what a script says.

Usage: test-server.py DYNO-CLI
"""

import contextlib
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap
from scripted_server import ROLE, Server, frame, stream, text, usage

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
        # Without engines, because a case that fails asks all of them whether they could run it.
        self.environment = {**os.environ, "DYNO_DATA_DIR": self.folder.name, "DYNO_NO_CEILINGS": "1",
                            "DYNO_RUNTIMES_DIR": self.folder.name}
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

    def test_pieces_are_not_tokens(self):
        self.stream([text("ab"), text("cd"), usage(4)])
        self.assertIn("chunks-of-tokens", self.measure())
        self.assertEqual(self.values()["chunks_per_token"], 0.5)

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

    def test_strangers_get_plain_requests(self):
        self.measure()
        self.assertGreater(len(self.server.requests), 5, self.said)
        for request in self.server.requests:
            self.assertEqual(set(request), {"model", "messages", "stream", "stream_options", "temperature", "max_tokens"})
            self.assertEqual(request["temperature"], 0)

    def test_tokens_are_not_guessed(self):
        self.stream([text("a"), text("b")])
        self.assertIn("does not tell how many tokens", self.measure())
        self.assertNotIn("chunks_per_token", self.values())

    def test_short_answers_are_told(self):
        """Three tokens were asked for, and the model may stop before."""
        self.stream([text("a"), text("b"), usage(2)])
        self.assertIn("short-answers", self.measure())

    def test_first_request_may_load_the_model(self):
        self.server.first = [0.3]
        self.measure()
        values = self.values()
        self.assertGreaterEqual(values["first_run_ms"], 300)
        self.assertLess(values["latency_p50_ms"], values["first_run_ms"])
        self.assertIn("loads the model by itself", self.reasons()["load_time_ms"])

    def test_connection_stays_open(self):
        self.measure()
        self.assertEqual(len(self.server.asking), 1)
        self.assertGreater(len(self.server.requests), 5)

    def test_closed_connections_are_no_failures(self):
        """Some servers close after each answer and do not say so; the next question may be on its way already."""
        self.server.closes = True
        self.measure()
        self.assertEqual(self.values()["failed_requests"], 0, self.said)
        self.assertGreater(len(self.server.asking), 5)

    def test_guessed_tokens_are_told(self):
        self.server.owner = "llamacpp"
        self.stream([text("a"), text("b"), text("c"), usage(3, timings={"draft_n": 2})])
        self.assertIn("speculative-decoding", self.measure())

    def test_server_says_what_it_holds(self):
        self.server.owner = "library"
        self.server.facts = {"/api/show": {"details": {"quantization_level": "Q4_K_M"},
                                           "model_info": {"general.parameter_count": 1235814400}}}
        self.assertIn("Ollama holds the model as “tiny:1b” and says that it is in Q4_K_M.", self.measure())
        self.assertEqual(self.results()[0]["parameter_count"], 1235814400)

    def test_own_process_is_not_the_server(self):
        """This test is the server and has started Dyno, so nothing can be told apart."""
        self.measure()
        for name in ("memory_peak_mb", "memory_average_mb", "power_avg_watts", "energy_joules",
                     "temperature_max_celsius", "avg_bandwidth_gbps", "server_load_processors"):
            self.assertIn("cannot be told apart", self.reasons()[name], name)
        self.assertFalse([name for name in self.values() if name.startswith("energy_")])
        self.assertNotIn("load-during", self.said)
        self.assertEqual(self.results()[0]["device_kind"], "server")

    def test_another_machine_is_not_this_one(self):
        """What is not at a loopback address is elsewhere, even where it is not."""
        self.measure(address=self.server.address.replace("127.0.0.1", "0.0.0.0"))
        self.assertEqual(self.results()[0]["device_kind"], "remote")
        for name in ("memory_peak_mb", "power_avg_watts", "energy_per_token_joules", "clock_avg_mhz"):
            self.assertIn("loopback", self.reasons()[name], name)

    def test_memory_is_that_of_the_server(self):
        """Of another process, which holds more memory than the one that measures, and computes for many ticks of a clock."""
        program = """if True:
            import sys, threading, time
            sys.path.insert(0, sys.argv[1])
            import scripted_server
            held = b"x" * 300_000_000
            def compute():
                while True:
                    sum(range(100_000))
                    time.sleep(0.005)
            threading.Thread(target=compute, daemon=True).start()
            scripted_server.main(3, 0.004)"""
        process = subprocess.Popen([sys.executable, "-c", program, str(pathlib.Path(__file__).parent)],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.stdout.close)
        self.measure("--min-seconds", "0.5", address=process.stdout.readline().strip())
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
        self.assertIn("no progress for 2 s", self.measure("--stall-seconds", "2") + self.errors)

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
        self.assertGreater(values["output_tokens_per_sec"], 0)

    def test_limits_of_tokens(self):
        """A request is good that keeps all limits; the first token is late by the queue as well."""
        self.measure("--load", "concurrent=2", "--limit", "p90=10s,first-token-p90=10s,inter-token-p90=10s")
        self.assertEqual(self.values()["goodput_percent"], 100, self.said + self.errors)
        self.measure("--load", "concurrent=2 inter-token-p90=0.001ms")
        self.assertEqual(self.values()["goodput_percent"], 0, self.said + self.errors)
        self.assertIn("limit-missed", self.said)
        self.assertIn("first_token_p90_ms", {**self.values(), **self.reasons()})
        self.assertIn("from when each was to be sent", self.said)

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

    def test_turned_away_is_not_good(self):
        """Nothing is sent again, and what was turned away counts against the goodput."""
        self.server.statuses = ([200] * 40 + [429, 200] * 500)
        self.measure("--load", "concurrent=2", "--limit", "p90=10s", "--max-seconds", "1")
        values = self.values()
        self.assertLess(values["goodput_percent"], 100, self.said + self.errors)
        self.assertGreater(values["failed_requests"], 0)
        self.assertEqual(self.results()[0]["status"], "ok")

    def test_a_server_that_dies_under_load(self):
        self.server.statuses = [200] * 20 + [500] * 10000
        self.assertIn("HTTP 500", self.measure("--load", "concurrent=2") + self.errors)
        self.assertEqual(self.results()[0]["status"], "failed")

    def test_a_search_that_breaks_off(self):
        """A rate has twenty requests at least, so the server dies at one of the rates, when the loops are over."""
        self.server.statuses = [200] * 130 + [500] * 10000
        self.measure("--load", "rate=auto clients=2", "--limit", "p90=10s")
        self.assertEqual(self.results()[0]["status"], "ok", self.said + self.errors)
        self.assertIn("load-broken-off", self.said)
        self.assertIn("HTTP 500", self.said)
        self.assertGreater(self.values()["throughput_items_per_sec"], 0)
        self.assertIn("broke off", self.reasons()["load_rate_best"])

    def test_an_overloaded_server(self):
        """What has no level has no percentile of any time."""
        self.measure("--load", "rate=400/s")
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

    def test_other_models_are_refused(self):
        self.assertIn("server:MODEL", self.measure(model="bert-tiny") + self.errors)

    def test_models_go_where_they_belong(self):
        """What a server holds is left to it, and files to engines."""
        self.environment["DYNO_RUNTIMES_DIR"] = os.environ.get("DYNO_RUNTIMES_DIR", "")
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
