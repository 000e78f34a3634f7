# SPDX-License-Identifier: GPL-3.0-or-later
"""What the pages and the main menu open besides runs: windows, models that are searched for, details, suites, and the way back
from each."""

import pathlib
import re

from person import SECTION, TOGGLE
from screen import wait_for

SEARCH = ("text", "entry")
FILTER = re.compile("^(All Models|1 Filter)$")


def walk(person):
    for _ in range(2):
        person.measure("--model", "bert-tiny", "--batch", "1", "--sequence", "16")
    person.start()
    windows(person)
    find_models(person)
    benchmark(person)
    results(person)
    hardware(person)


def windows(person):
    person.choose_from_menu("Main Menu", "New Window")
    wait_for("the second window", lambda: len(person.find_all("frame", "Dyno")) == 2)
    person.keys("ctrl+w")
    wait_for("the end of the second window", lambda: len(person.find_all("frame", "Dyno")) == 1)
    person.choose_from_menu("Main Menu", "About Dyno")
    person.see("label", "Troubleshooting")
    person.keys("Escape")
    person.see_no("label", "Troubleshooting")


def find_models(person):
    person.type_into("Search models", "resnet", role=SEARCH)
    person.see_no("check box", "BERT tiny")
    person.see("check box", "ResNet-50")
    person.type_into("Search models", "", role=SEARCH)
    person.see("check box", "BERT tiny")
    person.choose_from_menu(FILTER, "Task", "image-classification")
    person.see_no("check box", "BERT tiny")
    person.choose_from_menu(FILTER, "Name")
    names = wait_for("names in order", lambda: find_sorted(person))
    assert "ResNet-50" in names, names
    person.choose_from_menu(FILTER, "All Models")
    person.see("check box", "BERT tiny")


def find_sorted(person):
    names = [node.name for node in person.find_all("check box", None, within="Models")]
    return names == sorted(names, key=str.lower) and names


def benchmark(person):
    person.press("Details of BERT tiny")
    person.see("frame", "BERT tiny")
    person.see("label", re.compile("4.?385.?920"))
    person.keys("Escape")
    person.see_no("frame", "BERT tiny")
    person.choose_from_menu("From the Hub, and Recent Models", "Add from the Hub…")
    person.see("frame", "Add from the Hub")
    person.keys("Escape")
    person.see_no("frame", "Add from the Hub")
    damaged = person.desktop.home / "damaged.json"
    damaged.write_text("{", encoding="utf-8")
    person.choose_from_menu("All Suites", "Open Suite…")
    person.name_file(damaged, opens=True)
    person.see("label", "The suite cannot be opened")
    person.choose_from_menu("All Suites", "Open Suite…")
    person.name_file(pathlib.Path(person.programs.source) / "data/suites/vision.json", opens=True)
    wait_for("the models of the suite", lambda: person.finds("check box", "ResNet-50").has("checked"))
    suite = person.desktop.home / "my suite.json"
    person.choose_from_menu("All Suites", "Save as Suite…")
    person.name_file(suite)
    assert "resnet" in person.wait_for_file(suite).read_text().lower()
    person.press("Language Models", role=TOGGLE)
    wait_for("the models of the card", lambda: not person.finds("check box", "ResNet-50").has("checked"))
    person.press("Find the Best Settings")
    person.see("frame", "Find the Best Settings")
    person.keys("Escape")
    person.see_no("frame", "Find the Best Settings")
    person.choose_from_menu("All Suites", "Reset to Defaults")
    person.see("status bar", "Choose a model")


def results(person):
    person.show("Results")
    person.press("Which Should I Use?")
    person.press("Back to the Runs")
    person.press("History")
    person.see("image", "Median latency over the runs")
    person.press(re.compile("^BERT tiny"), role="list item", within="Runs")
    person.see("push button", "Run Menu")
    person.keys("F5")
    person.see("push button", "Run Menu")
    person.keys("ctrl+f")
    wait_for("the focus in the search", lambda: any(node.role in ("text", "entry") and node.has("focused")
                                                    for node in person.screen.read().walk()))
    person.desktop.type_text("no such run")
    person.press("Clear Search")
    person.see("push button", "Run Menu")


def hardware(person):
    person.show("Hardware")
    person.press("Engines", role=SECTION, within="Sections")
    person.press(re.compile("^Compatibility"), role="list item")
    person.see("frame", "Compatibility")
    person.see("table row", re.compile("^BERT tiny"))
    person.look("compatibility")
    person.keys("Escape")
    person.see_no("frame", "Compatibility")
