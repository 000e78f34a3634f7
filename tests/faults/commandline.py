# SPDX-License-Identifier: GPL-3.0-or-later
"""The real command line in a store of its own, and its worker seen from outside."""

import contextlib
import json
import os
import pathlib
import pty
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import tap
from namespaces import WITH_OWN_MOUNTS

CLI = os.path.abspath(sys.argv.pop(1))
FIXTURES = pathlib.Path(__file__).parent.parent
AFFINE = FIXTURES / "backends" / "fixtures" / "affine.onnx"
MODEL = "bert-tiny"
QUICKLY = ["--invocations", "1", "--warmup-seconds", "0.02", "--min-seconds", "0.05", "--max-seconds", "0.1"]
NOISE = re.compile(r"CRITICAL|WARNING \*\*|\(process:|Traceback|dyno_|g_[a-z]+_|\*\* ")
PATIENCE = 90


def some(many, n):
    """All of the same kind in `./dev faults`, else so many of them, from the first to the last."""
    many = list(many)
    return many if tap.THOROUGH or len(many) <= n else [many[i * (len(many) - 1) // (n - 1)] for i in range(n)]


def is_sanitized():
    """The address sanitizer reserves terabytes, so no limit of memory can be set."""
    return b"__asan_init" in pathlib.Path(CLI).read_bytes()


def limits(**values):
    """Makes what is run in the child before it becomes the command; names are those of the module resource."""
    def apply():
        for name, value in values.items():
            resource.setrlimit(getattr(resource, name), (value, value))
    return apply


class MemoryGroup:
    """A control group of version 1 or 2 with a limit of memory, and without swap; its folder is None where none can be made."""

    def __init__(self, megabytes):
        self.folder = None
        limit = megabytes * 1000000
        for line in pathlib.Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers == "":
                hierarchy, files = "", {"memory.max": limit, "memory.swap.max": 0}
            elif "memory" in controllers.split(","):
                hierarchy, files = "memory", {"memory.limit_in_bytes": limit, "memory.memsw.limit_in_bytes": limit}
            else:
                continue
            for level in (pathlib.PurePath(path), *pathlib.PurePath(path).parents):
                folder = pathlib.Path("/sys/fs/cgroup", hierarchy, str(level).lstrip("/"), f"dyno-fault-{os.getpid()}")
                if self.folder is None and self.make(folder, files):
                    self.folder = folder

    def make(self, folder, files):
        """Whether a process may enter a group here and has the limit then, which not every file sets on every system."""
        try:
            folder.mkdir()
        except OSError:
            return False
        try:
            for name, value in files.items():
                if (folder / name).exists():
                    (folder / name).write_text(str(value), encoding="ascii")
            subprocess.run(["true"], preexec_fn=lambda: self.enter(folder), check=True)
            if (folder / next(iter(files))).exists():
                return True
        except (OSError, subprocess.SubprocessError):
            pass
        folder.rmdir()
        return False

    def enter(self, folder=None):
        ((folder or self.folder) / "cgroup.procs").write_text("0", encoding="ascii")


def can_mount():
    """Whether a file system of one's own can be had, as root or in a user namespace."""
    if shutil.which("unshare") is None:
        return False
    done = subprocess.run([*WITH_OWN_MOUNTS, "mount", "-t", "tmpfs", "tmpfs", "/tmp"], capture_output=True, check=False)
    return done.returncode == 0


class Running:
    """A command at work, followed by the progress it shows on a terminal."""

    def __init__(self, environment, arguments, **keywords):
        self.seen = ""
        self.terminal, theirs = pty.openpty()
        self.process = subprocess.Popen([CLI, *map(str, arguments)], env=environment, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=theirs, text=True, **keywords)
        os.close(theirs)

    def read_more(self, seconds):
        if not select.select([self.terminal], [], [], seconds)[0]:
            raise AssertionError(f"nothing more was said after: {self.seen[-300:]}")
        try:
            data = os.read(self.terminal, 65536)
        except OSError:
            data = b""  # the other end is closed
        self.seen += data.decode(errors="replace")
        return data != b""

    def wait_for(self, pattern):
        """Follows the progress until it shows the pattern."""
        while not re.search(pattern, self.seen):
            if not self.read_more(PATIENCE):
                raise AssertionError(f"it ended without {pattern}: {self.seen[-300:]}")

    def get_workers(self):
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(child) for child in children.split()]

    def get_worker(self):
        """The one worker, and what becomes readable when it is gone."""
        (worker,) = self.get_workers()
        return worker, os.pidfd_open(worker)

    def finish(self):
        """Waits for the end: what was printed, and what was said beside the progress."""
        while self.read_more(PATIENCE):
            pass
        output = self.process.stdout.read()
        self.process.wait(PATIENCE)
        return output, re.sub(r"\r\x1b\[K[^\r\n]*(?=\r\x1b|$)", "", self.seen).strip()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        os.close(self.terminal)


class FaultTest(unittest.TestCase):
    """Has a folder of its own for every test, and asks of every answer that it is fit for people."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="dyno-fault-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.store = self.folder / "data" / "store.sqlite"
        self.environment = os.environ | tap.without_engines(but=["DYNO_ONNXRUNTIME"]) | {
            "DYNO_DATA_DIR": str(self.folder / "data"), "HOME": str(self.folder)}

    def use_worker(self, folder):
        """Engines are asked again by another worker; the answers that the other tests share stay as they are."""
        self.environment |= tap.use_cache(folder / "cache") | {"DYNO_LIBEXEC_DIR": str(folder)}

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def call(self, *arguments, status, **keywords):
        """Runs a command to its end; whatever becomes of it, it speaks in sentences. With a status of None it may succeed or fail."""
        keywords = {"env": self.environment, "stdin": subprocess.DEVNULL} | keywords
        done = subprocess.run([CLI, *map(str, arguments)], capture_output=True, text=True, check=False,
                              timeout=PATIENCE * 2, **keywords)
        self.assertIn(done.returncode, (0, 1) if status is None else (status,), f"{arguments}\n{done.stdout}{done.stderr}")
        # The folder's name is random, and may look like anything.
        self.assertNotRegex(done.stderr.replace(str(self.folder), ""), NOISE)
        return done

    def assert_words(self, text, *words):
        for word in words:
            self.assertIn(str(word), text)

    def refuse(self, *arguments, words, status=1, **keywords):
        """The command does nothing but say why, in one line."""
        done = self.call(*arguments, status=status, **keywords)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"\Adyno-cli: [^\n]*[.!?)]\n\Z")
        self.assert_words(done.stderr, *words)

    def measure(self, *arguments, status, **keywords):
        """Runs cases, and gives their results; they are in the store, too."""
        done = self.call("run", *QUICKLY, *arguments, "--json", status=status, **keywords)
        (run,) = json.loads(done.stdout)["runs"]
        self.assertEqual([result["status"] for result in self.load_results()],
                         [result["status"] for result in run["results"]])
        return run["results"]

    def fail_case(self, *arguments, words, outcome="failed", **keywords):
        """The one case becomes a result that says why."""
        (result,) = self.measure(*arguments, status=1, **keywords)
        self.assertEqual(result["status"], outcome, result["reason"])
        self.assertRegex(result["reason"], r"[.!?)]\Z")
        self.assertNotRegex(result["reason"], r"Traceback|terminate called")
        self.assert_words(result["reason"], *words)
        self.assertEqual(result["values"], [])
        return result["reason"]

    def load_results(self):
        done = self.call("show", "--json", status=0)
        self.assertEqual(done.stderr, "")
        return json.loads(done.stdout)["runs"][0]["results"]

    def list_runs(self):
        done = self.call("list", "--json", status=0)
        self.assertEqual(done.stderr, "")
        return json.loads(done.stdout)

    def assert_store_is_whole(self, runs):
        self.assertEqual(json.loads(self.call("store", "check", "--json", status=0).stdout), {"unreadable": 0})
        self.assertEqual(len(self.list_runs()), runs)

    @contextlib.contextmanager
    def running(self, *arguments, **keywords):
        command = Running(self.environment, ["run", *arguments], **keywords)
        try:
            yield command
        finally:
            command.close()

    def assert_gone(self, pidfd):
        """A process is readable once it has ended."""
        gone = select.select([pidfd], [], [], PATIENCE)[0]
        os.close(pidfd)
        self.assertTrue(gone, "the worker is left behind")

    def send(self, pid, number):
        os.kill(pid, getattr(signal, number))

    def need_engine(self):
        tap.need_engine(self, lambda: self.call("hardware", "--json", status=0).stdout)


class EngineTest(FaultTest):
    """Needs an engine that measures."""

    def setUp(self):
        super().setUp()
        self.need_engine()
