# SPDX-License-Identifier: GPL-3.0-or-later
"""Two runs compared: the older is the baseline until the sides are swapped; a report of it is saved and copied. Then a run is
compared with one that has a name, with none yet, and with one that is added; at last from the menu of a narrow window."""

import re

from screen import wait_for


def walk(person):
    for title in ("older", "newer"):
        person.measure_steadily("--model", "bert-tiny", "--batch", "1", "--sequence", "16", "--title", title)
        if title == "older":
            person.desktop.run(person.programs.cli, "baseline", "set", "first_one", "last")
    person.start()
    person.show("Results")
    person.choose_from_menu("Compare", "With the Previous Run")
    person.see("list", "Median latency, relative to older")
    person.look("compare")
    person.press("Swap the Sides")
    person.see("list", "Median latency, relative to newer")

    report = person.desktop.home / "comparison.html"
    person.choose_from_menu("Report", "Save as HTML…")
    person.name_file(report)
    page = person.wait_for_file(report).read_text()
    assert "relative to newer" in page and "older" in page

    person.choose_from_menu("Report", "Copy as Markdown")
    wait_for("the report in the clipboard",
             lambda: "relative to newer" in person.wait_for_clipboard("UTF8_STRING").read_text())

    person.show("Results")
    person.choose_from_menu("Compare", "Choose Another Run…")
    person.see_no("list", re.compile("^Median latency"))
    person.show("Results")
    person.choose_from_menu("Compare", "With “first_one”")
    person.see("list", "Median latency, relative to older")
    add_run(person)
    compare_in_narrow_window(person)


def add_run(person):
    """The newer run is compared with none yet, and the older one joins it."""
    person.show("Results")
    person.choose_from_menu("Compare", "Choose Another Run…")
    person.see_no("list", re.compile("^Median latency"))
    person.show("Results")
    person.press(re.compile("^older"), role="list item")
    person.choose_from_menu("Compare", "Add to the Comparison")
    person.see("list", "Median latency, relative to older")


def compare_in_narrow_window(person):
    """The menu of a run holds that of the button, which has no room there."""
    person.show("Results")
    person.press(re.compile("^newer"), role="list item")
    person.choose_from_menu("Compare", "Choose Another Run…")
    person.see_no("list", re.compile("^Median latency"))
    person.show("Results")
    person.desktop.resize_window(370, 720)
    person.choose_from_menu("Run Menu", "Compare", "With “first_one”")
    person.see("list", "Median latency, relative to older")
    person.choose_from_menu("Report", "Copy as Markdown")
    wait_for("the report in the clipboard",
             lambda: "relative to older" in person.wait_for_clipboard("UTF8_STRING").read_text())
