# SPDX-License-Identifier: GPL-3.0-or-later
"""A run saved as a report in HTML, PDF, Markdown, JSON and CSV."""

import csv
import html.parser
import json

MODEL = "BERT tiny"


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags = set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)


def walk(person):
    person.measure("--model", "bert-tiny", "--batch", "1,2", "--sequence", "16")
    person.start()
    person.show("Results")

    page = save(person, "HTML…", "report.html").read_text()
    assert {"h1", "table", "svg"} <= Page(page).tags and MODEL in page

    document = save(person, "PDF…", "report.pdf").read_bytes()
    assert document.startswith(b"%PDF-") and document.rstrip().endswith(b"%%EOF")

    text = save(person, "Markdown…", "report.md").read_text()
    assert text.startswith("# ") and "\n|" in text and MODEL in text

    run, = json.loads(save(person, "JSON…", "report.json").read_text())["runs"]
    assert [result["case"]["batch-size"] for result in run["results"]] == [1, 2]

    rows = list(csv.DictReader(save(person, "CSV…", "report.csv").read_text().splitlines()))
    assert [row["batch_size"] for row in rows] == ["1", "2"], rows


def save(person, kind, name):
    path = person.desktop.home / name
    person.choose_from_menu("Share", "Save Report", kind)
    person.name_file(path)
    return person.wait_for_file(path)
