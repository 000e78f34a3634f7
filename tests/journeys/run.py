#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks one journey through the window, as a person would: run.py JOURNEY --dyno … --cli … [--compositor weston]"""

import argparse
import importlib
import os
import pathlib
import signal
import sys
import traceback


def skip(why):
    print(f"1..0 # SKIP {why}")
    sys.exit()


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("journey")
    parser.add_argument("--dyno", required=True)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--pictures", required=True)
    parser.add_argument("--compositor", default="x11", choices=("x11", "weston"))
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    try:
        import screen  # noqa: F401
    except (ImportError, ValueError) as error:
        skip(f"AT-SPI cannot be read: {error}")
    from desktop import find_missing
    missing = find_missing(arguments.compositor)
    if missing:
        skip(f"There is no {missing[0]}")

    from person import Person
    journey = importlib.import_module("journey_" + arguments.journey.replace("-", "_"))
    person = Person(arguments, arguments.journey, arguments.compositor, getattr(journey, "ANIMATED", False))
    print("1..1")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("The journey took too long"))
    try:
        journey.walk(person)
        person.check()
        person.end()
    except (Exception, SystemExit):
        traceback.print_exc()
        person.keep_failure()
        print(person.log.read_text(errors="replace") if person.log.exists() else "", file=sys.stderr)
        print(f"not ok 1 {arguments.journey}")
        return 1
    finally:
        person.stop()
    print(f"ok 1 {arguments.journey}")
    return 0


if __name__ == "__main__":
    sys.path[:0] = [str(folder) for folder in pathlib.Path(__file__).resolve().parents[:2]]
    sys.stdout.reconfigure(line_buffering=True)
    os._exit(main())
