#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A model that a real server of llama.cpp holds: llama-server, or the one within the Python package xllamacpp.

Usage: test-llama-server.py DYNO-CLI
"""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap
import tiny_gguf

CLI = os.path.abspath(sys.argv.pop(1))
PROGRAM = shutil.which("llama-server")
PACKAGES = pathlib.Path(os.environ["DYNO_RUNTIMES_DIR"]) / "xllamacpp"
PACKAGE = """
import sys
sys.path.insert(0, sys.argv[3])
import xllamacpp
parameters = xllamacpp.CommonParams()
parameters.model.path = sys.argv[1]
parameters.port = int(sys.argv[2])
parameters.n_ctx = 512
parameters.n_parallel = 1
server = xllamacpp.Server(parameters)
sys.stdin.read()
"""


def find_command(model, port):
    if PROGRAM is not None:
        return [PROGRAM, "-m", model, "--host", "127.0.0.1", "--port", str(port), "-c", "512", "--parallel", "1"]
    if PACKAGES.is_dir():
        return [sys.executable, "-c", PACKAGE, model, str(port), str(PACKAGES)]
    return None


def find_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class LlamaServer(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        port = find_port()
        model = self.folder / "tiny.gguf"
        command = find_command(str(model), port)
        if command is None:
            self.skipTest("There is neither llama-server nor the Python package xllamacpp in the folder of the runtimes.")
        tiny_gguf.write(model)
        self.address = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)
        self.addCleanup(self.process.stdin.close)
        self.model = self.wait_for_model()

    def wait_for_model(self):
        """It answers from the moment it listens, and lists its model once that is loaded."""
        while not tap.has_ended(self.process):
            try:
                with urllib.request.urlopen(f"{self.address}/v1/models", timeout=5) as answer:
                    return json.load(answer)["data"][0]["id"]
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                pass
        self.fail("The server ended.")

    def test_server_is_measured(self):
        done = subprocess.run([CLI, "run", "-b", f"server:{self.address}", "-m", f"server:{self.model}", "--sequence", "32",
                               "--generate", "64", "--invocations", "1", "--min-seconds", "0.5", "--max-seconds", "2",
                               "--json"],
                              env={**os.environ, "DYNO_DATA_DIR": str(self.folder), "DYNO_NO_CEILINGS": "1"},
                              capture_output=True, text=True, timeout=200)
        (result,) = json.loads(done.stdout)["runs"][0]["results"]
        self.assertEqual(result["status"], "ok", result.get("reason"))
        values = {value["name"]: value.get("value") for value in result["values"]}
        self.assertEqual(values["output_tokens"], 64)
        self.assertEqual(values["failed_requests"], 0, done.stdout)
        self.assertEqual(values["cached_tokens"], 0)
        self.assertEqual(values["prompt_tokens"], 32)
        self.assertGreater(values["memory_peak_mb"], 1)
        self.assertGreater(values["server_load_processors"], 0)
        # What it tells of itself is within what we see from outside.
        self.assertGreater(values["server_prompt_ms"], 0)
        self.assertLess(values["server_prompt_ms"], values["first_token_latency_ms"])
        self.assertGreater(values["server_token_ms"], 0)
        self.assertGreater(values["prefill_tokens_per_sec"], 0)
        self.assertAlmostEqual(values["flops"], 2 * result["parameter_count"] * (32 + 64))
        self.assertGreater(values["memory_weights_mb"], 0.1)
        self.assertIn("F32", done.stdout)
        self.assertGreater(result["parameter_count"], 100000)


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[1:]))
