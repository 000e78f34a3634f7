#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens a full store of an earlier Dyno with this one, and then again with the earlier one.

Usage: upgrade.py EARLIER THIS RUNTIMES

EARLIER is a build folder within its source folder, whose fixtures fill the store; THIS is a build folder too, or a root in which
packages were unpacked; RUNTIMES has the engines. Every row that the earlier Dyno wrote must stay, whoever opens the
store. If this Dyno's schema is newer, the earlier one must refuse to write, with a sentence, and change nothing.
"""

import collections
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

MODEL = "bert-tiny"
QUICKLY = ("--invocations", "1", "--warmup-seconds", "0.1", "--min-seconds", "0.2", "--max-seconds", "1", "--no-ceilings")
REFUSAL = "was written by a newer Dyno"


class Dyno:
    """The command line of one build, in a home folder that both share."""

    def __init__(self, name, folder, home, runtimes):
        self.name, self.source = name, folder.parent
        places = {"DYNO_BIN_DIR": "src/cli", "DYNO_LIBEXEC_DIR": "src/worker", "GSETTINGS_SCHEMA_DIR": "data"}
        if (folder / "usr").is_dir():
            places = {"DYNO_BIN_DIR": "usr/bin", "DYNO_LIBEXEC_DIR": "usr/libexec",
                      "GSETTINGS_SCHEMA_DIR": "usr/share/glib-2.0/schemas"}
        self.cli = folder / places["DYNO_BIN_DIR"] / "dyno-cli"
        kept = {variable: value for variable, value in os.environ.items() if not variable.startswith(("DYNO_", "XDG_"))}
        self.environment = kept | {variable: str(folder / place) for variable, place in places.items()} | {
            "HOME": str(home), "LC_ALL": "C.UTF-8", "GSETTINGS_BACKEND": "memory", "DYNO_RUNTIMES_DIR": str(runtimes),
            "DYNO_NO_USUAL_SERVERS": "1"}

    def call(self, *arguments, statuses=(0,)):
        done = subprocess.run([self.cli, *arguments], env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                              encoding="utf-8", check=False)
        if done.returncode not in statuses:
            sys.exit(f"upgrade: the {self.name} Dyno ended “{' '.join(map(str, arguments))}” with {done.returncode}:\n"
                     f"{done.stdout}{done.stderr}")
        return done

    def knows(self, command):
        return f"\n  {command} " in self.call("--help").stdout

    def list_runs(self):
        return set(self.call("list", "--limit", "0", "--ids").stdout.split())

    def says_so(self, done):
        """Whether a command said that the store is a newer one's; its lines are as wide as a terminal."""
        return REFUSAL in " ".join(done.stderr.split())

    def refuse(self, *arguments):
        done = self.call(*arguments, statuses=(1,))
        if not self.says_so(done):
            sys.exit(f"upgrade: the {self.name} Dyno refused “{' '.join(map(str, arguments))}” without saying that the store "
                     f"is a newer one's:\n{done.stderr}")

    def list_documents(self):
        return sorted((self.source / "tests" / "store" / "fixtures").glob("*.dyno"))


def say(text):
    print(f"upgrade: {text}", flush=True)


def read_rows(path):
    """Returns the version of the schema, and of each table its columns and how often it has each row."""
    database = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    names = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    tables = {}
    for name in names:
        cursor = database.execute(f'SELECT * FROM "{name}"')
        columns = [column[0] for column in cursor.description]
        tables[name] = (columns, collections.Counter(cursor))
    (version,) = database.execute("PRAGMA user_version").fetchone()
    database.close()
    return version, tables


def check_rows(before, path, when):
    """Ends with an error where a row is gone or a column of it has another value."""
    _, after = read_rows(path)
    for name, (columns, rows) in before[1].items():
        if name not in after or not set(columns) <= set(after[name][0]):
            sys.exit(f"upgrade: {when}, the table “{name}” or a column of it is gone.")
        places = [after[name][0].index(column) for column in columns]
        kept = collections.Counter()
        for row, count in after[name][1].items():
            kept[tuple(row[place] for place in places)] += count
        if lost := rows - kept:
            sys.exit(f"upgrade: {when}, {lost.total()} rows of the table “{name}” are gone or changed, such as "
                     f"{str(next(iter(lost)))[:300]}.")
    say(f"{when}, all {sum(rows.total() for _, rows in before[1].values())} rows of {len(before[1])} tables are there")


def fill(dyno):
    """Writes what a store can hold: runs measured and imported, a baseline, a deleted run, a run that waits."""
    for document in dyno.list_documents():
        dyno.call("open", "--import", document)
    files = [path for path in (dyno.source / "tests" / "import" / "fixtures").rglob("*.*") if path.suffix != ".expected"]
    # Some of these files are parts of others, which only their tests know.
    dyno.call("import", *sorted(files), statuses=(0, 1))
    measured = dyno.call("run", "-m", MODEL, *QUICKLY, statuses=(0, 1))
    dyno.call("baseline", "set", "release", "last")
    oldest = dyno.call("list", "--limit", "0", "--ids").stdout.split()[-1]
    dyno.call("store", "delete", oldest)
    if dyno.knows("queue"):
        dyno.call("queue", "add", "-m", MODEL)
    if "texts/s" not in measured.stdout:
        sys.exit(f"upgrade: the {dyno.name} Dyno measured nothing:\n{measured.stdout}{measured.stderr}")


def read_beside(dyno):
    """What a store holds beside its rows, as a command tells it."""
    names = {baseline["name"]: baseline["run"] for baseline in json.loads(dyno.call("baseline", "list", "--json").stdout)}
    deleted = {run["id"] for run in json.loads(dyno.call("store", "bin", "--json").stdout)}
    waiting = json.loads(dyno.call("queue", "list", "--json").stdout) if dyno.knows("queue") else []
    return names, deleted, len(waiting)


def go_there(earlier, this, store):
    """The newer one opens the store, shows each run and adds one."""
    before, runs, beside = read_rows(store), earlier.list_runs(), read_beside(earlier)
    if this.list_runs() != runs or read_beside(this) != beside:
        sys.exit("upgrade: this Dyno lists other runs, baselines, deleted runs or waiting runs than the earlier one.")
    check_rows(before, store, "opened by this Dyno")
    for run in sorted(runs):
        this.call("show", run, "--json")
    say(f"this Dyno shows each of {len(runs)} runs")
    this.call("store", "check")
    this.call("run", "-m", MODEL, *QUICKLY, "--title", "Added", statuses=(0, 1))
    if len(this.list_runs() - runs) != 1:
        sys.exit("upgrade: this Dyno did not add the run that it measured.")
    return before[0]


def go_back(earlier, this, store, version):
    """The earlier one opens the store that the newer one has changed."""
    before, runs = read_rows(store), this.list_runs()
    if before[0] == version:
        say(f"both Dynos have version {version} of the schema: the earlier one goes on writing")
        earlier.call("run", "-m", MODEL, *QUICKLY, statuses=(0, 1))
    else:
        if not earlier.says_so(earlier.call("list")):
            sys.exit("upgrade: the earlier Dyno does not say that the store is a newer one's.")
        if earlier.list_runs() != runs:
            sys.exit("upgrade: the earlier Dyno lists other runs of the newer store.")
        document = store.parent / "newer.dyno"
        this.call("export", "last", "--document", document)
        for command in (("run", "-m", MODEL, *QUICKLY), ("store", "delete", "last"), ("baseline", "remove", "release"),
                        ("open", "--import", earlier.list_documents()[0]), ("show", document)):
            earlier.refuse(*command)
        say(f"the earlier Dyno, of version {version}, shows the store of version {before[0]} and refuses to change it")
    check_rows(before, store, "opened by the earlier Dyno")
    if not this.list_runs() >= runs:
        sys.exit("upgrade: this Dyno misses runs after the earlier one had the store.")
    this.call("store", "check")


def main(*folders):
    earlier_folder, this_folder, runtimes = (pathlib.Path(folder).resolve() for folder in folders)
    with tempfile.TemporaryDirectory(prefix="dyno-upgrade-") as folder:
        home = pathlib.Path(folder)
        earlier, this = Dyno("earlier", earlier_folder, home, runtimes), Dyno("newer", this_folder, home, runtimes)
        fill(earlier)
        store = pathlib.Path(earlier.call("store", "path").stdout.strip())
        version = go_there(earlier, this, store)
        go_back(earlier, this, store, version)


if __name__ == "__main__":
    main(*sys.argv[1:])
