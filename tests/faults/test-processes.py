#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What becomes of a run when its processes are killed, stopped, hung up on, or crash.

Usage: test-processes.py DYNO-CLI DYNO-WORKER
"""

import json
import os
import re
import select
import signal
import socket
import subprocess
import sys

WORKER = sys.argv.pop(2)

from commandline import AFFINE, CLI, FIXTURES, MODEL, PATIENCE, QUICKLY, EngineTest, FaultTest, MemoryGroup, is_sanitized, limits, some
import tap

LONG = ["--listed", "--invocations", "1", "--warmup-seconds", "0.02", "--min-seconds", "60", "--max-seconds", "60"]
MANY = ["-m", MODEL, "-b", "fake", "--listed", "--batch", "1,2,3,4", "--sequence", "8", *QUICKLY]
# A pause is longer than a worker may go without progress, and minutes are longer than a probe or a case may take.
ASLEEP_SECONDS = 120 if tap.THOROUGH else 6
AWAKE = ["--listed", "--invocations", "1", "--warmup-seconds", "0.02", "--min-seconds", "1", "--max-seconds", "2",
         "--stall-seconds", "4", "--deadline-seconds", PATIENCE]
HANGS_AT_THREE = {"faults": [{"kind": "hang", "run": 2, "batch_size": 3}]}


# Whoever runs the tests may have told them to ignore it, as “nohup” does.
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def ignore_hang_up():
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


class Killed(EngineTest):
    """The worker is the real one, and measures a real model when it is struck."""

    def strike(self, number, *options):
        with self.running("-m", AFFINE, *LONG, *options, "--json") as command:
            command.wait_for("measuring")
            worker, pidfd = command.get_worker()
            self.send(worker, number)
            output, said = command.finish()
            self.assert_gone(pidfd)
        self.assertEqual((command.process.returncode, said), (1, ""))
        (result,) = json.loads(output)["runs"][0]["results"]
        self.assertEqual([result["reason"]], [stored["reason"] for stored in self.load_results()])
        self.assertEqual((result["status"], result["values"], result["traces"]), ("failed", [], []))
        self.assertRegex(result["reason"], r"[.!?)]\Z")
        return result["reason"]

    def test_by_the_kernel(self):
        self.assert_words(self.strike("SIGKILL"), "killed from outside", "memory runs out", "smaller")

    @tap.thorough
    def test_by_a_crash(self):
        self.assert_words(self.strike("SIGSEGV"), "crashed", signal.strsignal(signal.SIGSEGV), "Try")
        self.assert_words(self.strike("SIGABRT"), "crashed", signal.strsignal(signal.SIGABRT))

    def test_stopped(self):
        self.assert_words(self.strike("SIGSTOP", "--stall-seconds", "4"), "no progress for 4 s", "hangs", "Try")

    def test_the_next_case_goes_on(self):
        with self.running("-m", AFFINE, *LONG, "--batch", "1,2") as command:
            command.wait_for("measuring")
            first, pidfd = command.get_worker()
            self.send(first, "SIGKILL")
            self.assert_gone(pidfd)
            command.wait_for(r" 1 of 2[^\r]*measuring")
            (second,) = command.get_workers()
            self.assertNotEqual(first, second)
            self.send(command.process.pid, "SIGINT")
            command.finish()
        self.assertEqual([result["status"] for result in self.load_results()], ["failed", "cancelled"])


class Engines(FaultTest):
    """An engine that plays what goes wrong, in a real worker."""

    def play(self, name, *words, options=()):
        self.environment |= {"DYNO_FAKE_BACKEND": str(FIXTURES / "backends" / "fixtures" / name)}
        self.fail_case("-m", MODEL, "-b", "fake", *options, words=words)

    def test_hang(self):
        self.play("hang.json", "no progress for 0.5 s", "hangs", options=["--stall-seconds", "0.5"])

    def test_deadline(self):
        self.environment |= {"DYNO_FAKE_BACKEND": str(FIXTURES / "backends" / "fixtures" / "slow.json")}
        done = self.call("run", "-m", MODEL, "-b", "fake", *LONG, "--deadline-seconds", "0.5", status=1)
        self.assert_words(done.stdout, "deadline of 0.5 s")

    def test_crash(self):
        self.play("crash.json", "crashed", signal.strsignal(signal.SIGSEGV))

    @tap.thorough
    def test_kill(self):
        self.play("kill.json", "killed from outside", "memory")

    def test_killed_by_the_kernel(self):
        """The engine takes more memory than the control group of the whole run may have."""
        group = MemoryGroup(512)
        if group.folder is None:
            self.skipTest("no control group with a limit of memory can be made here")
        self.addCleanup(group.folder.rmdir)
        # A worker limits itself to twice as much as is free.
        self.environment |= {"DYNO_FAKE_BACKEND": str(self.write("script.json", json.dumps({"memory": {"weights_mb": 600}})))}
        self.fail_case("-m", MODEL, "-b", "fake", words=["The kernel killed the measuring process because memory ran out", "smaller"],
                       preexec_fn=group.enter)
        self.assert_store_is_whole(1)

    def test_out_of_memory(self):
        self.play("oom.json", "no memory left")

    def test_failures(self):
        self.play("fail.json", "unplugged")
        self.play("fail-open.json", "does not answer")
        self.play("nan.json", "finite")

    def suspend(self, processes, pidfd):
        """Stops processes for a while, in which that of the descriptor does not end."""
        for process in processes:
            self.send(process, "SIGSTOP")
        self.assertEqual(select.select([pidfd], [], [], ASLEEP_SECONDS)[0], [])
        for process in processes:
            self.send(process, "SIGCONT")

    def test_suspended(self):
        """Processes that were frozen, or a command that was stopped in a shell: nobody takes that for a hang. A sample in which
        the worker stood still is kept, as an outlier, and moves no median."""
        self.environment |= {"DYNO_FAKE_BACKEND": str(FIXTURES / "worker" / "fixtures" / "steady.json")}
        for whole in (True, False):
            with self.subTest(whole=whole), self.running("-m", MODEL, "-b", "fake", *AWAKE) as command:
                command.wait_for("measuring")
                worker, pidfd = command.get_worker()
                self.suspend([command.process.pid, worker] if whole else [command.process.pid], pidfd)
                command.finish()
                self.assert_gone(pidfd)
                (result,) = self.load_results()
                self.assertEqual(result["status"], "ok", result.get("reason"))
                values = {value["name"]: value.get("value") for value in result["values"]}
                latencies = next(trace["values"] for trace in result["traces"] if trace["name"] == "latency")
                still = [latency for latency in latencies if latency > 1000 * ASLEEP_SECONDS / 2]
                self.assertLessEqual(len(still), 1 if whole else 0)
                self.assertLess(values["latency_p50_ms"], 1000 * ASLEEP_SECONDS / 2)
                if values["latency_max_ms"] > 1000 * ASLEEP_SECONDS / 2:
                    self.assertEqual([values["latency_max_ms"]], still)
                    self.assertIn("outliers", [diagnostic["code"] for diagnostic in result["diagnostics"]])

    def suspend_with(self, name, condition, last, *arguments):
        """Suspends a run together with a program that it has started under this name, if the condition holds there. The last line
        is what the program does then. Returns the exit status and what was said."""
        started, resumed = self.folder / "started", self.folder / "resumed"
        for pipe in (started, resumed):
            os.mkfifo(pipe)
        self.write(name, f"#!/bin/sh\n{condition} && echo $$ > {started} && read _ < {resumed}\n{last}\n").chmod(0o755)
        with self.running("-m", MODEL, *arguments) as command:
            with open(os.open(started, os.O_RDWR), encoding="ascii") as pipe:
                self.assertTrue(select.select([pipe], [], [], PATIENCE)[0], "it was not started")
                program = int(pipe.readline())
            pidfd = os.pidfd_open(program)
            self.suspend([command.process.pid, program], pidfd)
            resumed.write_text("\n")
            _, said = command.finish()
            self.assert_gone(pidfd)
        return command.process.returncode, said

    @tap.thorough
    def test_suspended_while_it_probes(self):
        """No engine is missing because its probe could not be heard."""
        self.environment |= {"DYNO_FAKE_BACKEND": str(FIXTURES / "worker" / "fixtures" / "steady.json"), "WORKER": WORKER}
        self.use_worker(self.folder)
        self.assertEqual(self.suspend_with("dyno-worker", '[ "$1$2" = --probefake ]', 'exec "$WORKER" "$@"', "-b", "fake", *QUICKLY),
                         (0, ""))

    @tap.thorough
    def test_suspended_while_a_command_runs(self):
        """A program that is told of alerts keeps all its time."""
        self.environment |= {"DYNO_FAKE_BACKEND": str(FIXTURES / "worker" / "fixtures" / "steady.json")}
        _, said = self.suspend_with("tell", "true", "echo it was heard >&2; exit 1", "-b", "fake", *QUICKLY,
                                    "--alert-above", "latency_p50_ms=0", "--notify", self.folder / "tell")
        self.assertIn("it was heard", said)

    def test_device_vanishes(self):
        """In the middle of a run: what was measured on it stays, and the cases after it say that it is gone."""
        script = {"devices": [{"id": "card", "name": "A card"}], "faults": [{"kind": "hang", "run": 2, "batch_size": 2}]}
        self.environment |= {"DYNO_FAKE_BACKEND": str(self.write("script.json", json.dumps(script)))}
        with self.running("-m", MODEL, "-b", "fake:card", "--listed", "--batch", "1,2,3", "--sequence", "8",
                          *QUICKLY) as command:
            command.wait_for(r" 1 of 3[^\r]*warming up")
            self.write("script.json", json.dumps({"devices": [{"id": "other", "name": "Another card"}]}))
            worker, pidfd = command.get_worker()
            self.send(worker, "SIGKILL")
            self.assert_gone(pidfd)
            command.finish()
        results = self.load_results()
        self.assertEqual([result["status"] for result in results], ["ok", "failed", "skipped"])
        self.assert_words(results[2]["reason"], "“card”")
        self.assert_store_is_whole(1)

    @tap.thorough
    def test_fell_back(self):
        self.play(FIXTURES / "worker" / "fixtures" / "fallback.json", "33.3 %", "1 × MatMul (CPUExecutionProvider)")

    @tap.thorough
    def test_too_many_threads(self):
        """Every number in the reason fits the others."""
        self.environment |= {"DYNO_FAKE_BACKEND": str(FIXTURES / "worker" / "fixtures" / "steady.json")}
        reason = self.fail_case("-m", MODEL, "-b", "fake", "--threads", 999999, outcome="skipped", words=["999999 threads"])
        self.assertRegex(reason, r"runs \d+ at a time, and more than \d+ per hardware thread .* at most \d+ threads")
        _, usable, each, most = map(int, re.findall(r"\d+", reason)[:4])
        self.assertEqual(most, usable * each)

    def test_no_worker(self):
        self.use_worker(self.folder)
        words = [f"“{self.folder}/dyno-worker”", "could not be started", "Install"]
        self.fail_case("-m", MODEL, words=words)
        self.refuse("run", "-m", AFFINE, words=words)

    @tap.thorough
    def test_another_program_as_worker(self):
        (self.folder / "dyno-worker").symlink_to("/bin/false")
        self.use_worker(self.folder)
        self.fail_case("-m", MODEL, outcome="skipped", words=["ended the process that probed"])

    def test_worker_that_talks_nonsense(self):
        script = self.write("dyno-worker", "#!/bin/sh\necho nonsense >&3\nexec cat >/dev/null <&3\n")
        script.chmod(0o755)
        self.use_worker(self.folder)
        self.fail_case("-m", MODEL, "--stall-seconds", "1", outcome="skipped", words=["."])


class Answers(EngineTest):
    """An engine that is fast and wrong, next to one that is right."""

    def test_wrong(self):
        self.environment |= {"DYNO_FAKE_BACKEND": str(FIXTURES / "worker" / "fixtures" / "wrong.json")}
        self.fail_case("-m", MODEL, "-b", "fake", words=["“last_hidden_state”", "CPU backend", "wrong"])


class Stopped(EngineTest):
    """Whoever stops a run keeps what is finished, and leaves no process behind, not even one that hangs."""

    def stop(self, number):
        self.environment |= {"DYNO_FAKE_BACKEND": str(self.write("hang.json", json.dumps(HANGS_AT_THREE)))}
        with self.running(*MANY) as command:
            command.wait_for(r" 2 of 4[^\r]*warming up")
            _, pidfd = command.get_worker()
            self.send(command.process.pid, number)
            output, said = command.finish()
            self.assert_gone(pidfd)
        return command.process.returncode, output, said

    def assert_finished_are_kept(self, runs, *rest):
        self.assertEqual([result["status"] for result in self.load_results()], ["ok", "ok", *rest])
        self.assert_store_is_whole(runs)

    def test_gently(self):
        for runs, number in enumerate(("SIGINT", "SIGTERM", "SIGHUP"), start=1):
            with self.subTest(number=number):
                status, output, said = self.stop(number)
                self.assertEqual((status, said), (1, ""))
                self.assertIn("The run was stopped", output)
                self.assert_finished_are_kept(runs, "cancelled")

    def test_while_it_probes(self):
        """An engine's probe that hangs is not waited for, and does not stay behind."""
        started = self.folder / "started"
        os.mkfifo(started)
        self.write("dyno-worker", f"#!/bin/sh\necho $$ > {started}\nexec sleep 1000\n").chmod(0o755)
        self.use_worker(self.folder)
        with self.running("-m", MODEL, *QUICKLY) as command:
            pidfd = os.pidfd_open(int(started.read_text()))
            self.send(command.process.pid, "SIGINT")
            output, said = command.finish()
            self.assert_gone(pidfd)
        self.assertEqual((command.process.returncode, said), (1, ""))
        self.assertIn("The run was stopped", output)
        (run,) = json.loads(self.call("show", "--json", status=0).stdout)["runs"]
        self.assertEqual([backend["state"] for backend in run["machine"]["backends"]], ["deferred"])

    @tap.thorough
    def test_looked_at_meanwhile(self):
        """To others a run is being measured until it has ended, or its process is killed."""
        self.environment |= {"DYNO_FAKE_BACKEND": str(self.write("hang.json", json.dumps(HANGS_AT_THREE)))}
        with self.running(*MANY) as command:
            command.wait_for(r" 2 of 4[^\r]*warming up")
            (run,) = self.list_runs()
            self.assertEqual((run["running"], run["measured"], run["not_run"]), (True, 2, 0))
            self.assert_words(self.call("list", status=0).stdout, "Being measured: ")
            self.assert_words(self.call("show", status=0).stdout, "Being measured by another process: ")
            self.refuse("run", "--remaining", "latest", words=["being measured by another process", "stop it"], status=2)
            command.process.kill()
            command.finish()
        (run,) = self.list_runs()
        self.assertEqual((run["running"], run["measured"], run["not_run"]), (False, 2, 2))
        self.assert_words(self.call("show", status=0).stdout, "Interrupted: ")
        self.assertFalse((self.folder / "data" / "store.sqlite.running").exists())

    def test_brutally(self):
        status, output, _ = self.stop("SIGKILL")
        self.assertEqual((status, output), (-signal.SIGKILL, ""))
        self.assert_finished_are_kept(1)
        self.assertEqual(self.measure("-m", AFFINE, status=0)[0]["status"], "ok")
        self.assert_store_is_whole(2)

    def test_invocations_are_kept(self):
        """A kill takes along the invocation that is being measured, and no more; the case is offered again."""
        self.environment |= {"DYNO_FAKE_BACKEND": str(FIXTURES / "backends" / "fixtures" / "demo.json")}
        with self.running("-m", MODEL, "-b", "fake", "--listed", "--batch", "1,2", "--sequence", "8", "--invocations", "3",
                          "--warmup-seconds", "0.02", "--min-seconds", "1.5", "--max-seconds", "3") as command:
            command.wait_for(r"process 3 of 3")
            command.process.kill()
            command.finish()
        results = self.load_results()
        self.assertEqual([result["n_invocations"] for result in results], [2, 2])
        for result in results:
            self.assertEqual((result["status"], result["interval"]), ("ok", "range"))
            self.assertIn("invocations-missing", [diagnostic["code"] for diagnostic in result["diagnostics"]])
            self.assertEqual({trace["invocation"] for trace in result["traces"]}, {0, 1})
        self.assert_store_is_whole(1)
        self.assert_words(self.call("show", status=0).stdout, "Interrupted: ", "range of the medians of 2 processes")
        suite = self.folder / "rest.json"
        self.call("run", "--remaining", "latest", "--save-suite", suite, status=0)
        self.assertEqual(json.loads(suite.read_text())["cases"], [1, 2])

    @tap.thorough
    def test_ignored_hang_up(self):
        """As “nohup” has it: the run goes on."""
        with self.running("-m", AFFINE, *LONG, preexec_fn=ignore_hang_up) as command:
            command.wait_for("measuring")
            self.send(command.process.pid, "SIGHUP")
            worker, pidfd = command.get_worker()
            self.assertEqual(select.select([pidfd], [], [], 0.3)[0], [])
            self.send(worker, "SIGKILL")
            self.assert_gone(pidfd)
            command.finish()
        self.assertEqual([result["status"] for result in self.load_results()], ["failed"])

    @tap.thorough
    def test_nobody_reads(self):
        """The other end of the pipe is closed before the results are printed: they are in the store."""
        reader, writer = os.pipe()
        os.close(reader)
        subprocess.run([CLI, "run", "-m", AFFINE, *QUICKLY], env=self.environment, stdin=subprocess.DEVNULL, stdout=writer,
                       stderr=subprocess.DEVNULL, timeout=PATIENCE, check=False)
        os.close(writer)
        self.assertEqual([result["status"] for result in self.load_results()], ["ok"])


class Ceilings(FaultTest):
    """A worker that measures a device has a folder of its own, named after it."""

    def test_killed(self):
        temporary = self.folder / "tmp"
        temporary.mkdir()
        self.environment |= {"DYNO_FAKE_BACKEND": str(FIXTURES / "worker" / "fixtures" / "steady.json"),
                             "TMPDIR": str(temporary)}
        with subprocess.Popen([CLI, "ceilings", "--device", "fake", "--measure", "--seconds", str(PATIENCE)],
                              env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as command:
            while not (folders := list(temporary.glob("dyno-scratch-*"))):
                self.assertIsNone(command.poll(), "it was measured without a folder")
            self.send(int(folders[0].name.split("-")[2]), "SIGKILL")
            said = command.communicate(timeout=PATIENCE)[1]
        self.assertEqual(command.returncode, 1)
        self.assert_words(said, "ended the measuring process")
        self.assertEqual(list(temporary.iterdir()), [])


class Worker(FaultTest):
    """The program that nobody should start by hand."""

    def ask(self, data):
        ours, theirs = socket.socketpair()
        with subprocess.Popen([WORKER, "--measure", "cpu"], env=self.environment, stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, text=True, preexec_fn=lambda: os.dup2(theirs.fileno(), 3),
                              close_fds=False) as worker:
            theirs.close()
            with ours:
                try:
                    ours.sendall(data)
                    ours.shutdown(socket.SHUT_WR)
                except OSError:
                    pass  # it has hung up already
                said = worker.communicate(timeout=PATIENCE)[1]
        self.assertEqual(worker.returncode, 1, said)
        self.assertRegex(said, r"\Adyno-worker: .*\nDyno starts this program by itself; it is not meant to be run by hand.\n\Z")

    def test_nonsense(self):
        for data in (b"", b"\0", b"garbage\r\n" * 1000, b"\0AUTH\r\nBEGIN\r\n" + b"\xff" * 9999):
            with self.subTest(data=data[:20]):
                self.ask(data)

    def test_by_hand(self):
        for arguments, status in (([], 2), (["--nonsense"], 2), (["--measure"], 2), (["--measure", "cpu", "more"], 2),
                                  (["--measure", "cpu"], 1)):
            with self.subTest(arguments=arguments), open("/dev/urandom", "rb") as garbage:
                done = subprocess.run([WORKER, *arguments], env=self.environment, stdin=garbage, capture_output=True, text=True,
                                      check=False, timeout=PATIENCE)
                self.assertEqual((done.returncode, done.stdout), (status, ""))
                self.assertIn("not meant to be run by hand", done.stderr)
                self.assertEqual("Usage: dyno-worker MODE" in done.stderr, status == 2, done.stderr)


class Memory(EngineTest):
    """A worker that gets less and less memory, until the system cannot even load it."""

    def test_worker(self):
        if is_sanitized():
            self.skipTest("the address sanitizer reserves more memory than there is")
        worker = self.folder / "libexec" / "dyno-worker"
        worker.parent.mkdir()
        # A plug-in that does not fit into memory is a warning, which ends no program outside of tests.
        self.environment |= {"DYNO_LIBEXEC_DIR": str(worker.parent), "WORKER": WORKER, "G_DEBUG": ""}
        ends = set()
        for megabytes in (*some(range(20, 800, 20), 3), 100000):
            worker.write_text(f'#!/bin/sh\n[ "$1" = --measure ] && ulimit -v {megabytes * 1000}\nexec "$WORKER" "$@"\n')
            worker.chmod(0o755)
            with self.subTest(megabytes=megabytes):
                self.call("run", "-m", MODEL, *QUICKLY, status=None)
                (result,) = self.load_results()
                ends.add(result["status"])
                if result["status"] != "ok":
                    self.assertRegex(result["reason"], r"memory|shared object|shared libraries")
                    self.assertRegex(result["reason"], r"[.!?)]\Z")
        self.assertEqual(ends, {"ok", "failed"})
        self.assert_store_is_whole(len(self.list_runs()))


class Cache(EngineTest):
    """A model whose weights take a moment to write, and whose step takes none."""

    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache"
        self.environment |= {"DYNO_CACHE_DIR": str(self.cache)}
        config = {"model_type": "bert", "vocab_size": 1 << 18, "hidden_size": 64, "num_hidden_layers": 1,
                  "num_attention_heads": 1, "intermediate_size": 64, "max_position_embeddings": 64, "type_vocab_size": 2}
        self.config = self.write("config.json", json.dumps(config))

    def list_half_written(self):
        return list(self.cache.glob("models/.new-*"))

    def test_killed_while_it_builds(self):
        with self.running("-m", self.config, "--sequence", "8", *QUICKLY) as command:
            command.wait_for("preparing")
            while not self.list_half_written():
                self.assertIsNone(command.process.poll(), "the model was built unseen")
            worker, pidfd = command.get_worker()
            self.send(worker, "SIGKILL")
            self.assert_gone(pidfd)
            command.finish()
        self.assertEqual([result["status"] for result in self.load_results()], ["failed"])
        self.assertTrue(self.list_half_written())
        self.assertEqual(self.measure("-m", self.config, "--sequence", "8", status=0)[0]["status"], "ok")
        self.assertEqual(self.list_half_written(), [])

    def test_cut_off(self):
        self.measure("-m", MODEL, status=0)
        (model,) = self.cache.glob("models/*/model.onnx")
        size = model.stat().st_size
        os.truncate(model, size // 2)
        self.assertEqual(self.measure("-m", MODEL, status=0)[0]["status"], "ok")
        self.assertEqual(model.stat().st_size, size)

    @tap.thorough
    def test_scribbled_over(self):
        """What an engine says of the file in the cache, people are told of the model."""
        self.measure("-m", MODEL, status=0)
        (model,) = self.cache.glob("models/*/model.onnx")
        model.write_bytes(b"\xff" * model.stat().st_size)
        self.assertNotIn(str(self.cache), self.fail_case("-m", MODEL, words=["BERT tiny"]))

    @tap.thorough
    def test_unwritable(self):
        for place in ("/proc/nosuch", self.write("file", "")):
            with self.subTest(place=place):
                self.environment |= {"DYNO_CACHE_DIR": str(place)}
                self.fail_case("-m", MODEL, words=["model cache", f"“{place}/models”", "permissions"])

    def test_no_room(self):
        self.fail_case("-m", MODEL, words=["room", "model.onnx”", "Free some space"],
                       preexec_fn=limits(RLIMIT_FSIZE=5000000), restore_signals=False)
        self.assertEqual(self.list_half_written(), [])
        self.assertEqual(self.measure("-m", MODEL, status=0)[0]["status"], "ok")


if __name__ == "__main__":
    sys.exit(tap.main())
