#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands in for kubectl with a cluster behind it: a link of this name leads here, and only tests see it.

The folder that the environment variable FAKE_KUBERNETES names holds `scenario.json`, which the test writes:

    nodes     name: {"labels", "devices", "taints", "unschedulable", "ready"}, all of which may be missing
    pods      node: steps, one for each time that pods are listed, of which the last one stays:
              "run"            Dyno measures, and ends by itself
              "part"           Dyno measures all of its cases but the last, and is not done
              "running"        it has not measured anything yet
              "silent"         it runs, but its node does not answer
              "waiting REASON MESSAGE", "unschedulable MESSAGE", "ended REASON STATUS MESSAGE", "failed REASON MESSAGE"
              "deleted"        it is being removed
              "lost"           its node has begun anew without it
    classes   of priority
    refuse    verb: an error in place of an answer
    lags      whether pods are not made before they are listed for the second time

and `objects.json`, `calls` and the folders of pods, which it writes itself. `DYNO_CLI` is the program that the image has.
The shapes are those of Kubernetes 1.34.
"""

import copy
import json
import os
import pathlib
import sys

# Most of the many calls need no other module, and each of them takes a while to load.

FOLDER = pathlib.Path(os.environ.get("FAKE_KUBERNETES", "."))
INDEX = "batch.kubernetes.io/job-completion-index"
IN_POD = "/dyno/job"


def fail(message):
    print(message, file=sys.stderr)
    sys.exit(1)


def read(name, fallback):
    path = FOLDER / name
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else fallback


def write(name, content):
    (FOLDER / name).write_text(json.dumps(content), encoding="utf-8")


class Cluster:
    def __init__(self):
        self.scenario = read("scenario.json", {})
        self.state = read("objects.json", {"time": 0, "jobs": [], "pods": [], "steps": {}})

    def save(self):
        write("objects.json", self.state)

    def now(self):
        self.state["time"] += 1
        minutes, seconds = divmod(self.state["time"], 60)
        return f"2026-11-28T12:{minutes:02}:{seconds:02}Z"

    def pods_of(self, job, index):
        return [pod for pod in self.state["pods"] if pod["metadata"]["annotations"].get(INDEX) == str(index)
                and pod["metadata"]["labels"].get("batch.kubernetes.io/job-name") == job["metadata"]["name"]]

    def make_pods(self, job):
        """An index without a pod that is at work or has succeeded gets one."""
        if job["status"].get("conditions"):
            return
        for index in range(job["spec"]["completions"]):
            if any(pod["status"]["phase"] != "Failed" and "deletionTimestamp" not in pod["metadata"]
                   for pod in self.pods_of(job, index)):
                continue
            template, name = copy.deepcopy(job["spec"]["template"]), job["metadata"]["name"]
            suffix = "".join(chr(ord("a") + byte % 26) for byte in os.urandom(5))
            labels = template["metadata"]["labels"] | {
                INDEX: str(index), "batch.kubernetes.io/job-name": name, "job-name": name}
            self.state["pods"].append({
                "apiVersion": "v1", "kind": "Pod",
                "metadata": {"name": f"{name}-{index}-{suffix}", "namespace": "default", "labels": labels,
                             "annotations": {INDEX: str(index)}, "creationTimestamp": self.now(), "resourceVersion": "1",
                             "finalizers": ["batch.kubernetes.io/job-tracking"]},
                "spec": template["spec"],
                "status": {"phase": "Pending", "qosClass": "BestEffort", "conditions": [
                    {"type": "PodScheduled", "status": "False", "reason": "SchedulingGated",
                     "message": "Scheduling is blocked due to non-empty scheduling gates"}]}})
        active = sum(pod["status"]["phase"] in ("Pending", "Running") for index in range(job["spec"]["completions"])
                     for pod in self.pods_of(job, index))
        job["status"] |= {"active": active, "ready": 0}

    def advance(self):
        """What happens between two looks at the pods."""
        self.state["pods"] = [pod for pod in self.state["pods"] if "deletionTimestamp" not in pod["metadata"]]
        for pod in self.state["pods"]:
            if "schedulingGates" not in pod["spec"] and pod["status"]["phase"] in ("Pending", "Running"):
                self.advance_pod(pod)
        for job in self.state["jobs"]:
            if not self.scenario.get("lags") or job["status"].get("seen"):
                self.make_pods(job)
            job["status"]["seen"] = True

    def advance_pod(self, pod):
        node = node_of(pod)
        if (folder_of(pod) / "tasks" / "taken").exists():
            code = pod["status"]["containerStatuses"][0]["state"].get("terminated", {}).get("exitCode", 0)
            pod["status"]["phase"] = "Failed" if code else "Succeeded"
            return
        if "terminated" in state_of(pod):
            return
        steps = self.scenario.get("pods", {}).get(node, ["run"])
        place = self.state["steps"].get(node, 0)
        self.state["steps"][node] = place + 1
        step, *words = steps[min(place, len(steps) - 1)].split(" ", 1)
        getattr(self, f"step_{step}")(pod, *words)

    def set_container(self, pod, state, phase="Running"):
        pod["spec"]["nodeName"] = node_of(pod)
        pod["status"] |= {"phase": phase, "conditions": [{"type": "PodScheduled", "status": "True"}], "containerStatuses": [
            {"name": "keep", "ready": True, "restartCount": 0, "state": {"running": {"startedAt": self.now()}}},
            {"name": "measure", "ready": True, "restartCount": 0, "state": state}]}
        pod["status"]["containerStatuses"].reverse()

    def step_running(self, pod):
        self.set_container(pod, {"running": {"startedAt": self.now()}})

    def step_silent(self, pod):
        pod["metadata"]["annotations"]["silent"] = "yes"
        self.step_running(pod)

    def step_run(self, pod):
        code = run_measure(pod)
        self.end(pod, "Error" if code else "Completed", code)

    def step_part(self, pod):
        import sqlite3

        run_measure(pod)
        whole = folder_of(pod) / "tasks" / "0-r0.dyno"
        with sqlite3.connect(whole) as document:
            document.execute("PRAGMA foreign_keys = ON")
            document.execute("DELETE FROM results WHERE id = (SELECT max(id) FROM results)")
        document.close()
        whole.rename(whole.with_suffix(".dyno.part"))
        self.step_running(pod)

    def step_waiting(self, pod, words):
        reason, message = words.split(" ", 1)
        self.set_container(pod, {"waiting": {"reason": reason, "message": message}}, "Pending")

    def step_unschedulable(self, pod, message):
        pod["status"] |= {"phase": "Pending", "conditions": [
            {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": message}]}

    def step_ended(self, pod, words):
        reason, code, *message = words.split(" ", 2)
        self.end(pod, reason, int(code), *message)

    def step_failed(self, pod, words):
        pod["status"] = {"phase": "Failed", "conditions": [
            {"type": "DisruptionTarget", "status": "True", "reason": "TerminationByKubelet"}]}
        pod["status"]["reason"], pod["status"]["message"] = words.split(" ", 1)

    def step_deleted(self, pod):
        self.step_running(pod)
        pod["metadata"] |= {"deletionTimestamp": self.now(), "deletionGracePeriodSeconds": 30}

    def step_lost(self, pod):
        self.end(pod, "Unknown", 255)
        measure, keep = pod["status"]["containerStatuses"]
        keep["state"] = measure["state"]
        pod["status"]["phase"] = "Failed"

    def end(self, pod, reason, code, message=None):
        terminated = {"exitCode": code, "reason": reason, "startedAt": self.now(), "finishedAt": self.now()}
        self.set_container(pod, {"terminated": terminated | ({"message": message} if message else {})})

    def find_pod(self, name):
        found = [pod for pod in self.state["pods"] if pod["metadata"]["name"] == name]
        if not found:
            fail(f'Error from server (NotFound): pods "{name}" not found')
        return found[0]


def node_of(pod):
    terms = pod["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    return terms[0]["matchFields"][0]["values"][0]


def state_of(pod):
    return pod["status"].get("containerStatuses", [{"state": {}}])[0]["state"]


def folder_of(pod):
    return FOLDER / "pods" / pod["metadata"]["name"]


def localise(pod, text):
    return text.replace(IN_POD, str(folder_of(pod)))


def run_inside(pod, words, **options):
    import subprocess

    words = [localise(pod, word) for word in words]
    paths = f"{FOLDER / 'image'}:{os.environ['PATH']}"
    (folder_of(pod) / "tasks").mkdir(parents=True, exist_ok=True)
    return subprocess.run(words, check=False, env=os.environ | {"PATH": paths, "DYNO_DATA_DIR": str(folder_of(pod) / "data")},
                          **options)


def run_measure(pod):
    (folder_of(pod) / "tasks").mkdir(parents=True, exist_ok=True)
    text = pod["metadata"]["annotations"]["dynobench.github.io/job"]
    (folder_of(pod) / "job.json").write_text(text, encoding="utf-8")
    with open(os.devnull, "rb") as nothing, open(folder_of(pod) / "measure.log", "w", encoding="utf-8") as log:
        return run_inside(pod, pod["spec"]["containers"][0]["command"], stdin=nothing, stdout=log, stderr=log).returncode


def describe_node(name, node):
    ready = node.get("ready", True)
    amounts = {"cpu": "8", "memory": "16384256Ki", "pods": "110"} | node.get("devices", {})
    labels = {"kubernetes.io/hostname": name, "kubernetes.io/arch": "amd64"} | node.get("labels", {})
    spec = {"taints": [{"key": key, "effect": effect} for key, effect in node.get("taints", {}).items()]}
    if node.get("unschedulable"):
        spec["unschedulable"] = True
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}, "spec": spec,
            "status": {"allocatable": amounts, "capacity": amounts, "conditions": [
                {"type": "MemoryPressure", "status": "False", "reason": "KubeletHasSufficientMemory"},
                {"type": "Ready", "status": "True" if ready else "Unknown",
                 "reason": "KubeletReady" if ready else "NodeStatusUnknown"}]}}


def get(cluster, words):
    if words[0] == "nodes":
        items = [describe_node(name, node) for name, node in cluster.scenario["nodes"].items()]
    elif words[0] == "pod":
        print(json.dumps(cluster.find_pod(words[1])))
        return
    else:
        cluster.advance()
        label, _, value = words[words.index("-l") + 1].partition("=")
        items = [item for item in cluster.state["jobs"] + cluster.state["pods"]
                 if item["metadata"]["labels"].get(label) == value]
    print(json.dumps({"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": items}))


def create(cluster, words):
    """One document after the other. A class of priority is looked for when there is a pod."""
    text = sys.stdin.read()
    while text:
        item, end = json.JSONDecoder().raw_decode(text)
        text = text[end:].lstrip()
        create_item(cluster, item, "--dry-run=server" in words)


def create_item(cluster, item, is_dry):
    name, kind = item["metadata"]["name"], item["kind"]
    item["metadata"] |= {"namespace": "default", "creationTimestamp": cluster.now(), "resourceVersion": "1"}
    item["metadata"].setdefault("annotations", {})
    wanted = item["spec"].get("priorityClassName")
    if kind == "Pod" and wanted and wanted not in cluster.scenario.get("classes", []):
        fail(f'Error from server (Forbidden): error when creating "STDIN": pods "{name}" is forbidden: no PriorityClass with '
             f"name {wanted} was found")
    if not is_dry:
        item["status"] = {"phase": "Pending"} if kind == "Pod" else {}
        cluster.state["pods" if kind == "Pod" else "jobs"].append(item)
    print(f"pod/{name}" if kind == "Pod" else f"job.batch/{name}")


def wait(cluster, words):
    if words[-2] == "pod":
        pod = cluster.find_pod(words[-1])
        steps = cluster.scenario.get("questions", {}).get(node_of(pod))
        if steps is not None:
            step, *rest = steps.split(" ", 1)
            getattr(cluster, f"step_{step}")(pod, *rest)
            cluster.save()
            fail(f"error: timed out waiting for the condition on pods/{words[-1]}")
        cluster.step_running(pod)
        return
    for job in cluster.state["jobs"]:
        if not cluster.scenario.get("lags"):
            cluster.make_pods(job)
    if not cluster.state["pods"]:
        fail(f"error: timed out waiting for the condition on jobs/{words[-1]}")


def reach(cluster, name):
    pod = cluster.find_pod(name)
    if "silent" in pod["metadata"]["annotations"]:
        fail("Error from server: error dialing backend: dial tcp 10.0.0.7:10250: i/o timeout")
    return pod


def execute(cluster, words):
    split = words.index("--")
    pod = reach(cluster, next(word for word in words if not word.startswith("-")))
    command = words[split + 1:]
    if command[-1] == "kill -TERM 1":
        cluster.end(pod, "Error", 1)
        return
    cluster.save()
    sys.exit(run_inside(pod, command).returncode)


def copy_files(cluster, words):
    import shutil

    name, _, path = words[-2].partition(":")
    source = pathlib.Path(localise(reach(cluster, name), path))
    source.mkdir(parents=True, exist_ok=True)
    shutil.copytree(source, words[-1], symlinks=True, dirs_exist_ok=True)


def logs(cluster, words):
    path = folder_of(reach(cluster, words[0])) / "measure.log"
    print(path.read_text(encoding="utf-8") if path.exists() else "", end="")


def delete(cluster, words):
    names = [word for word in words if not word.startswith("-")]
    if "-l" in words:
        wanted = dict(pair.split("=", 1) for pair in words[words.index("-l") + 1].split(","))
        names = [pod["metadata"]["name"] for pod in cluster.state["pods"]
                 if wanted.items() <= pod["metadata"]["labels"].items()]
    cluster.state["pods"] = [pod for pod in cluster.state["pods"] if pod["metadata"]["name"] not in names]
    cluster.state["jobs"] = [job for job in cluster.state["jobs"] if job["metadata"]["name"] not in names]


def replace(cluster, _):
    """As the server does it: of a pod whose gate is opened only labels, annotations and where it may go can differ."""
    for new in json.load(sys.stdin)["items"]:
        old = cluster.find_pod(new["metadata"]["name"])
        if "schedulingGates" not in old["spec"]:
            fail(f'The Pod "{new["metadata"]["name"]}" is invalid: spec: Forbidden: pod updates may not change fields other '
                 "than `spec.containers[*].image`")
        free = ("schedulingGates", "affinity", "nodeSelector")
        if ({key: value for key, value in old["spec"].items() if key not in free} !=
                {key: value for key, value in new["spec"].items() if key not in free}):
            fail(f'The Pod "{new["metadata"]["name"]}" is invalid: spec: Forbidden')
        old["metadata"], old["spec"] = new["metadata"], new["spec"]


def patch(cluster, words):
    """A job whose time is up removes the pods that are at work."""
    job, = (job for job in cluster.state["jobs"] if job["metadata"]["name"] == words[1])
    job["spec"] |= json.loads(words[-1])["spec"]
    job["status"]["conditions"] = [{"type": "Failed", "status": "True", "reason": "DeadlineExceeded"}]
    cluster.state["pods"] = [pod for pod in cluster.state["pods"] if pod["status"]["phase"] in ("Failed", "Succeeded")]


VERBS = {"get": get, "create": create, "wait": wait, "exec": execute, "cp": copy_files, "logs": logs, "delete": delete,
         "replace": replace, "patch": patch}


def main():
    verb, *words = sys.argv[1:]
    with open(FOLDER / "calls", "a", encoding="utf-8") as calls:
        calls.write(" ".join([verb, *words[:1]]) + "\n")
    cluster = Cluster()
    for refused, message in cluster.scenario.get("refuse", {}).items():
        if " ".join([verb, *words]).startswith(refused):
            fail(message)
    VERBS[verb](cluster, words)
    cluster.save()


if __name__ == "__main__":
    main()
