# SPDX-License-Identifier: GPL-3.0-or-later
"""First start → Run Quick Benchmark → a result on the screen."""


def walk(person):
    person.start(first_time=True)
    person.look("welcome")
    person.press("Run Quick Benchmark")
    person.see("push button", "Stop")
    person.look("live")
    (count,), = person.wait_for_row("SELECT n_ok FROM runs WHERE finished_at > 0")
    person.see("image", "Latency by batch size")
    person.look("results")
    assert count == 6, f"{count} of 6 cases succeeded"
