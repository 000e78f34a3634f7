# SPDX-License-Identifier: GPL-3.0-or-later
"""Two engines of one run are compared, and then measured side by side."""

import json
import re

from screen import wait_for

MEDIAN = re.compile("^Median latency, relative to ")
PLANS = "SELECT plan FROM runs WHERE title LIKE '%side by side' AND finished_at > 0"


def walk(person):
    person.measure_steadily("--model", "bert-tiny", "--backend", "cpu", "--backend", "openvino", "--sequence", "16", "--title", "both")
    person.start()
    person.show("Compare")
    person.press("Choose a Run")
    person.type_into("Search runs", "both", role=("text", "entry"))
    person.see("list item", re.compile("^both"))
    person.keys("Return")
    person.see("list", MEDIAN)
    person.see("list item", re.compile(" → "), within=MEDIAN)
    person.press(re.compile("^(Make Sure · |Measure Again, Side by Side$)"))
    wait_for("the page", lambda: person.finds("page tab", "Benchmark").has("selected"))
    person.wait_for_row("SELECT 1 FROM invocations JOIN results ON result_id = results.id JOIN runs ON run_id = runs.id"
                        " WHERE title LIKE '%side by side'")
    person.press("Stop")
    (plan,), = person.wait_for_row(PLANS)
    plan = json.loads(plan)
    assert plan["turns"] is True and sorted(plan["backends"]) == ["cpu", "openvino"], plan
    assert plan["method"]["invocations"] >= 5, plan
