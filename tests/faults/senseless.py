# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes documents that keep every rule of the schema and make no sense: `write (path, seed)`.

The same seed gives the same document. Each has a whole one as its base, made senseless in a few places.
"""

import contextlib
import hashlib
import json
import math
import random
import shutil
import sqlite3
import struct

INT64 = 2 ** 63 - 1
NUMBERS = [0.0, -0.0, 1.0, -1.0, 0.5, 1e-300, 5e-324, 1e9, 2147483648.0, -2147483649.0, 4294967296.0, 1e19, -1e19, 1e100,
           1.7976931348623157e308, -1.7976931348623157e308]
ODD_NUMBERS = [*NUMBERS, math.nan, math.inf, -math.inf]
COUNTS = [0, 1, 2, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 53 + 1, INT64]
TIMES = [-INT64 - 1, -INT64, -1, 0, 1, 10 ** 6, 10 ** 9, 2 ** 53, INT64 - 1, INT64]
DATES = [0, 1, 10 ** 15, 253402300799999999, 253402300800000000, 10 ** 18, INT64]
TEXTS = ["", " ", "x", "\n", "\x1b[31m", "%s%n%d", "<b>&amp;</b>", "“” ·", "a/b/../c", "‮drawkcab", "\U0001f600" * 50, "w" * 5000,
         "|a|b|", '","', "=1+1", "latest", "-o", "cpu", "fp32", "int8"]
TRACES = ["latency", "memory_rss", "memory_device", "memory_device_global", "first_token_latency", "inter_token_latency",
          "power_package", "power_nvidia0", "temperature_x", "clock_cpu", "fan_x", "throttled_x", "bandwidth_dram", "unheard_of", "phases"]
UNITS = ["ms", "MB", "W", "°C", "MHz", "1/min", "", "GB/s", "GFLOP/s", "%", "ns", "furlong", "w" * 300]
VALUES = [
    "latency_mean_ms", "latency_p50_ms", "latency_p90_ms", "latency_p99_ms", "latency_min_ms", "latency_max_ms",
    "latency_stddev_ms", "latency_median_low_ms", "latency_median_high_ms", "latency_samples",
    "latency_effective_samples", "latency_batched_steps",
    "throughput_items_per_sec", "throughput_tokens_per_sec", "load_time_ms", "first_run_ms", "warm_up_ms", "warm_up_steps",
    "memory_peak_mb", "memory_average_mb", "memory_weights_mb", "memory_workspace_mb", "device_memory_peak_mb", "flops",
    "flops_per_sec", "bytes_per_step", "arithmetic_intensity_flops_per_byte", "first_token_latency_ms",
    "inter_token_latency_ms", "prefill_tokens_per_sec", "decode_tokens_per_sec", "cache_mb", "timer_resolution_ns",
    "placement_percent", "power_avg_watts", "power_max_watts", "energy_joules", "idle_power_watts", "energy_net_joules",
    "energy_per_item_joules", "ops_per_watt", "gflops_per_watt", "throughput_per_watt", "avg_bandwidth_gbps",
    "peak_bandwidth_gbps", "peak_theoretical_bandwidth_gbps", "bandwidth_utilization_percent", "ridge_point_flops_per_byte",
    "compute_bound", "memory_bound", "roof_distance_percent", "decode_read_percent", "prefill_flops", "prefill_bytes",
    "prefill_flops_per_sec", "decode_flops", "decode_bytes", "decode_product_bytes", "decode_flops_per_sec",
    "decode_product_ms", "decode_other_ms", "energy_package_joules", "unheard_of",
]
MILD_NUMBERS = [number for number in NUMBERS if abs(number) <= 1e30]
MILD_COUNTS = [0, 1, 2, 10 ** 6]
MILD_TIMES = [-1, 0, 1, 10 ** 6, 10 ** 9, 3 * 10 ** 17]
MILD_DATES = [0, 1, 10 ** 15, 253402300799999999]
STATUSES = ["pending", "running", "ok", "failed", "skipped", "cancelled"]
DIAGNOSTICS = ["no-steady-state", "warm-up-extended", "slow-down", "interval-not-reached", "outliers", "fallback", "machine-load",
               "thermal-throttling", "above-roof", "decode-below-roof", "software-device", "placement", "model", "unheard-of"]


class Dice(random.Random):
    """Throws what is believed when it is mild, so that tables and charts see it, and else anything."""

    def __init__(self, seed):
        super().__init__(seed)
        self.mild = seed % 2 == 1
        self.numbers = MILD_NUMBERS if self.mild else NUMBERS
        self.odd_numbers = MILD_NUMBERS if self.mild else ODD_NUMBERS
        self.counts = MILD_COUNTS if self.mild else COUNTS
        self.times = MILD_TIMES if self.mild else TIMES
        self.dates = MILD_DATES if self.mild else DATES


def json_value(dice, depth=0):
    """Any JSON; not a number that JSON does not have."""
    kinds = [lambda: None, lambda: dice.choice([True, False]), lambda: dice.choice(COUNTS + [-1, -INT64 - 1]),
             lambda: dice.choice(dice.numbers), lambda: dice.choice(TEXTS)]
    if depth < 3:
        kinds += [lambda: [json_value(dice, depth + 1) for _ in range(dice.randrange(4))],
                  lambda: {dice.choice(TEXTS + ["cpu", "name", "cores"]): json_value(dice, depth + 1)
                           for _ in range(dice.randrange(4))}]
    return dice.choice(kinds)()


def spoil_json(dice, text):
    """Puts anything where one of its members was, however deep."""
    tree = json.loads(text)
    holders = []

    def visit(node):
        for key in list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else []:
            holders.append((node, key))
            visit(node[key])

    visit(tree)
    if not holders or (dice.random() < 0.15 and not dice.mild):
        return json.dumps(json_value(dice))
    node, key = dice.choice(holders)
    node[key] = json_value(dice)
    return json.dumps(tree)


def trace_data(dice):
    length = dice.choice([0, 1, 2, 3, 50, 2000])
    one = dice.choice(dice.odd_numbers)
    values = {
        "same": lambda: [one] * length,
        "odd": lambda: [dice.choice(dice.odd_numbers) for _ in range(length)],
        "finite": lambda: [dice.choice(dice.numbers) for _ in range(length)],
        "usual": lambda: [1 + dice.random() for _ in range(length)],
        "one odd": lambda: [1 + dice.random() for _ in range(length - 1)] + [one] * (length > 0),
    }
    times = {
        "usual": lambda: [i * 1500000 for i in range(length)],
        "backwards": lambda: [(length - i) * 1500000 for i in range(length)],
        "same": lambda: [dice.choice(dice.times)] * length,
        "odd": lambda: [dice.choice(dice.times) for _ in range(length)],
        "sorted": lambda: sorted(dice.choice(dice.times) for _ in range(length)),
    }
    order = dice.choice(["usual", "same", "sorted"] if dice.mild else list(times))
    return (struct.pack(f"<{length}q", *times[order]()) +
            struct.pack(f"<{length}d", *values[dice.choice(list(values))]()))


def canonical(tree):
    return json.dumps(tree, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def add_ceilings(database, dice, machine):
    """Finds its place under the machine as it is told apart for ceilings."""
    snapshot = canonical({"cpu": machine["cpu"]})
    key = hashlib.sha256(snapshot.encode()).hexdigest()
    database.execute("INSERT OR IGNORE INTO machines VALUES (?, ?)", (key, snapshot))
    for name, value, unit in (("fp32-avx2", 1e11, "FLOP/s"), ("read-dram", 2e10, "B/s"), ("read-l1", 1e12, "B/s")):
        members = {"id": name, "kind": "compute" if unit == "FLOP/s" else "bandwidth", "precision": "fp32", "mix": "read",
                   "level": "dram", "device": "", "threads": 2, "value": value, "unit": unit, "best": value, "spread": 0.01,
                   "measured_at": 10 ** 15, "measured-at": 10 ** 15}
        method = json.dumps(members) if dice.mild or dice.random() < 0.5 else spoil_json(dice, json.dumps(members))
        database.execute("INSERT INTO ceilings VALUES (?, ?, ?, ?, ?, ?, ?)",
                         (key, dice.choice(["", "cpu"]), f"{name}/2", dice.choice(dice.dates),
                          abs(dice.choice(dice.numbers)), unit, method))


def spoil_run(database, dice):
    column = dice.choice(["started_at", "finished_at", "title", "notes", "plan", "machine_state", "summary", "source", "n_cases",
                          "app_version"])
    value = {
        "started_at": lambda: dice.choice(dice.dates), "finished_at": lambda: dice.choice(dice.dates), "n_cases": lambda: 2 ** 32 - 1,
        "plan": lambda: spoil_json(dice, '{"models": ["x"], "batch-sizes": [1]}'),
        "machine_state": lambda: spoil_json(dice, '{"clock": {}, "state": {"load_1m": 1}}'),
    }.get(column, lambda: dice.choice(TEXTS))()
    database.execute(f"UPDATE runs SET {column} = ?", (value,))


def spoil_machine(database, dice):
    (key, snapshot), = database.execute("SELECT id, snapshot FROM machines WHERE id IN (SELECT machine_id FROM runs)")
    database.execute("UPDATE machines SET snapshot = ? WHERE id = ?", (spoil_json(dice, snapshot), key))


def spoil_result(database, dice):
    column, choices = dice.choice([
        ("model_name", TEXTS), ("architecture", TEXTS), ("parameter_count", dice.counts), ("device", TEXTS), ("device_kind", TEXTS),
        ("weights", TEXTS), ("status", STATUSES), ("reason", TEXTS), ("ordinal", [0, 7, 2 ** 32 - 1]), ("model", TEXTS), ("backend", TEXTS),
        ("batch_size", [1, 16777216 if dice.mild else 2 ** 32 - 1]), *([] if dice.mild else [("options", None)] * 3),
    ])
    (key, options), = database.execute("SELECT id, options FROM results WHERE id = ?", (dice.choice([1, 2]),))
    value = spoil_json(dice, options) if choices is None else dice.choice(choices)
    database.execute(f"UPDATE results SET {column} = ? WHERE id = ?", (value, key))


def spoil_values(database, dice):
    for name in dice.sample(VALUES, dice.randrange(1, len(VALUES))):
        row = (dice.choice([1, 2]), name, dice.choice(dice.counts), dice.choice(dice.numbers), dice.choice(UNITS),
               dice.choice(["measured", "estimated"]), dice.choice(TEXTS))
        database.execute("INSERT OR REPLACE INTO metric_values VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def spoil_traces(database, dice):
    for name in dice.sample(TRACES[:-1] if dice.mild else TRACES, dice.randrange(1, len(TRACES) - 1)):
        result = dice.choice([1, 2])
        database.execute("DELETE FROM series WHERE result_id = ? AND name = ?", (result, name))
        database.execute("INSERT INTO series (result_id, name, unit, t0, data) VALUES (?, ?, ?, ?, ?)",
                         (result, name, dice.choice(UNITS), abs(dice.choice(dice.times)) if dice.mild else dice.choice(dice.times), trace_data(dice)))


def spoil_operators(database, dice):
    for ordinal in range(100, 100 + dice.choice([1, 3, 200])):
        row = (dice.choice([1, 2]), ordinal, dice.choice(TEXTS), dice.choice([*TEXTS, "MatMul", "Conv"]), dice.choice([None, *TEXTS]),
               dice.choice(dice.counts), dice.choice([-1, *dice.counts]), dice.choice([-1, *dice.counts]), dice.choice([-1, *dice.counts]))
        database.execute("INSERT INTO operators VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)


def spoil_diagnostics(database, dice):
    for ordinal in range(100, 100 + dice.choice([1, 3, 200])):
        row = (dice.choice([1, 2]), ordinal, dice.choice(["info", "warning", "error"]), dice.choice(DIAGNOSTICS), dice.choice(TEXTS))
        database.execute("INSERT INTO diagnostics VALUES (?, ?, ?, ?, ?)", row)


SPOILERS = [spoil_run, spoil_machine, spoil_result, spoil_values, spoil_traces, spoil_operators, spoil_diagnostics]


def make_whole(database):
    """Gives the base what every chart and table shows."""
    for result in (1, 2):
        for ordinal, name in enumerate(VALUES):
            database.execute("INSERT OR IGNORE INTO metric_values VALUES (?, ?, ?, ?, 'ms', 'measured', 'a test')",
                             (result, name, 10 + ordinal, 1.5 + ordinal))
        for name in TRACES:
            times = struct.pack("<50q", *(i * 1500000 for i in range(50)))
            values = struct.pack("<50d", *(i // 10 if name == "phases" else 1 + i % 7 / 10 for i in range(50)))
            database.execute("INSERT INTO series (result_id, name, unit, t0, data) SELECT ?, ?, 'ms', 123456789, ?"
                             " WHERE NOT EXISTS (SELECT 1 FROM series WHERE result_id = ? AND name = ?)",
                             (result, name, times + values, result, name))


def write(base, path, seed):
    dice = Dice(seed)
    shutil.copy(base, path)
    with contextlib.closing(sqlite3.connect(path)) as database:
        make_whole(database)
        (snapshot,), = database.execute("SELECT snapshot FROM machines")
        if dice.random() < 0.5:
            add_ceilings(database, dice, json.loads(snapshot))
        # The first document is whole, and the next ones are senseless in one way each.
        one_way = range(1, 2 * len(SPOILERS) + 1)
        spoilers = [SPOILERS[(seed - 1) // 2]] if seed in one_way else dice.sample(SPOILERS, dice.randrange(1, 4))
        for spoil in spoilers if seed > 0 else []:
            spoil(database, dice)
        database.commit()
        database.execute("PRAGMA journal_mode = DELETE")
