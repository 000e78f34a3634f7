#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How often a comparison is wrong: bench-compare.py DYNO-CLI [RUNS]

The fake backend plays the same model on three devices, of which two are equally fast and one takes 3 % longer; every
process also draws a factor of its own, as processes do. Each run measures them in five blocks. Within a run, and from
run to run, the equal ones are compared (a verdict other than “same” or “not enough data” is a false alarm), and so is
the slow one with a fast one (which is to be found).

Then the CPU backend runs a real model, and the same one with a layer more, which is 3 % more work. Each is a run of its
own, because it is one model to a plan; they take turns, so what this machine does meanwhile is part of the figures. The
machine is compared with itself first, as people are advised to: what differs by less than its noise floor is not to be
called a difference, so where the floor is above 3 %, nothing can be found.
"""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = {
    "runtime": "Fake 1.0",
    "seed": 7,
    "devices": [
        {"id": "one", "name": "One"},
        {"id": "same", "name": "Same"},
        {"id": "slow", "name": "Slow", "time_factor": 1.03},
    ],
    "latency": {"base_us": 400, "noise": 0.02, "process_noise": 0.005},
}
MEASURE = ["run", "-m", "bert-tiny", "--sequence", "8", "-b", "fake:one", "-b", "fake:same", "-b", "fake:slow",
           "--invocations", "5", "--warmup-seconds", "0.02", "--min-seconds", "1", "--max-seconds", "2",
           "--idle-seconds", "0", "--json"]
# An encoder of as many equal layers, and next to nothing beside them: one more is 3 % more.
LAYERS = 33
CONFIG = {"model_type": "bert", "architectures": ["BertModel"], "vocab_size": 64, "hidden_size": 128,
          "num_attention_heads": 2, "intermediate_size": 512, "hidden_act": "gelu", "max_position_embeddings": 64,
          "type_vocab_size": 2, "layer_norm_eps": 1e-12, "pad_token_id": 0}
MEASURE_REAL = ["--sequence", "32", "-b", "cpu", "--threads", "1", "--invocations", "5", "--warmup-seconds", "0.5",
                "--min-seconds", "2", "--max-seconds", "4", "--idle-seconds", "0", "--no-ceilings", "--json"]
ALARMS = ("faster", "slower")


def call(cli, environment, *arguments):
    done = subprocess.run([cli, *arguments], env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{arguments}: {done.stderr}")
    return json.loads(done.stdout)


def verdicts_within(cli, environment, run):
    """The verdicts of one run: of the same and of the slow device."""
    comparison = call(cli, environment, "compare", run, "--by", "backend", "--json")
    titles = [side["title"] for side in comparison["sides"]]
    return {titles[case["side"]].split(":")[-1]: case["verdict"] for case in comparison["cases"]}


def verdicts_across(cli, environment, before, after):
    """The verdicts of the same devices in two runs; what was never steady is not judged."""
    comparison = call(cli, environment, "compare", before, after, "--json")
    return [case["verdict"] for case in comparison["cases"]] + ["not-judged"] * len(comparison["left_out"])


def measure_real(cli, environment, config, n_layers):
    """A run of the model with so many layers, and the work of a step in FLOPs."""
    config.write_text(json.dumps(CONFIG | {"num_hidden_layers": n_layers}), encoding="utf-8")
    run = call(cli, environment, "run", "-m", str(config), *MEASURE_REAL)["runs"][0]
    values = {value["name"]: value.get("value") for value in run["results"][0]["values"]}
    return run["id"], values["flops"]


def tell_floor(cli, environment):
    """Measures the noise floor of this machine, which binds every verdict after it."""
    floor = 100 * call(cli, environment, "selftest", "--json")["noise_floor"]
    print(f"Noise floor of this machine: {floor:.1f} %", flush=True)


def compare_real(cli, environment, folder, n_pairs):
    """Verdicts of a real model on itself, and on the same one with a layer more."""
    config = pathlib.Path(folder) / "encoder.json"
    tell_floor(cli, environment)
    equal, more = collections.Counter(), collections.Counter()
    before = share = None
    for _ in range(n_pairs):
        less_run, less_work = measure_real(cli, environment, config, LAYERS)
        more_run, more_work = measure_real(cli, environment, config, LAYERS + 1)
        share = 100 * (more_work / less_work - 1)
        more.update(verdicts_across(cli, environment, less_run, more_run))
        if before is not None:
            equal.update(verdicts_across(cli, environment, before, less_run))
        before = less_run
    tell("False alarms of a real model on itself, from run to run", equal, ALARMS, "at most 5 %")
    tell(f"A real model with {share:.2f} % more work found, from run to run", more, ("slower",),
         "at least 95 %, where it is above the noise")


def has_cpu(cli, environment):
    """Whether the CPU backend can run here; it says why where not."""
    backends = call(cli, environment, "hardware", "--json")["backends"]
    cpu = next(backend for backend in backends if backend["id"] == "cpu")
    if cpu["state"] != "available":
        print(f"No real model: {cpu['reason']}")
    return cpu["state"] == "available"


def tell(name, counts, wanted, goal):
    total = sum(counts.values())
    share = sum(counts[verdict] for verdict in wanted) / total if total else float("nan")
    listed = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    print(f"{name}: {100 * share:.1f} % of {total} (goal {goal}); {listed}", flush=True)
    print(f"| {name[0].lower()}{name[1:]} | {100 * share:.1f} % of {total} | {goal} |", flush=True)


def main():
    cli = sys.argv[1]
    n_runs = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    within = {"same": collections.Counter(), "slow": collections.Counter()}
    across = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="dyno-bench-compare-") as folder:
        script = pathlib.Path(folder) / "script.json"
        script.write_text(json.dumps(SCRIPT), encoding="utf-8")
        environment = os.environ | {"DYNO_DATA_DIR": f"{folder}/data", "DYNO_FAKE_BACKEND": str(script)}
        before = None
        for _ in range(n_runs):
            run = call(cli, environment, *MEASURE)["runs"][0]["id"]
            for device, verdict in verdicts_within(cli, environment, run).items():
                within[device][verdict] += 1
            if before is not None:
                across.update(verdicts_across(cli, environment, before, run))
            before = run
        tell("False alarms between equals, in blocks of one run", within["same"], ALARMS, "at most 5 %")
        tell("False alarms between equals, from run to run", across, ALARMS, "at most 5 %")
        tell("3 % more found, in five blocks of one run", within["slow"], ("slower",), "at least 95 %")
        if has_cpu(cli, environment):
            compare_real(cli, environment, folder, max(n_runs // 2, 1))


if __name__ == "__main__":
    main()
