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

import os
import pathlib
import re
import shutil
import sys
import tempfile

import pairs

MODEL = "resnet-18"
SHAPE = "pixel_values[1,3,224,224]"
SECONDS = 4
WITHOUT_SAMPLER = ["--sampling-milliseconds", "0", "--power-milliseconds", "0"]


def measure_tool(tool, environment, model, threads):
    text = pairs.run([tool, "-m", model, "-d", "CPU", "-api", "sync", "-hint", "none", "-nstreams", "1", "-nthreads", str(threads),
                "-infer_precision", "f32", "-shape", SHAPE, "-t", str(SECONDS)], environment)
    return tuple(float(re.search(rf"{name}:\s+([0-9.]+) ms", text).group(1)) for name in ("Median", "Min"))


def main():
    cli = sys.argv[1]
    n_pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    threads = int(sys.argv[3]) if len(sys.argv) > 3 else len(os.sched_getaffinity(0))
    tool = os.environ.get("DYNO_BENCHMARK_APP") or shutil.which("benchmark_app")
    if tool is None:
        print("Skipped: there is no benchmark_app. “pip install openvino” brings it; DYNO_BENCHMARK_APP may say where it is.")
        return pairs.SKIPPED
    with tempfile.TemporaryDirectory(prefix="dyno-bench-agreement-") as folder:
        environment = os.environ | {"XDG_CACHE_HOME": f"{folder}/cache", "DYNO_DATA_DIR": f"{folder}/data"}
        model = pathlib.Path(folder, "model.onnx")
        pairs.run([cli, "models", "export", MODEL, model], environment)
        for name, options in (("as it is", []), ("without the sampler", WITHOUT_SAMPLER)):
            pairs.compare(
                f"openvino:CPU {name} over benchmark_app, {threads} threads", n_pairs,
                lambda options=options: pairs.measure_dyno(cli, environment, model, "openvino:CPU", threads, SECONDS, options),
                lambda: measure_tool(tool, environment, model, threads))
    return 0


if __name__ == "__main__":
    sys.exit(main())
