# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads from the form: one request at a time, clients at the same time, requests at a rate, and all others together."""

import re

from person import TOGGLE

OTHERS = "Other loads (such as “rate=50/s clients=2”)"


def walk(person):
    person.start()
    person.tick("BERT tiny")
    person.tick("OpenVINO", on=False)
    person.choose_values("Sequence Lengths in Tokens", "32")
    person.press("More Settings", role=TOGGLE)
    person.press("Load", role="list item")
    person.type_into("Requests per second (such as “10, 50”)", "fast")
    person.see("status bar", re.compile("fast"))
    person.type_into("Requests per second (such as “10, 50”)", "40")
    person.choose_values("Concurrent Clients", "2")
    person.see("status bar", re.compile("^3 cases"))
    person.look("form")
    mix_loads(person)
    person.press("Run")
    (count,), = person.wait_for_row("SELECT n_ok FROM runs WHERE finished_at > 0")
    person.see("image", "Latency of all cases")
    person.look("results")
    assert count == 3, f"{count} of 3 cases succeeded"
    check_loads(person.ask_cli("show", "last")["runs"][0]["results"])


def mix_loads(person):
    """What is added is counted, and what is taken away again is not measured."""
    person.tick("All Requests at Once")
    person.choose_values("Requests Sent Together", "2", "4")
    person.see("status bar", re.compile("^6 cases"))
    person.type_into(OTHERS, "often")
    person.see("status bar", re.compile("often"))
    person.type_into(OTHERS, "rate=50/s clients=2")
    person.see("status bar", re.compile("^7 cases"))
    person.tick("One Request at a Time", on=False)
    person.see("status bar", re.compile("^6 cases"))
    person.tick("One Request at a Time")
    person.tick("All Requests at Once", on=False)
    person.choose_values("Requests Sent Together")
    person.type_into(OTHERS, "")
    person.see("status bar", re.compile("^3 cases"))


def check_loads(results):
    values = {result["case"]["load"]: {value["name"]: value.get("value") for value in result["values"]}
              for result in results}
    assert set(values) == {"single", "concurrent=2", "rate=40/s"}, set(values)
    assert values["concurrent=2"]["load_clients"] == 2, values["concurrent=2"]
    assert values["rate=40/s"]["load_rate_asked"] == 40, values["rate=40/s"]
    assert values["single"].get("load_rate_asked") is None, values["single"]
