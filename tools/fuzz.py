#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the targets of libFuzzer in a build folder, as many at a time as there are processors, and prints a table of them.

fuzz.py BUILD [TARGET…] [--seconds N] [--executions N] [--jobs N]

Each target begins with its committed corpus and with BUILD/corpus/TARGET, to which it adds whatever reaches new code. It ends
after so many seconds or executions, or with its first finding, whose input is kept in BUILD/findings; with --executions alone it
has all the time that these take. Afterwards everything that the corpus has then is read again, for memory that was not freed and
for texts without an end: whose leak it is shows only in a whole stack, which takes long to record, and then each search in a text
reads it to its end. The exit status is 1 unless every target ran without a finding, and as often as it was to.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import time

# All targets on two processors within an hour, with some time to build.
SECONDS = 3300
TIMEOUT_SECONDS = 25
MEMORY_MB = 2048
STATISTIC = re.compile(rb"^stat::number_of_executed_units: *(\d+)", re.MULTILINE)
PROGRESS = re.compile(rb"^#(\d+)\s+(\w+)\s+.*?cov: (\d+)", re.MULTILINE)
ENGINE = re.compile(rb"^ +#0 .*/runtimes/", re.MULTILINE)
NOT_RUN = re.compile(rb"^Not run: .*$", re.MULTILINE)
REASON = re.compile(rb"^(?:SUMMARY: |.*ERROR: (?:\w+Sanitizer|libFuzzer)|dyno:ERROR:|.*-(?:CRITICAL|WARNING|ERROR) \*\*).*$", re.MULTILINE)


def list_targets(build, names):
    """The program, the corpus and the environment of each, as meson.build lists them."""
    introspected = subprocess.run(["meson", "introspect", "--tests", build], capture_output=True, check=True)
    targets = {}
    for test in json.loads(introspected.stdout):
        if "fuzz" in [suite.split(":")[-1] for suite in test["suite"]]:
            targets[test["name"].removeprefix("fuzz-")] = (test["cmd"][0], test["cmd"][-1], test["env"])
    unknown = [name for name in names if name not in targets]
    if unknown or not targets:
        sys.exit(f"fuzz.py: there is no target “{''.join(unknown[:1])}”. There are: {', '.join(sorted(targets))}.")
    return {name: targets[name] for name in sorted(names or targets)}


def run(build, name, target, options):
    """Returns the executions, how much code the corpus reached before and after them, whether it is done, and a remark."""
    program, seeds, environment = target
    corpus, findings, logs = (build / folder for folder in ("corpus", "findings", "logs"))
    for folder in (corpus / name, findings, logs):
        folder.mkdir(parents=True, exist_ok=True)
    command = [program, f"-timeout={TIMEOUT_SECONDS}", f"-rss_limit_mb={MEMORY_MB}", f"-artifact_prefix={findings}/{name}-"]
    log = logs / f"{name}.log"
    began = time.monotonic()
    executions = n_engine_crashes = size = 0

    def start(arguments, sanitizer):
        variables = environment | {"ASAN_OPTIONS": f"{os.environ.get('ASAN_OPTIONS', '')}:{sanitizer}"}
        with log.open("ab") as output:
            return subprocess.run([*command, *arguments, corpus / name, seeds], env=os.environ | variables,
                                  stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, check=False).returncode

    log.write_bytes(b"")
    while True:
        limits = ["-print_final_stats=1", "-detect_leaks=0"]
        limits += [f"-max_total_time={max(1, options.seconds - int(time.monotonic() - began))}"] if options.seconds else []
        limits += [f"-runs={max(1, options.executions - executions)}"] if options.executions else []
        status = start(limits, "detect_leaks=0:strict_string_checks=0")
        text = log.read_bytes()[size:]
        size += len(text)
        counted = STATISTIC.findall(text) or [step for step, _, _ in PROGRESS.findall(text)]
        executions += int(counted[-1]) if counted else 0
        if status == 0 or not ENGINE.search(text):
            break
        # A worker is a process of its own, so that an engine may crash. The next process goes on with other inputs.
        n_engine_crashes += 1
    status = status or start(["-runs=0"], "fast_unwind_on_malloc=0")
    text = log.read_bytes()
    steps = PROGRESS.findall(text[:text.rfind(b"stat::number_of_executed_units")])
    first = next((int(coverage) for _, kind, coverage in steps if kind == b"INITED"), 0)
    last = int(steps[-1][2]) if steps else 0
    reason = NOT_RUN.search(text) or REASON.search(text)
    is_done = status == 0 and executions >= (options.executions or 0)
    remark = f"{n_engine_crashes} crashes in the library of an engine" if n_engine_crashes else ""
    if status:
        remark = reason[0].decode(errors="replace")[:150] if reason else f"status {status}"
    elif not is_done:
        remark = f"Not done: short of {options.executions} executions."
    return name, executions, time.monotonic() - began, first, last, is_done, remark


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="all by default")
    parser.add_argument("--seconds", type=int, help="for each target; by default what an hour allows, or no limit with --executions")
    parser.add_argument("--executions", type=int, help="of each target")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many targets at a time")
    options = parser.parse_args()
    targets = list_targets(options.build, options.targets)
    if options.seconds is None and options.executions is None:
        options.seconds = SECONDS * options.jobs // len(targets)
    print("| Target | Executions | A second | Seconds | Coverage | New | Remark |\n|---|---|---|---|---|---|---|", flush=True)
    n_done = total = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = [pool.submit(run, options.build, name, target, options) for name, target in targets.items()]
        for done in concurrent.futures.as_completed(runs):
            name, executions, seconds, first, last, is_done, remark = done.result()
            total += executions
            n_done += is_done
            print(f"| {name} | {executions} | {executions / seconds:.0f} | {seconds:.0f} | {last} | {last - first} | {remark} |", flush=True)
    print(f"| all | {total} | | | | | {n_done} of {len(targets)} are done. |")
    return n_done < len(targets)


if __name__ == "__main__":
    sys.exit(main())
