#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a screen reader finds: the tree of every page as AT-SPI has it, on a bus of its own.

    test-at-spi.py DYNO DYNO-CLI SCRIPT            fails for what can be used and has no name
    test-at-spi.py DYNO DYNO-CLI SCRIPT --dump     prints the pages, for eyes

SCRIPT is what the fake backend plays where there are runs.

Needs at-spi2-core, its typelib, and PyGObject; skipped without."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import warnings

SKIP = 77
PAGES = ("Benchmark", "Results", "Compare", "Hardware")
MODEL = "BERT tiny"
GUARD_SECONDS = 60
# What newer versions call the roles.
FORMER_NAMES = {"button": "push button"}
CLASS_NAME = re.compile(r"(Gtk|Adw|Dyno)[A-Z]\w+$")
SAID_TWICE = re.compile(r"\b([^\W\d]{4,}) \1\b")
MNEMONIC = re.compile(r"(^|\s)_\w")
# What is pressed, chosen or typed into. The headings of tables, and rows around lists, hold what is named.
CONTROLS = {"push button", "toggle button", "check box", "radio button", "entry", "text", "spin button", "slider",
            "page tab", "switch", "link", "list item", "table row", "tree item"}


def on_a_bus_of_its_own():
    """Starts again below a new session bus, so that no other session is listened to."""
    if os.environ.get("DYNO_AT_SPI_BUS") == "own":
        return
    if shutil.which("dbus-run-session") is None:
        print("1..0 # SKIP There is no dbus-run-session")
        sys.exit(SKIP)
    os.environ["DYNO_AT_SPI_BUS"] = "own"
    # What the reader warns of, as of an application that is just starting, is not Dyno's.
    os.environ["DYNO_G_DEBUG"] = os.environ.pop("G_DEBUG", "")
    os.environ["GTK_A11Y"] = "atspi"
    os.execvp("dbus-run-session", ["dbus-run-session", "--", sys.executable] + sys.argv)


def load_atspi():
    try:
        import gi

        gi.require_version("Atspi", "2.0")
        from gi.repository import Atspi
    except (ImportError, ValueError) as error:
        print(f"1..0 # SKIP AT-SPI cannot be read: {error}")
        sys.exit(SKIP)
    if Atspi.get_desktop(0) is None:
        print("1..0 # SKIP There is no AT-SPI registry")
        sys.exit(SKIP)
    return Atspi


def wait_for(what, condition):
    end = time.monotonic() + GUARD_SECONDS
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"{what} did not happen within {GUARD_SECONDS} s")


def children(node):
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        if child is not None:
            yield child


def walk(node, depth=0):
    yield node, depth
    for child in children(node):
        yield from walk(child, depth + 1)


def get_role(node):
    name = node.get_role_name()
    return FORMER_NAMES.get(name, name)


def is_shown(Atspi, node):
    """GTK 4.8 calls all widgets visible; those never shown have no size."""
    component = node.get_component_iface()
    if component is None:
        return True
    extents = component.get_extents(Atspi.CoordType.WINDOW)
    return extents.width > 0 and extents.height > 0


def is_part_of_row(node):
    """Rows that expand hold a list with a row that has their name, rows to write in hold the text that has it, and rows
    with a choice hold a list of what is chosen. The keyboard reaches neither, though newer toolkits say that it does."""
    if get_role(node) != "list item":
        return False
    inner = (child for child, depth in walk(node) if depth > 0)
    if any(get_role(child) in ("list item", "text") and child.get_name() for child in inner):
        return True
    outer = node.get_parent()
    while outer is not None and get_role(outer) not in ("list item", "combo box"):
        outer = outer.get_parent()
    return outer is not None and bool(outer.get_name())


def complain(name):
    if name == "":
        return "has no name"
    if CLASS_NAME.match(name):
        return "is named by its class"
    if MNEMONIC.search(name):
        return "says its mnemonic"
    words = name.split()
    half = len(words) // 2
    if (half > 0 and words[:half] == words[half:]) or SAID_TWICE.search(name):
        return "says something twice"
    return None


def measure():
    """Stores a run of the fake backend."""
    quickly = ["--invocations", "1", "--warmup-seconds", "0.01", "--min-seconds", "0.05", "--max-seconds", "0.2"]
    subprocess.run([CLI, "run", "--model", "bert-tiny", "--backend", "fake", "--batch", "1,4", *quickly], check=True,
                   env={**os.environ, "DYNO_FAKE_BACKEND": SCRIPT}, capture_output=True)


class Application:
    def __init__(self, Atspi, dyno, n_runs=0):
        self.Atspi = Atspi
        self.folder = tempfile.TemporaryDirectory()
        os.environ["DYNO_DATA_DIR"] = self.folder.name
        for _ in range(n_runs):
            measure()
        self.process = subprocess.Popen([dyno], env={**os.environ, "G_DEBUG": os.environ["DYNO_G_DEBUG"]})
        self.node = wait_for("the start", self.find)
        wait_for("the window", lambda: self.find_tab(PAGES[0]))

    def choose_model(self):
        self.press("Choose Models and Backends")
        wait_for("the models", lambda: self.find_role("check box", MODEL))

    def find(self):
        for node in children(self.Atspi.get_desktop(0)):
            if node.get_process_id() == self.process.pid and node.get_child_count() > 0:
                return node
        return None

    def find_role(self, role, name=None):
        self.node.clear_cache()
        for node, _ in walk(self.node):
            if get_role(node) == role and name in (None, node.get_name()):
                return node
        return None

    def find_tab(self, name):
        return self.find_role("page tab", name)

    def find_run(self):
        """The chart of a run that is shown."""
        return self.find_role("image", "Latency by batch size")

    def press(self, name):
        wait_for(name, lambda: self.find_role("push button", name)).get_action_iface().do_action(0)

    def show(self, name):
        tab = self.find_tab(name)
        tab.get_action_iface().do_action(0)
        wait_for(name, lambda: tab.get_state_set().contains(self.Atspi.StateType.SELECTED))

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def describe(node):
    description = node.get_description()
    return f"{get_role(node)} “{node.get_name()}”" + (f" ({description})" if description else "")


class TestAtSpi(unittest.TestCase):
    def open(self, n_runs=0):
        self.application = Application(ATSPI, DYNO, n_runs)
        self.addCleanup(self.application.stop)

    def find_faults(self):
        for node, _ in walk(self.application.node):
            fault = complain(node.get_name())
            usable = node.get_state_set().contains(ATSPI.StateType.FOCUSABLE)
            if fault and usable and get_role(node) in CONTROLS and is_shown(ATSPI, node) and not is_part_of_row(node):
                yield f"the {describe(node)} {fault}"

    def check_names(self):
        """Rows get their names when they are filled, a moment after they are there."""
        faults = []

        def are_there():
            faults[:] = self.find_faults()
            if faults:
                self.application.node.clear_cache()
            return not faults

        with contextlib.suppress(AssertionError):
            wait_for("names", are_there)
        self.assertEqual(faults, [])

    def check_pages(self):
        for page in PAGES:
            with self.subTest(page):
                self.application.show(page)
                self.check_names()

    def test_without_runs(self):
        self.open()
        self.application.choose_model()
        self.check_pages()

    def test_with_runs(self):
        self.open(n_runs=2)
        self.application.show("Results")
        wait_for("the run", self.application.find_run)
        self.check_pages()


def dump():
    application = Application(ATSPI, DYNO, n_runs=2)
    for page in PAGES:
        application.show(page)
        if page == "Results":
            wait_for("the run", application.find_run)
        print(f"\n# {page}")
        for node, depth in walk(application.node):
            if is_shown(ATSPI, node) and not CLASS_NAME.match(node.get_name()):
                print("  " * depth + describe(node))
    application.stop()


if __name__ == "__main__":
    on_a_bus_of_its_own()
    warnings.simplefilter("ignore", DeprecationWarning)
    DYNO, CLI, SCRIPT = sys.argv[1:4]
    ATSPI = load_atspi()
    if "--dump" in sys.argv:
        dump()
    else:
        unittest.main(argv=sys.argv[:1])
