# SPDX-License-Identifier: GPL-3.0-or-later
"""First start, all pages still empty → Run Quick Benchmark → a result on the screen."""

PAGES = ("Results", "Compare", "Hardware", "Benchmark")


def walk(person):
    person.start(first_time=True)
    for page in PAGES:
        person.show(page)
        person.look(f"empty-{page.lower()}")
    person.press("Run Quick Benchmark")
    person.see("push button", "Stop")
    person.look("live")
    (count,), = person.wait_for_row("SELECT n_ok FROM runs WHERE finished_at > 0")
    person.see("image", "Latency by batch size")
    person.look("results")
    assert count == 4, f"{count} of 4 cases succeeded"
