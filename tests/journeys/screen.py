# SPDX-License-Identifier: GPL-3.0-or-later
"""Accessible objects on the screen as AT-SPI tells them, read in batches: a whole window takes a few round trips."""

import ast
import re
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

ROOT = "/org/a11y/atspi/accessible/root"
CACHE = "/org/a11y/atspi/cache"
ACCESSIBLE = "org.a11y.atspi.Accessible"
ACTION = "org.a11y.atspi.Action"
COMPONENT = "org.a11y.atspi.Component"
GUARD_SECONDS = 120
SECONDS_OF_A_LOOK = 0.5
# Waiting takes at most a quarter of the time, because what is waited for needs the processor, too; and what has taken long is
# not looked at more often than in each sixth of that time.
REST = 3
PART_OF_A_WAIT = 1 / 6
# Newer versions of GTK give widgets that were never shown any size at all.
MOST_PIXELS = 16384
UNKNOWN = object()
# Newer versions of GTK have other names for these roles.
FORMER_NAMES = {"button": "push button"}
# Some that is new brings no signal.
SECONDS_WITHOUT_NEWS = 1
# Signals after which something else may be shown; others tell of every allocation.
NEWS = ("ChildrenChanged", "PropertyChange", "StateChanged", "TextChanged")
STATES = {"checked": 4, "expanded": 9, "focusable": 11, "focused": 12, "pressed": 20, "selected": 23, "sensitive": 24}

CLASS_NAME = re.compile(r"(Gtk|Adw|Dyno)[A-Z]\w+$")
SAID_TWICE = re.compile(r"\b([^\W\d]{4,}) \1\b")
MNEMONIC = re.compile(r"(^|\s)_\w")
CONTROLS = {"push button", "toggle button", "check box", "radio button", "entry", "text", "spin button", "slider",
            "page tab", "switch", "link", "list item", "table row", "tree item"}


def complain(name, role):
    """Returns what is wrong with the name of a control, or None; a row is named by all its cells."""
    if name == "":
        return "has no name"
    if CLASS_NAME.match(name):
        return "is named by its class"
    if MNEMONIC.search(name):
        return "says its mnemonic"
    words = name.split()
    half = len(words) // 2
    if (half > 0 and words[:half] == words[half:]) or (role != "table row" and SAID_TWICE.search(name)):
        return "says something twice"
    return None


# Text as GLib prints variants: unpacking a whole window object by object takes longer than all else.
TEXT = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
REFERENCE = r"\('[^']*', '([^']*)'\)"
# An object in the cache: itself, application, parent, place, number of children, interfaces, name, role, description, states.
ITEM = re.compile(rf"\({REFERENCE}, {REFERENCE}, {REFERENCE}, -?\d+, (-?\d+), \[[^]]*\], ({TEXT}), (\d+), ({TEXT}), \[(\d+), (\d+)\]\)")


def list_paths(references):
    return re.findall(REFERENCE, references.print_(False))


def parse_text(text):
    return ast.literal_eval(text) if "\\" in text else text[1:-1]


class Patience:
    """Seconds that only pass while somebody looks: those in which the machine stands still are none of the program's."""

    def __init__(self, seconds):
        self.left = seconds
        self.looked_at = time.monotonic()

    def is_over(self):
        now = time.monotonic()
        self.left -= min(now - self.looked_at, SECONDS_OF_A_LOOK)
        self.looked_at = now
        return self.left <= 0


def wait_for(what, condition, seconds=GUARD_SECONDS, context=GLib.MainContext.default()):
    """Runs the main loop until condition() holds; signals on the bus make it ask again."""
    begin = time.monotonic()
    while True:
        asked_at = time.monotonic()
        found = condition()
        if found:
            return found
        now = time.monotonic()
        if now > begin + seconds:
            raise AssertionError(f"{what} did not happen within {seconds} s")
        iterate(context, now + max(REST * (now - asked_at), PART_OF_A_WAIT * (asked_at - begin)))


def iterate(context, until):
    """Waits for a signal, for a quarter of a second at most, and takes in all others until a time."""
    is_first = True
    while is_first or time.monotonic() < until:
        expired = []
        rest = max(until - time.monotonic(), 0.25 if is_first else 0)
        source = GLib.timeout_add(int(rest * 1000) + 1, lambda: bool(expired.append(True)))
        context.iteration(True)
        if not expired:
            GLib.source_remove(source)
        is_first = False


class Node:
    def __init__(self, path, parent, screen):
        self.path = path
        self.parent = parent
        self.screen = screen
        self.children = []
        self.role = self.name = self.description = ""
        self.states = 0
        self.extents = UNKNOWN

    def has(self, state):
        return bool(self.states >> STATES[state] & 1)

    def has_size(self):
        """Widgets that were never shown have no size, or one that makes no sense."""
        return self.extents is None or all(0 < size < MOST_PIXELS for size in self.extents[2:])

    def is_shown(self):
        nodes = [self, *self.ancestors()]
        self.screen.measure(nodes)
        return all(node.has_size() for node in nodes)

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()

    def ancestors(self):
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def find_window(self):
        return [self, *self.ancestors()][-2]

    def is_of_toolkit(self):
        """The toolkit's dialog of files has controls without names, which nobody can give them."""
        return (any(node.name.startswith("GtkFileChooser") for node in self.ancestors())
                or any(node.name == "Show other locations" for node in self.find_window().walk()))

    def is_part_of_row(self):
        """Rows that expand, are written in or hold a choice contain a list item that the keyboard never reaches."""
        if self.role != "list item":
            return False
        if any(node.role in ("list item", "text") and node.name for node in self.walk() if node is not self):
            return True
        outer = next((node for node in self.ancestors() if node.role in ("list item", "combo box")), None)
        return outer is not None and bool(outer.name)

    def __str__(self):
        return f"{self.role} “{self.name}”" + (f" ({self.description})" if self.description else "")


class Screen:
    """All that the application with a process id shows."""

    def __init__(self, environment):
        session = Gio.DBusConnection.new_for_address_sync(environment["DBUS_SESSION_BUS_ADDRESS"], self.FLAGS, None, None)
        address, = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None,
                                     Gio.DBusCallFlags.NONE, 20000, None).unpack()
        self.bus = Gio.DBusConnection.new_for_address_sync(address, self.FLAGS, None, None)
        for name in NEWS:
            self.bus.signal_subscribe(None, "org.a11y.atspi.Event.Object", name, None, None, Gio.DBusSignalFlags.NONE,
                                      self.take_news)
        self.application = None
        self.has_news = True
        self.read_at = 0
        self.shown = set()

    FLAGS = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION

    def take_news(self, *_):
        self.has_news = True

    def call(self, destination, path, interface, method, arguments=None):
        return self.bus.call_sync(destination, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, 30000,
                                  None).unpack()

    def call_many(self, calls, decode=GLib.Variant.unpack):
        """Sends all calls at once; an answer is None where the object is gone or knows no such thing."""
        answers = [None] * len(calls)
        pending = [len(calls)]

        def answered(bus, result, index):
            try:
                answers[index] = decode(bus.call_finish(result))
            except GLib.Error:
                pass
            pending[0] -= 1

        for index, (path, interface, method, arguments) in enumerate(calls):
            self.bus.call(self.application, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, 30000, None,
                          answered, index)
        while pending[0] > 0:
            GLib.MainContext.default().iteration(True)
        return answers

    def find_application(self, pid):
        found, = self.call("org.a11y.atspi.Registry", ROOT, ACCESSIBLE, "GetChildren")
        for name, _ in found:
            owner, = self.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                               "GetConnectionUnixProcessID", GLib.Variant("(s)", (name,)))
            if owner == pid:
                self.application = name
                return True
        return False

    def read(self):
        """Returns the root of what is shown now. One call tells of all objects that the application has told of before; nothing is
        asked below what was never shown, nor anything again while there is no news."""
        now = time.monotonic()
        if not self.has_news and now < self.read_at + SECONDS_WITHOUT_NEWS:
            return self.root
        self.has_news, self.read_at = False, now
        self.root = root = Node(ROOT, None, self)
        self.items = self.read_items()
        nodes, level, known = [], [root], {ROOT}
        while level:
            nodes += level
            parents = [node for node in level if node is root or self.items.get(node.path, (-1,))[0] != 0]
            self.measure([node for node in parents if node.path not in self.shown])
            parents = [node for node in parents if node.path in self.shown or node.has_size()]
            self.shown.update(node.path for node in parents)
            answers = self.call_many([(node.path, ACCESSIBLE, "GetChildren", None) for node in parents], list_paths)
            for node, paths in zip(parents, answers):
                # Newer versions of GTK list the shown child of a stack under each of its pages.
                node.children = [Node(path, node, self) for path in paths or () if path not in known and not path.endswith("/null")]
                known.update(child.path for child in node.children)
            level = [child for node in parents for child in node.children]
        self.describe(nodes)
        return root

    def read_items(self):
        text, = self.call_many([(CACHE, "org.a11y.atspi.Cache", "GetItems", None)], lambda answer: answer.print_(False))
        return {match[1]: (int(match[4]), *match.group(5, 6, 7, 8, 9)) for match in ITEM.finditer(text or "")}

    def measure(self, nodes):
        """Asks for the size and place of those whose are not known yet."""
        unknown = [node for node in nodes if node.extents is UNKNOWN]
        answers = self.call_many([(node.path, COMPONENT, "GetExtents", GLib.Variant("(u)", (1,))) for node in unknown])
        for node, answer in zip(unknown, answers):
            node.extents = answer[0] if answer is not None else None

    def describe(self, nodes):
        """By now the application has told of all."""
        if any(node.path not in self.items for node in nodes[1:]):
            self.items = self.read_items()
        for node in nodes[1:]:
            if node.path in self.items:
                _, name, role, description, *states = self.items[node.path]
                self.name(node, parse_text(name), int(role), parse_text(description), [int(state) for state in states])

    def name(self, node, name, role, description, states):
        role_name = Atspi.role_get_name(Atspi.Role(role))
        node.role = FORMER_NAMES.get(role_name, role_name)
        node.name = name
        node.description = description
        node.states = states[0] | states[1] << 32
        # Newer versions of GTK give no name to what has this role, only a text.
        if node.role == "status bar" and not node.name:
            node.name = self.read_text(node)

    def do_action(self, node):
        """Does what a press on a widget does; actions with a dot are of its class, as is the menu of a row."""
        actions = self.call_many([(node.path, ACTION, "GetActions", None)])[0]
        pressing = [index for index, (name, *_) in enumerate(actions[0] if actions else []) if "." not in name]
        if not pressing:
            return False
        answer = self.call_many([(node.path, ACTION, "DoAction", GLib.Variant("(i)", (pressing[0],)))])[0]
        return answer is not None and answer[0]

    def is_focused(self, node):
        state = self.call_many([(node.path, ACCESSIBLE, "GetState", None)])[0]
        return state is not None and bool(state[0][0] >> STATES["focused"] & 1)

    def read_extents(self, node):
        answer = self.call_many([(node.path, COMPONENT, "GetExtents", GLib.Variant("(u)", (1,)))])[0]
        return answer[0] if answer is not None else (0, 0, 0, 0)

    def read_text(self, node):
        text = None
        answer, = self.call_many([(node.path, "org.freedesktop.DBus.Properties", "Get",
                                   GLib.Variant("(ss)", ("org.a11y.atspi.Text", "CharacterCount")))])
        if answer is not None:
            text, = self.call_many([(node.path, "org.a11y.atspi.Text", "GetText", GLib.Variant("(ii)", (0, answer[0])))])
        return text[0] if text is not None else node.name

    def write_text(self, node, text):
        answer = self.call_many([(node.path, "org.a11y.atspi.EditableText", "SetTextContents",
                                  GLib.Variant("(s)", (text,)))])[0]
        return answer is not None and answer[0]

    def set_value(self, node, value):
        answer = self.call_many([(node.path, "org.freedesktop.DBus.Properties", "Set",
                                  GLib.Variant("(ssv)", ("org.a11y.atspi.Value", "CurrentValue",
                                                         GLib.Variant("d", value))))])[0]
        return answer is not None
