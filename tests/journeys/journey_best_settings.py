# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the Best Settings: a race that is stopped in the middle, and one that comes to its end."""

from datetime import datetime

WINDOW = "Find the Best Settings"
SECONDS_OF_A_RACE = 60
PROCESSES_FOR_A_VERDICT = 5


def walk(person):
    person.start()
    person.tick("BERT tiny")
    person.tick("OpenVINO", on=False)
    person.press(WINDOW)
    person.tick("Only These Engines")
    person.set_number("Sequence Length", 256)
    person.set_number("Time Limit", SECONDS_OF_A_RACE / 60)
    person.see("list item", "Threads")
    person.look("form")
    person.press("Start Race")
    person.wait_for_row("SELECT * FROM invocations")
    person.press("Stop", within=WINDOW)
    person.see("push button", "New Race")
    person.look("stopped")
    stopped = person.ask_cli("show", "last")["runs"][0]
    person.press("New Race")
    person.press("Start Race")
    person.see("push button", "New Race", seconds=2 * SECONDS_OF_A_RACE)
    person.see("push button", "Copy the Lines for ONNX Runtime, Python")
    person.look("answer")
    person.press("Open the Run")
    person.see("label", "Best settings for BERT tiny")
    check_runs(stopped, person.ask_cli("show", "last")["runs"][0])


def check_runs(stopped, finished):
    assert finished["id"] != stopped["id"]
    assert finished["title"] == "Best settings for BERT tiny", finished["title"]
    assert finished["plan"]["backends"] == ["cpu"], finished["plan"]
    assert count_processes(stopped) < PROCESSES_FOR_A_VERDICT * len(stopped["results"]), "The race was not stopped"
    for result in finished["results"]:
        assert result["case"]["sequence-length"] == 256, result["case"]
    enough = count_processes(finished) >= PROCESSES_FOR_A_VERDICT * len(finished["results"])
    assert enough or get_seconds(finished) > 0.9 * SECONDS_OF_A_RACE, "The race broke off"


def get_seconds(run):
    started, finished = (datetime.fromisoformat(run[name].replace("Z", "+00:00")) for name in ("started_at", "finished_at"))
    return (finished - started).total_seconds()


def count_processes(run):
    return sum(len(result["invocations"]) for result in run["results"])
