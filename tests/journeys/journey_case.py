# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of a case: by its tile, its history and a comparison from there, the next case, and that one elsewhere."""

import re

from screen import wait_for

NOTE = "measured after the update"


def walk(person):
    for _ in range(2):
        person.measure("--model", "bert-tiny", "--backend", "cpu", "--backend", "cuda", "--sequence", "16")
    person.start()
    person.show("Results")
    write_note(person)
    measure_more(person)
    compare_from_history(person)
    run_elsewhere(person)


def write_note(person):
    person.choose_from_menu("Run Menu", "Notes…")
    person.type_into("Notes on this run", NOTE)
    person.press("Save")
    person.wait_for_row("SELECT 1 FROM runs WHERE notes = ?", NOTE)
    person.press("More", role=person.see(None, "More").role)
    person.see("label", NOTE)


def measure_more(person):
    person.choose_from_menu("Run Menu", "Measure More…")
    person.press(re.compile("^Batch Sizes"), role="list item", within="Measure More")
    wait_for("the form", lambda: person.finds("page tab", "Benchmark").has("selected"))
    person.see("status bar", re.compile("^4 cases"))


def compare_from_history(person):
    person.show("Results")
    person.press(re.compile("^BERT tiny"))
    person.see("label", re.compile("case 1 of 2$"))
    person.press("Show History")
    choices = wait_for("two runs", lambda: person.find_all("check box", "Choose to Compare")[1:])
    for node in (choices[0], person.finds("check box", "Choose to Compare")):
        assert person.activate(node), "A run cannot be chosen"
    person.press("Compare")
    wait_for("the comparison", lambda: person.finds("page tab", "Compare").has("selected"))
    person.see("push button", "Swap the Sides")


def run_elsewhere(person):
    """CUDA is not here, so the case is offered on an engine that is, and that the run has not tried."""
    person.show("Results")
    person.press("Back to the Runs")
    person.press("Next Case")
    person.see("label", re.compile("case 2 of 2$"))
    person.look("skipped")
    person.press("Run on OpenVINO (CPU) Instead")
    wait_for("the form", lambda: person.finds("page tab", "Benchmark").has("selected"))
    person.see("status bar", re.compile("^1 case"))
    assert person.finds("check box", "BERT tiny").has("checked")
    assert not person.finds("check box", re.compile("CUDA")), "The form has the engine that is missing"
