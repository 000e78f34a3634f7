#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The end of what “./dev test” prints: why tests failed, and how many did what."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import tap  # noqa: E402

TOOL = pathlib.Path(__file__).resolve().parent.parent.parent / "tools" / "test-summary.py"

GOOD = {"name": "dyno:base / good", "stdout": "1..2\nok 1 /a\nok 2 /b # SKIP there is no engine\n", "result": "OK"}
ABORTED = {"name": "dyno:base / aborted", "result": "FAIL", "returncode": -6, "duration": 23.04,
           "stdout": "1..2\nok 1 /a\nnot ok /b - ERROR:../test-a.c:7:test_b: assertion failed (1 > 2): (1 > 2)\n"
                     "Bail out! ERROR:../test-a.c:7:test_b: assertion failed (1 > 2): (1 > 2)\n",
           "stderr": "**\nERROR:../test-a.c:7:test_b: assertion failed (1 > 2): (1 > 2)\n"}
RAISED = {"name": "dyno:cli / raised", "result": "FAIL", "returncode": 1, "duration": 2,
          "stdout": "1..2\nok 1 A.test_a\nnot ok 2 A.test_b\n",
          "stderr": 'Traceback (most recent call last):\n  File "a.py", line 2, in test_b\n    self.assertEqual(1, 2)\n\n'
                    "AssertionError: 1 != 2\n\n"}
HEADED = {"name": "dyno:data / headed", "result": "FAIL", "returncode": 1, "duration": 2,
          "stderr": "F\n" + "=" * 70 + "\nFAIL: test_a (__main__.A.test_a)\n" + "-" * 70 + "\n" + RAISED["stderr"] +
                    "Ran 1 test in 0.001s\n\nFAILED (failures=1)\n"}
SILENT = {"name": "dyno:app / silent", "result": "TIMEOUT", "returncode": -15, "duration": 540,
          "stdout": "1..9\nok 1 /a\n# Start of b tests\n", "stderr": "one\ntwo\nthree\nfour\n\n"}


class Summary(unittest.TestCase):
    def sum_up(self, *tests, before=(), status=1):
        """Returns the lines that the tool prints."""
        with tempfile.NamedTemporaryFile("w", encoding="utf-8") as log:
            log.writelines(json.dumps(test) + "\n" for test in tests)
            log.flush()
            done = subprocess.run([sys.executable, TOOL, log.name, *before], capture_output=True, text=True)
        self.assertEqual((done.stderr, done.returncode), ("", status))
        return done.stdout.splitlines()

    def test_counts(self):
        self.assertEqual(self.sum_up(GOOD, before=["set-up: passed", "other: skipped: no root"], status=0),
                         ["skipped: 2 /b: there is no engine", "skipped: other: no root", "2 passed, 0 failed, 2 skipped"])

    def test_assertion_of_glib(self):
        self.assertEqual(self.sum_up(ABORTED, GOOD)[-3:], [
            "failed: dyno:base / aborted was ended by SIGABRT after 23.0 s",
            "  not ok /b - ERROR:../test-a.c:7:test_b: assertion failed (1 > 2): (1 > 2)",
            "2 passed, 1 failed, 1 skipped"])

    def test_traceback(self):
        self.assertEqual(self.sum_up(RAISED)[-4:], [
            "failed: dyno:cli / raised ended with status 1 after 2.0 s", "  not ok 2 A.test_b", "  AssertionError: 1 != 2",
            "1 passed, 1 failed, 0 skipped"])

    def test_heading(self):
        self.assertEqual(self.sum_up(HEADED)[-4:-1], [
            "failed: dyno:data / headed ended with status 1 after 2.0 s", "  FAIL: test_a (__main__.A.test_a)",
            "  AssertionError: 1 != 2"])

    def test_last_words(self):
        self.assertEqual(self.sum_up(SILENT)[-8:-1], [
            "failed: dyno:app / silent took too long after 540.0 s", "  1..9", "  ok 1 /a", "  # Start of b tests",
            "  two", "  three", "  four"])

    def test_again(self):
        passes = ABORTED | {"result": "OK", "returncode": 0, "stdout": "1..2\nok 1 /a\nok 2 /b\n", "stderr": ""}
        with tempfile.NamedTemporaryFile("w", encoding="utf-8") as again:
            again.write(json.dumps(passes) + "\n")
            again.flush()
            self.assertEqual(self.sum_up(ABORTED, RAISED, before=["--again", again.name])[:3], [
                "passed alone, after it had failed beside other tests: dyno:base / aborted",
                "failed: dyno:base / aborted was ended by SIGABRT after 23.0 s",
                "  not ok /b - ERROR:../test-a.c:7:test_b: assertion failed (1 > 2): (1 > 2)"])
            self.assertEqual(self.sum_up(ABORTED, RAISED, before=["--again", again.name])[-1],
                             "3 passed, 1 failed, 0 skipped")
            self.assertEqual(self.sum_up(ABORTED, before=["--again", again.name, "set-up: passed"], status=0)[-1],
                             "3 passed, 0 failed, 0 skipped")

    def test_what_runs_again(self):
        self.assertEqual(self.sum_up(ABORTED, GOOD, before=["--list-failed"], status=0), ["aborted"])
        many = [ABORTED | {"name": f"dyno:base / {i}"} for i in range(5)]
        self.assertEqual(self.sum_up(*many, before=["--list-failed"], status=0), [""])

    def test_limits(self):
        many = RAISED | {"stdout": "".join(f"not ok {i} {'long ' * 100}\n" for i in range(20))}
        lines = self.sum_up(many)[1:-1]
        self.assertEqual(len(lines), 9)
        self.assertEqual(lines[-1], "  and 13 more such lines")
        self.assertLess(max(map(len, lines)), 310)


if __name__ == "__main__":
    tap.main()
