# SPDX-License-Identifier: GPL-3.0-or-later
"""First start, all pages still empty → Run Quick Benchmark → a result on the screen."""

import re

from screen import wait_for

# As people see it; the other journeys spend no time on it.
ANIMATED = True
PAGES = ("Results", "Compare", "Hardware", "Benchmark")
# A finding about one model is folded.
FINDING = re.compile(r"\AMobileNetV2 1\.0 224: [^\n]*\Z")


def walk(person):
    person.start(first_time=True)
    for page in PAGES:
        person.show(page)
        person.look(f"empty-{page.lower()}")
    person.show("Results")
    person.press("Run a Benchmark")
    wait_for("the page", lambda: person.finds("page tab", "Benchmark").has("selected"))
    person.press("Run Quick Benchmark")
    person.see("push button", "Stop")
    person.look("live")
    (count,), = person.wait_for_row("SELECT n_ok FROM runs WHERE finished_at > 0")
    person.see("image", "Latency by batch size")
    person.look("results")
    person.see_no("label", FINDING)
    person.press("More", role=person.see(None, "More").role)
    person.see("label", FINDING)
    assert count == 4, f"{count} of 4 cases succeeded"
    person.press("Show in Results")
    wait_for("the page", lambda: person.finds("page tab", "Results").has("selected"))
    person.see("push button", "History")
