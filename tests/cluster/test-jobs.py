#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""From a plan to merged results, through the command line: in the background of this machine, on hosts, on a real Slurm,
and on a real Kubernetes whose nodes are ours.

Usage: test-jobs.py DYNO-CLI [CLASS...]
"""

import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import daemons
import kubernetes
import slurm
import tap

CLI = sys.argv.pop(1)
PLAN = ["-m", "bert-tiny", "--batch", "1,2", "--invocations", "1", "--warmup-seconds", "0.05", "--min-seconds", "0.1",
        "--max-seconds", "0.5"]


class JobsTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="dyno-jobs-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.environment = os.environ | tap.without_engines(but=["DYNO_ONNXRUNTIME"])

    def call(self, *arguments, status=0, output=None):
        done = subprocess.run([CLI, *map(str, arguments)], env=self.environment | {"DYNO_DATA_DIR": str(self.folder)},
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, status, f"{arguments}: {done.stderr}{done.stdout}")
        if output == "both":
            return done.stdout + done.stderr
        return done.stdout if status == 0 else done.stderr

    def need_engine(self):
        tap.need_engine(self, lambda: self.call("hardware", "--json"))

    def submit(self, *arguments):
        self.need_engine()
        before = set(self.list_jobs())
        self.call("run", *PLAN, *arguments)
        job, = set(self.list_jobs()) - before
        return job

    def forget_handles(self, job):
        """As if whoever submitted had died before it could write down what it was answered."""
        path = self.folder / "jobs" / job / "job.json"
        content = json.loads(path.read_text(encoding="utf-8"))
        for task in content["tasks"]:
            task["handle"] = 0
        new = path.with_suffix(".new")
        new.write_text(json.dumps(content), encoding="utf-8")
        new.rename(path)

    def list_jobs(self):
        return [path.name for path in self.folder.glob("jobs/*")]

    def list_tasks(self, job):
        return json.loads(self.call("jobs", "list", job, "--json"))[0]["tasks"]

    def count_cases(self):
        """How many cases each run in the store has."""
        runs = json.loads(self.call("list", "--json"))
        return sorted((run["title"].rsplit(" on ", 1)[1], run["cases"]) for run in runs)

    def check_merged_once(self, nodes):
        expected = [(node, 2) for node in nodes]
        self.assertEqual(self.count_cases(), expected)
        self.assertIn("0 runs are new", self.call("jobs", "fetch"))
        self.assertEqual(self.count_cases(), expected)


class Local(JobsTest):
    def test_comes_back(self):
        job = self.submit("--on", "local")
        watched = self.call("jobs", "watch", job[:8], "--every", "0.2")
        node = self.list_tasks(job)[0]["node"]
        self.assertIn(f"{node}: done", watched)
        self.assertIn("1 run is new", watched)
        self.check_merged_once([node])
        self.assertTrue((self.folder / "jobs" / job / "tasks" / "0-r0.dyno").exists())
        self.assertFalse((self.folder / "jobs" / job / "tasks" / "0-r0.dyno.part").exists())

    @tap.thorough
    def test_died_after_submitting(self):
        job = self.submit("--on", "local")
        self.forget_handles(job)
        self.call("jobs", "watch", job, "--every", "0.2")
        self.assertEqual([task["state"] for task in self.list_tasks(job)], ["done"])

    def test_starts_again_where_it_ended(self):
        """A task whose mark of completion is gone measures nothing twice; one that is marked does not start."""
        job = self.submit("--on", "local")
        self.call("jobs", "watch", job, "--every", "0.2")
        tasks = self.folder / "jobs" / job / "tasks"
        self.call("jobs", "task", tasks.parent, 0)
        (tasks / "0-r0.dyno").rename(tasks / "0-r0.dyno.part")
        with sqlite3.connect(tasks / "0-r0.dyno.part") as document:
            before = document.execute("SELECT count(*) FROM results").fetchone()
        self.call("jobs", "task", tasks.parent, 0)
        self.assertEqual(sorted(path.name for path in tasks.glob("*.dyno*")), ["0-r0.dyno"])
        with sqlite3.connect(tasks / "0-r0.dyno") as document:
            self.assertEqual(document.execute("SELECT count(*) FROM results").fetchone(), before)

    def test_what_makes_no_sense(self):
        self.assertIn("no scheduler", self.call("run", *PLAN, "--on", "local", "--gres", "gpu:1", status=2))
        self.assertIn("It can send work to: local", self.call("run", *PLAN, "--on", "pbs", status=2))
        self.assertIn("--on", self.call("run", *PLAN, "--nodes", "each", status=2))
        self.assertIn("only submits", self.call("run", *PLAN, "--on", "local", "-o", "x.dyno", status=2))
        self.assertIn("no submission", self.call("jobs", "watch", "ffff", status=1))
        self.assertEqual(self.list_jobs(), [])


# A login and a copy: every host is a folder, and may have programs of its own. “gone” does not answer.
SSH = """#!/bin/sh
while [ "$1" != -- ]; do shift; done
host=$2; shift 2
[ "$host" != gone ] && [ ! -e "$HOSTS/$host.off" ] || { echo "ssh: connect to host gone port 22: No route to host" >&2; exit 255; }
PATH=${0%/*}/$host:$PATH
mkdir -p "$HOSTS/$host" && export HOME="$HOSTS/$host" && cd "$HOSTS/$host" && exec sh -c "$*"
"""
SCP = """#!/bin/sh
while [ "$1" != -- ]; do shift; done
[ ! -e "$HOSTS/${2%%:*}.off" ] && cd "$HOSTS/${2%%:*}" && exec cp ${2#*:} "$3"
"""

# A task that has delivered all of its documents, and has not ended yet.
LATE = """#!/bin/sh
"$@"
read line < "$HOSTS/end"
"""


class Ssh(JobsTest):
    @classmethod
    def setUpClass(cls):
        """Engines are asked again wherever PATH is another, so all tests have the same one, and a cache for it."""
        cls.shared = tap.make_folder("dyno-jobs-shared-", cls.addClassCleanup)
        cls.programs = cls.shared / "bin"
        for name, text in (("ssh", SSH), ("scp", SCP), ("riscv/uname", "#!/bin/sh\necho riscv64\n"), ("late/setsid", LATE)):
            (cls.programs / name).parent.mkdir(parents=True, exist_ok=True)
            (cls.programs / name).write_text(text, encoding="utf-8")
            (cls.programs / name).chmod(0o755)
        cls.cache = tap.use_cache(cls.shared / "cache")

    def setUp(self):
        super().setUp()
        (self.folder / "hosts").mkdir()
        self.environment |= self.cache | {"PATH": f"{self.programs}:{os.environ['PATH']}", "HOSTS": str(self.folder / "hosts")}

    def test_every_case_on_each_host(self):
        job = self.submit("--on", "ssh:a,b")
        self.call("jobs", "watch", job, "--every", "0.2")
        self.check_merged_once(["a", "b"])
        self.assertEqual([task["state"] for task in self.list_tasks(job)], ["done", "done"])
        for host in ("a", "b"):
            self.assertEqual(list((self.folder / "hosts" / host / ".cache/dyno/jobs").iterdir()), [])

    def test_late_end(self):
        """Its files do not stay there because it was still running when its last document came."""
        end = self.folder / "hosts" / "end"
        os.mkfifo(end)
        job = self.submit("--on", "ssh:late")
        self.call("jobs", "watch", job, "--every", "0.2")
        self.check_merged_once(["late"])
        self.assertEqual(list((self.folder / "hosts" / "late" / ".cache/dyno/jobs").iterdir()), [])
        end.write_text("\n", encoding="utf-8")

    @tap.thorough
    def test_died_after_submitting(self):
        job = self.submit("--on", "ssh:a")
        self.forget_handles(job)
        self.call("jobs", "watch", job, "--every", "0.2")
        self.check_merged_once(["a"])

    def test_gone_while_it_runs(self):
        """A host that does not answer any more is waited for, but not for ever; cancelling says whom it could not tell."""
        job = self.submit("--on", "ssh:a,b")
        (self.folder / "hosts" / "b.off").touch()
        watched = self.call("jobs", "watch", job, "--every", "0.2", status=1, output="both")
        self.assertIn("a: done", watched)
        self.assertIn("b: lost, It cannot be asked", watched)
        self.assertIn("No route to host", watched)
        cancelled = self.call("jobs", "cancel", job, status=1, output="both")
        self.assertIn("a: had ended before (done)", cancelled)
        self.assertIn("b: could not be told to stop", cancelled)
        (self.folder / "hosts" / "b.off").unlink()
        self.call("jobs", "watch", job, "--every", "0.2")
        self.check_merged_once(["a", "b"])

    def test_stage(self):
        """Programs and engines are copied once, used from there, and not sent to another kind of machine."""
        engines = self.folder / "engines"
        engines.mkdir()
        (engines / "one").touch()
        self.environment["DYNO_RUNTIMES_DIR"] = str(engines)
        script = self.folder / "script.json"
        script.write_text("{}", encoding="utf-8")
        self.environment["DYNO_FAKE_BACKEND"] = str(script)
        plan = ["-m", "bert-tiny", "-b", "fake", "--invocations", "1", "--min-seconds", "0.1", "--max-seconds", "0.5"]
        self.call("run", *plan, "--on", "ssh:a", "--stage", "--dry-run")
        program, = (self.folder / "hosts" / "a").glob(".cache/dyno/stage/*/dyno")
        self.assertTrue((program.parent / "engines" / "one").exists())
        program.write_text(program.read_text(encoding="utf-8").replace("\n", '\ntouch "$0.used"\n', 1), encoding="utf-8")
        self.call("run", *plan, "--on", "ssh:a", "--stage")
        self.assertTrue(program.with_suffix(".used").exists())
        job, = self.list_jobs()
        self.call("jobs", "watch", job, "--every", "0.2")
        self.assertEqual([task["state"] for task in self.list_tasks(job)], ["done"])
        self.assertIn("instruction set riscv64", self.call("run", *plan, "--on", "ssh:riscv", "--stage", status=1))

    def test_what_each_host_would_measure(self):
        """Dyno there is asked before anything is sent; where nothing can be measured, nothing is."""
        self.need_engine()
        plan = ["-m", "bert-tiny", "-b", "cpu", "-b", "qnn", "--batch", "1,2", "--invocations", "1"]
        here = self.call("run", *plan, "--dry-run", "--json")
        reason = next(case["reason"] for case in json.loads(here)["cases"] if not case["runs"])
        there = self.call("run", *plan, "--on", "ssh:a,b", "--dry-run")
        self.assertIn("a: 2 of 4 cases would be measured", there)
        self.assertIn(f"a: 2 cases are skipped: {reason}", there)
        self.assertIn("b: as “a”", there)
        refused = self.call("run", "-m", "bert-tiny", "-b", "qnn", "--on", "ssh:a", status=1, output="both")
        self.assertIn("a: 0 of 1 case would be measured", refused)
        self.assertIn("No case of the plan", refused)
        self.assertEqual(self.list_jobs(), [])

    def test_unreachable(self):
        self.assertIn("No route to host", self.call("run", *PLAN, "--on", "ssh:a,gone", status=1))
        self.assertIn("No node", self.call("run", *PLAN, "--on", "ssh", status=1))
        self.assertEqual(self.list_jobs(), [])


class RealSlurm(JobsTest):
    def setUp(self):
        super().setUp()
        try:
            self.slurm = slurm.Slurm().__enter__()
        except daemons.Unavailable as reason:
            self.skipTest(str(reason))
        self.addCleanup(self.slurm.stop)
        self.environment = self.slurm.environment

    def test_every_case_on_each_node(self):
        job = self.submit("--on", "slurm", "--nodes", "each")
        self.call("jobs", "watch", job, "--every", "0.2")
        self.check_merged_once(["n1", "n2"])
        self.assertEqual([task["state"] for task in self.list_tasks(job)], ["done", "done"])

    def test_cancel(self):
        self.slurm.run("sbatch", "--nodelist=n1", "--exclusive", "--wrap=sleep 600")
        job = self.submit("--on", "slurm", "--nodes", "n1")
        self.assertEqual(self.list_tasks(job)[0]["state"], "waiting")
        self.call("jobs", "cancel", job)
        self.assertEqual(self.list_tasks(job)[0]["state"], "stopped")

    @tap.thorough
    def test_free_node_comes_first(self):
        """The nodes are of two kinds: all cases go to the one that is free, although the other is listed before it."""
        self.need_engine()
        self.slurm.run("sbatch", "--nodelist=n1", "--exclusive", "--time=30", "--wrap=sleep 600")
        self.slurm.wait_for(lambda: self.slurm.node_state("n1") != "IDLE")
        self.slurm.wait_for(lambda: self.slurm.node_state("n1") != "IDLE")
        job = self.submit("--on", "slurm", "--divide")
        self.assertEqual([task["node"] for task in self.list_tasks(job)], ["n2"])
        self.call("jobs", "watch", job, "--every", "0.2")
        self.check_merged_once(["n2"])

    def test_refusals(self):
        """What the scheduler would not take is said in its words, and nothing is left of it."""
        self.need_engine()
        def refuse(*arguments):
            return self.call("run", *PLAN, "--on", "slurm", *arguments, status=1)

        self.assertIn("Invalid feature specification", refuse("--constraint", "quantum"))
        self.assertIn("not available", refuse("--gres", "gpu:9"))
        self.assertIn("“n9”", refuse("--nodes", "n1,n9"))
        self.assertIn("n2: ", self.call("run", *PLAN, "--on", "slurm", "--constraint", "amx", "--dry-run"))
        self.assertIn("n1: 2 of 2 cases would be measured", self.call("run", *PLAN, "--on", "slurm", "--dry-run"))
        self.assertEqual(self.list_jobs(), [])


class RealKubernetes(JobsTest):
    """One cluster serves all tests, each of which has a namespace of its own, the strictest that there is."""

    cluster = None
    namespaces = 0
    target = ["--on", "k8s:registry.example/lab/dyno:0.1"]
    slow = ["--min-seconds", "6", "--max-seconds", "8"]

    def setUp(self):
        super().setUp()
        try:
            kubernetes.find_programs()
        except daemons.Unavailable as reason:
            self.skipTest(str(reason))
        type(self).cluster = self.cluster or self.start_cluster()
        type(self).namespaces += 1
        self.namespace = f"test-{self.namespaces}"
        self.cluster.run("kubectl", "create", "namespace", self.namespace)
        self.addCleanup(self.leave)
        self.cluster.run("kubectl", "label", "namespace", self.namespace, "pod-security.kubernetes.io/enforce=restricted")
        self.cluster.wait_for(lambda: self.cluster.ask("get", "serviceaccount", "default", "-n", self.namespace))
        self.use("admin")

    @classmethod
    def start_cluster(cls):
        cluster = kubernetes.Kubernetes(os.path.abspath(CLI))
        cluster.environment |= tap.without_engines(but=["DYNO_ONNXRUNTIME"])
        cluster.__enter__()
        cls.addClassCleanup(cluster.stop)
        return cluster

    def use(self, user):
        self.cluster.choose(self.namespace, user)
        self.environment = self.cluster.environment

    def leave(self):
        self.use("admin")
        self.cluster.run("kubectl", "delete", "namespace", self.namespace)

    def pods(self):
        return json.loads(self.cluster.ask("get", "pods", "-o", "json"))["items"]

    def states(self, job):
        return [task["state"] for task in self.list_tasks(job)]

    def wait_for(self, job, *states):
        self.cluster.wait_for(lambda: self.states(job) == list(states))

    def test_every_case_on_each_node(self):
        job = self.submit(*self.target)
        self.call("jobs", "watch", job, "--every", "0.2")
        self.check_merged_once(["n1", "n2"])
        self.assertEqual(self.states(job), ["done", "done"])
        self.cluster.wait_for(lambda: {pod["status"]["phase"] for pod in self.pods()} == {"Succeeded"})
        places = {pod["metadata"]["annotations"]["batch.kubernetes.io/job-completion-index"]: pod["spec"]["nodeName"]
                  for pod in self.pods()}
        self.assertEqual(places, {"0": "n1", "1": "n2"})
        logs = sorted((self.folder / "jobs" / job / "tasks").glob("*.log"))
        self.assertEqual([path.read_text(encoding="utf-8") for path in logs], ["measures\n", "measures\n"])

    def test_wishes(self):
        """The server takes labels, devices, class and time, and the scheduler keeps to them."""
        self.cluster.run("kubectl", "create", "priorityclass", "night", "--value=1")
        self.addCleanup(self.cluster.run, "kubectl", "delete", "priorityclass", "night")
        job = self.submit(*self.target, "--constraint", "zone=a,disk=fast", "--gres", "gpu:2", "--qos", "night", "--time", "90m")
        self.call("jobs", "watch", job, "--every", "0.2")
        self.check_merged_once(["n1"])
        pod, = self.pods()
        self.assertEqual((pod["spec"]["nodeName"], pod["spec"]["priority"]), ("n1", 1))

    def test_what_each_node_would_measure(self):
        self.need_engine()
        answer = self.call("run", *PLAN, *self.target, "--dry-run")
        self.assertIn("n1: Kubernetes takes the task", answer)
        for node in ("n1", "n2"):
            self.assertIn(f"{node}: 2 of 2 cases would be measured", answer)
        self.cluster.wait_for(lambda: not self.pods())
        self.assertEqual(json.loads(self.cluster.ask("get", "jobs", "-o", "json"))["items"], [])

    def test_refusals(self):
        """What the server would not take is said in its words, and nothing is left of it."""
        self.need_engine()
        refused = self.call("run", *PLAN, *self.target, "--qos", "nowhere", "--dry-run", status=1, output="both")
        self.assertIn("no PriorityClass with name nowhere", refused)
        self.use("nobody")
        refused = self.call("run", *PLAN, *self.target, status=1)
        self.assertIn("Kubernetes does not allow it", refused)
        self.assertIn('User "nobody" cannot list resource "nodes"', refused)
        self.assertEqual(self.list_jobs(), [])

    def test_cancel(self):
        """One task measures, another waits because its node has another pod."""
        place = json.dumps({"spec": {"nodeSelector": {"kubernetes.io/hostname": "n2"}, "automountServiceAccountToken": False}})
        self.cluster.run("kubectl", "run", "busy", "-n", "default", "--image=busy", f"--overrides={place}", "--command", "--",
                         "sleep", "600")
        self.addCleanup(self.cluster.run, "kubectl", "delete", "pod", "busy", "-n", "default", "--now")
        self.cluster.run("kubectl", "wait", "-n", "default", "--for=condition=Ready", "pod", "busy")
        job = self.submit(*self.target, *self.slow)
        self.wait_for(job, "running", "waiting")
        self.assertIn("The scheduler says: “0/2 nodes are available", self.list_tasks(job)[1]["reason"])
        self.call("jobs", "cancel", job)
        self.wait_for(job, "stopped", "stopped")
        self.cluster.wait_for(lambda: {pod["status"]["phase"] for pod in self.pods()} <= {"Failed", "Succeeded"})

    @tap.thorough
    def test_lost_node(self):
        """A node that is away for long loses its pod; when it is back, the task begins again there."""
        job = self.submit(*self.target, "--nodes", "n1", *self.slow)
        self.wait_for(job, "running")
        self.cluster.kill_node("n1")
        self.cluster.wait_for(lambda: "It begins again" in (self.list_tasks(job)[0]["reason"] or ""))
        self.cluster.start_node("n1")
        self.call("jobs", "watch", job, "--every", "0.2")
        self.check_merged_once(["n1"])

    @tap.thorough
    def test_node_that_began_anew(self):
        """Nobody missed the node, but what was at work on it is gone."""
        job = self.submit(*self.target, "--nodes", "n1", *self.slow)
        self.wait_for(job, "running")
        self.cluster.kill_node("n1")
        self.cluster.start_node("n1")
        self.call("jobs", "watch", job, "--every", "0.2")
        self.check_merged_once(["n1"])


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[1:]))
