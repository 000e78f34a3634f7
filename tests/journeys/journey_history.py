# SPDX-License-Identifier: GPL-3.0-or-later
"""The history of a case over three runs, with a baseline named in the window and removed, and two runs compared."""

from screen import wait_for

NAME = "before the change"


def walk(person):
    for _ in range(3):
        person.measure("--model", "bert-tiny", "--sequence", "16")
    person.start()
    person.show("Results")
    person.choose_from_menu("Run Menu", "Name as Baseline…")
    person.type_into("Name of the baseline", NAME)
    person.press("Name")
    person.wait_for_row("SELECT 1 FROM baselines WHERE name = ?", NAME)
    person.press("History")
    person.see("list item", NAME)
    person.look("history")

    case, = person.ask_cli("history", "bert-tiny")["cases"]
    assert len(case["points"]) == 3, case

    person.press("Remove Baseline")
    wait_for("the end of the baseline", lambda: not person.query("SELECT 1 FROM baselines WHERE name = ?", NAME))
    person.choose_from_menu("Run Menu", "Compare With the Run Before")
    wait_for("the comparison", lambda: person.finds("page tab", "Compare").has("selected"))
    person.see("push button", "Swap the Sides")
