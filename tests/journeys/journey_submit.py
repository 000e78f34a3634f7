# SPDX-License-Identifier: GPL-3.0-or-later
"""A run is handed over to a task on this machine, followed, and its result arrives in the store."""

from person import TOGGLE


def walk(person):
    person.start()
    person.tick("BERT tiny")
    person.tick("OpenVINO", on=False)
    person.press("More Settings", role=TOGGLE)
    person.press("Where", role="combo box")
    person.keys("Down", "Return")
    person.look("form")
    person.press("Submit")
    person.see("push button", "Show Results")
    person.look("following")
    (count, n_cases), = person.wait_for_row("SELECT n_ok, n_cases FROM runs WHERE finished_at > 0")
    person.press("Show Results")
    person.see("image", "Latency by batch size")
    person.look("results")
    assert count == n_cases == 1, f"{count} of {n_cases} cases succeeded"
