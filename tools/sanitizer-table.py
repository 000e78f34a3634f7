#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints a table of the tests that ran under sanitizers, and below it each finding once, with how often it was reported.

sanitizer-table.py BUILD…: each build folder has meson's log of the tests and, beside or in `reports/`, a file for each process
that reported something, whoever started it; the runtime for undefined behaviour knows no such file beside that for addresses, and
writes into the log. A leak counts if a function of ours is on its stack. The exit status is 1 if there are findings, else 2 if a
test failed or none ran.
"""

import collections
import json
import pathlib
import re
import sys

HEADS = (
    (re.compile(r"ERROR: AddressSanitizer:? ([\w-]+)"), "addresses"),
    (re.compile(r"((?:Direct|Indirect) leak) of"), "leaks"),
    (re.compile(r"WARNING: ThreadSanitizer: ([\w -]+?) \("), "threads"),
    (re.compile(r"(runtime error: .*)"), "undefined behaviour"),
)
# A frame in the program's own code, relative to a build folder beside it.
OWN = re.compile(r"#\d+ (?:0x[0-9a-f]+ in )?(\S+) \S*?((?:src|metrics|backends|tests)/[\w./-]+\.[ch]:\d+)")
ANY = re.compile(r"#\d+ (?:0x[0-9a-f]+ in )?(\S+) (\S+)")
AT = re.compile(r"\S*?((?:src|metrics|backends|tests)/[\w./-]+\.[ch]:\d+)(?::\d+)?: runtime error")


def read_tests(build):
    log = build / "meson-logs" / "testlog.json"
    tests = [json.loads(line) for line in log.read_text().splitlines() if line.strip()] if log.exists() else []
    again = build / "meson-logs" / "again.json"
    alone = {test["name"]: test for test in map(json.loads, again.read_text().splitlines())} if again.exists() else {}
    return [alone.get(test["name"], test) for test in tests]


def split_reports(text):
    """Yields the kind, the words and the lines of each report in a file."""
    kind, words, lines = None, None, []
    for line in text.splitlines():
        for pattern, name in HEADS:
            if match := pattern.search(line):
                if kind:
                    yield kind, words, lines
                kind, words, lines = name, match[1], []
        lines.append(line)
    if kind:
        yield kind, words, lines


def find_place(lines):
    """Returns where the first of our own functions on the stack is; of another library, its uppermost function."""
    text = "\n".join(lines)
    if match := AT.search(text):
        return match[1]
    if match := OWN.search(text):
        return f"{match[2]} ({match[1]})"
    match = ANY.search(text)
    return f"{match[2]} ({match[1]})" if match else "an unknown place"


def read_findings(build, tests):
    findings = collections.Counter()
    texts = [path.read_text(errors="replace") for path in sorted([*build.glob("report.*"), *(build / "reports").glob("*")])]
    for text in [*texts, *(test.get("stderr", "") for test in tests)]:
        for kind, words, lines in split_reports(text):
            if kind != "leaks" or OWN.search("\n".join(lines)):
                findings[kind, words, find_place(lines)] += 1
    return findings


def main(builds):
    is_incomplete = False
    print("| Build | Programs | Failed | Skipped | Findings |\n|---|---|---|---|---|")
    found = {}
    for build in map(pathlib.Path, builds):
        tests = read_tests(build)
        failed = [test["name"] for test in tests if test["result"] not in ("OK", "SKIP", "EXPECTEDFAIL")]
        skipped = sum(test["result"] == "SKIP" for test in tests)
        found[build.name] = read_findings(build, tests)
        is_incomplete |= bool(failed or not tests)
        print(f"| {build.name} | {len(tests)} | {len(failed)} | {skipped} | {len(found[build.name])} |")
    for name, findings in found.items():
        for (kind, words, place), count in sorted(findings.items()):
            print(f"{name}: {kind}: {words} at {place}, reported {count} times")
    return 1 if any(found.values()) else 2 if is_incomplete else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
