#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands in for sbatch, srun, squeue, sacct, scontrol and scancel: links of these names lead here, and only tests see them.

The folder that the environment variable FAKE_SLURM names holds `scenario.json`, which the test writes:

    release   "22.05" or "24.11": the shape of answers, and whether squeue obeys its filters
    machine   the instruction set of the nodes, that of this machine where it is missing
    nodes     name: {"state", "partitions", "features"}
    tasks     node: steps, one for each poll, of which the last one stays: "PENDING Resources", "RUNNING", "run" (the
              script runs at once, and its end decides), "TIMEOUT", "gone" (the queue has forgotten it)
    accounts  whether the site keeps any
    busy      nodes on which nothing can start at once
    starts    node: when a task that is submitted now would start there, at once where it is missing
    qos       the names of qualities of service, any where it is missing

and `jobs.json` and `calls`, which it writes itself: what was submitted, and one line for each call. The words are those
that releases 22.05.8 and 24.11.5 printed.
"""

import json
import os
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(os.environ.get("FAKE_SLURM", "."))
ASKED = ("qos", "reservation", "nice", "begin", "priority")
FOREIGN = {"number": 900000, "index": 0, "job": 900000, "state": "RUNNING", "reason": "None", "node": "n1", "restarts": 0,
           "comment": ""}


def fail(message, status=1):
    print(message, file=sys.stderr)
    sys.exit(status)


def read(name, fallback):
    path = FOLDER / name
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else fallback


def write_jobs(jobs):
    (FOLDER / "jobs.json").write_text(json.dumps(jobs), encoding="utf-8")


def read_options(arguments):
    """--name=value, --name and -j value."""
    options = {}
    for i, word in enumerate(arguments):
        if word == "-j":
            options["jobs"] = [int(number) for number in arguments[i + 1].split(",")]
        elif word.startswith("--"):
            name, _, value = word[2:].partition("=")
            options[name] = value
    return options


def check_request(scenario, options):
    prefix = "allocation failure: " if "test-only" in options else "sbatch: error: Batch job submission failed: "
    known = {feature for node in scenario["nodes"].values() for feature in node["features"].split(",")}
    wanted = set(filter(None, options.get("constraint", "").split("&")))
    node = scenario["nodes"].get(options.get("nodelist", next(iter(scenario["nodes"]))))
    if node is None:
        fail(prefix + "Invalid node name specified")
    if wanted - known:
        fail(prefix + "Invalid feature specification")
    if wanted - set(node["features"].split(",")):
        fail(prefix + "Requested node configuration is not available")
    if "qos" in scenario and options.get("qos", scenario["qos"][0]) not in scenario["qos"]:
        fail(prefix + "Invalid qos specification")
    if "partition" in options and options["partition"] not in node["partitions"].split(","):
        fail(f"sbatch: error: invalid partition specified: {options['partition']}\n{prefix}Invalid partition name specified")


def sbatch(scenario, arguments):
    options, jobs = read_options(arguments), read("jobs.json", [])
    check_request(scenario, options)
    number = max((job["job"] for job in jobs), default=0) + 1
    if "test-only" in options:
        start = scenario.get("starts", {}).get(options["nodelist"], "2026-11-23T07:00:10")
        fail(f"sbatch: Job {number} to start at {start} using 1 processors on nodes {options['nodelist']} in partition debug",
             status=0)
    elements = [{"number": number, "index": index, "job": number + place, "node": None, "script": options["wrap"],
                 "output": options["output"].replace("%a", str(index)), "comment": options["comment"], "held": True,
                 "asked": {name: options[name] for name in ASKED if name in options},
                 "state": "PENDING", "reason": "JobHeldUser", "step": 0, "restarts": 0}
                for place, index in enumerate(map(int, options["array"].split(",")))]
    write_jobs([*jobs, *elements])
    print(number)


def srun(scenario, arguments):
    options = read_options(arguments)
    command = next(i for i, word in enumerate(arguments) if not word.startswith("--"))
    check_request(scenario, options)
    if options["nodelist"] in scenario.get("busy", []):
        fail("srun: error: Unable to allocate resources: Requested nodes are busy")
    sys.exit(subprocess.run(arguments[command:], env=os.environ | {"SLURMD_NODENAME": options["nodelist"]}, check=False).returncode)


def run_script(job):
    variables = {"SLURM_JOB_ID": str(job["job"]), "SLURM_ARRAY_JOB_ID": str(job["number"]),
                 "SLURM_ARRAY_TASK_ID": str(job["index"]), "SLURMD_NODENAME": job["node"]}
    with open(job["output"], "a", encoding="utf-8") as output:
        return subprocess.run(job["script"], shell=True, env=os.environ | variables, stdin=subprocess.DEVNULL,
                              stdout=output, stderr=output, check=False).returncode


def advance(scenario, job):
    steps = scenario["tasks"].get(job["node"], ["run"])
    if job["state"] in ("COMPLETED", "FAILED", "CANCELLED") or job["held"]:
        return
    step = steps[min(job["step"], len(steps) - 1)]
    job["step"] += 1
    if step == "run":
        job["state"], job["reason"] = ("FAILED", "NonZeroExitCode") if run_script(job) else ("COMPLETED", "None")
    else:
        job["state"], job["reason"] = (step.split(" ") + ["None"])[:2]


def describe(release, job):
    node = job["node"] if job["state"] != "PENDING" else ""
    record = {"job_id": job["job"], "nodes": node, "state_reason": job["reason"], "restart_cnt": job["restarts"],
              "comment": job["comment"]}
    if release < "23.02":
        return record | {"array_job_id": job["number"], "array_task_id": job["index"], "job_state": job["state"]}
    return record | {"array_job_id": {"set": True, "infinite": False, "number": job["number"]},
                     "array_task_id": {"set": True, "infinite": False, "number": job["index"]},
                     "job_state": [job["state"]]}


def squeue(scenario, arguments):
    """Old releases answer with the whole queue; newer ones refuse a single number that they do not know."""
    release, wanted, jobs = scenario["release"], read_options(arguments).get("jobs"), read("jobs.json", [])
    for job in jobs:
        advance(scenario, job)
    write_jobs(jobs)
    shown = [job for job in [FOREIGN, *jobs] if job["state"] != "gone"]
    if release >= "23.02" and wanted is not None:
        shown = [job for job in shown if job["number"] in wanted]
        if not shown and len(wanted) == 1:
            fail("slurm_load_jobs error: Invalid job id specified")
    print(json.dumps({"jobs": [describe(release, job) for job in shown], "errors": []}))


def sacct(scenario, arguments):
    if not scenario.get("accounts"):
        fail("Slurm accounting storage is disabled")
    wanted = read_options(arguments)["jobs"]
    print(json.dumps({"jobs": [
        {"job_id": job["job"],
         "array": {"job_id": job["number"], "task_id": {"set": True, "infinite": False, "number": job["index"]}},
         "nodes": job["node"], "restart_cnt": job["restarts"], "state": {"current": ["COMPLETED"], "reason": "None"}}
        for job in read("jobs.json", []) if job["number"] in wanted], "errors": []}))


def read_commands(scenario, lines):
    """update JobId=1_0 ReqNodeList=n1, and release 1, as its input has them."""
    jobs = read("jobs.json", [])
    for name, *words in map(str.split, lines):
        if name == "release":
            for job in jobs:
                if str(job["number"]) in words:
                    job["held"], job["reason"] = False, "None"
            continue
        values = dict(word.split("=") for word in words)
        if "Priority" in values:
            for job in jobs:
                if str(job["number"]) == values["JobId"]:
                    job["priority"] = values["Priority"]
            continue
        job, = (job for job in jobs if f"{job['number']}_{job['index']}" == values["JobId"])
        job["node"] = values["ReqNodeList"]
        if job["node"] not in scenario["nodes"]:
            fail("Invalid node name specified for job " + values["JobId"])
    write_jobs(jobs)


def scontrol(scenario, arguments):
    if not arguments or arguments[0] == "update":
        read_commands(scenario, [" ".join(arguments)] if arguments else sys.stdin)
        return
    for name, node in scenario["nodes"].items():
        print(f"NodeName={name} Arch={scenario.get('machine', os.uname().machine)} CoresPerSocket=1  CPUAlloc=0 CPUEfctv=1 CPUTot=1 CPULoad=0.50 "
              f"AvailableFeatures={node['features']} ActiveFeatures={node['features']} Gres=(null) NodeAddr=127.0.0.1 "
              f"NodeHostName=host Version={scenario['release']} OS=Linux 6.1.0-44-amd64 #1 SMP RealMemory=500 AllocMem=0 "
              f"Sockets=1 Boards=1 State={node['state']} ThreadsPerCore=1 Partitions={node['partitions']}  AllocTRES=")


def scancel(_, arguments):
    jobs = read("jobs.json", [])
    for job in jobs:
        if f"{job['number']}_{job['index']}" in arguments:
            job["state"], job["reason"] = "CANCELLED", "None"
    write_jobs(jobs)


def main():
    name = pathlib.Path(sys.argv[0]).name
    with open(FOLDER / "calls", "a", encoding="utf-8") as calls:
        calls.write(f"{name}\n")
    {"sbatch": sbatch, "srun": srun, "squeue": squeue, "sacct": sacct, "scontrol": scontrol, "scancel": scancel}[name](
        read("scenario.json", {}), sys.argv[1:])


if __name__ == "__main__":
    main()
