# SPDX-License-Identifier: GPL-3.0-or-later
"""Pause, skip, a killed worker, a window that is closed in the middle, and a run that is deleted and restored."""

import os
import re
import signal

from notices import Notices
from screen import wait_for

CONTINUES = "The Run Continues in the Background"


def walk(person):
    notices = Notices(person.desktop.environment)
    person.start()
    person.desktop.write_settings(min_seconds=120.0, max_seconds=120.0)
    person.tick("BERT tiny")
    person.tick("OpenVINO", on=False)
    person.choose_values("Batch Sizes", "1", "2", "4", "8", "16")
    person.press("Run")
    skip_and_kill(person)
    close_and_come_back(person, notices)
    stop_in_small_window(person)
    (failed, reason), = person.wait_for_row("SELECT n_failed, reason FROM runs JOIN results ON run_id = runs.id"
                                            " WHERE finished_at > 0 AND status = 'failed'")
    assert failed == 1 and "was killed from outside" in reason, reason
    states = {state for state, in person.query("SELECT state FROM results")}
    assert {"failed", "not-run"} <= states, states
    delete_and_restore(person)
    stop_from_notice(person, notices)


def skip_and_kill(person):
    first = find_worker(person, ())
    person.press("Pause")
    person.press("Resume")
    person.press("Skip")
    second = find_worker(person, (first,))
    person.step("kill the worker")
    os.kill(second, signal.SIGKILL)
    find_worker(person, (first, second))
    person.wait_for_row("SELECT * FROM results WHERE status = 'failed'")
    person.look("live")


def close_and_come_back(person, notices):
    """The run goes on without its window, and the notice or a second start of the program brings the window back."""
    person.keys("ctrl+w")
    person.see_no("frame", "Dyno")
    notices.press(CONTINUES, "Show")
    person.see("push button", "Stop")
    person.keys("ctrl+w")
    person.see_no("frame", "Dyno")
    assert not person.query("SELECT * FROM runs WHERE finished_at > 0"), "The run ended with its window"
    person.step("start Dyno again")
    again = person.desktop.start([person.programs.dyno])
    person.see("push button", "Stop")
    wait_for("the end of the second process", lambda: again.poll() == 0)
    person.look("again")


def stop_in_small_window(person):
    """Only a wide window offers a small one, and the one that came back may have the size of its last picture."""
    person.desktop.resize_window(1280, 800)
    person.press("Small Window")
    person.press("Whole Window", within="Dyno Measures")
    person.press("Small Window")
    person.look("pad")
    person.press("Stop", within="Dyno Measures")
    person.see("push button", "New Benchmark")


def delete_and_restore(person):
    deleted = "SELECT id FROM runs WHERE deleted_at IS NOT NULL"
    person.show("Results")
    # The page that goes has a menu of the same run.
    person.see_no("push button", "New Benchmark")
    person.choose_from_menu("Run Menu", "Delete")
    (run,), = person.wait_for_row(deleted)
    person.see("label", "No Runs Yet")
    person.choose_from_menu("Main Menu", "Deleted Runs…")
    person.see("push button", re.compile("^Restore “"))
    person.look("bin")
    person.press(re.compile("^Restore “"))
    wait_for("the restored run", lambda: not person.query(deleted))
    person.keys("Escape")
    assert person.ask_cli("show", "last")["runs"][0]["id"] == run
    person.press("Run Remaining Cases")
    find_worker(person, ())


def stop_from_notice(person, notices):
    """Without a window, the program ends with its run, and a notice stays."""
    person.keys("ctrl+w")
    notices.press(CONTINUES, "Stop")
    person.wait_for_end()
    _, actions = notices.see("The Run Has Ended")
    assert "Show Results" in actions, actions
    person.start()


def find_worker(person, known):
    """Returns the process that measures, once it is none of those known."""
    def found():
        person.check()
        return next((process for process in list_children(person.process.pid) if process not in known), None)

    return wait_for("the next worker", found)


def list_children(parent):
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as stat, open(f"/proc/{name}/cmdline") as line:
                if int(stat.read().rsplit(")", 1)[1].split()[1]) == parent and is_measuring(line.read()):
                    yield int(name)
        except OSError:
            pass


def is_measuring(line):
    """Other workers answer a question."""
    return "\0--measure\0" in line
