#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What becomes of runs when the store cannot be used, and what documents of strangers get.

Usage: test-stores.py DYNO-CLI
"""

import contextlib
import csv
import io
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys

from commandline import AFFINE, CLI, FIXTURES, MODEL, PATIENCE, QUICKLY, EngineTest, FaultTest, can_mount, limits, some
from namespaces import WITH_OWN_MOUNTS
import tap

DOCUMENT = FIXTURES / "store" / "fixtures" / "v1.dyno"
NEWEST = FIXTURES / "store" / "fixtures" / "v10.dyno"
CASE = ["-m", AFFINE, *QUICKLY]


def change(path, *statements):
    """Does to a database what Dyno never would."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        for statement, *parameters in statements:
            database.execute(statement, parameters)


class Locked(EngineTest):
    """Another process holds the store while a run is measured."""

    def setUp(self):
        super().setUp()
        self.measure("-m", AFFINE, status=0)

    @contextlib.contextmanager
    def locked(self, statement):
        with contextlib.closing(sqlite3.connect(self.store, isolation_level=None)) as database:
            database.execute("PRAGMA locking_mode = " + ("NORMAL" if statement == "BEGIN IMMEDIATE" else "EXCLUSIVE"))
            database.execute(statement)
            yield database
            if database.in_transaction:
                database.execute("ROLLBACK")

    def test_to_the_end(self):
        """Nothing is lost: what cannot be stored is printed and kept, and the next command takes it in."""
        document = self.folder / "kept.dyno"
        with self.locked("BEGIN IMMEDIATE"):
            done = self.call("run", *CASE, "--batch", "1,2,3", "-o", document, status=0)
            self.assertEqual(len(self.list_runs()), 1)
        self.assertRegex(done.stderr, r"\Adyno-cli: “[^\n]*in use by another program[^\n]*kept beside it[^\n]*\n\Z")
        self.assertIn("affine", done.stdout)
        self.assertEqual(len(json.loads(self.call("open", document, "--json", status=0).stdout)["runs"]), 1)
        done = self.call("list", status=0)
        self.assertEqual(done.stderr, f"dyno-cli: 3 results that could not be stored earlier were added to “{self.store}”.\n")
        self.assert_store_is_whole(2)
        self.assertEqual([result["status"] for result in self.load_results()], ["ok"] * 3)
        self.assertEqual(json.loads(self.call("open", document, "--import", "--json", status=0).stdout), [])
        self.assert_store_is_whole(2)

    @tap.thorough
    def test_for_a_while(self):
        """What could not be stored at once is stored at the end."""
        with self.locked("BEGIN IMMEDIATE") as database, self.running(*CASE, "--batch", "1,2") as command:
            command.wait_for("preparing")
            database.execute("ROLLBACK")
            _, said = command.finish()
        self.assertEqual((command.process.returncode, said), (0, ""))
        self.assertEqual(len(self.load_results()), 2)
        self.assert_store_is_whole(2)

    @tap.thorough
    def test_exclusively(self):
        with self.locked("BEGIN EXCLUSIVE"):
            self.refuse("run", *CASE, words=[f"“{self.store}”", "Another program is using", "Close it"])
        self.assert_store_is_whole(1)

    def test_two_at_once(self):
        with self.running(*CASE, "--batch", "1,2,3") as one, self.running(*CASE, "--batch", "4,5,6") as other:
            for command in (one, other):
                _, said = command.finish()
                self.assertEqual((command.process.returncode, said), (0, ""))
        self.assert_store_is_whole(3)
        self.assertEqual(sorted(run["measured"] for run in self.list_runs()), [1, 3, 3])


class Unwritable(EngineTest):
    def under(self, mount, *arguments, status):
        """Runs a command where a file system of its own lies on the store's folder."""
        script = f'{mount} "$0" && exec "$@"'
        (self.folder / "data").mkdir(exist_ok=True)
        done = subprocess.run([*WITH_OWN_MOUNTS, "sh", "-c", script, self.folder / "data", CLI, *map(str, arguments)],
                              env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                              timeout=PATIENCE)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertNotRegex(done.stderr, r"CRITICAL|WARNING \*\*|\(process:")
        return done

    def test_read_only(self):
        if not can_mount():
            self.skipTest("no file system can be mounted here")
        mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro'
        done = self.under(mount, "list", status=1)
        self.assert_words(done.stderr, f"“{self.store}”", "permissions")
        self.measure("-m", AFFINE, status=0)
        done = self.under(mount, "list", "--json", status=0)
        self.assertEqual(len(json.loads(done.stdout)), 1)
        self.assert_words(done.stderr, f"“{self.store}”", "cannot be written", "can be looked at", "permissions")
        done = self.under(mount, "run", *CASE, status=1)
        self.assertEqual(done.stdout, "")
        self.assert_words(done.stderr, "Results cannot be stored", f"“{self.store}”", "permissions")

    def test_full_disk(self):
        if not can_mount():
            self.skipTest("no file system can be mounted here")
        done = self.under("mount -t tmpfs -o size=40k tmpfs", "run", *CASE, status=1)
        self.assert_words(done.stderr, "No space is left", f"“{self.store}”", "Free some space")
        document = self.folder / "kept.dyno"
        done = self.under("mount -t tmpfs -o size=150k tmpfs", "run", *CASE, "--min-seconds", "0.5", "-o", document, status=1)
        self.assert_words(done.stderr, "could not be stored", "No space is left", "Free some space")
        self.assertIn("affine", done.stdout)
        self.assertEqual(len(json.loads(self.call("open", document, "--json", status=0).stdout)["runs"]), 1)

    @tap.thorough
    def test_deleting_on_a_full_disk(self):
        """Room for deleting is kept: a run goes to the bin and out of it, and the store is whole."""
        if not can_mount():
            self.skipTest("no file system can be mounted here")
        data = self.folder / "data"
        data.mkdir()
        script = "\n".join(("set -e", f"mount -t tmpfs -o size=2M,mode=700 tmpfs {data}", f"{CLI} open {DOCUMENT} --import > {data}/said",
                            f"cat /dev/zero > {data}/fill 2> {data}/said || true", f"{CLI} list --ids",
                            f"{CLI} store delete 5e2f", f"{CLI} list --ids", f"{CLI} store empty-bin", f"{CLI} store check"))
        done = subprocess.run([*WITH_OWN_MOUNTS, "sh", "-c", script], env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False, timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"\A5e2f[^\n]*\n1 run was moved to the bin[^\n]*\n1 run was erased.\n0 runs, 0 unreadable\n\Z")

    def test_limit_of_files(self):
        """A quota, as far as a process can set itself one: what it stops says so, and goes on."""
        self.call("list", status=0)
        self.refuse("open", DOCUMENT, "--import", words=[f"“{self.store}”", "room"], preexec_fn=limits(RLIMIT_FSIZE=40000))
        self.assert_store_is_whole(0)
        done = self.call("run", *CASE, "--min-seconds", "0.5", status=1, preexec_fn=limits(RLIMIT_FSIZE=40000))
        self.assert_words(done.stdout + done.stderr, "room")
        self.assert_store_is_whole(len(self.list_runs()))
        self.assertEqual(len(self.measure("-m", AFFINE, status=0)), 1)

    @tap.thorough
    def test_no_such_place(self):
        self.environment |= {"DYNO_DATA_DIR": str(self.write("file", "") / "data")}
        for command in (["list"], ["run", *CASE]):
            self.refuse(*command, words=[f"“{self.folder}/file/data”", "cannot be created", "Not a directory"])

    def test_exports(self):
        self.measure("-m", AFFINE, status=0)
        self.write("file", "")
        below = self.folder / "file" / "below"
        for command in (["export", "-o", below], ["export", "--document", below], ["report", "-o", below],
                        ["export", "--document", self.folder], ["run", *CASE, "--save-suite", below],
                        ["run", *CASE, "-o", below]):
            with self.subTest(command=command):
                self.refuse(*command, words=[f"“{command[-1]}", "cannot", "Choose another"])
        self.refuse("export", "--document", self.store, status=2, words=["cannot be replaced", "another name"])
        done = self.call("run", *CASE, "-e", below, status=1)
        self.assert_words(done.stderr, f"“{below}", "Choose another")
        self.assertIn("affine", done.stdout)
        self.assert_store_is_whole(2)


class Damaged(FaultTest):
    def setUp(self):
        super().setUp()
        self.store.parent.mkdir()
        self.assertEqual(len(json.loads(self.call("open", DOCUMENT, "--import", "--json", status=0).stdout)), 1)

    def damage(self, at):
        change(self.store, ("PRAGMA journal_mode = DELETE",))
        content = bytearray(self.store.read_bytes())
        content[at:at + 3000] = b"\xa5" * len(content[at:at + 3000])
        self.store.write_bytes(content)

    def test_recovered(self):
        for at in (4096, 5 * 4096):
            with self.subTest(at=at):
                shutil.copy(DOCUMENT, self.store)
                self.damage(at)
                done = self.call("list", status=0)
                self.assertRegex(done.stderr, r"\Adyno-cli: “[^\n]*was damaged. Recovered from it: [^\n]*It is kept as “[^\n]*\n\Z")
                kept = re.search("kept as “([^”]*)”", done.stderr)[1]
                self.assertTrue(os.path.exists(kept), kept)
                self.assertEqual(self.call("list", status=0).stderr, "")

    def lose(self):
        """The command that finds all runs lost says so and fails; the next one has an empty store."""
        before = self.store.read_bytes()
        done = self.call("list", status=1)
        self.assertEqual(done.stdout, "")
        self.assert_words(done.stderr, "none of its runs could be read", "empty store", "is kept as", "backup", ".recover”")
        kept = re.search("kept as “([^”]*)”", done.stderr)[1]
        self.assertEqual(pathlib.Path(kept).read_bytes(), before)
        self.assertEqual(self.list_runs(), [])

    @tap.thorough
    def test_lost(self):
        self.damage(0)
        self.lose()

    def test_cut_short(self):
        """SQLite reads nothing of a file without its last page unless it is told to."""
        change(self.store, ("PRAGMA journal_mode = DELETE",))
        self.store.write_bytes(self.store.read_bytes()[:-4096])
        done = self.call("list", "--json", status=0)
        self.assertEqual(len(json.loads(done.stdout)), 1)
        self.assert_words(done.stderr, "runs: 1, cases: 2")

    def look_at_damaged(self, content):
        """Commands show what they can, or say in a line why not; in the end the store is whole, or gone with its reason."""
        for name in os.listdir(self.store.parent):
            (self.store.parent / name).unlink()
        self.store.write_bytes(content)
        for command in (["list"], ["show"], ["report"], ["store", "check"], ["list", "--json"]):
            done = subprocess.run([CLI, *command], env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, check=False, timeout=PATIENCE)
            self.assertIn(done.returncode, (0, 1), (command, done.stderr))
            self.assertRegex(done.stderr, r"\A(dyno-cli: [^\n]*[.!?)]\n){0,3}\Z", command)
            self.assertTrue(done.returncode == 0 or done.stdout + done.stderr, command)
        self.assertEqual(done.returncode, 0)
        return len(json.loads(done.stdout))

    def test_lost_pages(self):
        """Each page may be full of zeros, or all behind it be lost. Only without the pages that say where the tables are does the
        run go with them."""
        change(self.store, ("PRAGMA journal_mode = DELETE",))
        with contextlib.closing(sqlite3.connect(self.store)) as database:
            vital = {page for page, in database.execute("SELECT pageno FROM dbstat WHERE name IN ('sqlite_schema', 'sqlite_master')")}
        whole = self.store.read_bytes()
        pages = range(0, len(whole), 4096)
        kept = []
        for at in some(pages, 4):
            with self.subTest(zeros=at):
                kept.append(self.look_at_damaged(whole[:at] + bytes(4096) + whole[at + 4096:]))
                self.assertTrue(kept[-1] == 1 or at // 4096 + 1 in vital)
        for at in some(pages[1:], 3):
            with self.subTest(end=at):
                kept.append(self.look_at_damaged(whole[:at]))
        self.assertIn(1, kept)

    def test_not_a_database(self):
        self.store.write_bytes(b"not a database\n" * 500)
        self.lose()

    @tap.thorough
    def test_a_folder(self):
        self.store.unlink()
        self.store.mkdir()
        self.refuse("list", words=[f"“{self.store}”", "Check that it is a file"])

    def test_of_another_program(self):
        change(self.store, ("PRAGMA application_id = 99",))
        before = self.store.read_bytes()
        self.refuse("list", words=[f"“{self.store}”", "another program", "another file"])
        self.assertEqual(self.store.read_bytes(), before)

    def test_newer(self):
        change(self.store, ("PRAGMA user_version = 99",))
        done = self.call("list", "--json", status=0)
        self.assertEqual(len(json.loads(done.stdout)), 1)
        self.assert_words(done.stderr, f"“{self.store}”", "newer Dyno", "update Dyno")
        self.refuse("run", *CASE, words=["Results cannot be stored", "newer Dyno", "update Dyno"])
        self.refuse("store", "delete", "5e2f", words=["newer Dyno"])


class Documents(FaultTest):
    """Files from strangers are read, or refused with a reason, and never change anything."""

    n_refused = 0

    def refuse_document(self, path, *words):
        commands = (["open", path], ["open", path, "--import"], ["show", path], ["report", path],
                    ["export", path, "-o", self.folder / "charts"])
        Documents.n_refused += 1
        with self.subTest(path=path):
            for command in commands if tap.THOROUGH else (commands[0], commands[Documents.n_refused % len(commands)]):
                self.refuse(*command, words=[f"“{path}”", *words])

    def tearDown(self):
        self.assertEqual(self.list_runs(), [])

    def change_document(self, *statements, document=DOCUMENT):
        path = self.folder / "changed.dyno"
        shutil.copy(document, path)
        change(path, *statements)
        return path

    def test_no_document(self):
        self.refuse_document(self.folder / "nosuch.dyno", "no file", "Check the path")
        self.refuse_document(self.write("empty.dyno", b""), "is empty", "again")
        self.refuse_document(self.write("text.dyno", b"hello\n" * 999), "not a Dyno document", "again")
        (self.folder / "folder.dyno").mkdir()
        self.refuse_document(self.folder / "folder.dyno", "not a file")

    def test_cut_short(self):
        whole = DOCUMENT.read_bytes()
        for length in some((10, 100, 4096, len(whole) // 2, len(whole) - 100), 3):
            self.refuse_document(self.write("cut.dyno", whole[:length]), "ocument", "again")

    def test_foreign(self):
        path = self.folder / "foreign.dyno"
        change(path, ("CREATE TABLE t (a)",))
        self.refuse_document(path, "not a Dyno document")
        self.refuse_document(self.change_document(("PRAGMA application_id = 7",)), "not a Dyno document")

    def test_newer(self):
        self.refuse_document(self.change_document(("PRAGMA user_version = 99",)), "newer Dyno", "Update Dyno")

    def test_no_runs(self):
        """Whether there never were any or all were deleted, a command that needs runs says so."""
        for statement in ("DELETE FROM runs", "UPDATE runs SET deleted_at = 1"):
            path = self.change_document(("PRAGMA foreign_keys = ON",), (statement,), document=NEWEST)
            with self.subTest(statement=statement):
                commands = (["show", path], ["report", path], ["report", path, "-f", "html"], ["compare", path, DOCUMENT],
                            ["compare", path], ["export", path, "-o", self.folder], ["recommend", path],
                            ["export", path, "-d", self.folder / "new.dyno"],
                            ["history", "--machine", path], ["baseline", "set", "name", path],
                            ["ci", "--baseline", path, DOCUMENT], ["ci", "--baseline", DOCUMENT, path])
                for command in commands if statement.startswith("DELETE") else some(commands, 3):
                    self.refuse(*command, words=[f"“{path}” contains no runs", "again"])
                self.assertIn("0 runs", self.call("open", path, status=0).stdout)
                self.call("open", path, "--import", status=0)
                self.assertEqual(self.list_runs(), [])

    def test_traps(self):
        for statement in some((
            "CREATE TRIGGER trap AFTER INSERT ON runs BEGIN DELETE FROM runs; END",
            "CREATE TABLE more (a)", "DROP TABLE diagnostics", "CREATE VIEW trap AS SELECT load_extension ('x')",
            "UPDATE runs SET plan = '{'", "UPDATE results SET options = '[]x'", "UPDATE results SET batch_size = -1",
            "UPDATE series SET data = x'00'", "UPDATE results SET status = 'odd'",
        ), 5):
            with self.subTest(statement=statement):
                self.refuse_document(self.change_document((statement,)), "ocument")

    def test_nested_without_end(self):
        deep = "[" * 100000 + "]" * 100000
        self.refuse_document(self.change_document(("UPDATE runs SET plan = ?", deep)), "ocument")
        self.refuse_document(self.change_document(("UPDATE machines SET snapshot = ?", deep)), "ocument")

    def test_every_byte_may_be_wrong(self):
        """Whatever a bit does, Dyno answers in a sentence, or reads on."""
        whole = DOCUMENT.read_bytes()
        for at in some(range(16, len(whole), len(whole) // 400), 6):
            content = bytearray(whole)
            content[at] ^= 0xFF
            path = self.write("flipped.dyno", bytes(content))
            done = subprocess.run([CLI, "report", path], env=self.environment, capture_output=True, check=False,
                                  timeout=PATIENCE)
            with self.subTest(at=at):
                self.assertIn(done.returncode, (0, 1), done.stderr)
                self.assertRegex(done.stderr.decode(), r"\A(dyno-cli: [^\n]*\n)?\Z")

    def test_many_cases(self):
        """Charts of one case are drawn for the first hundred, and for any other that is named."""
        columns = "run_id, model, parameter_count, backend, precision, batch_size, sequence_length, options, status, ordinal"
        count = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)"
        path = self.change_document(
            ("PRAGMA foreign_keys = ON",),
            ("DELETE FROM results WHERE id <> (SELECT min (result_id) FROM operators)",),
            (f"{count} INSERT INTO results (id, {columns}) SELECT 1000 + i, {columns} + i FROM results, n WHERE id < 1000",),
            ("INSERT INTO operators SELECT results.id, o.ordinal, name, type, provider, calls, time_ns, flops, bytes"
             " FROM operators o, results WHERE results.id > 1000",),
            ("UPDATE runs SET n_cases = (SELECT count (*) FROM results)",))
        draw = ("export", path, "--chart", "operators", "--format", "svg", "-o", self.folder / "charts")
        done = self.call(*draw, status=0)
        self.assert_words(done.stderr, "first 100 cases", "21 more", "--case")
        self.assertEqual(len(list((self.folder / "charts").iterdir())), 100)
        self.assertEqual(self.call(*draw, "--case", "121", status=0).stderr, "")
        self.assertEqual(len(list((self.folder / "charts").glob("operators-121-*.svg"))), 1)
        self.refuse(*draw, "--case", "-1", status=2, words=["numbered from 1"])
        self.refuse(*draw, "--case", "122", words=["no data"])

    def test_control_characters(self):
        evil = "\x1b]0;owned\x07\x1b[2J"
        path = self.change_document(("UPDATE runs SET title = ?, notes = ?", "T" + evil, "N" + evil),
                                    ("UPDATE results SET model_name = ?, reason = ?", "M" + evil, "R" + evil))
        for command in (["open", path], ["show", path], ["show", path, "--case", "1"]):
            output = self.call(*command, status=0).stdout
            self.assertIn("T" if len(command) == 2 else "R", output)
            self.assertNotIn("\x1b", output)
            self.assertNotIn("\x07", output)


class Surroundings(EngineTest):
    def test_garbage_on_stdin(self):
        with open("/dev/urandom", "rb") as garbage:
            self.assertEqual(self.measure("-m", AFFINE, status=0, stdin=garbage)[0]["status"], "ok")

    @tap.thorough
    def test_no_home(self):
        self.environment.pop("HOME")
        self.assertEqual(self.measure("-m", AFFINE, status=0)[0]["status"], "ok")

    def test_home_that_is_none(self):
        for name in ("DYNO_DATA_DIR", "DYNO_CACHE_DIR", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
            self.environment.pop(name, None)
        self.environment["HOME"] = "/dev/null"
        self.refuse("list", words=["“/dev/null/.local/share/dyno”", "cannot be created"])

    def use_german(self):
        """A locale with a comma for the decimal point, made here if the system has the sources."""
        place = self.folder / "locales"
        place.mkdir()
        if tool := shutil.which("localedef"):
            subprocess.run([tool, "-i", "de_DE", "-f", "UTF-8", place / "de_DE.UTF-8"], capture_output=True, check=False)
        if not (place / "de_DE.UTF-8" / "LC_NUMERIC").exists():
            self.skipTest("a locale with a decimal comma cannot be made here")
        self.environment |= {"LOCPATH": str(place), "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}

    def assert_numbers_are_plain(self):
        (result,) = self.measure("-m", MODEL, "--sequence", "16", "--interval-percent", "1.5", status=0)
        self.assertEqual(result["case"]["method"]["interval-percent"], 1.5)
        median = next(value["value"] for value in result["values"] if value["name"] == "latency_p50_ms")
        self.assertGreater(median, 0)
        rows = list(csv.DictReader(io.StringIO(self.call("report", "--format", "csv", status=0).stdout)))
        self.assertTrue(any(float(row[name]) == median for row in rows for name in row
                            if re.fullmatch(r"[\d.e+-]+", row[name] or "")), rows)
        self.assertFalse(any(re.fullmatch(r"\d+,\d+", field or "") for row in rows for field in row.values()))
        suite = self.folder / "suite.json"
        self.call("run", "-m", MODEL, "--min-seconds", "0.25", "--save-suite", suite, status=0)
        self.assertEqual(json.loads(suite.read_text())["method"]["min-seconds"], 0.25)
        self.call("export", "--chart", "comparison", "--format", "svg", "-o", self.folder / "charts", status=0)
        self.assertNotRegex((self.folder / "charts" / "comparison.svg").read_text(), r'(?<![-\w])[xy]="\d+,\d')

    def test_comma_for_a_point(self):
        self.use_german()
        self.assert_numbers_are_plain()
        self.assertRegex(self.call("show", status=0).stdout, r"\d,\d+")

    @tap.thorough
    def test_no_locale(self):
        for locale in ("C", "POSIX", "xx_XX.nosuch"):
            with self.subTest(locale=locale):
                self.environment |= {"LC_ALL": locale}
                self.assert_numbers_are_plain()

    def test_no_utf8(self):
        """What the locale cannot show is written in ASCII, not as a question mark, and in files it stays what it is."""
        self.environment |= {"LC_ALL": "C"}
        self.measure("-m", AFFINE, status=0)
        text = self.call("show", status=0).stdout + self.call("--help", status=0).stdout
        self.assertTrue(text.isascii(), text)
        self.assertIn('"dyno-cli COMMAND --help"', text)
        self.assertNotIn("?", text)
        self.call("report", "-o", self.folder / "report.md", status=0)
        self.assertNotIn("?", (self.folder / "report.md").read_text("utf-8"))


if __name__ == "__main__":
    sys.exit(tap.main())
