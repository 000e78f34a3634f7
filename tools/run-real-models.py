#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs models of other people with Dyno, and prints what came of each.

Usage: run-real-models.py DYNO-CLI FOLDER [--only PATTERN] [--backend BACKEND]… [--jobs N] [--json FILE]

FOLDER is that of fetch-real-models.py. A model has a folder of its own, with model.onnx and, where somebody knows the right
outputs, a test vector (test_data_set_0). “models info” must explain each of them; “run” measures each for a moment, and
compares its outputs with the vector. Where Dyno refuses, what it says can be done is tried.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

KNOWN = pathlib.Path(__file__).with_name("real-models-known.json")
SHORT = ["--invocations", "1", "--warmup-steps", "1", "--warmup-seconds", "0", "--min-samples", "3", "--min-seconds", "0.01",
         "--max-seconds", "0.02", "--idle-seconds", "0", "--sampling-milliseconds", "0", "--power-milliseconds", "0",
         "--no-ceilings", "--json"]
LIMIT = 120  # seconds of a process
REMEDY = re.compile(r"(--(?:dim|input)[ =])?“?([A-Za-z_/][^\s”“=]*=[^\s”“;]*[^\s”“.,;])")

homes = threading.local()


def start(arguments):
    """Runs Dyno with a home of the thread's own. A process that hangs or crashes has a negative status."""
    if not hasattr(homes, "path"):
        homes.path = tempfile.mkdtemp(prefix="dyno-real-models-")
    environment = dict(os.environ, HOME=homes.path, XDG_DATA_HOME=f"{homes.path}/data", XDG_CACHE_HOME=f"{homes.path}/cache",
                       XDG_CONFIG_HOME=f"{homes.path}/config", LC_ALL="C.UTF-8", DYNO_NO_USUAL_SERVERS="1")
    try:
        done = subprocess.run(arguments, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", timeout=LIMIT)
        return done.returncode, done.stdout, done.stderr.strip()
    except subprocess.TimeoutExpired:
        return -1, "", f"it took more than {LIMIT} s"


def judge(result):
    """The outcome of a measured case, and why."""
    reason = result.get("reason", "")
    codes = {diagnostic["code"] for diagnostic in result["diagnostics"]}
    if result["status"] == "ok":
        return ("agreed" if "test-vector" in codes else "ran"), ""
    if "The answer is wrong" in reason or "test vector" in reason:
        return "wrong", reason
    return ("refused" if result["status"] == "skipped" else "failed"), reason


def measure(cli, folder, backends, extra):
    """The outcome of the model on each engine."""
    arguments = [cli, "run", "--model", str(folder / "model.onnx"), *SHORT, *extra]
    for backend in backends:
        arguments += ["--backend", backend]
    status, output, errors = start(arguments)
    if status < 0 or "CRITICAL" in errors or "WARNING" in errors:
        return {backend: ("crashed", errors) for backend in backends}
    if status == 2 or not output:
        return {backend: ("refused", errors) for backend in backends}
    results = json.loads(output)["runs"][0]["results"]
    return {result["case"]["backend"]: judge(result) for result in results}


def try_remedy(cli, folder, backend, reason):
    """What comes of the options that a refusal names, or None if it names none."""
    options = [f"{option.strip(' =') or '--dim'}={value}" for option, value in REMEDY.findall(reason)]
    if not options:
        return None
    outcome, why = measure(cli, folder, [backend], options)[backend]
    return f"{' '.join(options)}: {outcome}" + (f" ({why})" if why else "")


def examine(cli, folder, backends):
    """One row for each engine and way: as a person would first do it, and with the inputs of the test vector."""
    status, _, errors = start([cli, "models", "info", str(folder / "model.onnx"), "--json"])
    info = "" if status == 0 else f"models info: {errors or status}"
    vector = folder / "test_data_set_0"
    ways = {"alone": []} if folder.parent.name == "models" or not vector.is_dir() else {}
    if vector.is_dir():
        ways["vector"] = [f"--input=@{vector}"]
    rows = []
    for way, extra in ways.items():
        for backend, (outcome, reason) in measure(cli, folder, backends, extra).items():
            remedy = try_remedy(cli, folder, backend, reason) if outcome in ("refused", "failed") else None
            rows.append({"group": folder.parent.name, "model": folder.name, "way": way, "backend": backend,
                         "outcome": "crashed" if status < 0 else outcome, "reason": reason.replace(f"{folder}/", ""),
                         "remedy": remedy, "info": info.replace(f"{folder}/", "")})
    return rows


def explain(rows):
    """Marks the wrong answers that are known to be the engine's own, each with its reason."""
    known = json.loads(KNOWN.read_text(encoding="utf-8"))
    for row in rows:
        for entry in known:
            if (row["outcome"] == "wrong" and fnmatch.fnmatch(row["backend"], entry["backend"]) and
                    any(fnmatch.fnmatch(row["model"], pattern) for pattern in entry["models"])):
                row.update(outcome="known", reason=entry["why"])


def print_rows(rows):
    counts = collections.Counter((row["group"], row["way"], row["backend"], row["outcome"]) for row in rows)
    for row in sorted(rows, key=lambda row: (row["group"], row["model"], row["way"], row["backend"])):
        if row["group"] == "models" or row["outcome"] in ("wrong", "known", "failed", "crashed"):
            text = " · ".join(part for part in (row["reason"], row["remedy"], row["info"]) if part)
            print(f"{row['model']:28} {row['way']:6} {row['backend']:8} {row['outcome']:8} {text}")
    print()
    for (group, way, backend, outcome), n in sorted(counts.items()):
        print(f"{group:8} {way:6} {backend:8} {outcome:8} {n}")


def main():
    parser = argparse.ArgumentParser(description="Runs models of other people with Dyno.")
    parser.add_argument("cli", type=os.path.abspath)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", default="*", help="only models whose names match this pattern")
    parser.add_argument("--backend", action="append")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path, help="also write the rows there")
    options = parser.parse_args()
    folders = sorted(path.parent.resolve() for path in options.folder.glob("*/*/model.onnx")
                     if fnmatch.fnmatch(path.parent.name, options.only))
    rows = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in pool.map(lambda folder: examine(options.cli, folder, options.backend or ["cpu", "openvino"]), folders):
            rows += done
            if options.json:
                part = options.json.with_suffix(".part")
                part.write_text(json.dumps(rows, indent=1, ensure_ascii=False), encoding="utf-8")
                part.replace(options.json)
    explain(rows)
    print_rows(rows)
    return 1 if any(row["outcome"] in ("wrong", "crashed") for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
