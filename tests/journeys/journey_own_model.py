# SPDX-License-Identifier: GPL-3.0-or-later
"""A file of one's own by the dialog → batch 1, 2, 4, 8 × two engines → Run → charts."""

import re


def walk(person):
    model = person.desktop.home / "my model.onnx"
    person.desktop.run(person.programs.cli, "models", "export", "bert-tiny", model)
    if person.desktop.compositor == "x11":
        person.start()
        person.press("Add…")
        person.name_file(model, opens=True)
    else:  # the headless compositor has no keyboard to name a file with
        person.start(model)
    person.tick("my model")
    person.tick("ONNX Runtime (CPU)")
    person.tick("OpenVINO")
    person.choose_values("Batch Sizes", "1", "2", "4", "8")
    if person.desktop.compositor == "x11":  # a value that is not offered is asked for above the window
        person.choose_values("Sequence Lengths in Tokens", "16")
    person.look("form")
    person.see("status bar", re.compile("^8 cases"))
    person.press("Run")
    (count,), = person.wait_for_row("SELECT n_ok FROM runs WHERE finished_at > 0")
    person.see("image", "Latency by batch size")
    person.look("results")
    assert count == 8, f"{count} of 8 cases succeeded"
    run, = person.ask_cli("show", "last")["runs"]
    cases = {(result["case"]["backend"], result["case"]["batch-size"]) for result in run["results"]}
    assert cases == {(engine, batch) for engine in ("cpu", "openvino") for batch in (1, 2, 4, 8)}, cases
