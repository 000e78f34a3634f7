#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line with commands that only look like Slurm's, for what a real one does rarely, or in another release.

Usage: test-jobs-fake.py DYNO-CLI
"""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap

CLI = sys.argv.pop(1)
STAND_IN = pathlib.Path(__file__).parent / "fake_slurm.py"
PLAN = ["-m", "bert-tiny", "-b", "fake", "--batch", "1,2", "--invocations", "1", "--warmup-seconds", "0.05",
        "--min-seconds", "0.1", "--max-seconds", "0.5", "--idle-seconds", "0"]
RELEASES = ("22.05", "24.11") if tap.THOROUGH else ("24.11",)
NODE = {"state": "IDLE", "partitions": "debug", "features": "avx2"}


class FakeSlurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """What is found out about engines serves all tests."""
        cls.shared = tap.make_folder("dyno-fake-slurm-", cls.addClassCleanup)
        (cls.shared / "script.json").write_text("{}", encoding="utf-8")
        cls.stand_in = tap.copy_script(STAND_IN, cls.shared / "slurm")
        cls.engines = tap.without_engines() | tap.use_cache(cls.shared / "cache")

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="dyno-fake-slurm-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.variables = dict(self.engines)
        (self.folder / "bin").mkdir()
        for name in ("sbatch", "srun", "squeue", "sacct", "scontrol", "scancel"):
            (self.folder / "bin" / name).symlink_to(self.stand_in)

    def play(self, release="22.05", nodes=("n1", "n2"), **scenario):
        scenario = {"release": release, "nodes": dict.fromkeys(nodes, NODE), "tasks": {}} | scenario
        (self.folder / "scenario.json").write_text(json.dumps(scenario), encoding="utf-8")

    def run_cli(self, *arguments, status=0):
        variables = {"DYNO_DATA_DIR": str(self.folder / "data"), "DYNO_FAKE_BACKEND": str(self.shared / "script.json"),
                     "FAKE_SLURM": str(self.folder), "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}
        done = subprocess.run([CLI, *arguments], env=os.environ | variables | self.variables, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, status, f"{arguments}: {done.stderr}{done.stdout}")
        return done.stderr if status else done.stdout

    def submit(self, *arguments, plan=PLAN):
        self.run_cli("run", "--on", "slurm", *plan, *arguments)

    def states(self):
        job, = json.loads(self.run_cli("jobs", "list", "--json"))
        return [task["state"] for task in job["tasks"]]

    def count_calls(self):
        return collections.Counter((self.folder / "calls").read_text(encoding="utf-8").split())

    def test_states_of_both_releases(self):
        for release in RELEASES:
            with self.subTest(release=release):
                self.setUp()
                self.play(release, tasks={"n1": ["PENDING Resources", "run"], "n2": ["RUNNING", "TIMEOUT TimeLimit"]})
                self.submit()
                self.assertEqual(self.states(), ["waiting", "running"])
                self.assertEqual(self.states(), ["done", "failed"])

    def test_forgotten(self):
        """What the queue has forgotten is looked up in the accounts; where there are none, it is lost."""
        for release in RELEASES:
            with self.subTest(release=release):
                self.setUp()
                self.play(release, nodes=["n1"], tasks={"n1": ["gone"]})
                self.submit()
                self.assertEqual(self.states(), ["lost"])
                self.play(release, nodes=["n1"], tasks={"n1": ["gone"]}, accounts=True)
                self.assertEqual(self.states(), ["failed"])

    def test_cancel(self):
        self.play(tasks={"n1": ["PENDING Priority"], "n2": ["RUNNING"]})
        self.submit()
        job, = json.loads(self.run_cli("jobs", "list", "--json"))
        self.assertIn("n1: told to stop", self.run_cli("jobs", "cancel", job["id"]))
        self.assertEqual(self.states(), ["stopped", "stopped"])
        self.assertEqual(self.count_calls()["scancel"], 1)

    def test_shared_nodes(self):
        """What was measured beside others is marked, and their energy is not taken for its own."""
        self.play(nodes=["n1"])
        self.submit("--shared-nodes")
        self.assertEqual(self.states(), ["done"])
        self.run_cli("jobs", "fetch")
        run, = json.loads(self.run_cli("show", "last", "--json"))["runs"]
        for result in run["results"]:
            self.assertIn("shared-node", [diagnostic["code"] for diagnostic in result["diagnostics"]])
            energy = next(value for value in result["values"] if value["name"] == "energy_joules")
            self.assertEqual(energy["quality"], "unsupported")
            self.assertIn("Other jobs", energy["source"])

    def test_stage(self):
        """Programs and engines are copied beside the submissions, and nodes of another kind are refused."""
        self.play(nodes=["n1"])
        (self.folder / "engines").mkdir()
        self.variables["DYNO_RUNTIMES_DIR"] = str(self.folder / "engines")
        self.submit("--stage")
        job, = json.loads((self.folder / "jobs.json").read_text(encoding="utf-8"))
        program, = (self.folder / "data" / "stage").glob("*/dyno")
        self.assertIn(str(program), job["script"])
        self.assertEqual(self.states(), ["done"])
        self.play(nodes=["n1"], machine="riscv64")
        self.assertIn("instruction set riscv64", self.run_cli("run", "--on", "slurm", "--stage", *PLAN, status=1))

    def test_what_each_node_would_measure(self):
        """Dyno there is asked before anything is submitted: one of equal nodes for all of them."""
        self.play(nodes=["n1", "n2"])
        answer = self.run_cli("run", "--on", "slurm", "--dry-run", *PLAN)
        self.assertIn("n1: 2 of 2 cases would be measured", answer)
        self.assertIn("n2: as “n1”", answer.split("would be measured")[1])
        self.assertEqual(self.count_calls()["srun"], 1)
        refused = self.run_cli("run", "--on", "slurm", "-m", "bert-tiny", "-b", "qnn", status=1)
        self.assertIn("No case of the plan", refused)
        self.assertFalse((self.folder / "jobs.json").exists())

    def tasks(self):
        """The nodes of the only submission, and the numbers of their cases."""
        path, = (self.folder / "data" / "jobs").glob("*/job.json")
        return {task["node"]: task["cases"] for task in json.loads(path.read_text(encoding="utf-8"))["tasks"]}

    def change_node(self, name, **values):
        path = self.folder / "scenario.json"
        scenario = json.loads(path.read_text(encoding="utf-8"))
        scenario["nodes"][name] = NODE | values
        path.write_text(json.dumps(scenario), encoding="utf-8")

    def test_equal_nodes_divide_the_cases(self):
        self.play()
        answer = self.run_cli("run", "--on", "slurm", "--divide", "--dry-run", *PLAN)
        self.assertRegex(answer, "n1: 1 case, done in about .*\n.*n2: 1 case, done in about ")
        self.submit("--divide")
        self.assertEqual(self.tasks(), {"n1": ["2"], "n2": ["1"]})
        self.assertEqual(self.states(), ["done", "done"])
        self.assertIn("2 runs", self.run_cli("jobs", "fetch"))

    def test_free_nodes_come_first(self):
        """A node at work is asked by itself when it is free, and gets no case that another one would have done before."""
        self.play(nodes=["n1", "n2", "n3"], starts={"n2": "2999-01-01T00:00:00"})
        self.change_node("n2", state="ALLOCATED")
        answer = self.run_cli("run", "--on", "slurm", "--divide", "--dry-run", *PLAN)
        self.assertIn("n2: sbatch: Job 1 to start at 2999-01-01T00:00:00", answer)
        self.assertIn("n2: no case", answer)
        self.assertEqual(self.count_calls()["sbatch"], 2)
        self.submit("--divide")
        self.assertEqual(self.tasks(), {"n1": ["2"], "n3": ["1"]})

    @tap.thorough
    def test_cases_of_a_device_stay_on_one_kind(self):
        """Numbers of unlike nodes are no comparison; so a lost node is replaced by one of its kind only."""
        self.play(nodes=["n1", "n2", "n3"], tasks={"n1": ["PENDING ReqNodeNotAvail"]})
        self.change_node("n2", features="avx512")
        self.submit("--divide", "--nodes", "2")
        self.assertEqual(self.tasks(), {"n1": ["1", "2"]})
        self.assertEqual(self.states(), ["waiting"])
        self.assertEqual(self.tasks(), {"n3": ["1", "2"]})
        self.assertEqual(self.states(), ["done"])

    @tap.thorough
    def test_chosen_cases_are_divided(self):
        """They keep the numbers that they have in the whole plan."""
        self.play()
        suite = self.folder / "suite.json"
        self.run_cli("run", *PLAN, "--batch", "1,2,3", "--save-suite", suite)
        suite.write_text(json.dumps(json.loads(suite.read_text(encoding="utf-8")) | {"cases": ["2", "3"]}), encoding="utf-8")
        self.submit("--divide", plan=["--suite", suite])
        self.assertEqual(self.tasks(), {"n1": ["2"], "n2": ["3"]})
        self.assertEqual(self.states(), ["done", "done"])

    @tap.thorough
    def test_sides_that_take_turns_are_not_divided(self):
        self.play()
        refused = self.run_cli("run", "--on", "slurm", "--divide", "--compare", *PLAN, "--threads", "1,2", status=2)
        self.assertIn("take turns", refused)

    @tap.thorough
    def test_no_room_for_a_question(self):
        """A node that is at work takes the task all the same; Dyno that is not there does not."""
        self.play(nodes=["n1"], busy=["n1"])
        self.assertIn("n1: It has no room", self.run_cli("run", "--on", "slurm", "--dry-run", *PLAN))
        self.submit()
        self.assertEqual(self.states(), ["done"])

    @tap.thorough
    def test_node_gone_before_it_measured(self):
        """Where it does not matter which node measures, another one does; a node that was meant is waited for."""
        lost = {"n1": ["PENDING ReqNodeNotAvail"], "n2": ["run"]}
        self.play(tasks=lost)
        self.submit("--nodes", "1")
        self.assertEqual(self.states(), ["waiting"])
        self.assertEqual(self.states(), ["done"])
        self.run_cli("jobs", "fetch")
        self.assertTrue(json.loads(self.run_cli("list", "--json"))[0]["title"].endswith(" on n2"))
        self.setUp()
        self.play(tasks=lost)
        self.submit("--nodes", "n1")
        self.assertEqual([self.states(), self.states()], [["waiting"], ["waiting"]])

    def test_many_tasks(self):
        """However many there are, they are asked about with one call."""
        nodes = [f"n{number}" for number in range(50)]
        self.play(nodes=nodes, tasks=dict.fromkeys(nodes, ["RUNNING"]))
        self.submit()
        before = self.count_calls()
        self.assertEqual(before["sbatch"], 2)
        self.assertEqual(before["srun"], 1)
        self.assertEqual(self.states(), ["running"] * len(nodes))
        self.assertEqual(self.count_calls() - before, {"squeue": 1})
        self.assertEqual({job["node"] for job in json.loads((self.folder / "jobs.json").read_text(encoding="utf-8"))},
                         set(nodes))

    def test_died_after_submitting(self):
        """Whoever submitted did not live to write down what it was answered."""
        for release in RELEASES:
            with self.subTest(release=release):
                self.setUp()
                self.play(release, tasks={"n1": ["RUNNING"], "n2": ["PENDING Resources"]})
                self.submit()
                path, = (self.folder / "data" / "jobs").glob("*/job.json")
                content = json.loads(path.read_text(encoding="utf-8"))
                for task in content["tasks"]:
                    task["handle"] = 0
                path.write_text(json.dumps(content), encoding="utf-8")
                self.assertEqual(self.states(), ["running", "waiting"])

    @tap.thorough
    def test_died_before_pinning(self):
        """What is still held is released, on the nodes that were meant."""
        self.play(tasks={"n1": ["RUNNING"], "n2": ["RUNNING"]})
        self.submit()
        path, = (self.folder / "data" / "jobs").glob("*/job.json")
        content = json.loads(path.read_text(encoding="utf-8"))
        for task in content["tasks"]:
            task["handle"] = 0
        path.write_text(json.dumps(content), encoding="utf-8")
        queued = json.loads((self.folder / "jobs.json").read_text(encoding="utf-8"))
        queued = [job | {"node": None, "held": True, "state": "PENDING", "reason": "JobHeldUser"} for job in queued]
        (self.folder / "jobs.json").write_text(json.dumps(queued), encoding="utf-8")
        self.assertEqual(self.states(), ["running", "running"])
        queued = json.loads((self.folder / "jobs.json").read_text(encoding="utf-8"))
        self.assertEqual({job["node"] for job in queued}, {"n1", "n2"})

    def replace(self, name, script):
        (self.folder / "bin" / name).unlink()
        (self.folder / "bin" / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (self.folder / "bin" / name).chmod(0o755)

    def test_endless_output(self):
        """A command that never stops printing is stopped, and nothing is submitted."""
        self.replace("scontrol", "exec yes")
        self.assertIn("“scontrol” printed more than 16 MB", self.run_cli("run", "--on", "slurm", *PLAN, status=1))
        self.assertFalse((self.folder / "jobs.json").exists())

    def test_place_in_the_queue(self):
        """Quality of service, reservation, niceness, begin and priority are passed on, and shown before."""
        options = ["--qos", "night", "--reservation", "lab", "--nice", "100", "--begin", "22:00", "--job-priority", "7"]
        self.play(nodes=["n1"], qos=["normal", "night"])
        answer = self.run_cli("run", "--on", "slurm", "--dry-run", *PLAN, *options)
        for words in ("--qos=night", "--reservation=lab", "--nice=100", "--begin=22:00", "--priority=7"):
            self.assertIn(words, answer)
        self.submit(*options)
        job, = json.loads((self.folder / "jobs.json").read_text(encoding="utf-8"))
        self.assertEqual(job["asked"], {"qos": "night", "reservation": "lab", "nice": "100", "begin": "22:00", "priority": "7"})
        self.assertEqual(job["priority"], "7")  # holding a task takes its priority, releasing it does not give it back
        self.assertIn("Invalid qos", self.run_cli("run", "--on", "slurm", *PLAN, "--qos", "gold", status=1))

    @tap.thorough
    def test_refused_places(self):
        self.play(nodes=["n1"])
        for option, value, words in (("--nice", "very", "--nice takes a whole number"),
                                     ("--job-priority", "0", "--job-priority takes a whole number from 1")):
            self.assertIn(words, self.run_cli("run", "--on", "slurm", *PLAN, option, value, status=2))
        self.assertIn("has no scheduler", self.run_cli("run", "--on", "local", *PLAN, "--qos", "night", status=2))
        self.assertIn("say which with --on", self.run_cli("run", *PLAN, "--begin", "22:00", status=2))

    def test_lost_node_is_told(self):
        """What waits for the results tells which node was lost, and keeps that with what the node had measured."""
        told = self.folder / "told.json"
        self.play(tasks={"n1": ["run"], "n2": ["gone"]})
        self.submit()
        job, = json.loads(self.run_cli("jobs", "list", "--json"))
        self.run_cli("jobs", "watch", job["id"], "--every", "0.05", "--notify", f"cat > {told}", status=1)
        message = json.loads(told.read_text(encoding="utf-8"))
        self.assertEqual([alert["rule"] for alert in message["alerts"]], ["lost"])
        self.assertIn("The node n2 was lost: ", message["alerts"][0]["message"])

    @tap.thorough
    def test_own_words(self):
        """What a command says counts, also where it reads nothing of its input, and is not UTF-8."""
        self.play(nodes=["n1"])
        self.replace("srun", "printf 'n\\353ud inconnu' >&2; exit 1")
        said = self.run_cli("run", "--on", "slurm", "--dry-run", *PLAN, status=1)
        self.assertIn("n\\xebud inconnu", said)
        self.assertNotIn("0x", said)


if __name__ == "__main__":
    sys.exit(tap.main())
