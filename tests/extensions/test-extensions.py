#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""CONTRIBUTING.md walked by a stranger: a backend, an engine with a format of its own, a metric, a chart, a dialect and a page from
outside the tree.

Usage: test-extensions.py SOURCE-FOLDER BUILD-FOLDER

The files of tree/ are laid over the sources, each with its one line in a list, in a mount that only this test sees: the
real folders stay as they are, and whatever is already built is not built again.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / "journeys")]
import tap
from namespaces import WITH_OWN_MOUNTS

SOURCE, BUILD = (pathlib.Path(path).resolve() for path in sys.argv[-2:])
TREE = TESTS / "extensions" / "tree"
PROGRAMS = ("src/cli/dyno-cli", "src/worker/dyno-worker", "src/app/dyno")
SECONDS_TO_BUILD = 400
QUICKLY = ("-m", "bert-tiny", "--invocations", "1", "--warmup-seconds", "0.05", "--min-seconds", "0.1", "--max-seconds",
           "0.5", "--no-ceilings")

# What CONTRIBUTING.md lets a stranger change in files that are there: the list, and the line for the new thing.
LISTS = {
    "backends/meson.build": (r"(backend_names = \[)", r"\1'stranger', 'newcomer', "),
    "metrics/meson.build": (r"(metric_names = \[)", r"\1'stranger', "),
    "src/import/meson.build": (r"(dialect_names = \[)", r"\1'stranger', "),
    "src/chart/meson.build": (r"(chart_names = \[)", r"\1'stranger', "),
    "src/app/meson.build": (r"(page_names = \[.*)\]", r"\1, 'stranger']"),
}


def lay_over(folder, room):
    """Writes below the folder go to the room."""
    for name in ("upper", "work"):
        (room / name).mkdir(parents=True)
    options = f"lowerdir={folder},upperdir={room}/upper,workdir={room}/work"
    return subprocess.run(["mount", "-t", "overlay", "overlay", "-o", options, str(folder)], capture_output=True, text=True,
                          check=False)


def enter(room):
    """Makes all writes below the sources and the build folder go to the room; returns why that is not possible."""
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(room)], check=True)
    for folder in (SOURCE,) if BUILD.is_relative_to(SOURCE) else (SOURCE, BUILD):
        done = lay_over(folder, room / folder.name)
        if done.returncode != 0:
            return f"one folder cannot be laid over another here: {done.stderr.strip()}"
    os.chdir(SOURCE)
    return None


def run_inside():
    """Runs this test again with mounts that nobody else sees."""
    with tempfile.TemporaryDirectory(prefix="dyno-extensions-") as room:
        return subprocess.run([*WITH_OWN_MOUNTS, sys.executable, *sys.argv], env={**os.environ, "DYNO_TEST_ROOM": room},
                              check=False).returncode


def add_things():
    subprocess.run(["cp", "-r", f"{TREE}/.", str(SOURCE)], check=True)
    for name, (place, line) in LISTS.items():
        path = SOURCE / name
        text, n = re.subn(place, line, path.read_text(encoding="utf-8"), count=1)
        assert n == 1, f"“{name}” has no list to add to"
        path.write_text(text, encoding="utf-8")


class Extensions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if WHY_NOT:
            return
        add_things()
        subprocess.run(["ninja", "-C", str(BUILD), *PROGRAMS], check=True, stdout=sys.stderr, timeout=SECONDS_TO_BUILD)
        cls.home = ROOM / "home"
        cls.home.mkdir()

    def setUp(self):
        if WHY_NOT:
            self.skipTest(WHY_NOT)

    def ask(self, *arguments, status=0):
        environment = {**os.environ, **tap.without_engines(but=["DYNO_ONNXRUNTIME"]), "HOME": str(self.home),
                       "XDG_DATA_HOME": str(self.home)}
        done = subprocess.run([str(BUILD / PROGRAMS[0]), *map(str, arguments)], capture_output=True, text=True, check=False,
                              env=environment, timeout=120)
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        return done.stdout

    def read_values(self, report):
        """Returns the numbers of the only case of a report."""
        [run] = json.loads(report)["runs"]
        [result] = run["results"]
        return {value["name"]: value.get("value") for value in result["values"]}

    def test_rules_are_kept(self):
        """The list of files with strings is brought up to date, as CONTRIBUTING.md says."""
        done = subprocess.run([sys.executable, str(SOURCE / "tools/lint.py"), "--write-potfiles"], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_backend_metric_and_chart(self):
        states = {backend["id"]: backend["state"] for backend in json.loads(self.ask("hardware", "--json"))["backends"]}
        if states["stranger"] != "available":
            tap.skip_without_engine(self, "cpu", "ONNX Runtime is not installed")
        values = self.read_values(self.ask("run", "--backend", "stranger", *QUICKLY, "--json"))
        self.assertGreater(values["strange_steps"], 0)
        picture = self.home / "stranger.svg"
        self.ask("export", "--chart", "stranger", "--format", "svg", "-o", self.home)
        self.assertIn("<svg", picture.read_text(encoding="utf-8"))

    def test_engine_with_a_format(self):
        """A folder and its name in the list are all of an engine that reads its own files."""
        path = self.home / "first.fresh"
        path.write_text("FRESH", encoding="utf-8")
        told = json.loads(self.ask("models", "info", path, "--json"))
        self.assertEqual((told["family"], told["name"]), ("fresh", "first"))
        here = self.run_on("newcomer", path)
        self.assertEqual(here["status"], "ok", here)
        self.assertIn("Newcomer Engine (Chair)", self.ask("show"))
        elsewhere = self.run_on("cpu", path, status=1)
        self.assertEqual(elsewhere["status"], "skipped", elsewhere)
        self.assertIn("Choose the backend “newcomer”", elsewhere["reason"])

    def run_on(self, backend, path, **expected):
        [run] = json.loads(self.ask("run", "-m", path, "--backend", backend, *QUICKLY[2:], "--json", **expected))["runs"]
        [result] = run["results"]
        return result

    def test_path_of_an_engine(self):
        config = self.home / "config"
        keyfile = config / "glib-2.0" / "settings" / "keyfile"
        keyfile.parent.mkdir(parents=True)
        keyfile.write_text("[io/github/dynobench/Dyno]\nengine-paths={'newcomer': '/there'}\n", encoding="utf-8")
        with unittest.mock.patch.dict(os.environ, {"GSETTINGS_BACKEND": "keyfile", "XDG_CONFIG_HOME": str(config)}):
            backends = json.loads(self.ask("hardware", "--json"))["backends"]
        [newcomer] = [backend for backend in backends if backend["id"] == "newcomer"]
        self.assertEqual((newcomer["state"], newcomer["reason"]), ("unsupported", "/there"))

    def test_dialect(self):
        path = self.home / "strange.csv"
        path.write_text("strange_model,strange_ms\nresnet50,12.5\n", encoding="utf-8")
        self.ask("import", path)
        self.assertEqual(self.read_values(self.ask("show", "--json"))["latency_mean_ms"], 12.5)

    def test_page(self):
        try:
            from desktop import find_missing
            from person import Person
        except (ImportError, ValueError) as error:
            self.skipTest(f"AT-SPI cannot be read: {error}")
        if find_missing("x11"):
            self.skipTest(f"There is no {find_missing('x11')[0]}")
        programs = types.SimpleNamespace(dyno=str(BUILD / PROGRAMS[2]), cli=str(BUILD / PROGRAMS[0]), source=str(SOURCE),
                                         pictures=str(self.home / "pictures"))
        person = Person(programs, "stranger")
        self.addCleanup(person.stop)
        person.start()
        person.show("Stranger")
        person.see("label", "A stranger has found the store")


if __name__ == "__main__":
    ROOM = pathlib.Path(os.environ.get("DYNO_TEST_ROOM", ""))
    denied = subprocess.run([*WITH_OWN_MOUNTS, "true"], capture_output=True, text=True, check=False)
    if "DYNO_TEST_ROOM" in os.environ:
        WHY_NOT = enter(ROOM)
    elif denied.returncode == 0:
        sys.exit(run_inside())
    else:
        WHY_NOT = f"mount namespaces are not permitted here: {denied.stderr.strip()}"
    del sys.argv[-2:]
    sys.exit(tap.main())
