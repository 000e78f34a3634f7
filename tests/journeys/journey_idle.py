# SPDX-License-Identifier: GPL-3.0-or-later
"""A run that waits for an idle machine, from the form; and cases that disturbed each other, measured again in that way."""

import json

PLANS = "SELECT plan, n_ok FROM runs ORDER BY started_at"


def walk(person):
    person.measure_roughly("--model", "bert-tiny", "--batch", "1,2", "--sequence", "16")
    person.start()
    person.tick("BERT tiny")
    person.tick("OpenVINO", on=False)
    with person.busy_machine():
        person.press("Start When Idle")
        person.see("label", "Waiting until the machine is idle")
        person.look("waiting")
        person.press("Stop")
        person.see("push button", "Start When Idle")
        person.show("Results")
        person.press("Measure Again When Idle")
        person.see("label", "Waiting until the machine is idle")
        person.press("Stop")
        person.see("push button", "Start When Idle")
    check(person)


def check(person):
    """While others keep the machine busy, no case is measured."""
    plans, n_ok = zip(*person.query(PLANS))
    _, chosen, again = map(json.loads, plans)
    assert n_ok[0] == 2 and n_ok[1:] == (0, 0), n_ok
    assert chosen["method"]["wait-quiet"] == 600, chosen
    assert again["method"]["wait-quiet"] == 120 and again["cases"] == [1, 2], again
