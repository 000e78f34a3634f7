# SPDX-License-Identifier: GPL-3.0-or-later
"""Which Should I Use, for the lowest latency and for the highest throughput."""

import re

LIMIT = re.compile("^Remove the Limit ")
STATES = {"clear", "tie", "unproven", "alone", "refused", "no-data", "no-such-size"}


def walk(person):
    person.measure("--model", "bert-tiny", "--backend", "cpu", "--backend", "openvino", "--batch", "1,2", "--sequence", "16")
    person.start()
    person.show("Results")
    person.press("Which Should I Use?")
    person.see("label", "Which Should I Use?")
    person.see("image", "Lowest median latency")
    person.look("recommendation")
    person.choose("Goal", "Down", "Return")
    person.see("image", "Highest throughput")
    limit(person)

    answer = person.ask_cli("recommend", "--goal", "throughput")
    assert answer["measured_cases"] == 4, answer["measured_cases"]
    assert {cell["column"] for cell in answer["cells"]} == {"batch 1", "batch 2"}
    assert {cell["state"] for cell in answer["cells"]} <= STATES

    person.press("Back to the Runs")
    person.see("push button", "Run Again")


def limit(person):
    """A limit is set among the options, and taken away by the button that names it."""
    person.press("Options")
    person.set_number("Maximum Peak Memory", 1)
    person.keys("Escape")
    person.press(LIMIT)
    person.see_no("push button", LIMIT)
