#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records what Slurm's commands print here, in the states that the readers must know.

Usage: record-slurm.py FOLDER

Nothing of this machine is kept: its name, its kernel and the folders are replaced. Takes about a minute.
"""

import json
import pathlib
import re
import socket
import sys

import slurm

# Called with nothing to wait for: the reasons that people and the driver read.
QUESTIONS = [
    ["sbatch", "--parsable", "--hold", "--wrap", "true"],
    ["sbatch", "--test-only", "--nodelist", "n1", "--wrap", "true"],
    ["sbatch", "--test-only", "--constraint", "amx&avx2", "--wrap", "true"],
    ["sbatch", "--test-only", "--time", "60", "--partition", "small", "--wrap", "true"],
    ["sbatch", "--parsable", "--constraint", "tpu", "--wrap", "true"],
    ["sbatch", "--parsable", "--gres", "gpu:9", "--wrap", "true"],
    ["sbatch", "--parsable", "--partition", "nowhere", "--wrap", "true"],
    ["sbatch", "--parsable", "--nodelist", "n9", "--wrap", "true"],
    ["sbatch", "--parsable", "--time", "soon", "--wrap", "true"],
    ["scancel", "999999"],
    ["scontrol", "show", "job", "999999"],
    ["sacct", "--json", "-j", "1"],
    ["sinfo", "-h", "-N", "-o", "%N|%T|%c|%m|%f|%G|%O|%e|%X|%Y|%Z"],
]


class Recorder:
    def __init__(self, cluster, folder):
        self.slurm, self.folder = cluster, folder
        self.release = cluster.run("squeue", "--version").stdout.split()[-1]

    def scrub(self, text):
        text = text.replace(str(self.slurm.folder), "/cluster").replace(socket.gethostname(), "host")
        return re.sub(r"OS=.*?(?= RealMemory)", "OS=Linux 6.1.0-44-amd64 #1 SMP Debian 6.1.164-1 (2026-03-09)", text)

    def write(self, name, text):
        suffix = pathlib.Path(name).suffix
        path = self.folder / f"{name.removesuffix(suffix)}-{self.release}{suffix}"
        path.write_text(self.scrub(text), encoding="utf-8")

    def write_tasks(self, name, only=None):
        """Each job in a line."""
        answer = json.loads(self.slurm.run("squeue", "-t", "all", "--json").stdout)
        jobs = [json.dumps(job) for job in answer.pop("jobs") if only in (None, str(job["job_id"]))]
        self.write(name, json.dumps(answer)[:-1] + ', "jobs": [\n' + ",\n".join(jobs) + "\n]}\n")

    def submit(self, *arguments, script="sleep 600"):
        answer = self.slurm.run("sbatch", "--parsable", "--chdir", self.slurm.folder, "--output", "/dev/null",
                                *arguments, "--wrap", script)
        return answer.stdout.strip()

    def state(self, job):
        return self.slurm.run("squeue", "-h", "-t", "all", "-j", job, "-o", "%T").stdout.split()

    def wait(self, job, *states):
        self.slurm.wait_for(lambda: set(states) & set(self.state(job)))

    def record_tasks(self):
        """Every state at once: ended in all ways, running again, waiting, and elements of arrays that never began."""
        for script in ("true", "exit 3", "kill -SEGV $$"):
            self.wait(self.submit(script=script), "COMPLETED", "FAILED")
        late = self.submit("--nodelist", "n2", "--time", "1")
        again = self.submit("--nodelist", "n1", "--requeue")
        self.wait(late, "RUNNING")
        self.slurm.run("scontrol", "update", f"jobid={late}", "EndTime=now+1")
        self.wait(again, "RUNNING")
        self.slurm.kill_node("n1")
        self.slurm.wait_for(lambda: "DOWN" in self.slurm.node_state("n1"))
        self.write("nodes.txt", self.slurm.run("scontrol", "show", "node", "-o").stdout)
        self.write_tasks("squeue-node-down.json", only=again)
        self.slurm.start_node("n1")
        self.wait(again, "RUNNING")
        self.wait(late, "TIMEOUT")
        array = self.submit("--nodelist", "n2", "--array", "0-7", "--comment", "6f2c")
        self.submit("--nodelist", "n2", "--array", "0-9:3%1")
        self.wait(array, "RUNNING")
        self.slurm.run("scancel", f"{array}_3")
        self.slurm.run("scancel", f"{array}_0")
        self.slurm.wait_for(lambda: "CANCELLED" in self.state(f"{array}_0") and "RUNNING" in self.state(f"{array}_1"))
        self.write_tasks("squeue.json")

    def record_answers(self):
        answers = []
        for question in QUESTIONS:
            answer = self.slurm.run(*question, check=False)
            answers.append({"command": question, "status": answer.returncode, "stdout": answer.stdout,
                            "stderr": answer.stderr})
        self.write("answers.json", json.dumps(answers, indent=1) + "\n")


def main(folder):
    with slurm.Slurm() as cluster:
        recorder = Recorder(cluster, pathlib.Path(folder))
        recorder.record_answers()
        recorder.record_tasks()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
