# SPDX-License-Identifier: GPL-3.0-or-later
"""Two ways to measure the same, in pairs of processes in the order ABBA."""

import json
import math
import subprocess
import sys

SKIPPED = 77


def run(command, environment):
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def measure(cli, environment, model, backend, threads, seconds, options=()):
    """The values of a case by name."""
    report = json.loads(run([cli, "run", "-m", model, "-b", backend, "--threads", str(threads), "--invocations", "1",
                             "--warmup-seconds", "1", "--min-seconds", str(seconds), "--max-seconds", str(seconds),
                             "--idle-seconds", "0", "--no-ceilings", "--json", *options], environment))
    return {value["name"]: value.get("value") for value in report["runs"][0]["results"][0]["values"]}


def measure_dyno(*arguments):
    """The median and the least latency of a step, in ms."""
    values = measure(*arguments)
    return values["latency_p50_ms"], values["latency_min_ms"]


def compare(title, n_pairs, measure, measure_other):
    """Prints the ratios of the medians and of the least latencies, which both functions give."""
    pairs = []
    for pair in range(n_pairs):
        first, second = (measure, measure_other) if pair % 2 == 0 else (measure_other, measure)
        answers = first(), second()
        pairs.append(answers if pair % 2 == 0 else answers[::-1])
    for i, name in enumerate(("medians", "fastest steps")):
        ratios = [own[i] / other[i] for own, other in pairs]
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"{title}, {name}: {mean:.3f} ({min(ratios):.3f} to {max(ratios):.3f} in {len(ratios)} pairs; goal at most 1.01)",
              flush=True)
