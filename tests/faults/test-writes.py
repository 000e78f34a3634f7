#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kills, torn writes and errors at each call by which a command changes its files.

A library that is loaded before the others counts these calls. Whatever happens at one of them, the store is as it was before
the command or as it is after it; a command that says it has succeeded has, and any other says why in a sentence. The same
library makes a disk slow, and sets the clock.

Usage: test-writes.py DYNO-CLI PRELOADED-LIBRARY
"""

import bisect
import contextlib
import errno
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys

LIBRARY = os.path.abspath(sys.argv.pop(2))

from commandline import CLI, FIXTURES, MODEL, NOISE, PATIENCE, QUICKLY, FaultTest, is_sanitized, limits, some
import tap

FIRST = FIXTURES / "store" / "fixtures" / "v1.dyno"
SECOND = FIXTURES / "store" / "fixtures" / "v10.dyno"
# How many calls of each command are tried unless all are.
FEW = 3
# Half of a page in the write-ahead log, which has a header of its own.
HALF_FRAME = (4096 + 24) // 2
# Errors, and whether they last.
ERRORS = {errno.ENOSPC: True, errno.EROFS: True, errno.EIO: False, errno.EINTR: False}


class Interrupted(FaultTest):
    program = "dyno-cli"

    def setUp(self):
        super().setUp()
        if is_sanitized():
            self.skipTest("the address sanitizer wants to be the first library")
        # Calls are compared with the names of open files, which have no links in them.
        self.folder = self.folder.resolve()
        self.data = self.folder / "data"
        self.saved = self.folder / "saved"
        self.log = self.folder / "calls"
        self.counted = self.data
        self.environment |= {"DYNO_DATA_DIR": str(self.data)}
        self.call("open", FIRST, "--import", status=0)

    def save(self):
        """The state to which every round goes back."""
        shutil.copytree(self.data, self.saved, symlinks=True)

    @contextlib.contextmanager
    def striking(self, arguments, fault="", at=0, lasts=False, prepare=None, **more):
        """Starts the command in the saved state, and lets its call of that number go wrong. More variables are for the library."""
        shutil.rmtree(self.data)
        shutil.copytree(self.saved, self.data, symlinks=True)
        self.log.unlink(missing_ok=True)
        environment = self.environment | {
            "LD_PRELOAD": LIBRARY, "DYNO_FAULT_PROGRAM": self.program, "DYNO_FAULT_FOLDER": str(self.counted),
            "DYNO_FAULT_LOG": str(self.log), "DYNO_FAULT": str(fault), "DYNO_FAULT_AT": str(at), **more}
        if lasts:
            environment["DYNO_FAULT_LASTS"] = "1"
        with subprocess.Popen([CLI, *map(str, arguments)], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, preexec_fn=prepare) as process:
            try:
                yield process
            finally:
                process.kill()

    def strike(self, *arguments, **more):
        with self.striking(*arguments, **more) as process:
            output, said = process.communicate(timeout=PATIENCE)
        return subprocess.CompletedProcess(process.args, process.returncode, output, said)

    def read_state(self):
        """All that the store holds, in numbers: the next command finds it, and it is whole."""
        done = self.call("list", "--json", status=0)
        with contextlib.closing(sqlite3.connect(self.store)) as database:
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
            self.assertEqual(database.execute("PRAGMA foreign_key_check").fetchall(), [])
            tables = [name for name, in database.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")]
            counts = {name: database.execute(f'SELECT count (*) FROM "{name}"').fetchone()[0] for name in tables}
        return len(json.loads(done.stdout)), counts

    def assert_speaks(self, done):
        self.assertNotRegex(done.stderr.replace(str(self.folder), ""), NOISE)
        for line in done.stderr.splitlines():
            self.assertRegex(line, r"\Adyno-cli: .*[.!?)]\Z")
        if done.returncode != 0:
            self.assertNotEqual(done.stderr, "")

    def list_calls(self, arguments, said):
        """The calls of the command if nothing goes wrong."""
        done = self.strike(arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, rf"\A{said}\Z")
        return self.log.read_text().splitlines()

    def try_kills(self, arguments, calls, check):
        for at in some(range(1, len(calls) + 1), FEW):
            for fault in ("kill", "tear") if "write" in calls[at - 1] else ("kill",):
                with self.subTest(fault=fault, at=at, call=calls[at - 1]):
                    done = self.strike(arguments, fault, at)
                    # A command with several threads does not always make as many calls.
                    if done.returncode != 0 or len(self.log.read_text().splitlines()) >= at:
                        self.assertEqual(done.returncode, -signal.SIGKILL, done.stderr)
                    check(done)

    def try_errors(self, arguments, calls, check):
        for number, lasts in ERRORS.items():
            for at in some(range(1, len(calls) + 1), FEW):
                with self.subTest(fault=errno.errorcode[number], at=at, call=calls[at - 1]):
                    done = self.strike(arguments, number, at, lasts)
                    self.assertIn(done.returncode, (0, 1))
                    self.assert_speaks(done)
                    check(done)

    def try_all(self, *arguments, said=""):
        """The command either was or was not."""
        self.save()
        before = self.read_state()
        calls = self.list_calls(arguments, said)
        after = self.read_state()

        def check(done):
            self.assertIn(self.read_state(), (after,) if done.returncode == 0 else (before, after))
        self.try_kills(arguments, calls, check)
        self.try_errors(arguments, calls, check)
        return before, after

    def test_importing(self):
        before, after = self.try_all("open", SECOND, "--import")
        self.assertEqual((before[0], after[0]), (1, 2))

    @tap.thorough
    def test_deleting(self):
        (run,) = json.loads(self.call("list", "--json", status=0).stdout)
        self.call("store", "delete", run["id"], status=0)
        before, after = self.try_all("store", "empty-bin")
        self.assertEqual((before[1]["runs"], after[1]["runs"]), (1, 0))

    def find_least(self):
        """The memory below which the program cannot even print its help, in units of 100 kB."""
        def starts(size):
            done = subprocess.run([CLI, "--help"], env=self.environment, capture_output=True, check=False, timeout=PATIENCE,
                                  preexec_fn=limits(RLIMIT_AS=size * 100000))
            return done.returncode == 0
        return bisect.bisect_left(range(10000), True, lo=100, key=starts)

    def test_without_memory(self):
        """A command that gets no memory says so and ends where it is, and loses nothing."""
        arguments = ["open", SECOND, "--import"]
        self.save()
        before = self.read_state()
        self.list_calls(arguments, "")
        after = self.read_state()
        # A plug-in that does not fit into memory is a warning, which ends programs in tests.
        self.environment |= {"DYNO_PLUGINS": ""}
        least = self.find_least()
        ends = set()
        for size in (*some(range(least, least + 30), 4), least + 10000):
            with self.subTest(size=size):
                done = self.strike(arguments, "", 0, False, limits(RLIMIT_AS=size * 100000))
                self.assertIn(self.read_state(), (after,) if done.returncode == 0 else (before, after))
                ends.add(done.returncode)
                # Where not even the stack can grow, nothing can be said.
                self.assertIn(done.returncode, (0, 1, -signal.SIGSEGV), done.stderr)
                if done.returncode == 1:
                    # Before that, libraries may say which of their parts they cannot load.
                    self.assertRegex(done.stderr, r"(\A|\n)dyno-cli: [^\n]*[.!?)]\n\Z")
        self.assertLessEqual({0, 1}, ends)

    def test_lost_tail_of_the_log(self):
        """A power cut may take the end of the write-ahead log, or leave zeros in it: what was stored before stays."""
        arguments = ["open", SECOND, "--import"]
        self.save()
        before = self.read_state()
        log = self.store.with_name("store.sqlite-wal")
        with contextlib.closing(sqlite3.connect(self.store, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count (*) FROM runs").fetchall()
            self.call(*arguments, status=0)
            store, whole = self.store.read_bytes(), log.read_bytes()
        after = self.read_state()
        found = []
        for at in (*some(range(0, len(whole), HALF_FRAME), 5), len(whole)):
            for end in {b"", bytes(len(whole) - at)}:
                with self.subTest(at=at, end=len(end)):
                    shutil.rmtree(self.data)
                    self.data.mkdir(mode=0o700)
                    self.store.write_bytes(store)
                    log.write_bytes(whole[:at] + end)
                    found.append(self.read_state())
                    self.assertIn(found[-1], (before, after))
        self.assertEqual((found[0], found[-1]), (before, after))

    @tap.thorough
    def test_slow_disk(self):
        """Every change takes long: the command waits for it, others read meanwhile, and all is as it should be."""
        arguments = ["open", SECOND, "--import"]
        self.save()
        self.list_calls(arguments, "")
        after = self.read_state()
        with self.striking(arguments, "slow", 1, True) as process:
            self.assertIn(len(self.list_runs()), (1, 2))
            _, said = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, said), (0, ""))
        self.assertEqual(self.read_state(), after)

    def test_recovering(self):
        """The next command recovers what this one did not."""
        with contextlib.closing(sqlite3.connect(self.store)) as database:
            database.execute("PRAGMA journal_mode = DELETE")
            page = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'results_by_run'").fetchone()[0]
            size = database.execute("PRAGMA page_size").fetchone()[0]
        content = bytearray(self.store.read_bytes())
        content[(page - 1) * size:page * size] = b"\x55" * size
        self.store.write_bytes(content)
        before, after = self.try_all("list", "--json", said="dyno-cli: “[^\n]*was damaged. Recovered from it: [^\n]*\n")
        self.assertEqual(before, after)
        self.assertEqual(after[0], 1)

    @tap.thorough
    def test_taking_in_what_was_kept_beside_it(self):
        """Each result is added once."""
        self.environment |= {"DYNO_FAKE_BACKEND": str(FIXTURES / "worker" / "fixtures" / "steady.json")}
        with contextlib.closing(sqlite3.connect(self.store, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            self.call("run", "-m", MODEL, "-b", "fake", *QUICKLY, status=0)
        self.save()
        calls = self.list_calls(["list", "--json"], "dyno-cli: 1 result [^\n]*\n")
        after = self.read_state()
        self.assertEqual((after[0], after[1]["results"]), (2, 3))

        def check(_):
            self.assertEqual(self.read_state(), after)
        self.try_kills(["list", "--json"], calls, check)
        self.try_errors(["list", "--json"], calls, check)

    def test_measuring(self):
        """Results that were stored before stay, and whatever ends well is stored."""
        self.environment |= {"DYNO_FAKE_BACKEND": str(FIXTURES / "worker" / "fixtures" / "steady.json")}
        arguments = ["run", "-m", MODEL, "-b", "fake", "--listed", "--batch", "1,2", "--sequence", "8", *QUICKLY]
        self.save()
        calls = self.list_calls(arguments, "")
        after = self.read_state()
        self.assertEqual((after[0], after[1]["results"]), (2, 4))

        def check(done):
            runs, counts = self.read_state()
            least = 4 if done.returncode == 0 else 2
            self.assertIn(runs, (1, 2))
            self.assertTrue(least <= counts["results"] <= 4, (done.returncode, done.stderr, counts["results"]))
        self.try_kills(arguments, calls, check)
        self.try_errors(arguments, calls, check)

    def read_durations(self):
        with contextlib.closing(sqlite3.connect(self.store)) as database:
            return [end - start for start, end in database.execute("SELECT started_at, finished_at FROM runs"
                                                                   " WHERE source = 'dyno' AND finished_at > 0")]

    @tap.thorough
    def test_clock_is_set(self):
        """Whenever and however the clock on the wall is set, a run takes as long as it takes, and nothing is erased."""
        self.environment |= {"DYNO_FAKE_BACKEND": str(FIXTURES / "worker" / "fixtures" / "steady.json")}
        self.call("open", SECOND, "--import", status=0)
        self.call("store", "delete", self.list_runs()[0]["id"], status=0)
        arguments = ["run", "-m", MODEL, "-b", "fake", "--listed", "--batch", "1,2", "--sequence", "8", *QUICKLY]
        self.save()
        calls = self.list_calls(arguments, "")
        runs, counts = self.read_state()
        known = len(self.read_durations()) - 1
        for days in some((-20000, -400, -1, 1, 40, 4000), 2):
            for at in some(range(1, len(calls) + 1), FEW):
                with self.subTest(days=days, at=at, call=calls[at - 1]):
                    done = self.strike(arguments, "clock", at, DYNO_FAULT_CLOCK=str(days * 86400))
                    self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
                    found, now = self.read_state()
                    self.assertEqual((found, now["runs"], now["results"]), (runs, counts["runs"], counts["results"]))
                    durations = self.read_durations()
                    self.assertEqual(len(durations), known + 1)
                    self.assertTrue(all(0 <= duration < 1e6 * PATIENCE for duration in durations), durations)

    @tap.thorough
    def test_exporting(self):
        """A document that is replaced is the old one or the new one."""
        self.counted = self.data / "documents"
        self.counted.mkdir()
        document = self.counted / "mine.dyno"
        shutil.copy(SECOND, document)
        self.save()

        def list_ids():
            return [run["id"] for run in json.loads(self.call("open", document, "--json", status=0).stdout)["runs"]]
        before = list_ids()
        arguments = ["export", "--document", document]
        calls = self.list_calls(arguments, "")
        after = list_ids()
        self.assertNotEqual(before, after)

        def check(done):
            self.assertIn(list_ids(), (after,) if done.returncode == 0 else (before, after))
        self.try_kills(arguments, calls, check)
        self.try_errors(arguments, calls, check)

    def test_stopped(self):
        """Others read the store while one who changes it stands still, or say who holds it; it goes on as if nothing had been."""
        arguments = ["open", SECOND, "--import"]
        self.save()
        calls = self.list_calls(arguments, "")
        after = self.read_state()
        for at in some(range(1, len(calls) + 1), FEW):
            with self.subTest(at=at, call=calls[at - 1]), self.striking(arguments, "stop", at) as process:
                _, status = os.waitpid(process.pid, os.WUNTRACED)
                self.assertTrue(os.WIFSTOPPED(status))
                looked = subprocess.run([CLI, "list", "--ids"], env=self.environment, stdin=subprocess.DEVNULL, text=True,
                                        capture_output=True, check=False, timeout=PATIENCE)
                if looked.returncode == 0:
                    self.assertIn(len(looked.stdout.splitlines()), (1, 2))
                else:
                    self.assertRegex(looked.stderr, r"\Adyno-cli: Another program is using “[^\n]*”. Close it[^\n]*\n\Z")
                process.send_signal(signal.SIGCONT)
                _, said = process.communicate(timeout=PATIENCE)
                self.assertEqual((process.returncode, said), (0, ""))
                self.assertEqual(self.read_state(), after)


if __name__ == "__main__":
    sys.exit(tap.main())
