# SPDX-License-Identifier: GPL-3.0-or-later
"""The machine, its sensors, a measurement of its ceilings, and the self-test."""

import re

from person import SECTION
from screen import wait_for

BANDWIDTHS = "SELECT kind, measured_at, value FROM ceilings WHERE unit = 'B/s' AND value > 0"


def walk(person):
    person.start()
    person.show("Hardware")
    person.see("label", "Ready to Measure?")
    person.look("machine")
    person.press("Run Self-Test")
    person.press("Stop")
    person.see("push button", "Run Self-Test")
    show(person, "Engines")
    person.press("Refresh")
    person.see("list item", re.compile("^ONNX Runtime"))
    person.look("backends")
    show(person, "Sensors")
    person.see("list", "Sources")
    person.look("sensors")
    measure(person)


def show(person, section):
    person.press(section, role=SECTION, within="Sections")


def measure(person):
    show(person, "Roofs")
    person.press("Measure")
    person.see("push button", "Cancel")
    person.look("measuring")
    person.see("list", "Bandwidth", seconds=120)
    person.look("ceilings")
    assert person.query(BANDWIDTHS), person.query("SELECT DISTINCT kind, unit FROM ceilings")
    before = set(person.query(BANDWIDTHS))
    for button in ("Measure Again", "Forget and Measure Again"):
        person.press(button)
        person.press("Cancel")
        person.see("list", "Bandwidth")
        assert set(person.query(BANDWIDTHS)) == before, f"“{button}” was cancelled, and the ceilings changed"
    person.press("Forget and Measure Again")
    wait_for("new ceilings only", lambda: person.query(BANDWIDTHS) and not before & set(person.query(BANDWIDTHS)))
