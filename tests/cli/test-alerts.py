#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Alerts of the command line: each way to tell them, kept with the run, and never a failure of the run.

Usage: test-alerts.py DYNO-CLI
"""

import http.server
import json
import os
import pathlib
import subprocess
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap

CLI = sys.argv.pop(1)
PLAN = ["-m", "bert-tiny", "-b", "fake", "--batch", "1,2", "--invocations", "1", "--warmup-seconds", "0.05",
        "--min-seconds", "0.1", "--max-seconds", "0.5", "--idle-seconds", "0", "--no-ceilings"]
BROKEN = {"faults": [{"kind": "fail", "run": 1, "batch_size": 2, "message": "The card is on fire."}]}


class Hook(http.server.ThreadingHTTPServer):
    """A webhook that remembers what was posted, and refuses it below /refuse."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Receiver)
        self.resume = threading.Event()
        self.posted = []

    def address(self, path):
        return f"http://127.0.0.1:{self.server_address[1]}{path}"


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.posted.append((self.headers["Content-Type"], json.loads(body)))
        self.send_response(403 if self.path == "/refuse" else 204)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Alerts(unittest.TestCase):
    def setUp(self):
        self.folder = tap.make_folder("dyno-alerts-", self.addCleanup)
        self.variables = tap.without_engines()
        self.play({})

    def play(self, script):
        (self.folder / "script.json").write_text(json.dumps(script), encoding="utf-8")

    def run_cli(self, *arguments, status=0):
        variables = {"DYNO_DATA_DIR": str(self.folder / "data"), "DYNO_FAKE_BACKEND": str(self.folder / "script.json")}
        done = subprocess.run([CLI, *arguments], env=os.environ | variables | self.variables, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, status, f"{arguments}: {done.stderr}{done.stdout}")
        return done

    def kept(self):
        """The codes of the alerts of each case of the last run."""
        run, = json.loads(self.run_cli("show", "last", "--json").stdout)["runs"]
        return {result["case"]["batch-size"]:
                [diagnostic["code"] for diagnostic in result["diagnostics"] if diagnostic["code"].startswith("alert-")]
                for result in run["results"]}

    def test_command(self):
        """The command has the alerts on its standard input; without any, it does not run."""
        told = self.folder / "told.json"
        self.run_cli("run", *PLAN, "--notify", f"cat > {told}")
        self.assertFalse(told.exists())
        self.play(BROKEN)
        said = self.run_cli("run", *PLAN, "--notify", f"cat > {told}", status=1).stderr
        self.assertIn("Alert: ", said)
        self.assertIn("The card is on fire.", said)
        message = json.loads(told.read_text(encoding="utf-8"))
        alert, = message["alerts"]
        self.assertEqual(alert["rule"], "failed")
        self.assertEqual(alert["case"], 2)
        self.assertIn("The card is on fire.", alert["message"])
        run, = json.loads(self.run_cli("show", "last", "--json").stdout)["runs"]
        self.assertEqual(message["run"]["id"], run["id"])
        self.assertEqual(sorted(self.kept().values()), [[], ["alert-failed"]])

    def test_webhook(self):
        hook = tap.serve(Hook(), self.addCleanup)
        said = self.run_cli("run", *PLAN, "--alert-above", "latency_p50_ms=0.01", "--notify-url", hook.address("/hook")).stderr
        self.assertIn("above the limit of 10\u00a0µs", said)
        (kind, message), = hook.posted
        self.assertEqual(kind, "application/json")
        self.assertEqual([alert["rule"] for alert in message["alerts"]], ["limit", "limit"])
        self.assertEqual(sorted(self.kept().values()), [["alert-limit"], ["alert-limit"]])

    def test_nobody_listens(self):
        """A refusal is said, and the run is as good as it was."""
        hook = tap.serve(Hook(), self.addCleanup)
        always = ("--alert-above", "latency_p50_ms=0.01")
        said = self.run_cli("run", *PLAN, *always, "--notify-url", hook.address("/refuse")).stderr
        self.assertIn("--notify-url failed.", said)
        self.assertIn("refuses the message: 403", said)
        self.assertEqual(len(hook.posted), 1)
        said = self.run_cli("run", *PLAN, *always, "--notify-url", "http://127.0.0.1:9/").stderr
        self.assertIn("cannot be reached", said)
        said = self.run_cli("run", *PLAN, *always, "--notify", "echo the door is shut >&2; exit 3").stderr
        self.assertIn("--notify failed. ", said)
        self.assertIn("the door is shut", said)

    def test_chosen_rules(self):
        self.play(BROKEN)
        said = self.run_cli("run", *PLAN, "--alert", "change,outlier", status=1).stderr
        self.assertNotIn("Alert: ", said)
        self.assertEqual(sorted(self.kept().values()), [[], []])

    def test_value_that_nothing_has(self):
        said = self.run_cli("run", *PLAN, "--alert-below", "no_such_value=1").stderr
        self.assertIn("No case has a number “no_such_value”", said)

    def test_refused_options(self):
        for arguments, words in ((("--alert", "luck"), "“luck” is no rule"),
                                 (("--alert-above", "latency_p50_ms"), "is no limit"),
                                 (("--notify-url", "mailto:me"), "--notify-url takes an address"),
                                 (("--on", "local", "--notify", "true"), "jobs watch")):
            with self.subTest(arguments=arguments):
                self.assertIn(words, self.run_cli("run", *PLAN, *arguments, status=2).stderr)
        self.assertIn("Only “dyno-cli jobs watch”", self.run_cli("jobs", "list", "--notify", "true", status=2).stderr)


if __name__ == "__main__":
    sys.exit(tap.main())
