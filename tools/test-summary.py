#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts what meson's testlog.json tells, each TAP line as one test, and says it in one last line.

Further arguments are tests that ran before: “NAME: passed”, “NAME: failed” or “NAME: skipped: REASON”.
"""

import json
import re
import sys

TAP_LINE = re.compile(r"^(not )?ok\b(.*)$", re.MULTILINE)
SKIP_ALL = re.compile(r"^1\.\.0\b.*# *skip", re.MULTILINE | re.IGNORECASE)
SKIP = re.compile(r"# *skip\b *(.*)", re.IGNORECASE)


def count(test):
    """Returns the numbers of passed, failed and skipped tests of one program."""
    passed = failed = skipped = 0
    output = test.get("stdout", "")
    for match in TAP_LINE.finditer(output):
        if skip := SKIP.search(match[2]):
            skipped += 1
            print(f"skipped: {match[2].split('#')[0].strip()}: {skip[1] or 'no reason given'}")
        elif match[1]:
            failed += 1
        else:
            passed += 1
    bad = test["result"] not in ("OK", "SKIP", "EXPECTEDFAIL")
    if bad and failed == 0:
        failed = 1
    elif passed + failed + skipped == 0:
        skipped = int(test["result"] == "SKIP" or SKIP_ALL.search(output) is not None)
        passed = 1 - skipped
    return passed, failed, skipped


def count_before(test):
    """Returns the same of a test that ran before, and says what came of it unless it passed."""
    name, outcome, *reason = test.split(": ", 2)
    if outcome != "passed":
        print(": ".join([outcome, name, *reason]))
    return [int(outcome == known) for known in ("passed", "failed", "skipped")]


def main():
    with open(sys.argv[1], encoding="utf-8") as log:
        tests = [json.loads(line) for line in log if line.strip()]
    numbers = [count(test) for test in tests] + [count_before(test) for test in sys.argv[2:]]
    totals = [sum(column) for column in zip(*numbers)] or [0, 0, 0]
    print("{} passed, {} failed, {} skipped".format(*totals))
    return 1 if totals[1] > 0 or totals[0] == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
