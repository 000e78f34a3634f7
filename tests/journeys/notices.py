# SPDX-License-Identifier: GPL-3.0-or-later
"""The desktop's notifications: what a program tells, and a press on what it offers."""

from gi.repository import Gio, GLib
from screen import wait_for

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
INTERFACE = f"""<node><interface name="{NAME}">
<method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
<arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
<arg type="a{{sv}}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/></method>
<method name="CloseNotification"><arg type="u" direction="in"/></method>
</interface></node>"""


class Notices:
    def __init__(self, environment):
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        self.bus = Gio.DBusConnection.new_for_address_sync(environment["DBUS_SESSION_BUS_ADDRESS"], flags, None, None)
        self.shown = {}
        self.count = 0
        self.bus.register_object(PATH, Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0], self.answer, None, None)
        self.bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
                           GLib.Variant("(su)", (NAME, 0)), None, Gio.DBusCallFlags.NONE, 20000, None)

    def answer(self, bus, sender, path, interface, method, arguments, invocation):
        if method == "CloseNotification":
            self.shown.pop(arguments[0], None)
            invocation.return_value(None)
            return
        _, replaced, _, summary, _, actions, *_ = arguments.unpack()
        self.count += replaced == 0
        number = replaced or self.count
        self.shown[number] = (summary, dict(zip(actions[1::2], actions[::2])))
        invocation.return_value(GLib.Variant("(u)", (number,)))

    def see(self, summary):
        """Waits until it is told; returns its number and the actions by the words on their buttons."""
        return wait_for(f"the notice “{summary}”", lambda: next(
            ((number, actions) for number, (told, actions) in self.shown.items() if told == summary), None))

    def press(self, summary, button):
        number, actions = self.see(summary)
        self.bus.emit_signal(None, PATH, NAME, "ActionInvoked", GLib.Variant("(us)", (number, actions[button])))
