# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads from the form: one request at a time, clients at the same time, and requests at a rate."""

import re

from person import TOGGLE


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
    person.press("Run")
    (count,), = person.wait_for_row("SELECT n_ok FROM runs WHERE finished_at > 0")
    person.see("image", "Latency of all cases")
    person.look("results")
    assert count == 3, f"{count} of 3 cases succeeded"
    check_loads(person.ask_cli("show", "last")["runs"][0]["results"])


def check_loads(results):
    values = {result["case"]["load"]: {value["name"]: value.get("value") for value in result["values"]}
              for result in results}
    assert set(values) == {"single", "concurrent=2", "rate=40/s"}, set(values)
    assert values["concurrent=2"]["load_clients"] == 2, values["concurrent=2"]
    assert values["rate=40/s"]["load_rate_asked"] == 40, values["rate=40/s"]
    assert values["single"].get("load_rate_asked") is None, values["single"]
