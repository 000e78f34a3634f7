#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kills at random, of the command line, of its workers and of the window, and of the window before each change, in one store.

The kernel kills a process after it has used the processor for a time that is drawn from the number of the round. Another
process watches the store: a case that was seen in it stays in it, and so does each that the command line has called finished.
`DYNO_TEST_ROUNDS` sets how many kills at random there are altogether.

Usage: test-kills.py DYNO-CLI PRELOADED-LIBRARY [DYNO]
"""

import contextlib
import json
import os
import random
import re
import select
import signal
import sqlite3
import subprocess
import sys

LIBRARY = os.path.abspath(sys.argv.pop(2))
WINDOW = os.path.abspath(sys.argv.pop(2)) if len(sys.argv) > 2 else None

from commandline import CLI, FIXTURES, MODEL, NOISE, PATIENCE, QUICKLY, FaultTest, Running, is_sanitized, some
import tap

# Of each of the three programs.
KILLS = -(-int(os.environ.get("DYNO_TEST_ROUNDS", "9")) // 3)
# Processes may be over before their time is, which kills nothing.
MOST_ROUNDS = 4 * KILLS + 10
N_CASES = 4
BATCHES = [str(1 << i) for i in range(N_CASES)]
FEW = 3
SECONDS_OF_A_LOOK = 0.02
TICKS = os.sysconf("SC_CLK_TCK")
WORKER_MICROSECONDS = 100000


def read_used(pid):
    """Waits for the end of a process, and leaves it to be waited for again: the microseconds for which it has used the processor."""
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1000000 // TICKS


class Killed(FaultTest):
    def setUp(self):
        super().setUp()
        if is_sanitized():
            self.skipTest("the address sanitizer wants to be the first library")
        self.folder = self.folder.resolve()
        self.store = self.folder / "data" / "store.sqlite"
        self.log = self.folder / "calls"
        self.environment |= {"DYNO_FAKE_BACKEND": str(FIXTURES / "worker" / "fixtures" / "steady.json"),
                             "DYNO_DATA_DIR": str(self.store.parent)}
        self.call("open", FIXTURES / "store" / "fixtures" / "v10.dyno", "--import", status=0)
        self.kept = self.read_finished()

    def read_finished(self):
        """The cases in the store that have been measured; none while it cannot be read."""
        try:
            with contextlib.closing(sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)) as database:
                return set(database.execute("SELECT run_id, ordinal FROM results WHERE status = 'ok'"))
        except sqlite3.Error:
            return set()

    def list_orders(self, program, **orders):
        """Variables for the library; orders are their names without the beginning."""
        return {"LD_PRELOAD": LIBRARY, "DYNO_FAULT": "kill", "DYNO_FAULT_PROGRAM": program, "DYNO_FAULT_LOG": str(self.log),
                "DYNO_FAULT_FOLDER": str(self.store.parent),
                **{f"DYNO_FAULT_{name.upper()}": str(value) for name, value in orders.items()}}

    def check(self, seen):
        """The next command finds all that there was, in a store that is whole."""
        done = self.call("list", "--json", status=0)
        self.assertEqual(done.stderr, "")
        self.assertFalse(any(run["running"] for run in json.loads(done.stdout)))
        with contextlib.closing(sqlite3.connect(self.store)) as database:
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
            self.assertEqual(database.execute("PRAGMA foreign_key_check").fetchall(), [])
        found = self.read_finished()
        self.assertLessEqual(self.kept | seen, found)
        self.kept = found

    def kill_at_random(self, play, most):
        """Plays rounds until enough of them were killed. play(): plays one with a limit, and says whether it was killed."""
        n_kills = 0
        for number in range(MOST_ROUNDS):
            with self.subTest(round=number):
                n_kills += play(random.Random(number).randint(1, most))
            if n_kills == KILLS:
                break
        print(f"# {n_kills} kills in {number + 1} rounds, {len(self.kept)} cases kept", flush=True)
        self.assertEqual(n_kills, KILLS)


class CommandLine(Killed):
    arguments = ["-m", MODEL, "-b", "fake", "--listed", "--batch", ",".join(BATCHES), "--sequence", "8", *QUICKLY]

    def play(self, program, **orders):
        """One run: what it used of the processor, how it ended, and which cases it has called finished."""
        command = Running(self.environment | self.list_orders(program, **orders), ["run", *self.arguments])
        before = self.kept
        try:
            while command.read_more(PATIENCE):
                pass
            used = read_used(command.process.pid)
            command.process.wait()
        finally:
            command.close()
        finished = max(map(int, re.findall(rf" (\d+) of {N_CASES}", command.seen)), default=0)
        self.check(set())
        new = self.kept - before
        return used, command.process.returncode, finished, len(new)

    def test_itself(self):
        used, status, _, n_new = self.play("dyno-cli")
        self.assertEqual((status, n_new), (0, N_CASES))

        def play(microseconds):
            _, status, finished, n_new = self.play("dyno-cli", after=microseconds)
            self.assertIn(status, (0, -signal.SIGKILL))
            self.assertGreaterEqual(n_new, finished)
            return status != 0
        self.kill_at_random(play, used)

    @tap.thorough
    def test_workers(self):
        """Each case has its result, and one that was killed says so."""
        def play(microseconds):
            _, status, *_ = self.play("dyno-worker", after=microseconds)
            results = self.load_results()
            self.assertEqual(len(results), N_CASES)
            for result in results:
                if result["status"] != "ok":
                    self.assertRegex(result["reason"], r"(killed from outside|ended the process that probed)[^\n]*[.!?)]\Z")
            struck = any(result["status"] != "ok" for result in results)
            self.assertEqual(status, 1 if struck else 0)
            return struck
        self.kill_at_random(play, WORKER_MICROSECONDS)


class Window(Killed):
    """The window starts with the quick suite, which has a short method here, and is ended when that is over."""

    def setUp(self):
        super().setUp()
        if WINDOW is None:
            self.skipTest("the graphical application is not part of this build")
        method = {"invocations": 1, "warmup-seconds": 0.02, "warmup-steps": 1, "min-samples": 5, "min-seconds": 0.05,
                  "max-seconds": 0.1}
        suite = self.write("quick.json", json.dumps(
            {"title": "Quick", "models": [MODEL], "backends": ["fake"], "batch-sizes": list(map(int, BATCHES)),
             "sequence-lengths": [8], "shuffle": False, "method": method}))
        self.overlay = {"G_RESOURCE_OVERLAYS": f"/io/github/dynobench/Dyno/suites/quick.json={suite}"}

    def count_ended(self):
        try:
            with contextlib.closing(sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)) as database:
                return database.execute("SELECT count (*) FROM runs WHERE finished_at > 0 AND source = 'dyno'").fetchone()[0]
        except sqlite3.Error:
            return 0

    def play(self, **orders):
        """One run, which is killed where it is ordered: what it used of the processor, and how it ended."""
        ended, seen = self.count_ended(), set()
        self.log.unlink(missing_ok=True)
        with open(self.folder / "said", "w+", encoding="utf-8") as said, subprocess.Popen(
                [WINDOW, "--quick"], env=self.environment | self.overlay | self.list_orders("dyno", **orders),
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said) as process:
            pidfd = os.pidfd_open(process.pid)
            try:
                while not select.select([pidfd], [], [], SECONDS_OF_A_LOOK)[0]:
                    seen |= self.read_finished()
                    if self.count_ended() > ended:
                        process.terminate()
                        self.assertTrue(select.select([pidfd], [], [], PATIENCE)[0], "it does not end")
                        break
                used = read_used(process.pid)
            finally:
                os.close(pidfd)
                process.kill()
                process.wait()
            said.seek(0)
            # A run that took long is notified of, and nothing shows notifications here.
            self.assertNotRegex(re.sub("[^\n]*unable to send notifications through[^\n]*", "", said.read()), NOISE)
        # The next run may make fewer calls.
        self.assertIn(process.returncode, (0, -signal.SIGKILL) if orders else (0,))
        self.check(seen)
        return used, process.returncode

    @tap.thorough
    def test_at_random(self):
        used, _ = self.play()
        self.kill_at_random(lambda microseconds: self.play(after=microseconds)[1] != 0, used)

    @tap.thorough
    def test_at_each_change(self):
        """Killed before each call that changes the store. On a slow disk the window would wait for none of them until it closes."""
        self.play()
        calls = self.log.read_text(encoding="utf-8").splitlines()
        threads = [call.endswith(" in a thread") for call in calls]
        self.assertEqual(threads, sorted(threads, reverse=True), calls)
        for at in some(range(1, len(calls) + 1), FEW):
            with self.subTest(at=at, call=calls[at - 1]):
                self.play(at=at)
        print(f"# {len(calls)} calls", flush=True)


if __name__ == "__main__":
    sys.exit(tap.main())
