# SPDX-License-Identifier: GPL-3.0-or-later
"""Daemons that belong to whoever runs a test, and end with it."""

import ctypes
import os
import pathlib
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


class Unavailable(Exception):
    """The cluster cannot run here; the text says why, in one line."""


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
        last = next((line for line in reversed(self.lines) if "rror" in line), "".join(self.lines[-1:]))
        return f"{self.name}: {last.strip() or 'it does not say why'}"


class Site:
    """with Site() as site: daemons that work together, with files in a folder of their own; `environment` is how its commands
    find it. A class of it starts them in start(), and names itself, the daemon that says when anything changes, and how the
    variables begin that lead to another one."""

    name, head, variables = "", "", ()

    def __init__(self):
        self.folder = None
        self.daemons = {}
        self.news = threading.Condition()
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(self.variables)}

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"dyno-{self.name}-"))
        self.folder.chmod(0o755)
        try:
            # What a killed daemon leaves behind comes to this process, which ends it.
            prctl(PR_SET_CHILD_SUBREAPER, 1)
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def start_daemon(self, name, *arguments, **variables):
        self.daemons[name] = Daemon(name, arguments, self.environment | variables, self.news)

    def run(self, *arguments, check=True, **keywords):
        """A command, as a user gives it."""
        return subprocess.run(list(map(str, arguments)), env=self.environment | keywords, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, check=check)

    def count_lines(self):
        return sum(len(daemon.lines) for daemon in self.daemons.values())

    def wait_for(self, condition, name=None, seconds=WAIT_SECONDS):
        """Asks again whenever a daemon says something, which it does when anything changes, or a second has gone."""
        deadline = time.monotonic() + seconds
        while True:
            known = self.count_lines()
            if condition():
                return
            daemon = self.daemons[name or self.head]
            if daemon.process.poll() is not None:
                raise Unavailable(daemon.explain())
            if time.monotonic() > deadline:
                raise TimeoutError(f"{daemon.name} did not get there in {seconds} s:\n" + "".join(daemon.lines[-30:]))
            with self.news:
                self.news.wait_for(lambda: self.count_lines() != known, 1)

    def stop(self):
        for name in reversed(list(self.daemons)):
            self.daemons.pop(name).close()
        while rest := list_children(os.getpid()):
            kill_all(rest)
            os.waitpid(-1, 0)
        shutil.rmtree(self.folder, ignore_errors=True)
