# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys alone: a file of one's own is measured twice, and the runs are compared."""

import json

from person import MENU_ITEM, TOGGLE
from screen import wait_for

# Tab comes round to the first stop again.
MOST_STOPS = 300


def walk(person):
    model = person.desktop.home / "my model.onnx"
    person.desktop.run(person.programs.cli, "models", "export", "bert-tiny", model)
    person.start()
    go_to(person, "push button", "Add…")
    person.keys("space")
    person.name_file(model, opens=True)
    person.see("check box", "my model")
    measure(person, ("2",), 1)
    go_to(person, "push button", "New Benchmark")
    person.keys("space")
    measure(person, ("2", "4"), 2)
    compare(person)


def go_to(person, role, name, within=None):
    """Presses Tab until the focus is where it should be; the second question is answered after the key."""
    node = person.find_toggle(person.see(role, name, within))
    person.step(f"go to {role} “{name}”")
    for _ in range(MOST_STOPS):
        if person.screen.is_focused(node) or person.screen.is_focused(node):
            return
        person.desktop.press_keys("Tab")
    raise AssertionError(f"Tab does not come to {role} “{name}”")


def measure(person, batches, count):
    """Presses the buttons of batch sizes: the first size is chosen from the start."""
    for batch in batches:
        go_to(person, TOGGLE, batch, "Batch Sizes")
        was_chosen = person.see(TOGGLE, batch, "Batch Sizes").has("pressed")
        person.keys("space")
        wait_for("the batch size", lambda: person.see(TOGGLE, batch, "Batch Sizes").has("pressed") != was_chosen)
    person.keys("ctrl+Return")
    wait_for("the end of the run", lambda: len(person.query("SELECT id FROM runs WHERE finished_at > 0")) == count)


def compare(person):
    """The case of one size is in both runs."""
    person.keys("ctrl+2")
    go_to(person, "push button", "Compare")
    person.keys("space")
    person.see(MENU_ITEM, "With the Previous Run")
    person.keys("Return")
    wait_for("the page", lambda: person.finds("page tab", "Compare").has("selected"))
    person.look("compare")
    plans = [json.loads(plan) for plan, in person.query("SELECT plan FROM runs ORDER BY started_at")]
    assert [plan["batch-sizes"] for plan in plans] == [[1, 2], [1, 4]], plans
