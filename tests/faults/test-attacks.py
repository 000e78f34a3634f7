#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A model that has taken over the engine which reads it tries to do harm.

Usage: test-attacks.py DYNO-CLI HOSTILE-LIBRARY
"""

import errno
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys

LIBRARY = os.path.abspath(sys.argv.pop(2))

from commandline import AFFINE, FIXTURES, PATIENCE, EngineTest, FaultTest, is_sanitized
import tap

WORKER = pathlib.Path(os.environ["DYNO_LIBEXEC_DIR"]) / "dyno-worker"
# The second call of the library is the attack; this program is in nobody's way.
FREELY = "import ctypes, sys; library = ctypes.CDLL(sys.argv[1]); library.LiteRtCreateEnvironment(); " \
         "sys.exit(library.LiteRtCreateModelFromBuffer())"


class Attacked(FaultTest):
    """Each attack succeeds where nothing confines it, and does nothing in a reader of models."""

    def setUp(self):
        super().setUp()
        self.home = self.folder / "home"
        self.place = self.folder / "models"
        self.home.mkdir()
        self.place.mkdir()
        self.model = self.place / "hostile.tflite"
        shutil.copy(FIXTURES / "backends" / "fixtures" / "affine.tflite", self.model)
        self.environment |= {"DYNO_LITERT": LIBRARY}
        done = subprocess.run([WORKER, "--confinement"], env=self.environment, capture_output=True, check=True)
        self.confinement = json.loads(done.stdout)

    def need(self, part):
        if not self.confinement[part]:
            self.skipTest(self.confinement[part + "_reason"])

    def arm(self, attack, target):
        self.environment |= {"DYNO_TEST_ATTACK": attack, "DYNO_TEST_TARGET": str(target)}

    def attack_freely(self):
        if is_sanitized():
            self.skipTest("the address sanitizer wants to be the first library")
        return subprocess.run([sys.executable, "-c", FREELY, LIBRARY], env=self.environment, check=False,
                              capture_output=True, timeout=PATIENCE).returncode

    def be_read(self, blamed=None):
        """What the person reads who looks at the model."""
        done = self.call("models", "info", self.model, status=1)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"\Adyno-cli: [^\n]*[.!?)]\n\Z")
        self.assert_words(done.stderr, f"“{blamed or self.model}”")
        return done.stderr

    def be_run(self):
        """The answer of the process that counts the work of a step."""
        done = subprocess.run([WORKER, "--count-work", self.model, "1", "1", "", ""], env=self.environment,
                              capture_output=True, text=True, check=False, timeout=PATIENCE)
        return json.loads(done.stdout)["error"] if done.returncode == 0 else done.returncode

    def assert_refused(self, attack, target, *errors):
        """Both are refused, and say so; the library attacks as soon as it starts."""
        self.arm(attack, target)
        numbers = "|".join(str(error) for error in errors)
        self.assertRegex(self.be_read(LIBRARY), rf"\(LiteRT’s error ({numbers})\)")
        self.assertRegex(self.be_run(), rf"\(LiteRT’s error ({numbers})\)")

    def test_to_write(self):
        self.need("landlock")
        file = self.home / "file"
        file.write_text("mine")
        file.chmod(0o600)
        for attack, errors in {"write": [errno.EACCES], "empty": [errno.ENOSYS], "remove": [errno.EACCES, errno.ENOSYS],
                               "open-to-all": [errno.ENOSYS]}.items():
            with self.subTest(attack=attack):
                self.need("seccomp")
                self.assert_refused(attack, file, *errors)
                self.assertEqual((file.read_text(), file.stat().st_mode & 0o777), ("mine", 0o600))
        self.assert_refused("create", self.home / "new", errno.ENOSYS)
        self.assertFalse((self.home / "new").exists())
        self.arm("remove", file)
        self.assertEqual(self.attack_freely(), 0)
        self.assertFalse(file.exists())

    def test_to_write_where_it_was_read(self):
        """A reader writes nothing; whoever runs a step writes in a folder of its own alone."""
        self.need("landlock")
        self.assert_refused("write", self.model, errno.EACCES)

    def test_to_read(self):
        self.need("landlock")
        (self.home / "secret").write_text("mine")
        (self.place / ".netrc").write_text("mine")
        for target in (self.home / "secret", self.place / ".netrc"):
            with self.subTest(target=target):
                self.assert_refused("read", target, errno.EACCES)
                self.assertEqual(self.attack_freely(), 0)

    def test_to_read_what_is_beside_it(self):
        """That is where its weights may be."""
        (self.place / "weights").mkdir()
        (self.place / "weights" / "0.bin").write_text("0")
        self.arm("read", self.place / "weights" / "0.bin")
        answer = self.be_read(LIBRARY)
        self.assertRegex(answer, r"LiteRT in “[^”]+” does not start\.")
        self.assertNotIn("LiteRT’s error", answer)

    def test_to_pretend(self):
        """A library that reports success and gives nothing is blamed, and its readers end in good order."""
        self.arm("read", self.model)
        for words in (self.be_read(LIBRARY), self.be_run()):
            self.assertRegex(words, r"LiteRT in “[^”]+” does not start\.")

    def test_to_connect(self):
        self.need("seccomp")
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.setblocking(False)
            self.assert_refused("connect", server.getsockname()[1], errno.EPERM)
            self.assertRaises(BlockingIOError, server.accept)
            self.assertEqual(self.attack_freely(), 0)
            server.accept()[0].close()

    def test_to_signal(self):
        self.need("seccomp")
        caught = []
        before = signal.signal(signal.SIGUSR1, lambda *_: caught.append(True))
        self.addCleanup(signal.signal, signal.SIGUSR1, before)
        self.assert_refused("signal", os.getpid(), errno.EPERM)
        self.assertEqual(caught, [])
        self.assertEqual(self.attack_freely(), 0)
        self.assertEqual(caught, [True])

    def test_to_signal_by_a_pipe(self):
        """The kernel sends it for whoever owns the pipe; some versions of Landlock would forbid that, too."""
        self.need("seccomp")
        caught = []
        before = signal.signal(signal.SIGUSR1, lambda *_: caught.append(True))
        self.addCleanup(signal.signal, signal.SIGUSR1, before)
        self.assert_refused("signal-by-pipe", os.getpid(), errno.ENOSYS)
        self.assertEqual(caught, [])
        self.assertEqual(self.attack_freely(), 0)
        self.assertIn(True, caught)

    def start_victim(self):
        victim = subprocess.Popen(["sleep", "600"])
        self.addCleanup(victim.wait)
        self.addCleanup(victim.kill)
        return victim.pid

    def test_to_slow_down_others(self):
        self.need("seccomp")
        victim = self.start_victim()
        for attack in ("renice", "schedule"):
            with self.subTest(attack=attack):
                self.assert_refused(attack, victim, errno.EPERM)
                self.assertEqual(os.getpriority(os.PRIO_PROCESS, victim), os.nice(0))
                self.assertEqual(os.sched_getscheduler(victim), os.sched_getscheduler(0))
        self.assertEqual(self.attack_freely(), 0)
        self.assertEqual(os.sched_getscheduler(victim), os.SCHED_IDLE)

    def test_to_take_processors_from_others(self):
        """Libraries bind their own threads by number: each hears that it was done."""
        self.need("seccomp")
        processors = os.sched_getaffinity(0)
        if len(processors) < 2:
            self.skipTest("there is a single processor")
        victim = self.start_victim()
        self.arm("bind", victim)
        for words in (self.be_read(LIBRARY), self.be_run()):
            self.assertNotIn("LiteRT’s error", words)
        self.assertEqual(os.sched_getaffinity(victim), processors)
        self.assertEqual(self.attack_freely(), 0)
        self.assertEqual(len(os.sched_getaffinity(victim)), 1)

    def test_to_become_two(self):
        self.need("seccomp")
        self.assert_refused("fork", "", errno.ENOSYS)

    def end(self, attack, target):
        """The kernel ends what has no use for a reader, and Dyno says so."""
        self.need("seccomp")
        self.arm(attack, target)
        self.assert_words(self.be_read(), "the kernel ended it", "hostile", "do not use it")
        self.assertEqual(self.be_run(), -signal.SIGSYS)

    def test_to_execute(self):
        self.end("execute", self.home / "made")
        self.assertFalse((self.home / "made").exists())
        self.assertEqual(self.attack_freely(), 0)
        self.assertTrue((self.home / "made").exists())

    def test_to_trace(self):
        self.end("trace", os.getpid())
        self.assertRegex(pathlib.Path("/proc/self/status").read_text(), r"TracerPid:\t0\n")


def read_no_new_privileges(process):
    return int(re.search(r"NoNewPrivs:\t(\d)", pathlib.Path(f"/proc/{process}/status").read_text())[1])


class Engines(FaultTest):
    """Only engines that may need a set-uid program can start one with its rights."""

    def read_privileges(self, backend):
        """Asks the process that measures while it waits for its parent."""
        ours, theirs = socket.socketpair()
        with ours, theirs, subprocess.Popen([WORKER, "--measure", backend], env=self.environment, close_fds=False,
                                            preexec_fn=lambda: os.dup2(theirs.fileno(), 3), stdin=subprocess.DEVNULL,
                                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                ours.settimeout(PATIENCE)
                ours.sendall(b"\0AUTH\r\n")
                self.assertTrue(ours.recv(100).startswith(b"REJECTED"))
                return read_no_new_privileges(process.pid)
            finally:
                process.kill()

    def test_of_each_engine(self):
        """Those of NVIDIA's driver load a part of it by nvidia-modprobe, and a browser isolates its pages."""
        for backend in ("cpu", "openvino", "litert"):
            with self.subTest(backend=backend):
                self.assertEqual(self.read_privileges(backend), 1)
        for backend in ("cuda", "llamacpp", "webgpu", "onnxruntime"):
            with self.subTest(backend=backend):
                self.assertEqual(self.read_privileges(backend), read_no_new_privileges("self"))


class Privileges(EngineTest):
    def test_of_the_process_that_measures(self):
        """It can gain none by a set-uid program; its system calls are not filtered, because that takes time."""
        with self.running("-m", AFFINE, "--invocations", "1", "--min-seconds", "60", "--max-seconds", "60") as command:
            command.wait_for("measuring")
            worker, _ = command.get_worker()
            for status in pathlib.Path(f"/proc/{worker}/task").glob("*/status"):
                self.assertEqual(re.findall(r"(?:NoNewPrivs|Seccomp):\t(\d)", status.read_text()), ["1", "0"])


if __name__ == "__main__":
    sys.exit(tap.main())
