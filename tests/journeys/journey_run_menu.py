# SPDX-License-Identifier: GPL-3.0-or-later
"""What the menus of a run and of a chart do besides saving: copied, renamed, printed, edited, tuned and run again."""

import re

from screen import wait_for

TITLE = "after the update"


def walk(person):
    person.measure("--model", "bert-tiny", "--batch", "1,2", "--sequence", "16")
    person.start()
    person.show("Results")
    person.see("image", "Latency by batch size")
    copy(person)
    rename(person)
    print_it(person)
    every_engine(person)
    find_settings(person)
    run_again(person)
    edit_and_run(person)


def copy(person):
    person.choose_from_menu("Share", "Copy Report", "As Markdown")
    wait_for_text(person, r"^# (.|\n)*\n\|")
    person.choose_from_menu("Share", "Copy Report", "As Text")
    wait_for_text(person, "BERT tiny")
    person.choose_from_menu("Chart Menu", "Copy Table")
    wait_for_text(person, "Batch")
    person.choose_from_menu("Chart Menu", "Show as Table")
    person.see("label", re.compile(r"^Latency \("))


def rename(person):
    person.choose_from_menu("Run Menu", "Rename")
    person.type_into("Title of the run", TITLE)
    person.keys("Return")
    person.wait_for_row("SELECT 1 FROM runs WHERE title = ?", TITLE)


def print_it(person):
    person.choose_from_menu("Share", "Print…")
    person.see("dialog", "Print")
    person.keys("Escape")
    person.see_no("dialog", "Print")


def every_engine(person):
    person.choose_from_menu("Run Menu", "Every Engine…")
    person.see("frame", "Every Engine")
    person.see("heading", "Every engine for BERT tiny")
    person.see("heading", "How it was measured")
    person.look("every-engine")
    person.keys("Escape")
    person.see_no("frame", "Every Engine")
    person.choose_from_menu("Run Menu", "Every Engine…")
    person.choose_from_menu("Report", "Copy as Markdown")
    person.see("label", "The report is in the clipboard", within="Every Engine")
    person.press("Close", within="Every Engine")
    person.see_no("frame", "Every Engine")


def find_settings(person):
    person.choose_from_menu("Run Menu", "Find the Best Settings…")
    person.see("frame", "Find the Best Settings")
    person.keys("Escape")
    person.see_no("frame", "Find the Best Settings")


def run_again(person):
    person.press("Run Again")
    (count,), = person.wait_for_row("SELECT n_ok FROM runs WHERE finished_at > 0 AND title != ?", TITLE)
    assert count == 2, count


def edit_and_run(person):
    person.show("Results")
    person.choose_from_menu("Run Menu", "Edit and Run")
    person.see("page tab", "Benchmark")
    wait_for("the form with the cases of the run", lambda: person.finds("check box", "BERT tiny").has("checked"))
    person.see("status bar", re.compile("^2 cases"))


def wait_for_text(person, expected):
    """Another program reads what was copied."""
    wait_for(f"“{expected}” in the clipboard", lambda: re.search(
        expected, person.wait_for_clipboard("UTF8_STRING").read_text()))
