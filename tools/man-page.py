#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a manual page from help texts: man-page.py HELP2MAN PROGRAM SUMMARY OUTPUT

help2man formats the help of the program. If that lists commands, the help of each command becomes a section.
"""

import os
import pathlib
import re
import subprocess
import sys


def run(*command):
    environment = os.environ | {"LC_ALL": "C.UTF-8"}
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8", env=environment).stdout


def list_commands(program):
    listed = re.search(r"^Commands:\n((?:  .*\n)+)", run(program, "--help"), re.MULTILINE)
    return re.findall(r"^  (\S+)", listed.group(1), re.MULTILINE) if listed else []


def format_page(help2man, program, *command, summary="-"):
    name = pathlib.Path(program).name
    version = run(program, "--version").split()[-1]
    # A shell reads what help2man runs, and quotes would become part of the name of the program.
    escaped = re.sub(r"([^\w./-])", r"\\\1", program)
    page = run(help2man, "--no-info", "--locale=C.UTF-8", f"--name={summary}", f"--source=Dyno {version}",
               f"--version-string={name} {version}", " ".join([escaped, *command]))
    return re.sub(r'^\.TH \S+ ', f'.TH {name.upper()} ', page, count=1, flags=re.MULTILINE)


def format_section(help2man, program, command):
    body = format_page(help2man, program, command).split(".SH DESCRIPTION\n")[1]
    body = re.sub(r"^\.TP\n\\fB\\-h\\fR, .*\n.*\n", "", body, flags=re.MULTILINE)
    body = re.sub(r'^\.SH (.*)$', lambda heading: f".SS {heading[1]}", body, flags=re.MULTILINE)
    body = re.sub(r"^(\.SS EXAMPLES\n)((?:(?!\.S[HS]).*\n)*)", r"\1.nf\n\2.fi\n", body, flags=re.MULTILINE)
    return f'.SH "{pathlib.Path(program).name.upper()} {command.upper()}"\n{body}'


def main():
    help2man, program, summary, output = sys.argv[1:]
    program = os.path.abspath(program)
    sections = [format_section(help2man, program, command) for command in list_commands(program)]
    pathlib.Path(output).write_text(format_page(help2man, program, summary=summary) + "".join(sections), encoding="utf-8")


main()
