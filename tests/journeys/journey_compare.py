# SPDX-License-Identifier: GPL-3.0-or-later
"""Two runs compared: the older is the baseline until the other one is chosen, and a report of it is saved."""

CHOICE = "Use as Baseline"


def walk(person):
    for title in ("older", "newer"):
        person.measure_steadily("--model", "bert-tiny", "--batch", "1", "--sequence", "16", "--title", title)
    person.start()
    person.show("Results")
    person.press("Compare")
    person.see("image", "Median latency, relative to older")
    person.look("compare")
    newer, older = person.find_all(None, CHOICE)
    assert older.has("checked") and not newer.has("checked")
    person.press(CHOICE, role=newer.role)
    person.see("image", "Median latency, relative to newer")

    report = person.desktop.home / "comparison.html"
    person.choose_from_menu("Report", "Save as HTML…")
    person.name_file(report)
    page = person.wait_for_file(report).read_text()
    assert "relative to newer" in page and "older" in page
