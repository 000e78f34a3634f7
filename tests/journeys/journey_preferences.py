# SPDX-License-Identifier: GPL-3.0-or-later
"""Every row of the preferences is changed once; the keyfile and the plan of the next run show it."""

import configparser
import pathlib
import re

from screen import wait_for

NUMBERS = {"Processes": ("invocations", 2), "Minimum Duration": ("min-seconds", 0.1),
           "Maximum Duration": ("max-seconds", 0.5), "Minimum Samples": ("min-samples", 7),
           "Target Precision": ("interval-percent", 3), "Minimum Warm-Up": ("warmup-seconds", 0.2),
           "Minimum Warm-Up Steps": ("warmup-steps", 2), "Memory Sampling Period": ("sampling-milliseconds", 20),
           "Power Sampling Period": ("power-milliseconds", 200), "Idle Power Baseline": ("idle-seconds", 1),
           "Start When Idle": ("wait-quiet", 1), "Estimate Energy From TDP": ("tdp-watts", 45)}
ADDRESSES = {"npm Registry": ("npm-registry", "https://npm.example.org/"),
             "Python Package Index": ("python-index", "https://pypi.example.org/simple/")}


def walk(person):
    person.start()
    person.tick("BERT tiny")
    person.tick("OpenVINO", on=False)
    person.keys("ctrl+comma")
    person.see("frame", "Preferences")
    person.look("preferences")
    for name, (key, address) in ADDRESSES.items():
        write_address(person, name, "example.org")
        person.see(None, re.compile("^“example.org” is not the address of a server"))
        write_address(person, name, address)
        expect_key(person, key, f"'{address}'")
    write_address(person, "Price per Hour (such as 2.5 USD)", "cheap")
    person.see(None, re.compile("^“cheap” is no price of an hour"))
    write_address(person, "Price per Hour (such as 2.5 USD)", "2.5 USD")
    expect_key(person, "cost-per-hour", "'2.5 USD'")
    person.tick("Measure Roofs First")
    expect_key(person, "measure-ceilings", "true")
    person.tick("Measure Roofs First", on=False)
    person.press("Method", role="list item", within="Preferences")
    for name, (key, value) in NUMBERS.items():
        person.set_number(name, value)
        wait_for(f"the key {key}", lambda: has(person, key, value))
    person.tick("High Priority")
    expect_key(person, "priority", "'high'")
    person.tick("Shuffle Cases", on=False)
    expect_key(person, "shuffle", "false")
    person.look("method")
    person.keys("Escape")
    check_run(person)
    restore(person)


def write_address(person, name, address):
    """Such a row takes over what is written when Return is pressed."""
    person.step(f"write “{address}” into “{name}”")
    person.click(person.see("text", name))
    person.desktop.press_keys("ctrl+a")
    person.desktop.type_text(address)
    wait_for(f"“{address}” in “{name}”", lambda: person.screen.read_text(person.see("text", name)) == address)
    person.keys("Return")


def read_keys(person):
    keys = configparser.RawConfigParser()
    keys.optionxform = str
    keys.read(pathlib.Path(person.desktop.environment["XDG_CONFIG_HOME"]) / "glib-2.0/settings/keyfile")
    return dict(keys["io/github/dynobench/Dyno"])


def has(person, key, number):
    return float(read_keys(person).get(key, "nan").split()[-1]) == number


def expect_key(person, key, value):
    wait_for(f"{key} = {value} after “{person.steps[-1]}”", lambda: read_keys(person).get(key) == value)


def check_run(person):
    person.press("Run")
    person.wait_for_row("SELECT * FROM runs WHERE finished_at > 0")
    plan = person.ask_cli("show", "last")["runs"][0]["plan"]
    assert plan["shuffle"] is False, plan
    assert plan["method"]["priority"] == "high", plan
    wrong = {key: plan["method"][key] for key, value in NUMBERS.values() if plan["method"][key] != value}
    assert not wrong, wrong


def restore(person):
    person.keys("ctrl+comma")
    person.press("Restore Defaults")
    wait_for("the usual method", lambda: not any(has(person, *number) for number in NUMBERS.values()))
