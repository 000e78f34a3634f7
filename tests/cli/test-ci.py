#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the steps of the example workflows of data/ci on a small model, and the gate on results that are known.

Usage: test-ci.py DYNO-CLI FOLDER-OF-WORKFLOWS
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap

EXAMPLES = pathlib.Path(sys.argv.pop(2))
CLI = pathlib.Path(sys.argv.pop(1)).resolve()
QUICKLY = "-m bert-tiny --invocations 1 --warmup-seconds 0.05 --min-seconds 0.1 --max-seconds 0.5"


def steps(name):
    """The commands of a workflow that are Dyno's."""
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    return [line for line in re.findall(r"^\s*(?:run:|-) (.*dyno-cli .*)$", text, re.MULTILINE)]


class Ci(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="dyno-ci-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "dyno-cli").symlink_to(CLI)
        self.environment = os.environ | {
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "DYNO_DATA_DIR": str(self.folder / "data"),
            "DYNO_CASES": QUICKLY, "DYNO_SELFTEST": "16s"}

    def run_shell(self, command, status=0):
        done = subprocess.run(["sh", "-e", "-c", command], cwd=self.folder, env=self.environment, capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, status, f"{command}: {done.stderr}{done.stdout}")
        return done.stdout

    def read_suite(self):
        return xml.etree.ElementTree.parse(self.folder / "dyno.xml").getroot().find("testsuite")

    def test_workflows(self):
        hardware = json.loads(self.run_shell("dyno-cli hardware --json"))
        cpu = next(backend for backend in hardware["backends"] if backend["id"] == "cpu")
        if cpu["state"] != "available":
            tap.skip_without_engine(self, "cpu", cpu["reason"])
        commands = steps("github-workflow.yml")
        self.assertEqual(commands, steps("gitlab-ci.yml"))
        self.assertEqual(len(commands), 3)
        for command in commands:
            self.run_shell(command)
        self.assertIn("## Results", (self.folder / "dyno.md").read_text(encoding="utf-8"))
        suite = self.read_suite()
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("skipped")), ("1", "0", "1"))
        self.assertTrue((self.folder / "branch.dyno").exists())
        comparison = json.loads(self.run_shell("dyno-cli ci --baseline main.dyno branch.dyno --json"))
        # One process is too few for a verdict; on a busy machine the case may never even have become steady.
        ((verdict, reason),) = ([(case["verdict"], "") for case in comparison["cases"]] +
                                [("", left_out["reason"]) for left_out in comparison["left_out"]])
        self.assertTrue(verdict == "not-enough-data" or reason.startswith("Never steady in "), f"{verdict}{reason}")

    def test_usage(self):
        self.run_shell("dyno-cli ci branch.dyno", status=2)
        self.run_shell("dyno-cli ci -m bert-tiny --baseline main.dyno branch.dyno", status=2)
        self.run_shell("dyno-cli ci --baseline main.dyno --threshold little branch.dyno", status=2)
        self.run_shell("dyno-cli ci --baseline nosuch.dyno nosuch.dyno", status=1)


if __name__ == "__main__":
    sys.exit(tap.main())
