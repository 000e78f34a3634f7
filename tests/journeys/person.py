# SPDX-License-Identifier: GPL-3.0-or-later
"""A person before the window: finds by role and name, presses, types, and looks."""

import contextlib
import json
import os
import pathlib
import re
import signal
import sqlite3
import subprocess
import time

from desktop import Desktop
from screen import CONTROLS, GUARD_SECONDS, Patience, Screen, complain, wait_for
from tap import THOROUGH

# GTK 4.8 says the first of its own dialog of files when that opens before its monitor is known; nothing here shows
# notifications.
NOT_OURS = ("gdk_monitor_get_geometry: assertion 'GDK_IS_MONITOR (monitor)' failed",
            "unable to send notifications through org.freedesktop.Notifications")
COMPLAINT = re.compile(r"(WARNING|CRITICAL|ERROR) \*\*|assertion .* failed|\w+Sanitizer|runtime error")
# A row gets its name a moment after it is there.
SECONDS_TO_GET_A_NAME = 5
# A press that opens a menu or closes a dialog is repeated after this time only: it may just be late.
SECONDS_TO_OPEN = 2
# A dialog of files that has kept a name so long will not change it any more.
SECONDS_TO_SETTLE = 1
# The frame of a new size is waited for so long; many dialogs keep their own size.
SECONDS_TO_LAY_OUT = 3
# A turn of the wheel moves a pane by less than this.
PIXELS_OF_A_TURN = 100
# Before GTK 4.10 a toggle button has the role of any button.
TOGGLE = ("toggle button", "push button")
# One of several choices in a menu has a role of its own.
MENU_ITEM = ("menu item", "radio menu item")
# Since libadwaita 1.7 the parts of a page are the choices of a group.
SECTION = ("page tab", "radio button")
SIGHTS = ((370, 720, False), (1000, 640, True), (1280, 800, False)) if THOROUGH else ((1000, 640, True),)
SHORT_METHOD = {"invocations": "uint32 1", "min_seconds": 0.05, "max_seconds": 0.2, "min_samples": "uint32 5",
                "warmup_seconds": 0.01, "warmup_steps": "uint32 1", "idle_seconds": 0.0, "measure_ceilings": False}


class Person:
    def __init__(self, programs, name, compositor="x11", animated=False):
        self.programs = programs
        self.name = name
        self.desktop = Desktop(compositor, animated=animated)
        self.pictures = pathlib.Path(programs.pictures) / name
        self.process = None
        self.log = self.desktop.home / "dyno.log"
        self.log_read = 0
        self.nameless = {}
        self.steps = []

    # The program

    def start(self, *arguments, first_time=False):
        self.desktop.write_settings(**SHORT_METHOD, first_start=first_time)
        self.shorten_suite("quick")
        self.process = self.desktop.start([self.programs.dyno, *map(str, arguments)], stderr=open(self.log, "a"))
        self.screen = Screen(self.desktop.environment)
        self.step("start Dyno " + " ".join(map(str, arguments)))
        wait_for("the start", self.is_there)
        self.see("page tab", "Benchmark")
        self.window = self.desktop.find_window()[0] if self.desktop.compositor == "x11" else None

    def shorten_suite(self, name):
        """Gives a bundled suite a short method, and leaves out its largest model."""
        suite = json.loads((pathlib.Path(self.programs.source) / f"data/suites/{name}.json").read_text())
        suite["method"].update({"invocations": 1, "warmup-seconds": 0.01, "warmup-steps": 1, "min-samples": 5,
                                "min-seconds": 0.05, "max-seconds": 0.2})
        suite["models"] = [model for model in suite["models"] if not model.startswith("SmolLM")]
        path = self.desktop.home / f"{name}.json"
        path.write_text(json.dumps(suite))
        self.desktop.environment["G_RESOURCE_OVERLAYS"] = f"/io/github/dynobench/Dyno/suites/{name}.json={path}"

    def is_there(self):
        self.check()
        return self.screen.find_application(self.process.pid)

    def has_ended(self):
        return self.process.poll() is not None

    def wait_for_end(self):
        wait_for("the end of the program", self.has_ended)
        self.check_words()
        if self.process.returncode != 0:
            raise AssertionError(f"{self.steps[-1]}: Dyno ended with status {self.process.returncode}")

    def step(self, what):
        self.steps.append(what)
        print(f"# {time.strftime('%H:%M:%S')} {what}", flush=True)

    def check(self):
        """Holds after every step: the program lives, has not complained, and every control has a name."""
        self.check_words()
        if self.has_ended():
            raise AssertionError(f"Dyno ended with status {self.process.returncode} at “{self.steps[-1]}”")

    def check_words(self):
        with open(self.log, errors="replace") as log:
            log.seek(self.log_read)
            for line in log:
                if COMPLAINT.search(line) and not any(words in line for words in NOT_OURS):
                    raise AssertionError(f"Dyno said at “{self.steps[-1]}”: {line.strip()}")
            self.log_read = log.tell()

    # The screen

    def read(self):
        self.check()
        root = self.screen.read()
        self.note_nameless(root)
        return root

    def note_nameless(self, root):
        found = {}
        for node in root.walk():
            fault = complain(node.name, node.role) if node.has("focusable") and node.role in CONTROLS else None
            if fault and node.is_shown() and not node.is_part_of_row() and not node.is_of_toolkit():
                found[node.path] = self.nameless.get(node.path) or Patience(SECONDS_TO_GET_A_NAME)
                if found[node.path].is_over():
                    outer = next((outer for outer in node.ancestors() if outer.name), "the window")
                    raise AssertionError(f"At “{self.steps[-1]}” the {node} in {outer} {fault}")
        self.nameless = found

    def find_all(self, role, name, within=None):
        root = self.read()
        places = [root] if within is None else [node for node in root.walk() if matches(node, None, within)]
        return [node for place in places for node in place.walk()
                if matches(node, role, name) and node.is_shown()]

    def finds(self, role, name, within=None):
        return next(iter(self.find_all(role, name, within)), None)

    def see(self, role, name, within=None, seconds=GUARD_SECONDS):
        return wait_for(f"{role} “{name}” after “{self.steps[-1]}”", lambda: self.finds(role, name, within), seconds)

    def see_no(self, role, name, seconds=GUARD_SECONDS):
        wait_for(f"the end of {role} “{name}”", lambda: not self.find_all(role, name), seconds)

    def describe(self):
        """Returns the names on the screen, for whoever reads of a failure."""
        shown = (node for node in self.screen.read().walk() if node.is_shown() and node.name and node.role != "filler")
        return "\n".join(f"{node}{'' if node.has('sensitive') else ', insensitive'}"
                         f"{', checked' if node.has('checked') else ''}" for node in shown)

    # Hands

    def press(self, name, role="push button", within=None, seconds=GUARD_SECONDS):
        """Does what a press on a control does; waits until it is there and may be used."""
        self.step(f"press {role} “{name}”")

        def pressed():
            nodes = [node for node in self.find_all(role, name, within) if node.has("sensitive")]
            nodes.sort(key=lambda node: not node.has("focusable"))
            return any(self.activate(node) for node in nodes)

        wait_for(f"pressing {role} “{name}”", pressed, seconds)
        self.check_words()

    def activate(self, node):
        return (self.screen.do_action(self.find_toggle(node)) or
                (self.desktop.compositor == "x11" and self.click(node)))

    def is_open(self, node):
        """Before GTK 4.10 nothing says so, and the click that opens choices is over when the next key is pressed."""
        toggle = self.find_toggle(node)
        return toggle is node or toggle.has("pressed")

    def find_toggle(self, node):
        """What opens a menu or choices leaves that to a button in it."""
        return next((inner for inner in node.children if inner.role == "toggle button"), node)

    def click(self, node):
        """Clicks with the pointer into the middle of what has no action of its own, unless it is gone by now."""
        if not self.bring_into_view(node):
            return False
        self.point(node, self.screen.read_extents(node), "click", "1")
        return True

    def point(self, node, extents, *action, along=0.5):
        frame = next(outer for outer in node.ancestors() if outer.role in ("frame", "dialog"))
        left, top = wait_for(f"the layout of {frame}", lambda: self.find_corner(frame))
        self.desktop.run("xdotool", "mousemove", left + extents[0] + int(along * extents[2]), top + extents[1] + extents[3] // 2,
                         *action)

    def drag(self, node, begin, end):
        """Draws the pointer across a widget, from one part of its width to another."""
        self.step(f"drag across {node}")
        self.bring_into_view(node)
        extents = self.screen.read_extents(node)
        # When a menu has closed, the toolkit sees what lies below the pointer once that moves.
        self.point(node, extents, along=(begin + end) / 2)
        self.point(node, extents, "mousedown", "1", along=begin)
        self.point(node, extents, "mouseup", "1", along=end)
        self.check()

    def find_corner(self, frame):
        """Returns where the inside of the window in use begins, or None while it is being resized.

        Newer versions of GTK begin to count at the border of the window, and do so twice."""
        _, left, top, width, height = self.desktop.find_window()
        inner_left, inner_top, inner_width, inner_height = self.screen.read_extents(frame)
        border, upper = (width - inner_width) // 2, (height - inner_height) // 2
        is_settled = 0 <= border < 60 and 0 <= upper < 60
        return (left + border - 2 * inner_left, top + upper - 2 * inner_top) if is_settled else None

    def bring_into_view(self, node):
        """Turns the wheel above the pane around a widget until all of it is there to be clicked; tells if it still exists."""
        pane = next((outer for outer in node.ancestors() if outer.role == "scroll pane"), None)

        def is_in_view():
            _, top, _, height = self.screen.read_extents(node)
            if height == 0:
                return True
            left, upper, width, room = self.screen.read_extents(pane)
            if upper <= top and top + height <= upper + room:
                return True
            turns = max(upper - top, top + height - upper - room) // PIXELS_OF_A_TURN
            self.point(node, (left, upper, width, room), "click", "--repeat", max(1, turns), "4" if top < upper else "5")
            return False

        if pane is not None:
            wait_for(f"scrolling to {node}", is_in_view)
        return self.screen.read_extents(node)[3] > 0

    def choose_from_menu(self, menu, *items):
        """Opens a menu and presses an item, by way of the submenus that hold it."""
        self.press(menu)
        patience = [Patience(SECONDS_TO_OPEN)]

        def is_open():
            if self.finds(MENU_ITEM, items[0]):
                return True
            if patience[0].is_over():
                self.reopen(menu)
                patience[0] = Patience(SECONDS_TO_OPEN)
            return False

        wait_for(f"the menu “{menu}”", is_open)
        for item in items:
            self.press(item, role=MENU_ITEM)
        # A menu that is still closing would be taken for the next one, whose press then leaves it open.
        self.see_no(MENU_ITEM, items[-1])

    def reopen(self, menu):
        """A menu that was still closing is shut by the press that should have opened it."""
        node = self.finds("push button", menu)
        if node is not None and not node.has("expanded"):
            self.activate(node)

    def choose(self, choices, *keys):
        """Opens a list of choices, which may say what is chosen after its name, and moves through it by keys."""
        name = re.compile(f"^{choices}\\b")
        self.step(f"choose from “{choices}” by {' '.join(keys)}")
        self.activate(self.see("combo box", name))
        wait_for(f"the choices of “{choices}”", lambda: self.is_open(self.finds("combo box", name)))
        self.desktop.press_keys(*keys)
        self.check()

    def show(self, page):
        self.press(page, role="page tab")
        wait_for(f"the page {page}", lambda: self.finds("page tab", page).has("selected"))

    def tick(self, name, on=True, role="check box", within=None):
        """An engine that is still being detected will tick itself, and cannot be used until then."""
        def is_so():
            node = self.finds(role, name, within)
            return node is not None and (node.has("checked") or node.has("pressed")) == on

        def can_be_used():
            return any(node.has("sensitive") for node in self.find_all(role, name, within))

        def is_so_at_last():
            """A row that ticks itself when it appears is unticked by a press that comes right after."""
            if is_so():
                return True
            if patience[0].is_over():
                self.press(name, role=role, within=within)
                patience[0] = Patience(SECONDS_TO_OPEN)
            return False

        wait_for(f"{role} “{name}”", can_be_used)
        if not is_so():
            self.press(name, role=role, within=within)
            patience = [Patience(SECONDS_TO_OPEN)]
            wait_for(f"the tick of “{name}”", is_so_at_last)

    def choose_values(self, row, *values):
        """Presses the buttons of a row until exactly these values are chosen; asks for those that it does not offer."""
        self.see(TOGGLE, None, within=row)
        other = f"{row}: Other Value"
        offered = {node.name for node in self.find_all(TOGGLE, None, within=row)} - {other}
        for value in values:
            if value not in offered:
                self.press(other)
                self.type_into("Other value", value)
                self.press("Add")
                self.see(TOGGLE, value, within=row)
        for value in sorted(offered):
            self.tick(value, on=value in values, role=TOGGLE, within=row)

    def keys(self, *keys):
        self.step("press " + " ".join(keys))
        self.desktop.press_keys(*keys)
        self.check()

    def type_into(self, name, text, role="text", within=None):
        self.step(f"type “{text}” into “{name}”")

        def written():
            return any(self.screen.write_text(node, text) for node in self.find_all(role, name, within))

        wait_for(f"typing into “{name}”", written)
        self.check()

    def close(self):
        """Closes the only window, and with it the program."""
        self.press("Close")
        self.wait_for_end()

    def end(self):
        """As a session ends its programs; a build that looks for leaks does so now."""
        self.step("end the session")
        self.process.terminate()
        self.wait_for_end()

    def set_number(self, name, value):
        self.step(f"set “{name}” to {value}")
        wait_for(f"setting “{name}”", lambda: any(self.screen.set_value(node, value)
                                                 for node in self.find_all("spin button", name)))
        self.check()

    def name_file(self, path, opens=False):
        """Types a path into the dialog of files that comes up; one to open takes the name after Ctrl+L."""
        self.step(f"name the file {path}")
        dialog = wait_for("the dialog of files", lambda: self.desktop.find_window()[0] not in (self.window, "1")
                          and self.desktop.find_window()[0])
        if opens:
            self.desktop.press_keys("ctrl+l")
        wait_for("the name in the dialog", lambda: self.write_name(str(path)))
        until_pressed = [Patience(SECONDS_TO_SETTLE)]
        wait_for("the end of the dialog", lambda: self.confirm(dialog, str(path), until_pressed))
        self.check()

    def write_name(self, path):
        """Writes it at once: the dialog completes what is typed key by key, and may be late with it."""
        entries = [node for node in self.screen.read().walk()
                   if node.role == "text" and node.has("focused") and node.find_window().name != "Dyno"]
        return any(self.screen.read_text(node) == path or
                   (self.screen.write_text(node, path) and self.screen.read_text(node) == path) for node in entries)

    def confirm(self, dialog, path, until_pressed):
        """The dialog may put its own name in place of one that came before it was ready. The first Return may only take
        what it has completed; one too many would press what lies below. For a moment no window may have the focus."""
        if len(until_pressed) > 1 and self.desktop.find_window()[0] not in (dialog, "1"):
            return True
        if self.write_name(path) and until_pressed[-1].is_over():
            self.desktop.press_keys("Return")
            until_pressed.append(Patience(SECONDS_TO_OPEN))
        return False

    @contextlib.contextmanager
    def busy_machine(self):
        """Another program takes a processor."""
        other = self.desktop.start(["sh", "-c", "while :; do :; done"])
        try:
            yield
        finally:
            other.kill()
            other.wait()

    # Facts outside the window

    def query(self, sql, *values):
        path = pathlib.Path(self.desktop.environment["XDG_DATA_HOME"]) / "dyno/store.sqlite"
        if not path.exists():
            return []
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=20) as store:
            return store.execute(sql, values).fetchall()

    def wait_for_row(self, sql, *values, seconds=GUARD_SECONDS):
        def found():
            self.check()
            return self.query(sql, *values)

        return wait_for(sql, found, seconds)

    def ask_cli(self, *arguments):
        return json.loads(self.desktop.run(self.programs.cli, *arguments, "--json"))

    def measure(self, *arguments):
        """A run from the command line, for journeys that begin with results."""
        self.step("measure " + " ".join(arguments))
        quickly = ["--invocations", "1", "--warmup-seconds", "0.01", "--warmup-steps", "1", "--min-seconds", "0.05",
                   "--max-seconds", "0.2", "--no-ceilings"]
        subprocess.run([self.programs.cli, "run", *quickly, *arguments], env=self.desktop.environment, check=True,
                       capture_output=True, timeout=90)

    def measure_steadily(self, *arguments):
        """Measures again what other programs have kept from becoming steady, each time for longer."""
        for seconds in (0.05, 0.2, 0.5, 1, 2, 2, 2, 2):
            self.measure(*arguments, "--min-seconds", str(seconds), "--max-seconds", str(4 * seconds))
            run = self.ask_cli("show", "last")["runs"][0]
            if not any(result["state"] == "unsteady" for result in run["results"]):
                return
            self.desktop.run(self.programs.cli, "store", "delete", run["id"])
        raise AssertionError(f"No run of {' '.join(arguments)} was steady")

    def measure_roughly(self, *arguments):
        """Measures again what was steady by chance. Returns the run."""
        for _ in range(8):
            with self.busy_machine():
                self.measure(*arguments, "--min-samples", "5", "--min-seconds", "0.01", "--max-seconds", "0.03")
            run = self.ask_cli("show", "last")["runs"][0]
            if all(result["state"] == "unsteady" or result["grade"] == "rough" for result in run["results"]):
                return run
            self.desktop.run(self.programs.cli, "store", "delete", run["id"])
        raise AssertionError(f"Every run of {' '.join(arguments)} was steady")

    def wait_for_file(self, path):
        def is_whole():
            self.check()
            return os.path.exists(path) and os.path.getsize(path) > 0

        wait_for(f"the file {path}", is_whole)
        return pathlib.Path(path)

    def wait_for_clipboard(self, kind):
        """Returns a file with what was copied."""
        path = self.desktop.home / "clipboard"

        def is_there():
            self.check()
            with open(path, "wb") as file:
                reader = self.desktop.start(["xclip", "-selection", "clipboard", "-target", kind, "-o"], stdout=file,
                                            stderr=subprocess.DEVNULL)
            return reader.wait(20) == 0 and path.stat().st_size > 0

        wait_for(f"{kind} in the clipboard", is_there)
        return path

    def copy(self, text):
        """Puts text into the clipboard, as another program would."""
        path = self.desktop.home / "copied"
        path.write_text(text, encoding="utf-8")
        self.step("copy a text")
        with open(path, "rb") as file:
            owner = self.desktop.start(["xclip", "-selection", "clipboard", "-i"], stdin=file)
        assert owner.wait(20) == 0
        # xclip ends before the clipboard is its own: keys that follow at once would paste what was there before.
        wait_for("the text in the clipboard",
                 lambda: self.wait_for_clipboard("UTF8_STRING").read_text(encoding="utf-8") == text)

    # Pictures for people

    def look(self, page):
        """Keeps pictures of what is shown at three widths, the middle one dark; only that one where not all tests run."""
        if self.desktop.compositor != "x11" or os.environ.get("DYNO_JOURNEY_PICTURES") == "no":
            return
        self.pictures.mkdir(parents=True, exist_ok=True)
        window, _, _, *size = self.desktop.find_window()
        frames = [node for node in self.read().walk() if node.role in ("frame", "dialog")]
        for width, height, dark in SIGHTS:
            self.desktop.set_dark(dark)
            self.desktop.resize_window(width, height, window)
            patience = Patience(SECONDS_TO_LAY_OUT)
            while not any(self.find_corner(frame) for frame in frames) and not patience.is_over():
                time.sleep(0.05)
            self.desktop.take_picture(self.pictures / f"{page}-{width}{'-dark' if dark else ''}.png")
        self.desktop.set_dark(False)
        # Another window may be in use by now.
        self.desktop.resize_window(*size, window)
        self.check()

    def keep_failure(self):
        """Keeps a picture and the names on the screen, for whoever reads of a failure."""
        if self.process is None or self.has_ended():
            return
        self.pictures.mkdir(parents=True, exist_ok=True)
        files = sorted(str(path) for path in self.desktop.home.rglob("*") if path.is_file() and "cache" not in path.parts)
        (self.pictures / "failure.txt").write_text("\n".join([self.describe(), *files]))
        if self.desktop.compositor == "x11":
            self.desktop.take_picture(self.pictures / "failure.png", whole=True)

    def stop(self):
        if self.process is not None and not self.has_ended():
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(20)
        self.desktop.stop()


def matches(node, role, name):
    if role is not None and node.role not in (role if isinstance(role, tuple) else (role,)):
        return False
    if name is None:
        return True
    return name.search(node.name) is not None if isinstance(name, re.Pattern) else node.name == name
