# SPDX-License-Identifier: GPL-3.0-or-later
"""A run is handed over to a task on this machine, followed, and its result arrives in the store."""

from person import TOGGLE


def walk(person):
    person.start()
    person.tick("BERT tiny")
    person.tick("OpenVINO", on=False)
    person.press("More Settings", role=TOGGLE)
    person.press("Where", role="combo box")
    person.keys("Down", "Down", "Return")
    ask_for_nodes(person)
    person.press("Where", role="combo box")
    person.keys("Up", "Return")
    person.look("form")
    person.press("Submit")
    person.see("push button", "Show Results")
    person.look("following")
    (count, n_cases), = person.wait_for_row("SELECT n_ok, n_cases FROM runs WHERE finished_at > 0")
    person.press("Show Results")
    person.see("image", "Latency by batch size")
    person.look("results")
    assert count == n_cases == 1, f"{count} of {n_cases} cases succeeded"


def ask_for_nodes(person):
    """The rows that are for a scheduler; each change of them is kept for the next start."""
    for name in ("Partition (empty: the default)", "Nodes (a number, or names with commas; empty: all)",
                 "Time limit per task (such as “2:00:00”)", "Account to charge"):
        person.type_into(name, "1")
    for name in ("Divide the Cases", "Allow Other Jobs on the Nodes"):
        person.tick(name)
