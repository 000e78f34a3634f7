#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual is whole and true: its links lead somewhere, its commands are understood, its names exist.

Usage: test-manual.py SOURCE-FOLDER DYNO-CLI LIST-NAMES [SPHINX-BUILD]
"""

import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap

SPHINX = sys.argv.pop() if len(sys.argv) == 5 else None
LIST_NAMES = sys.argv.pop()
CLI = sys.argv.pop()
SOURCE = pathlib.Path(sys.argv.pop())
DOCS = SOURCE / "docs"

FENCED = re.compile(r"^```.*?\n(.*?)^```", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^    (.*)$", re.MULTILINE)
INLINE = re.compile(r"`(dyno-cli [^`\n]+)`")
COMMAND = re.compile(r"(?:^|\| )(?:\$ )?dyno-cli +(\S.*)$", re.MULTILINE)
# Words in capitals and dots where a reader puts something of their own.
ELLIPSIS = "…"


def list_commands(path):
    """Yields the arguments of every command of dyno-cli that a page shows."""
    text = path.read_text(encoding="utf-8")
    blocks = FENCED.findall(text) + INDENTED.findall(text) + INLINE.findall(text)
    for line in COMMAND.findall("\n".join(blocks)):
        if ELLIPSIS not in line:
            yield tuple(shlex.split(line, comments=True))


class ManualTest(unittest.TestCase):
    def understand(self, arguments):
        """Asks for help after the options: they are read first, and an unknown one ends the program."""
        return subprocess.run([CLI, *arguments, "--help"], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              check=False)

    def test_links(self):
        if SPHINX is None:
            self.skipTest("there is no Sphinx with MyST")
        with tempfile.TemporaryDirectory(prefix="dyno-manual-") as folder:
            built = subprocess.run([SPHINX, "-n", "-W", "--keep-going", "-q", "-b", "dummy", "-D",
                                    f"list_names={LIST_NAMES}", DOCS, folder], capture_output=True, text=True, check=False)
        self.assertEqual((built.returncode, built.stderr), (0, ""))

    def test_pages(self):
        listed = re.findall(r"'([\w/-]+\.md)'", (DOCS / "meson.build").read_text(encoding="utf-8"))
        self.assertEqual(sorted(listed), sorted(str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")))

    def test_commands(self):
        commands = {arguments: page for page in [SOURCE / "README.md", *DOCS.rglob("*.md")]
                    for arguments in list_commands(page)}
        self.assertGreater(len(commands), 50)
        self.assertEqual(self.understand(["run", "--no-such-option"]).returncode, 2)
        for arguments, page in commands.items():
            done = self.understand(arguments)
            self.assertEqual(done.returncode, 0, f"{page.name}: dyno-cli {' '.join(arguments)}: {done.stderr}")

    def test_threats(self):
        """Each line about a danger names a test that exists."""
        rows = re.findall(r"^\| (?!Door|Stranger|---)(.*) \|$", (DOCS / "threats.md").read_text(encoding="utf-8"), re.MULTILINE)
        self.assertGreater(len(rows), 15)
        for row in rows:
            place, name = re.search(r"\| `(\S+): (\S+)`[^|]*$", row).groups()
            self.assertRegex((SOURCE / "tests" / place).read_text(encoding="utf-8"), rf'def {name} ?\(|["/]{name}"', row)

    def test_diagnostics(self):
        page = (DOCS / "names.md").read_text(encoding="utf-8")
        table = page.partition("\n## Diagnostics\n")[2].partition("\n## ")[0].partition("|---|")[2]
        codes = re.findall(r"`([a-z-]+)`", table)
        code = "".join(path.read_text(encoding="utf-8") for folder in ("src", "backends", "metrics")
                       for path in (SOURCE / folder).rglob("*.[ch]"))
        self.assertGreater(len(codes), 50)
        self.assertEqual([name for name in codes if f'"{name}"' not in code], [])

    def test_tables(self):
        printed = subprocess.run([LIST_NAMES, "values"], capture_output=True, encoding="utf-8", check=True).stdout
        self.assertIn("| `latency_p90_ms` | 90th percentile of latency | always |", printed)
        marks = [mark for page in DOCS.rglob("*.md")
                 for mark in re.findall(r"<!-- names: (\w+) -->", page.read_text(encoding="utf-8"))]
        self.assertEqual(sorted(marks), ["charts", "families", "imported", "values"])


sys.exit(tap.main())
