# SPDX-License-Identifier: GPL-3.0-or-later
"""A chart as PNG and as SVG, its image in the clipboard, and its table as CSV."""

import csv
import xml.etree.ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def walk(person):
    person.measure("--model", "bert-tiny", "--batch", "1,2,4", "--sequence", "16")
    person.start()
    person.show("Results")
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
