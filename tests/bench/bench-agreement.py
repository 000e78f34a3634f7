#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether Dyno and OpenVINO's own tool measure the same: bench-agreement.py DYNO-CLI [PAIRS] [THREADS]

The same model file, in the same precision, with as many threads and one stream, each time in a process of its own:
`openvino:CPU` and `benchmark_app -api sync`, in the order ABBA. The ratio of the medians is what the two tools tell people;
that of the fastest steps is what other programs on the machine disturb least.

benchmark_app comes with the Python package `openvino`; take the version of the library that Dyno opens. It is found in
the PATH, or where DYNO_BENCHMARK_APP says. Dyno differs in two ways that are meant: it goes through four requests with
inputs of their own, where the tool runs one request again and again, and it reads memory and sensors meanwhile. What
the second takes is told apart: every pair is measured without it as well.
"""

import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
MODEL = "resnet-18"
SHAPE = "pixel_values[1,3,224,224]"
SECONDS = 4
WITHOUT_SAMPLER = ["--sampling-milliseconds", "0", "--power-milliseconds", "0"]


def run(command, environment):
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def measure_dyno(cli, environment, model, threads, options):
    """The median and the least latency of a step, in ms."""
    report = json.loads(run([cli, "run", "-m", model, "-b", "openvino:CPU", "--threads", str(threads), "--invocations", "1",
                             "--warmup-seconds", "1", "--min-seconds", str(SECONDS), "--max-seconds", str(SECONDS),
                             "--idle-seconds", "0", "--no-ceilings", "--json", *options], environment))
    values = {value["name"]: value.get("value") for value in report["runs"][0]["results"][0]["values"]}
    return values["latency_p50_ms"], values["latency_min_ms"]


def measure_tool(tool, environment, model, threads):
    text = run([tool, "-m", model, "-d", "CPU", "-api", "sync", "-hint", "none", "-nstreams", "1", "-nthreads", str(threads),
                "-infer_precision", "f32", "-shape", SHAPE, "-t", str(SECONDS)], environment)
    return tuple(float(re.search(rf"{name}:\s+([0-9.]+) ms", text).group(1)) for name in ("Median", "Min"))


def find_model(cli, environment, folder):
    """The file that Dyno makes of a bundled model, kept so that both read the same."""
    run([cli, "run", "-m", MODEL, "--invocations", "1", "--min-seconds", "0", "--max-seconds", "0.1", "--min-samples", "1",
         "--idle-seconds", "0", "--no-ceilings", "--json"], environment)
    made = next(pathlib.Path(environment["XDG_CACHE_HOME"]).glob("dyno/models/*/model.onnx"))
    return shutil.copy(made, pathlib.Path(folder, "model.onnx"))


def tell(name, ratios):
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"{name}: {mean:.3f} ({min(ratios):.3f} to {max(ratios):.3f} in {len(ratios)} pairs; goal at most 1.01)", flush=True)


def main():
    cli = sys.argv[1]
    n_pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    threads = int(sys.argv[3]) if len(sys.argv) > 3 else len(os.sched_getaffinity(0))
    tool = os.environ.get("DYNO_BENCHMARK_APP") or shutil.which("benchmark_app")
    if tool is None:
        print("Skipped: there is no benchmark_app. “pip install openvino” brings it; DYNO_BENCHMARK_APP may say where it is.")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="dyno-bench-agreement-") as folder:
        environment = os.environ | {"XDG_CACHE_HOME": f"{folder}/cache", "DYNO_DATA_DIR": f"{folder}/data"}
        model = find_model(cli, environment, folder)
        for name, options in (("as it is", []), ("without the sampler", WITHOUT_SAMPLER)):
            medians, minima = [], []
            for pair in range(n_pairs):
                if pair % 2 == 0:
                    own = measure_dyno(cli, environment, model, threads, options)
                theirs = measure_tool(tool, environment, model, threads)
                if pair % 2 == 1:
                    own = measure_dyno(cli, environment, model, threads, options)
                medians.append(own[0] / theirs[0])
                minima.append(own[1] / theirs[1])
            tell(f"openvino:CPU {name} over benchmark_app, {threads} threads, medians", medians)
            tell(f"openvino:CPU {name} over benchmark_app, {threads} threads, fastest steps", minima)
    return 0


if __name__ == "__main__":
    sys.exit(main())
