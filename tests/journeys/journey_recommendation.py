# SPDX-License-Identifier: GPL-3.0-or-later
"""Which Should I Use, for the throughput and within a limit."""

import re


def walk(person):
    person.measure("--model", "bert-tiny", "--backend", "cpu", "--backend", "openvino", "--batch", "1,2", "--sequence", "16")
    person.start()
    person.show("Results")
    person.press("Which Should I Use?")
    person.see("label", "Which Should I Use?")
    print(person.describe()[-6000:])
    person.look("recommendation")
    answer = person.ask_cli("recommend", "--goal", "throughput")
    print(str(answer)[:3000])
    person.press("Back to the Runs")
    person.see("push button", "Run Again")
