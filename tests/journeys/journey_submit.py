# SPDX-License-Identifier: GPL-3.0-or-later
"""Hand-overs of a run: to a host that does not answer, to a task here that is stopped, and to one whose result arrives."""

import os
import pathlib
import re

from person import TOGGLE
from screen import wait_for

SCHEDULER = {"argument": "Partition (empty: the default)", "nodes": "Nodes (a number, or names with commas; empty: all)",
             "time": "Time limit per task (such as “2:00:00”)", "gres": "Devices per task (such as “gpu:1”)",
             "constraint": "Features that nodes must have", "account": "Account to charge",
             "qos": "Quality of service (a name of the site)", "reservation": "Reservation to use",
             "begin": "Earliest start (such as “22:00”)", "nice": "Lower the priority by (a number)"}


def walk(person):
    replace_ssh(person)
    person.start()
    person.tick("BERT tiny")
    person.tick("OpenVINO", on=False)
    person.press("More Settings", role=TOGGLE)
    person.press("Where", role="combo box")
    person.keys("Down", "Down", "Return")
    ask_for_nodes(person)
    give_up_asking(person)
    person.press("Where", role="combo box")
    person.keys("Up", "Up", "Return")
    stop_task(person)
    person.look("form")
    person.press("Submit")
    person.see("push button", "Show Results")
    person.look("following")
    (count, n_cases), = person.wait_for_row("SELECT n_ok, n_cases FROM runs WHERE finished_at > 0 AND n_ok > 0")
    person.press("Show Results")
    person.see("image", "Latency by batch size")
    person.look("results")
    assert count == n_cases == 1, f"{count} of {n_cases} cases succeeded"


def replace_ssh(person):
    """A program in its place waits for words that never come."""
    home = person.desktop.home
    os.mkfifo(home / "never")
    (home / "ssh").write_text(f"#!/bin/sh\necho $$ >'{home}/pid'\nexec cat '{home}/never'\n")
    (home / "ssh").chmod(0o700)
    person.desktop.environment["PATH"] = f"{home}:{person.desktop.environment['PATH']}"


def give_up_asking(person):
    person.press("Where", role="combo box")
    person.keys("Down", "Return")
    person.type_into("Hosts, with commas between them", "nowhere")
    person.press("Submit")
    person.see("label", "Asking the Nodes")
    process = pathlib.Path("/proc") / person.wait_for_file(person.desktop.home / "pid").read_text().strip()
    person.look("asking")
    person.press("Cancel")
    person.see("push button", "Submit")
    wait_for("the end of the program that asks", lambda: not process.exists())


def stop_task(person):
    """The list on the form leads back to what is under way."""
    person.desktop.write_settings(min_seconds=600.0, max_seconds=600.0)
    person.press("Submit")
    person.see("push button", "Stop")
    person.press("Settings")
    person.press(re.compile("^BERT tiny"), role="list item", within="On other machines")
    person.press("Stop")
    person.see("label", re.compile("stopped"))
    person.desktop.write_settings(min_seconds=0.05, max_seconds=0.2)
    person.press("Settings")


def ask_for_nodes(person):
    """The rows that are for a scheduler; each change of them is kept for the next start."""
    for name in SCHEDULER.values():
        person.type_into(name, "1")
    for name in ("Divide the Cases", "Allow Other Jobs on the Nodes"):
        person.tick(name)
    settings = pathlib.Path(person.desktop.environment["XDG_CONFIG_HOME"]) / "glib-2.0/settings/keyfile"
    expected = [f"'{id}': '1'" for id in SCHEDULER] + ["'divide': 'yes'", "'share': 'yes'"]
    wait_for("all of it in the settings", lambda: all(words in settings.read_text() for words in expected))
