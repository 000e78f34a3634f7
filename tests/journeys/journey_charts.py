# SPDX-License-Identifier: GPL-3.0-or-later
"""A chart is exported, copied and read as a table; the charts of a case are zoomed, and a part of their time is selected."""

import csv
import re
import xml.etree.ElementTree

from person import SECONDS_TO_OPEN, SECTION
from screen import Patience, wait_for

SVG = "{http://www.w3.org/2000/svg}"
LATENCY = "Latency over time"
MEMORY = "Memory over time"
FROM = re.compile("^From .* to .*: ")
ONLY = re.compile("Only the steps from .* to ")
WHOLE = re.compile("Of the whole analysis: ")


def walk(person):
    person.measure("--model", "bert-tiny", "--batch", "1,2,4", "--sequence", "16", "--min-seconds", "0.5", "--max-seconds", "0.5",
                   "--tdp-watts", "45")
    person.start()
    person.show("Results")
    export(person)
    person.press(re.compile("^BERT tiny"))
    person.see("image", LATENCY)
    zoom(person)
    select(person)
    clear(person)


def export(person):
    person.see("image", "Latency by batch size")
    png, svg = (save(person, f"latency.{ending}") for ending in ("png", "svg"))

    width, height = map(int, person.desktop.run("identify", "-format", "%w %h", png).split())
    picture = xml.etree.ElementTree.parse(svg).getroot()
    assert picture.tag == f"{SVG}svg", picture.tag
    box = [float(part) for part in picture.get("viewBox").split()]
    assert width >= 600 and abs(width / height - box[2] / box[3]) < 0.01, f"{width}×{height}, in SVG {box}"
    assert len(list(picture.iter(f"{SVG}path"))) > 10, "the SVG is empty"

    person.choose_from_menu("Chart Menu", "Copy Image")
    copy = person.wait_for_clipboard("image/png")
    assert person.desktop.run("identify", "-format", "%m %w", copy) == f"PNG {width}"

    table = list(csv.reader(save(person, "latency.csv", "Save Table as CSV…").read_text().splitlines()))
    assert len(table) == 4, table


def save(person, name, item="Export…"):
    path = person.desktop.home / name
    person.choose_from_menu("Chart Menu", item)
    person.name_file(path)
    return person.wait_for_file(path)


def zoom(person):
    """The wheel with Ctrl and the keys do the same."""
    person.step("turn the wheel above the chart")
    aim(person, person.see("image", LATENCY), "keydown", "ctrl", "click", "4", "keyup", "ctrl")
    wait_for("the zoom", lambda: is_zoomed(person, LATENCY))
    aim(person, person.see("image", LATENCY), "click", "1")
    person.keys("0")
    wait_for("the end of the zoom", lambda: not is_zoomed(person, LATENCY))
    person.keys("plus")
    choose(person, LATENCY, "Reset Zoom")


def select(person):
    before = read_words(person, "whole.svg")
    person.drag(person.see("image", LATENCY), 0.3, 0.6)
    person.see("label", FROM)
    person.see("label", ONLY)
    person.look("part")
    assert FROM.match(read_words(person, "part.svg")) and not FROM.match(before), before
    for page in ("Memory", "Energy"):
        person.press(page, role=SECTION, within="Charts")
        person.see("label", FROM)
    person.press("Operators", role=SECTION, within="Charts")
    person.see("label", WHOLE)
    person.press("Speed", role=SECTION, within="Charts")
    choose(person, LATENCY, "Zoom to Selection")
    person.press("Memory", role=SECTION, within="Charts")
    choose(person, MEMORY, "Reset Zoom")


def clear(person):
    choose(person, MEMORY, "Clear Selection")
    person.see_no("label", WHOLE)
    person.press("Speed", role=SECTION, within="Charts")
    person.see_no("label", ONLY)
    person.see_no("label", FROM)
    for _ in range(2):
        person.drag(person.see("image", LATENCY), 0.4, 0.7)
        person.see("label", ONLY)
        choose(person, LATENCY, "Clear Selection")
        person.see_no("label", ONLY)


def aim(person, chart, *action):
    """When a menu has closed, the toolkit sees what lies below the pointer once that moves."""
    person.bring_into_view(chart)
    extents = person.screen.read_extents(chart)
    person.point(chart, extents, along=0.4)
    person.point(chart, extents, *action)


def open_menu(person, chart):
    person.step(f"open the menu of “{chart}”")
    node = person.see("image", chart)
    patience = [Patience(0)]

    def is_open():
        if person.finds("menu item", "Reset Zoom"):
            return True
        if patience[0].is_over():
            aim(person, node, "click", "3")
            patience[0] = Patience(5 * SECONDS_TO_OPEN)
        return False

    wait_for(f"the menu of “{chart}”", is_open)
    return person.see("menu item", "Reset Zoom")


def is_zoomed(person, chart):
    is_possible = open_menu(person, chart).has("sensitive")
    person.keys("Escape")
    person.see_no("menu item", "Reset Zoom")
    return is_possible


def choose(person, chart, item):
    """Waits until the item may be used."""
    open_menu(person, chart)
    person.press(item, role="menu item")
    person.see_no("menu item", item)


def read_words(person, name):
    """Returns the words that the file has for those who do not see it."""
    path = person.desktop.home / name
    choose(person, LATENCY, "Export…")
    person.name_file(path)
    return xml.etree.ElementTree.parse(person.wait_for_file(path)).getroot().find(f"{SVG}desc").text
