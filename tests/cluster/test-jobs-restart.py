#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What becomes of results when a node of a real Slurm dies, and when the time of a task is up.

Usage: test-jobs-restart.py DYNO-CLI
"""

import contextlib
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import slurm
import tap

CLI = sys.argv.pop(1)
PLAN = ["-m", "bert-tiny", "-b", "fake", "--batch", "1,2,4", "--invocations", "1", "--warmup-seconds", "0.05",
        "--min-seconds", "0.1", "--max-seconds", "0.5", "--idle-seconds", "0"]
# Cases are measured in an order that the plan's seed draws: of 1, 2 and 4 this one comes last.
LAST_BATCH = 2
HANGS = {"faults": [{"kind": "hang", "run": 1, "batch_size": LAST_BATCH}]}


def count_results(path):
    """How many cases of a document are over. It is empty until its run has begun."""
    if not path.exists() or path.stat().st_size == 0:
        return 0
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as document:
        return document.execute("SELECT count(*) FROM results WHERE status = 'ok'").fetchone()[0]


class Restart(unittest.TestCase):
    def setUp(self):
        try:
            self.slurm = self.enterContext(slurm.Slurm())
        except slurm.Unavailable as problem:
            self.skipTest(str(problem))
        temporary = tempfile.TemporaryDirectory(prefix="dyno-slurm-data-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.play({})

    def play(self, script):
        """What the fake backend does from now on; a worker keeps the script with which it began."""
        new = self.folder / "new.json"
        new.write_text(json.dumps(script), encoding="utf-8")
        new.rename(self.folder / "script.json")

    def run_cli(self, *arguments):
        environment = self.slurm.environment | {"DYNO_DATA_DIR": str(self.folder / "data"),
                                                "DYNO_FAKE_BACKEND": str(self.folder / "script.json")}
        done = subprocess.run([CLI, *arguments], env=environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr}{done.stdout}")
        return done.stdout

    def submit(self):
        self.run_cli("run", "--on", "slurm", *PLAN)
        self.tasks_folder, = (self.folder / "data").glob("**/jobs/*/tasks")

    def tasks(self):
        job, = json.loads(self.run_cli("jobs", "list", "--json"))
        return {task["node"]: task for task in job["tasks"]}

    def wait_for_states(self, **states):
        try:
            self.slurm.wait_for(lambda: {node: task["state"] for node, task in self.tasks().items()} == states)
        except TimeoutError:
            logs = [path.read_text(encoding="utf-8") for path in sorted(self.tasks_folder.glob("*.log"))]
            self.fail(f"{self.tasks()}\n{sorted(path.name for path in self.tasks_folder.iterdir())}\n{logs}")

    def count(self, name):
        return count_results(self.tasks_folder / name)

    def fetch(self):
        """The cases of each node's run, by its title."""
        self.run_cli("jobs", "fetch")
        runs = [json.loads(self.run_cli("show", run["id"], "--json"))["runs"][0]
                for run in json.loads(self.run_cli("list", "--json"))]
        return {run["title"].rsplit(" ", 1)[1]: run for run in runs}

    def batches(self, run):
        return sorted(result["case"]["batch-size"] for result in run["results"] if result["status"] == "ok")

    def test_killed_node_and_time_limit(self):
        """Both hang in their last case. Then one node dies, and the time of the other's task is up."""
        self.play(HANGS)
        self.submit()
        self.slurm.wait_for(lambda: self.count("0-r0.dyno.part") == 2 and self.count("1-r0.dyno.part") == 2)
        self.slurm.run("scontrol", "update", f"jobid={self.tasks()['n2']['handle']}_1", "EndTime=now+1")
        self.slurm.kill_node("n1")
        self.wait_for_states(n1="waiting", n2="failed")
        self.play({})
        self.slurm.start_node("n1")
        self.wait_for_states(n1="done", n2="failed")
        self.assertEqual(self.count("0-r1.dyno"), 1)
        self.assertIn("--time", self.tasks()["n2"]["reason"])
        runs = self.fetch()
        self.assertEqual({node: self.batches(run) for node, run in runs.items()}, {"n1": [1, 2, 4], "n2": [1, 4]})
        self.assertEqual(self.fetch(), runs)


if __name__ == "__main__":
    sys.exit(tap.main())
