# SPDX-License-Identifier: GPL-3.0-or-later
"""The history of a case over three runs, with a baseline named in the window."""


def walk(person):
    for _ in range(3):
        person.measure("--model", "bert-tiny", "--sequence", "16")
    person.start()
    person.show("Results")
    person.choose_from_menu("Run Menu", "Name as Baseline…")
    print(person.describe()[-3000:])
    person.type_into("Name of the baseline", "before the change")
    person.press("Name")
    person.wait_for_row("SELECT 1 FROM baselines WHERE name = 'before the change'")
    person.press("History")
    person.see("list item", "before the change")
    person.look("history")
    print(person.describe()[-3000:])
