# SPDX-License-Identifier: GPL-3.0-or-later
"""Results saved as a document → closed → opened from the dialog, by argument and by drop → imported."""

import sqlite3


def walk(person):
    person.measure("--model", "bert-tiny", "--batch", "1,2", "--sequence", "16")
    document = person.desktop.home / "quick.dyno"
    person.start()
    person.show("Results")
    person.choose_from_menu("Share", "Save Results…")
    person.name_file(document)
    person.wait_for_file(document)
    with sqlite3.connect(f"file:{document}?mode=ro", uri=True) as saved:
        (title, count), = saved.execute("SELECT title, n_cases FROM runs")
    assert count == 2, count

    person.choose_from_menu("Run Menu", "Delete")
    person.wait_for_row("SELECT 1 FROM runs WHERE deleted_at > 0")

    person.choose_from_menu("Main Menu", "Open…")
    person.name_file(document, opens=True)
    person.see("push button", "Import")
    person.look("document")
    person.press("Close the Document")
    person.see_no("push button", "Import")
    person.close()

    person.start(document)
    person.press("Import")
    person.wait_for_row("SELECT 1 FROM runs WHERE deleted_at IS NULL")
