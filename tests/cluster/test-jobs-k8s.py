#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line with a command that only looks like kubectl, and with a cluster of files behind it.

Usage: test-jobs-k8s.py DYNO-CLI
"""

import collections
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap

CLI = os.path.abspath(sys.argv.pop(1))
STAND_IN = pathlib.Path(__file__).parent / "fake_kubectl.py"
PLAN = ["-m", "bert-tiny", "-b", "fake", "--batch", "1,2", "--invocations", "1", "--warmup-seconds", "0.05",
        "--min-seconds", "0.1", "--max-seconds", "0.5", "--idle-seconds", "0"]
IMAGE = "registry.example/lab/dyno:0.1"
ON = ["--on", f"k8s:{IMAGE}"]
FULL = "0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) didn't match Pod's node affinity/selector."


class Kubernetes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """What is found out about engines serves all tests."""
        cls.shared = tap.make_folder("dyno-fake-kubernetes-", cls.addClassCleanup)
        (cls.shared / "script.json").write_text("{}", encoding="utf-8")
        cls.stand_in = tap.copy_script(STAND_IN, cls.shared / "kubectl")
        cls.engines = tap.without_engines() | tap.use_cache(cls.shared / "cache")

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="dyno-fake-kubernetes-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        for name in ("bin", "image"):
            (self.folder / name).mkdir()
        (self.folder / "bin" / "kubectl").symlink_to(self.stand_in)
        (self.folder / "image" / "dyno-cli").symlink_to(CLI)
        self.path = f"{self.folder / 'bin'}:{os.environ['PATH']}"

    def play(self, nodes=("n1", "n2"), **scenario):
        nodes = nodes if isinstance(nodes, dict) else {name: {} for name in nodes}
        (self.folder / "scenario.json").write_text(json.dumps({"nodes": nodes} | scenario), encoding="utf-8")

    def run_cli(self, *arguments, status=0):
        variables = {"DYNO_DATA_DIR": str(self.folder / "data"), "DYNO_FAKE_BACKEND": str(self.shared / "script.json"),
                     "FAKE_KUBERNETES": str(self.folder), "PATH": self.path}
        done = subprocess.run([CLI, *map(str, arguments)], env=os.environ | self.engines | variables,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, status, f"{arguments}: {done.stderr}{done.stdout}")
        return done.stderr if status else done.stdout

    def submit(self, *arguments):
        self.run_cli("run", *ON, *PLAN, *arguments)

    def refuse(self, *arguments, status=1):
        refused = self.run_cli("run", *ON, *PLAN, *arguments, status=status)
        self.assertFalse(list((self.folder / "data").glob("jobs/*")))
        return refused

    def tasks(self):
        job, = json.loads(self.run_cli("jobs", "list", "--json"))
        return job["tasks"]

    def states(self):
        return [task["state"] for task in self.tasks()]

    def reason(self):
        task, = self.tasks()
        return task["reason"]

    def objects(self, kind):
        return json.loads((self.folder / "objects.json").read_text(encoding="utf-8"))[kind]

    def count_calls(self):
        return collections.Counter((self.folder / "calls").read_text(encoding="utf-8").splitlines())

    def fetch(self):
        """The batch sizes of each node's run."""
        self.run_cli("jobs", "fetch")
        runs = [json.loads(self.run_cli("show", run["id"], "--json"))["runs"][0]
                for run in json.loads(self.run_cli("list", "--json"))]
        return {run["title"].rsplit(" ", 1)[1]: sorted(result["case"]["batch-size"] for result in run["results"])
                for run in runs}

    def test_every_case_on_each_node(self):
        self.play(nodes=["n1", "n2", "n3"])
        self.submit("--nodes", "n1,n3")
        self.assertEqual(self.states(), ["done", "done"])
        self.assertEqual(self.fetch(), {"n1": [1, 2], "n3": [1, 2]})
        self.assertEqual(self.fetch(), {"n1": [1, 2], "n3": [1, 2]})
        job, = self.objects("jobs")
        self.assertEqual((job["spec"]["completionMode"], job["spec"]["completions"]), ("Indexed", 2))
        self.assertEqual([pod["metadata"]["annotations"]["batch.kubernetes.io/job-completion-index"]
                          for pod in self.objects("pods")], ["0", "1"])
        logs = [path.name for path in (self.folder / "data").glob("jobs/*/tasks/*.log")]
        self.assertEqual(sorted(logs), ["0.log", "1.log"])

    @tap.thorough
    def test_pods_end_once_their_results_are_here(self):
        self.play(nodes=["n1"])
        self.submit()
        self.run_cli("jobs", "watch", self.objects("jobs")[0]["metadata"]["name"][len("dyno-"):], "--every", "0.05")
        pod, = self.objects("pods")
        self.assertTrue((self.folder / "pods" / pod["metadata"]["name"] / "tasks" / "taken").exists())
        before = self.count_calls()
        self.assertEqual(self.states(), ["done"])
        self.assertEqual(self.count_calls(), before)

    def test_wishes(self):
        """Labels, devices, class, time and place are those of the pod; one that shares its node only keeps away from Dyno."""
        big = {"labels": {"zone": "a"}, "devices": {"nvidia.com/gpu": "4"}, "taints": {"nvidia.com/gpu": "NoSchedule"}}
        self.play(nodes={"n1": big, "n2": {"labels": {"zone": "a"}}}, classes=["night"])
        self.submit("--constraint", "zone=a", "--gres", "gpu:2", "--qos", "night", "--time", "90m")
        job, = self.objects("jobs")
        spec = job["spec"]["template"]["spec"]
        measure = spec["containers"][0]
        self.assertEqual(spec["nodeSelector"], {"zone": "a"})
        self.assertEqual(measure["resources"], {"limits": {"nvidia.com/gpu": "2"}})
        self.assertEqual(spec["tolerations"], [{"key": "nvidia.com/gpu", "operator": "Exists"}])
        self.assertEqual(spec["priorityClassName"], "night")
        self.assertEqual(measure["command"][:3], ["timeout", "90m", "dyno-cli"])
        self.assertEqual({container["image"] for container in spec["containers"]}, {IMAGE})
        self.assertEqual([task["node"] for task in self.tasks()], ["n1"])
        term, = spec["affinity"]["podAntiAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
        self.assertEqual(term["labelSelector"]["matchExpressions"][0]["key"], "pod-template-generation")
        self.setUp()
        self.play(nodes=["n1"])
        self.submit("--shared-nodes")
        job, = self.objects("jobs")
        affinity = job["spec"]["template"]["spec"]["affinity"]
        term, = affinity["podAntiAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
        self.assertEqual(term["labelSelector"], {"matchLabels": {"app.kubernetes.io/name": "dyno"}})

    @tap.thorough
    def test_nodes_that_take_no_work(self):
        self.play(nodes={"n1": {"ready": False}, "n2": {"unschedulable": True}, "n3": {"taints": {"own": "NoExecute"}},
                         "n4": {"taints": {"slow": "PreferNoSchedule"}}})
        self.submit()
        self.assertEqual([task["node"] for task in self.tasks()], ["n4"])
        self.setUp()
        self.play(nodes={"n1": {"devices": {"nvidia.com/gpu": "1"}}})
        self.assertIn("kubectl describe nodes", self.refuse("--gres", "gpu:2"))
        self.assertIn("kubectl describe nodes", self.refuse("--constraint", "zone=b"))

    def test_refused_options(self):
        self.play()
        for option in ("--account", "--reservation", "--begin", "--nice", "--job-priority"):
            self.assertIn(f"corresponds to {option}", self.refuse(option, "1", status=2))
        self.assertIn("corresponds to --stage", self.refuse("--stage", status=2))
        self.assertIn("not “fast”", self.refuse("--constraint", "fast", status=2))
        self.assertIn("not “gpu:a100”", self.refuse("--gres", "gpu:a100", status=2))
        self.assertIn("not “1:30:00”", self.refuse("--time", "1:30:00", status=2))
        for target in ("k8s", "k8s:dyno 1", 'k8s:"}'):
            self.assertIn("Name the image", self.run_cli("run", "--on", target, *PLAN, status=2))

    def test_dry_run(self):
        """Says what would be submitted, and asks the server and Dyno on one of equal nodes; nothing is left of that."""
        self.play()
        answer = self.run_cli("run", *ON, *PLAN, "--dry-run")
        self.assertIn(f"one Indexed Job with the image “{IMAGE}”", answer)
        self.assertIn("n1: Kubernetes takes the task", answer)
        self.assertIn("n1: 2 of 2 cases would be measured", answer)
        self.assertIn("n2: as “n1”", answer)
        self.assertEqual((self.objects("jobs"), self.objects("pods")), ([], []))
        nothing = self.run_cli("run", *ON, "-m", "bert-tiny", "-b", "qnn", status=1)
        self.assertIn("No case of the plan", nothing)

    @tap.thorough
    def test_no_room_for_a_question(self):
        self.play(nodes=["n1"], questions={"n1": f"unschedulable {FULL}"})
        self.assertIn(f"n1: The scheduler says: “{FULL}”", self.run_cli("run", *ON, *PLAN, "--dry-run"))
        self.assertEqual(self.objects("pods"), [])

    def test_unreachable_cluster(self):
        refused = ("The connection to the server localhost:8080 was refused - did you specify the right host or port?",
                   "Unable to connect to the server: dial tcp: lookup gone on 10.0.0.1:53: no such host")
        for words in refused:
            self.play(refuse={"get nodes": 'E1128 12:00:00.1 7 memcache.go:265] "Unhandled Error" err="…"\n' + words})
            said = self.refuse()
            self.assertIn("No Kubernetes cluster can be reached. Choose one with “kubectl config use-context", said)
            self.assertIn(f"says: {words}", said)
            self.assertNotIn("memcache", said)
        self.play(refuse={"get nodes": "error: You must be logged in to the server (Unauthorized)"})
        self.assertIn("Log in to the cluster again", self.refuse())

    def test_no_permission(self):
        """The words name the right that is missing."""
        for verb, resource in (("get nodes", "nodes"), ("create --dry-run", "jobs.batch"), ("create -o", "pods")):
            words = f'Error from server (Forbidden): {resource} is forbidden: User "a" cannot use resource "{resource}"'
            self.play(refuse={verb: words})
            said = self.refuse()
            self.assertIn("Kubernetes does not allow it. Ask its administrator", said)
            self.assertIn(words, said)

    def test_unknown_class(self):
        """The server takes a job of a class that there is not, but none of its pods."""
        self.play()
        said = self.refuse("--qos", "night")
        self.assertIn("the class that --qos names", said)
        self.assertIn("no PriorityClass with name night was found", said)

    @tap.thorough
    def test_pods_may_not_be_changed(self):
        self.play(nodes=["n1"], refuse={"replace": 'Error from server (Forbidden): pods "x" is forbidden'})
        self.submit()
        self.assertEqual(self.states(), ["waiting"])
        self.assertIn("Kubernetes does not allow it", self.reason())
        self.play(nodes=["n1"])
        self.assertEqual([self.states(), self.states()], [["waiting"], ["done"]])

    def test_no_kubectl(self):
        (self.folder / "bin" / "kubectl").unlink()
        self.path = str(self.folder / "bin")
        self.play()
        self.assertIn("“kubectl” cannot be used", self.refuse())

    def test_image_that_cannot_be_pulled(self):
        words = f'Back-off pulling image "{IMAGE}": ErrImagePull: not found'
        self.play(nodes=["n1"], pods={"n1": [f"waiting ImagePullBackOff {words}", "run"]})
        self.submit()
        self.assertIn(f"Its image cannot be pulled: {words}. Check its name", self.reason())
        self.assertEqual(self.states(), ["done"])

    @tap.thorough
    def test_no_node_fits(self):
        self.play(nodes=["n1"], pods={"n1": [f"unschedulable {FULL}", "run"]})
        self.submit()
        self.assertIn(f"The scheduler says: “{FULL}” Wait until", self.reason())
        self.assertEqual(self.states(), ["done"])

    def test_out_of_memory(self):
        """It ended by itself, so it does not begin again; its pod ends, and nothing of the job stays at work."""
        self.play(nodes=["n1"], pods={"n1": ["part", "ended OOMKilled 137"]})
        self.submit()
        self.assertEqual(self.states(), ["running"])
        self.assertEqual(self.states(), ["failed"])
        self.assertIn("memory was used up", self.reason())
        self.assertEqual(len(self.fetch()["n1"]), 1)
        self.assertEqual(self.states(), ["failed"])
        self.assertEqual([pod["status"]["phase"] for pod in self.objects("pods")], ["Failed"])

    @tap.thorough
    def test_time_is_up(self):
        self.play(nodes=["n1"], pods={"n1": ["ended Error 124"]})
        self.submit("--time", "1s")
        self.assertIn("ask for more with --time", self.reason())

    @tap.thorough
    def test_image_without_dyno(self):
        words = 'exec: "dyno-cli": executable file not found in $PATH: unknown'
        self.play(nodes=["n1"], pods={"n1": [f"ended StartError 128 {words}"]})
        self.submit()
        self.assertIn(f"could not be started: {words}. Check that the image has Dyno", self.reason())

    def test_lost_node(self):
        """A task that Kubernetes ended begins again without the cases whose results are here."""
        ends = ("failed Evicted The node was low on resource: memory.", "failed NodeLost Node n1 is gone", "deleted", "lost")
        for end in ends if tap.THOROUGH else ends[::3]:
            with self.subTest(end=end):
                self.setUp()
                self.play(nodes=["n1"], pods={"n1": ["part", end, "run"]})
                self.submit()
                self.assertEqual(self.states(), ["running"])
                self.assertIn(end.split(" ", 2)[-1].strip("."), self.reason().replace("removed", "deleted"))
                self.assertEqual(self.states(), ["done"])
                self.assertEqual(self.fetch(), {"n1": [1, 2]})
                documents = sorted((self.folder / "data").glob("jobs/*/tasks/0-r*"))
                self.assertEqual([self.count_results(path) for path in documents if path.stat().st_size > 0], [1, 1])

    def count_results(self, path):
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as document:
            number, = document.execute("SELECT count(*) FROM results").fetchone()
        document.close()
        return number

    @tap.thorough
    def test_node_that_does_not_answer(self):
        self.play(nodes=["n1"], pods={"n1": ["silent"]})
        self.submit()
        self.assertEqual(self.states(), ["lost"])
        self.assertIn("may well go on: Error from server: error dialing backend", self.reason())

    @tap.thorough
    def test_removed_by_others(self):
        self.play(nodes=["n1"], pods={"n1": ["running"]})
        self.submit()
        (self.folder / "objects.json").unlink()
        self.assertEqual(self.states(), ["lost"])
        self.assertIn("does not know of it any more", self.reason())

    @tap.thorough
    def test_another_node(self):
        """Where it does not matter which node measures, a pod leaves one that is away before it measured."""
        self.play(pods={"n1": ["unschedulable 0/2 nodes are available: 1 node(s) had untolerated taint(s)."]})
        self.submit("--nodes", "1")
        self.play(nodes={"n1": {"ready": False}, "n2": {}},
                  pods={"n1": ["unschedulable 0/2 nodes are available: 1 node(s) had untolerated taint(s)."]})
        self.assertEqual([self.states() for _ in range(3)], [["waiting"], ["waiting"], ["done"]])
        self.assertEqual(self.fetch(), {"n2": [1, 2]})

    def test_cancel(self):
        """Dyno in a pod is told to stop, its finished cases are kept, and a pod that has not begun goes."""
        self.play(pods={"n1": ["part", "running"], "n2": [f"unschedulable {FULL}"]})
        self.submit()
        job, = json.loads(self.run_cli("jobs", "list", "--json"))
        cancelled = self.run_cli("jobs", "cancel", job["id"])
        self.assertIn("n1: told to stop", cancelled)
        self.assertIn("n2: told to stop", cancelled)
        self.assertEqual(self.states(), ["stopped", "stopped"])
        self.assertEqual(len(self.fetch()["n1"]), 1)
        self.assertEqual({pod["status"]["phase"] for pod in self.objects("pods")} - {"Failed"}, set())

    @tap.thorough
    def test_died_after_submitting(self):
        self.play(nodes=["n1"], pods={"n1": ["running", "run"]})
        self.submit()
        path, = (self.folder / "data" / "jobs").glob("*/job.json")
        content = json.loads(path.read_text(encoding="utf-8"))
        content["tasks"][0]["handle"] = 0
        path.write_text(json.dumps(content), encoding="utf-8")
        self.assertEqual(self.states(), ["running"])
        self.assertEqual(self.states(), ["done"])

    @tap.thorough
    def test_pods_that_come_later(self):
        self.play(nodes=["n1"], lags=True)
        self.submit()
        self.assertEqual([self.states(), self.states()], [["waiting"], ["done"]])

    @tap.thorough
    def test_divided_cases(self):
        self.play()
        self.submit("--divide")
        self.assertEqual(self.states(), ["done", "done"])
        runs = self.fetch()
        self.assertEqual(sorted(runs["n1"] + runs["n2"]), [1, 2])

    @tap.thorough
    def test_hostile_pod(self):
        """Only regular documents are taken, whatever else its folder has."""
        self.play(nodes=["n1"], pods={"n1": ["running", "ended Error 1"]})
        self.submit()
        pod, = self.objects("pods")
        tasks = self.folder / "pods" / pod["metadata"]["name"] / "tasks"
        tasks.mkdir(parents=True)
        (tasks / "0-r7.dyno").symlink_to(self.shared / "script.json")
        for name in ("0.log", "1-r0.dyno", "0-r0.dyno.partly", "0-r1.dyno.part", "job.json"):
            (tasks / name).write_text("x", encoding="utf-8")
        self.assertEqual(self.states(), ["running"])
        mine, = (self.folder / "data").glob("jobs/*/tasks")
        self.assertEqual(sorted(path.name for path in mine.iterdir()), ["0-r0.dyno.part", "0-r1.dyno.part"])
        self.assertEqual(list(mine.parent.glob("incoming*")), [])


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[1:]))
