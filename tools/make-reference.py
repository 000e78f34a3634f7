#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes data/reference.json, the run whose score is 100, from a run of the suite “quick”.

Usage: make-reference.py COMMIT < REPORT > data/reference.json

REPORT is what “dyno-cli show RUN --json” prints. Samples, operators and notes are left out. Numbers are kept as they are;
a run with a case that is doubtful or failed is refused.
"""

import json
import sys

VALUES = {
    "latency_p50_ms",
    "latency_all_p50_ms",
    "latency_median_low_ms",
    "latency_median_high_ms",
    "arithmetic_intensity_flops_per_byte",
    "ridge_point_flops_per_byte",
}
RESULT = ("ordinal", "case", "model_name", "architecture", "device", "device_kind", "weights", "parameter_count", "status",
          "reason")
MACHINE = ("cpu", "memory", "host", "kernel", "os", "container")
RUN = ("id", "title", "started_at", "finished_at", "source", "app_version", "plan", "command", "cases")


def keep(values):
    return [value for value in values if value["name"] in VALUES and value.get("value") is not None]


def shorten(result):
    if result["grade"] is None:
        sys.exit(f"make-reference: {result['model_name']} is not measured without doubt; run it again")
    short = {name: result[name] for name in RESULT if name in result}
    short["values"] = keep(result["values"])
    short["invocations"] = [dict(process, values=keep(process["values"])) for process in result["invocations"]]
    return short | {"operators": [], "diagnostics": [], "traces": []}


def main():
    report = json.load(sys.stdin)
    run = report["runs"][0]
    short = {name: run[name] for name in RUN}
    short["machine"] = {name: run["machine"][name] for name in MACHINE if name in run["machine"]}
    short["machine"]["backends"] = [{name: backend[name] for name in ("id", "runtime", "state")}
                                    for backend in run["machine"]["backends"] if backend["id"] in run["plan"]["backends"]]
    short["results"] = [shorten(result) for result in run["results"]]
    reference = {name: report[name] for name in ("format", "schema_version")}
    print(json.dumps(reference | {"commit": sys.argv[1], "runs": [short]}, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
