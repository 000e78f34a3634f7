#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""benchstat itself compares two reports in Go’s benchmark text.

Usage: test-benchstat.py WRITE-REPORT
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap

WRITER = sys.argv.pop(1)
BENCHSTAT = shutil.which("benchstat")


@unittest.skipIf(BENCHSTAT is None, "“benchstat” is not installed.")
class Benchstat(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, *arguments):
        text = subprocess.run([WRITER, "gobench", *arguments], capture_output=True, text=True, check=True).stdout
        (self.folder / name).write_text(text, encoding="utf-8")

    def compare(self, *arguments):
        result = subprocess.run([BENCHSTAT, *arguments], cwd=self.folder, capture_output=True, text=True, check=True)
        self.assertEqual(result.stderr, "")
        return result.stdout

    def test_two_files(self):
        self.write("main.bench", "1")
        self.write("branch.bench", "1")
        text = self.compare("main.bench", "branch.bench")
        self.assertIn("vs base", text)
        self.assertIn("(p=1.000 n=6)", text)
        self.assertNotIn("∞", text)

    def test_two_runs_in_a_file(self):
        self.write("all.bench", "2")
        self.assertIn("vs base", self.compare("-col", "run", "all.bench"))


if __name__ == "__main__":
    sys.exit(tap.main())
