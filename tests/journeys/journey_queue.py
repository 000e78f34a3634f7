# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs are added while one is measured, change places, leave the queue, survive a restart, and run one after the other."""

import json
import re

from screen import wait_for

UP = re.compile("^Move “.*” Up$")
MORE_OF_IDLE = re.compile("^Priority of “.*batch 8”$")


def walk(person):
    person.start()
    person.desktop.write_settings(min_seconds=600.0, max_seconds=600.0)
    person.tick("BERT tiny")
    person.tick("OpenVINO", on=False)
    person.press("Run")
    person.press("Plan Another Run")
    person.desktop.write_settings(min_seconds=0.05, max_seconds=0.2)
    add(person, "2", 1)
    add(person, "4", 2)
    assert read_queue(person) == [2, 4], read_queue(person)
    move(person)
    add_for_later(person)
    person.look("queue")
    person.choose_from_menu(MORE_OF_IDLE, "High")
    wait_for("the order", lambda: read_queue(person) == [8, 4, 2])
    person.choose_from_menu(MORE_OF_IDLE, "Remove From the Queue")
    wait_for("the end of the third run", lambda: read_queue(person) == [4, 2])
    person.press("Show Run")
    person.press("Stop")
    person.wait_for_row("SELECT id FROM runs WHERE finished_at > 0")
    assert read_queue(person) == [4, 2], read_queue(person)
    person.see("push button", "Start Queue")
    person.close()
    person.start()
    person.look("after-restart")
    person.press("Start Queue")
    wait_for("the end of both runs", lambda: len(read_batches(person)) == 3)
    assert read_batches(person) == [[1], [4], [2]], read_batches(person)
    assert not read_queue(person)


def read_queue(person):
    return [run["plan"]["batch-sizes"][0] for run in person.ask_cli("queue", "list")]


def read_shown(person):
    return [int(node.name.split()[-1]) for node in person.find_all("label", re.compile("^Priority: "))]


def read_batches(person):
    return [json.loads(plan)["batch-sizes"]
            for plan, in person.query("SELECT plan FROM runs WHERE finished_at > 0 ORDER BY started_at")]


def add(person, batch, count):
    person.choose_values("Batch Sizes", batch)
    person.press("Add to Queue")
    wait_for("the queue", lambda: len(read_queue(person)) == count)


def add_for_later(person):
    """Only while other programs keep the machine busy does the form offer to wait for them."""
    person.choose_values("Batch Sizes", "8")
    with person.busy_machine():
        person.press("Start When Idle")
    wait_for("the third run", lambda: [run["priority"] for run in person.ask_cli("queue", "list")] == ["normal", "normal", "idle"])
    assert read_queue(person) == [4, 2, 8], read_queue(person)


def move(person):
    """The first press takes the focus into the row, and the keys move that run on."""
    button = wait_for("the button of the second run",
                      lambda: next((node for node in person.find_all("push button", UP) if node.has("sensitive")), None))
    person.step("click Move Up")
    person.click(button)
    for keys, order in ((None, [4, 2]), ("alt+Down", [2, 4]), ("alt+Up", [4, 2])):
        if keys is not None:
            person.keys(keys)
        wait_for(f"the order {order}", lambda: read_shown(person) == order)
        assert read_queue(person) == order, read_queue(person)
