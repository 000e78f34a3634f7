#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The subject of a commit is “area: Imperative”, of at most 72 characters."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import tap  # noqa: E402

HOOK = pathlib.Path(__file__).resolve().parent.parent.parent / "tools" / "commit-msg"


class CommitMessage(unittest.TestCase):
    def check(self, message):
        """Returns what the hook says; nothing where the message may stay."""
        with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
            file.write(message)
            file.flush()
            done = subprocess.run([sys.executable, HOOK, file.name], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1 if done.stderr else 0)
        return done.stderr

    def test_good(self):
        for message in ("store: Keep the bin for 30 days", "import, model: Read sizes\n\nWhy; and how.",
                        "# a comment\ndocs: Describe journeys", "Revert “store: Keep the bin”", "fixup! store: Keep"):
            self.assertEqual(self.check(message), "")

    def test_bad(self):
        for message, words in (("Keep the bin", "area: Imperative"), ("store: the bin is kept", "area: Imperative"),
                               ("", "area: Imperative"), ("store: K" + "e" * 70, "78 characters"),
                               ("store: Keep the bin; show it", "several commits")):
            self.assertIn(words, self.check(message))


if __name__ == "__main__":
    tap.main()
