# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole Slurm of two nodes, in a folder of its own and for as long as one test runs.

Its daemons and jobs belong to whoever runs the test. They need no root, no fixed port, no service manager and no control
groups; key and socket of munge are their own as well.
"""

import ctypes
import os
import pathlib
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

START_SECONDS = 90
WAIT_SECONDS = 90
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36

# What the site says of its nodes. Both are this machine: the core that each has is a word only.
NODES = {
    "n1": "CPUs=1 RealMemory=500 Feature=avx512,amx Gres=gpu:fake:1",
    "n2": "CPUs=1 RealMemory=500 Feature=avx2",
}

# The periods are short because the tests wait for them: a job is put back for as long as credentials hold, and a node is
# down that did not answer for as long as SlurmdTimeout. Finished jobs are remembered until the end.
CONFIGURATION = """
ClusterName=dyno
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldDebug=debug
SlurmdDebug=info
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=2,bf_interval=2
MpiDefault=none
ReturnToService=2
SlurmdTimeout=20
MessageTimeout=5
KillWait=2
MinJobAge=3600
GresTypes=gpu
SlurmdParameters=config_overrides
{nodes}
PartitionName=debug Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=small Nodes=n2 MaxTime=10 State=UP
"""


class Unavailable(Exception):
    """Slurm cannot run here; the text says why, in one line."""


def find_program(name):
    path = shutil.which(name, path=os.environ.get("PATH", os.defpath) + ":/usr/sbin:/sbin")
    if path is None:
        raise Unavailable(f"“{name}” is not installed: it is in the packages slurm-wlm and munge.")
    return path


def find_ports(number):
    """Ports that are free now, all of them different."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def prctl(option, value):
    ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def end_with_parent():
    """Runs in a daemon before it begins, so that none outlives a test that is killed."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def list_children(process):
    """All that descend from a process, the nearest first."""
    found = []
    for path in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found += [int(child) for child in path.read_text(encoding="ascii").split()]
        except OSError:
            continue
    return found + [further for child in found for further in list_children(child)]


def is_of_node(process, node):
    """A job's script is told its node in its environment; so is the daemon here."""
    try:
        return f"SLURMD_NODENAME={node}".encode() in pathlib.Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    except OSError:
        return False


def kill_all(processes):
    for process in processes:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            continue


class Daemon:
    """A program that runs until it is ended, and what it says."""

    def __init__(self, name, arguments, environment, news):
        self.name, self.lines, self.news = name, [], news
        self.process = subprocess.Popen(
            arguments, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", preexec_fn=end_with_parent)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            with self.news:
                self.lines.append(line)
                self.news.notify_all()
        with self.news:
            self.news.notify_all()

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=WAIT_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def explain(self):
        last = next((line.strip() for line in reversed(self.lines) if "rror" in line), "it does not say why")
        return f"{self.name}: {last}"


class Slurm:
    """with Slurm() as slurm: two nodes, n1 and n2, take jobs; `slurm.environment` is how its commands find it."""

    def __init__(self):
        self.folder = None
        self.daemons = {}
        self.news = threading.Condition()
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("SLURM", "SBATCH", "SQUEUE", "SACCT", "SCONTROL"))}

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dyno-slurm-"))
        self.folder.chmod(0o755)
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        programs = {name: find_program(name) for name in ("munged", "slurmctld", "slurmd", "sbatch")}
        # What a killed daemon leaves behind comes to this process, which ends it.
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        self.configure()
        self.start_munge(programs["munged"])
        self.start_daemon("slurmctld", programs["slurmctld"], "-D", "-c", "-i")
        for node in NODES:
            self.start_node(node)

    def configure(self):
        control, *ports = find_ports(1 + len(NODES))
        nodes = "\n".join(f"NodeName={name} NodeHostname={socket.gethostname()} NodeAddr=127.0.0.1 Port={port} {what}"
                          for (name, what), port in zip(NODES.items(), ports))
        text = CONFIGURATION.format(host=socket.gethostname().split(".")[0], port=control, folder=self.folder, nodes=nodes,
                                    user=pwd.getpwuid(os.getuid()).pw_name)
        (self.folder / "state").mkdir()
        for node in NODES:
            (self.folder / f"spool-{node}").mkdir()
        (self.folder / "slurm.conf").write_text(text, encoding="utf-8")
        (self.folder / "gres.conf").write_text("NodeName=n1 Name=gpu Type=fake File=/dev/zero\n", encoding="utf-8")
        # Later releases look for control groups even where nothing uses them; earlier ones do not know the word.
        if self.release >= (23, 11):
            (self.folder / "cgroup.conf").write_text("CgroupPlugin=disabled\n", encoding="utf-8")
        self.environment["SLURM_CONF"] = str(self.folder / "slurm.conf")

    def start_munge(self, program):
        key = self.folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(secrets.token_bytes(128))
        files = [f"--{what}={self.folder}/munge.{what.removesuffix('-file')}"
                 for what in ("key-file", "log-file", "pid-file", "seed-file", "socket")]
        self.start_daemon("munged", program, "--foreground", "--force", *files)
        self.wait_for(lambda: (self.folder / "munge.socket").exists(), "munged", START_SECONDS)

    def start_daemon(self, name, *arguments, **variables):
        self.daemons[name] = Daemon(name, arguments, self.environment | variables, self.news)

    def start_node(self, node):
        self.start_daemon(node, find_program("slurmd"), "-D", "-N", node, SLURMD_NODENAME=node)
        self.wait_for(lambda: self.node_state(node).startswith("IDLE"), node, START_SECONDS)

    def kill_node(self, node):
        """The node dies at once, with all that runs on it."""
        kill_all([process for process in list_children(os.getpid())
                  if any(is_of_node(each, node) for each in [process, *list_children(process)])])
        self.daemons.pop(node).close()

    @property
    def release(self):
        """Year and month, from “slurm-wlm 22.05.8”."""
        text = self.run(find_program("slurmctld"), "-V").stdout
        return tuple(int(part) for part in text.split()[-1].split(".")[:2])

    def run(self, *arguments, check=True, **keywords):
        """A command of Slurm, as a user gives it."""
        return subprocess.run(list(map(str, arguments)), env=self.environment | keywords, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, check=check)

    def node_state(self, node):
        words = self.run("scontrol", "show", "node", "-o", node, check=False).stdout.split()
        return next((word.removeprefix("State=") for word in words if word.startswith("State=")), "")

    def count_lines(self):
        return sum(len(daemon.lines) for daemon in self.daemons.values())

    def wait_for(self, condition, name="slurmctld", seconds=WAIT_SECONDS):
        """Asks again whenever a daemon says something, which it does when anything changes, or a second has gone."""
        deadline = time.monotonic() + seconds
        while True:
            known = self.count_lines()
            if condition():
                return
            daemon = self.daemons[name]
            if daemon.process.poll() is not None:
                raise Unavailable(daemon.explain())
            if time.monotonic() > deadline:
                raise TimeoutError(f"{name} did not get there in {seconds} s:\n" + "".join(daemon.lines[-30:]))
            with self.news:
                self.news.wait_for(lambda: self.count_lines() != known, 1)

    def stop(self):
        for name in reversed(list(self.daemons)):
            self.daemons.pop(name).close()
        while rest := list_children(os.getpid()):
            kill_all(rest)
            os.waitpid(-1, 0)
        shutil.rmtree(self.folder, ignore_errors=True)
