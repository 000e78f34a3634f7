#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts what meson's testlog.json tells, each TAP line as one test, and says it in one last line, after why tests failed.

test-summary.py LOG [--again LOG] [TEST…]: the second log is that of the few programs that failed in the first, and ran
once more alone; each of these is told, whatever came of it. A TEST ran before: “NAME: passed”, “NAME: failed” or “NAME:
skipped: REASON”. test-summary.py LOG --list-failed: names those programs, and none where too many failed.
"""

import argparse
import json
import re
import signal
import sys

TAP_LINE = re.compile(r"^(not )?ok\b(.*)$", re.MULTILINE)
SKIP_ALL = re.compile(r"^1\.\.0\b.*# *skip", re.MULTILINE | re.IGNORECASE)
SKIP = re.compile(r"# *skip\b *(.*)", re.IGNORECASE)

# A line of TAP, of GLib or the heading of a test of Python's unittest; the last line of a traceback has no indentation.
REASON = re.compile(r"^(not ok\b|Bail out!|(FAIL|ERROR): |.*\bERROR:\S+:\d+:)")
TRACEBACK = "Traceback (most recent call last):"
MAX_REASONS = 9
MAX_AGAIN = 4
MAX_LAST_WORDS = 3
MAX_COLUMNS = 300


def is_bad(test):
    return test["result"] not in ("OK", "SKIP", "EXPECTEDFAIL")


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
    if is_bad(test) and failed == 0:
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


def find_reasons(output):
    """Returns the lines of an output that say why a test failed."""
    reasons = []
    in_traceback = False
    for line in output.splitlines():
        ends_traceback = in_traceback and line.strip() != "" and not line[0].isspace()
        if REASON.match(line) or ends_traceback:
            reasons.append(line)
        in_traceback = line.startswith(TRACEBACK) or (in_traceback and not ends_traceback)
    return reasons


def list_reasons(test):
    """Returns why a program failed; where nothing in its outputs says so, what it wrote last."""
    outputs = [test.get("stdout", ""), test.get("stderr", "")]
    reasons = sum(map(find_reasons, outputs), [])
    # GLib writes the same reason up to three times.
    reasons = [line for i, line in enumerate(reasons)
               if not any(line.removeprefix("Bail out! ") in other for other in reasons[:i])]
    if len(reasons) > MAX_REASONS:
        reasons[MAX_REASONS - 1:] = [f"and {len(reasons) - MAX_REASONS + 1} more such lines"]
    return reasons or [line for output in outputs
                       for line in [line for line in output.splitlines() if line.strip()][-MAX_LAST_WORDS:]]


def name_end(test):
    """Returns how a program ended."""
    status = test.get("returncode", 0)
    if test["result"] == "TIMEOUT":
        end = "took too long"
    elif status < 0:
        end = f"was ended by {signal.Signals(-status).name}"
    else:
        end = f"ended with status {status}"
    return f"{end} after {test.get('duration', 0):.1f} s"


def explain_failure(test):
    print(f"failed: {test['name']} {name_end(test)}")
    for line in list_reasons(test):
        print("  " + (line if len(line) <= MAX_COLUMNS else line[:MAX_COLUMNS] + "…"))


def read_log(path):
    with open(path, encoding="utf-8") as log:
        return {test["name"]: test for test in map(json.loads, filter(str.strip, log))}


def list_failed(tests):
    """More than a few did not fail because the machine was busy."""
    failed = [name.split(" / ")[-1] for name, test in tests.items() if is_bad(test)]
    print("\n".join(failed if len(failed) <= MAX_AGAIN else []))
    return 0


def take_again(tests, again):
    """What failed beside others and passes alone counts as passed, and is told with what it said the first time."""
    for name, test in again.items():
        if is_bad(tests[name]) and not is_bad(test):
            print(f"passed alone, after it had failed beside other tests: {name}")
            explain_failure(tests[name])
        tests[name] = test


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("log")
    parser.add_argument("--again")
    parser.add_argument("--list-failed", action="store_true")
    parser.add_argument("before", nargs="*")
    options = parser.parse_intermixed_args()
    tests = read_log(options.log)
    if options.list_failed:
        return list_failed(tests)
    if options.again:
        take_again(tests, read_log(options.again))
    numbers = [count(test) for test in tests.values()] + [count_before(test) for test in options.before]
    totals = [sum(column) for column in zip(*numbers)] or [0, 0, 0]
    for test in filter(is_bad, tests.values()):
        explain_failure(test)
    print("{} passed, {} failed, {} skipped".format(*totals))
    return 1 if totals[1] > 0 or totals[0] == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
