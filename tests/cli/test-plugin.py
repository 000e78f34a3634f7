#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A backend, a metric and a kind of chart from outside the tree, which the programs tell about everywhere without being told more.

Usage: test-plugin.py DYNO-CLI PLUG-IN
"""

import csv
import io
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap

PLUGIN = sys.argv.pop()
CLI = sys.argv.pop()


class PluginTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tap.make_folder("dyno-plugin-", cls.addClassCleanup)
        cls.environment = os.environ | tap.without_engines() | tap.use_cache(cls.folder / "cache") | {
            "DYNO_PLUGINS": PLUGIN, "DYNO_DATA_DIR": str(cls.folder / "data")}
        cls.call("run", "--model", "bert-tiny", "--backend", "stub", "--invocations", "1", "--warmup-seconds", "0.05", "--min-seconds", "0.1",
                 "--max-seconds", "0.5")

    @classmethod
    def call(cls, *arguments):
        done = subprocess.run([CLI, *arguments], env=cls.environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, check=False)
        if done.returncode != 0:
            raise AssertionError(f"{arguments}: {done.returncode}: {done.stderr}{done.stdout}")
        return done.stdout

    def test_hardware(self):
        backends = json.loads(self.call("hardware", "--json"))["backends"]
        stub = next(backend for backend in backends if backend["id"] == "stub")
        self.assertEqual((stub["state"], stub["runtime"]), ("available", "Stub 1.0"))
        self.assertIn("stub:stub0", self.call("hardware"))

    def test_completion(self):
        offered = self.call("complete", "--", "run", "--backend", "st").split()
        self.assertIn("stub", offered)

    def test_chart(self):
        self.assertIn("stub-answers", self.call("complete", "--", "export", "--chart", "st").split())
        folder = self.folder / "charts"
        self.call("export", "last", "-o", str(folder), "--chart", "stub-answers", "--format", "svg")
        (picture,) = folder.glob("*stub-answers*.svg")
        self.assertGreater(picture.stat().st_size, 1000)
        self.call("export", "last", "-o", str(folder), "--chart", "all", "--format", "svg")
        self.assertGreater(len(list(folder.glob("*.svg"))), 3)

    def test_show(self):
        self.assertRegex(self.call("show", "last", "--case", "1"), r"stub_answer +42")
        self.assertIn("Stub device", self.call("show", "last"))

    def test_reports(self):
        rows = list(csv.DictReader(io.StringIO(self.call("report", "last", "--format", "csv"))))
        self.assertEqual((rows[0]["backend"], float(rows[0]["stub_answer"])), ("stub", 42))
        self.assertIn("Stub device", self.call("report", "last", "--format", "markdown"))
        values = json.loads(self.call("show", "last", "--json"))
        self.assertIn("stub_answer", json.dumps(values))

    def test_view(self):
        path = self.call("store", "path").strip()
        with sqlite3.connect(path) as database:
            self.assertEqual(database.execute("SELECT stub_answer FROM benchmark_results").fetchall(), [(42.0,)])


if __name__ == "__main__":
    sys.exit(tap.main())
