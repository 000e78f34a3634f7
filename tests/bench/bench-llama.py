#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether Dyno measures llama.cpp as llama-bench does: bench-llama.py DYNO-CLI LLAMA-LOOP [PAIRS] [THREADS]

The same file on the same library with as many threads, each time in a process of its own, in the order ABBA: a prompt of 512
tokens (pp512) and the mean of 128 tokens one by one on an empty cache (tg128), in two precisions. No package has a
llama-bench of the releases that Dyno opens, so a loop of the same calls takes its place (llama-loop.c); where LLAMA_BENCH
names the program of the same release, it is taken.
"""

import json
import os
import pathlib
import sys
import tempfile

import pairs

MODEL = "SmolLM2-135M"
SECONDS = 5
PRECISIONS = "fp16", "q4_k_m"


def find_library(cli, environment):
    found = json.loads(pairs.run([cli, "hardware", "--json"], environment))
    backend = next(backend for backend in found["backends"] if backend["id"] == "llamacpp")
    if backend["state"] != "available":
        return None
    if os.environ.get("DYNO_LLAMA_CPP"):
        return os.environ["DYNO_LLAMA_CPP"]
    version = backend["runtime"].split()[-1]
    folders = os.environ.get("DYNO_RUNTIMES_DIR", os.path.expanduser("~/.local/share/dyno/runtimes"))
    return next((str(path) for path in pathlib.Path(folders).glob(f"llama.cpp*-{version}/libllama.so")), None)


def measure_dyno(cli, environment, precision, threads, is_prompt):
    sizes = ["--sequence", "512"] if is_prompt else ["--sequence", "1", "--generate", "129"]
    values = pairs.measure(cli, environment, MODEL, "llamacpp", threads, SECONDS, ["--precision", precision, *sizes])
    names = ("latency_p50_ms", "latency_min_ms") if is_prompt else ("inter_token_latency_ms",)
    return tuple(values[name] for name in names)


def measure_loop(loop, library, environment, model, threads, is_prompt):
    text = pairs.run([loop, library, model, str(threads), *(("pp", "512") if is_prompt else ("tg", "128")), str(SECONDS)],
                     environment)
    return tuple(map(float, text.split()))[:2 if is_prompt else 1]


def measure_tool(tool, environment, model, threads, is_prompt):
    sizes = ["-p", "512", "-n", "0"] if is_prompt else ["-p", "0", "-n", "128"]
    (result,) = json.loads(pairs.run([tool, "-m", model, "-t", str(threads), *sizes, "-o", "json"], environment))
    times = sorted(ns / 1e6 / (1 if is_prompt else 128) for ns in result["samples_ns"])
    return (times[len(times) // 2], times[0])[:2 if is_prompt else 1]


def main():
    cli, loop = sys.argv[1:3]
    n_pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    threads = int(sys.argv[4]) if len(sys.argv) > 4 else len(os.sched_getaffinity(0))
    tool = os.environ.get("LLAMA_BENCH")
    with tempfile.TemporaryDirectory(prefix="dyno-bench-llama-") as folder:
        environment = os.environ | {"XDG_CACHE_HOME": f"{folder}/cache", "DYNO_DATA_DIR": f"{folder}/data"}
        library = find_library(cli, os.environ)
        if library is None:
            print("Skipped: llama.cpp is not installed. “dyno-cli engines install llama.cpp” brings it.")
            return pairs.SKIPPED
        for precision in PRECISIONS:
            measure_dyno(cli, environment, precision, threads, True)  # writes the file
            (model,) = pathlib.Path(folder, "cache").glob(f"**/llama-gguf-{precision}-*/model.gguf")
            for is_prompt, name in ((True, "pp512"), (False, "tg128")):
                pairs.compare(
                    f"llamacpp over {'llama-bench' if tool else 'a bare loop'}, {precision} {name}, {threads} threads", n_pairs,
                    lambda p=precision, i=is_prompt: measure_dyno(cli, environment, p, threads, i),
                    lambda m=model, i=is_prompt: measure_tool(tool, environment, m, threads, i) if tool else
                    measure_loop(loop, library, environment, m, threads, i))
    return 0


if __name__ == "__main__":
    sys.exit(main())
