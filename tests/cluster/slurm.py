# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole Slurm of two nodes, in a folder of its own and for as long as one test runs.

Its daemons and jobs belong to whoever runs the test. They need no root, no fixed port, no service manager and no control
groups; key and socket of munge are their own as well.
"""

import os
import pathlib
import pwd
import secrets
import shutil
import socket

from daemons import START_SECONDS, Site, Unavailable, find_ports, kill_all, list_children

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


def find_program(name):
    path = shutil.which(name, path=os.environ.get("PATH", os.defpath) + ":/usr/sbin:/sbin")
    if path is None:
        raise Unavailable(f"“{name}” is not installed: it is in the packages slurm-wlm and munge.")
    return path


def is_of_node(process, node):
    """A job's script is told its node in its environment; so is the daemon here."""
    try:
        return f"SLURMD_NODENAME={node}".encode() in pathlib.Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    except OSError:
        return False


class Slurm(Site):
    """with Slurm() as slurm: two nodes, n1 and n2, take jobs."""

    name, head = "slurm", "slurmctld"
    variables = ("SLURM", "SBATCH", "SQUEUE", "SACCT", "SCONTROL")

    def start(self):
        programs = {name: find_program(name) for name in ("munged", "slurmctld", "slurmd", "sbatch")}
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

    def node_state(self, node):
        words = self.run("scontrol", "show", "node", "-o", node, check=False).stdout.split()
        return next((word.removeprefix("State=") for word in words if word.startswith("State=")), "")
