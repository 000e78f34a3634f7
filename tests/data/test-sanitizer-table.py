#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of “./dev sanitize”, and its exit status: a build service fails for what a sanitizer reported, and for nothing else."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import tap  # noqa: E402

TOOL = pathlib.Path(__file__).resolve().parent.parent.parent / "tools" / "sanitizer-table.py"

GOOD = {"name": "dyno:base / good", "result": "OK"}
BAD = {"name": "dyno:base / bad", "result": "FAIL"}
LEAK = """==7==ERROR: LeakSanitizer: detected memory leaks

Direct leak of 64 byte(s) in 1 object(s) allocated from:
    #0 0x7fca in __interceptor_malloc ../../asan_malloc_linux.cpp:69
    #1 0x7fcb in g_malloc (/lib/x86_64-linux-gnu/libglib-2.0.so.0+0x5a658)
    #2 0x55aa in get_metas_cb ../src/app/shell/dyno-search-provider.c:152
"""


class Table(unittest.TestCase):
    def read(self, *tests, report="", again=(), status=0):
        """Returns the lines below the heads of the table."""
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder) / "build-sanitize"
            (build / "meson-logs").mkdir(parents=True)
            (build / "reports").mkdir()
            for name, logged in (("testlog", tests), ("again", again)):
                if logged:
                    (build / "meson-logs" / f"{name}.json").write_text("\n".join(map(json.dumps, logged)), encoding="utf-8")
            if report:
                (build / "reports" / "report.7").write_text(report, encoding="utf-8")
            done = subprocess.run([sys.executable, TOOL, build], capture_output=True, text=True)
        self.assertEqual((done.stderr, done.returncode), ("", status))
        return done.stdout.splitlines()[2:]

    def test_clean(self):
        self.assertEqual(self.read(GOOD), ["| build-sanitize | 1 | 0 | 0 | 0 |"])

    def test_finding(self):
        self.assertEqual(self.read(GOOD, BAD, report=LEAK, status=1), [
            "| build-sanitize | 2 | 1 | 0 | 1 |",
            "build-sanitize: leaks: Direct leak at src/app/shell/dyno-search-provider.c:152 (get_metas_cb), reported 1 times"])

    def test_finding_in_the_log(self):
        words = "null pointer passed as argument 2, which is declared to never be null"
        report = f"../backends/openvino/dyno-ov-session.c:578:3: runtime error: {words}\n"
        self.assertEqual(self.read(GOOD, {**BAD, "stderr": report}, status=1), [
            "| build-sanitize | 2 | 1 | 0 | 1 |",
            "build-sanitize: undefined behaviour: "
            f"runtime error: {words} at backends/openvino/dyno-ov-session.c:578, reported 1 times"])

    def test_leak_of_a_library(self):
        self.assertEqual(self.read(GOOD, report=LEAK.replace("../src/app/shell/dyno-search-provider.c:152", "(libgtk-4.so.1+0x5d)")),
                         ["| build-sanitize | 1 | 0 | 0 | 0 |"])

    def test_failed_without_finding(self):
        self.assertEqual(self.read(GOOD, BAD, status=2), ["| build-sanitize | 2 | 1 | 0 | 0 |"])

    def test_passed_alone(self):
        self.assertEqual(self.read(GOOD, BAD, again=[{**BAD, "result": "OK"}]), ["| build-sanitize | 2 | 0 | 0 | 0 |"])

    def test_nothing_ran(self):
        self.assertEqual(self.read(status=2), ["| build-sanitize | 0 | 0 | 0 | 0 |"])


if __name__ == "__main__":
    tap.main()
