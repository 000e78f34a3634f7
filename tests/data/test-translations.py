#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the translations, and that programs speak them where people read, and never where programs do.

Usage: test-translations.py FOLDER-OF-CATALOGUES DYNO-CLI
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap

CLI = pathlib.Path(sys.argv.pop(2)).resolve()
FOLDER = pathlib.Path(sys.argv.pop(1))
LANGUAGES = [line for line in (FOLDER / "LINGUAS").read_text(encoding="utf-8").split("\n") if line and line[0] != "#"]


class Translations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Newer C libraries translate nothing in the locale C.UTF-8.
        cls.locales = tempfile.TemporaryDirectory(prefix="dyno-locales-")
        cls.addClassCleanup(cls.locales.cleanup)
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", f"{cls.locales.name}/de_DE.UTF-8"], check=False)
        if not pathlib.Path(cls.locales.name, "de_DE.UTF-8", "LC_MESSAGES").exists():
            raise unittest.SkipTest("localedef cannot make a locale here: install the package “locales”.")

    def run_in(self, language, *arguments):
        with tempfile.TemporaryDirectory(prefix="dyno-translations-") as folder:
            environment = os.environ | {"LOCPATH": self.locales.name, "LC_ALL": "de_DE.UTF-8", "LANGUAGE": language,
                                        "DYNO_DATA_DIR": folder}
            return subprocess.run([CLI, *arguments], env=environment, capture_output=True, text=True, check=True,
                                  stdin=subprocess.DEVNULL).stdout

    def test_formats(self):
        for language in LANGUAGES:
            with self.subTest(language):
                done = subprocess.run(["msgfmt", "--check", "--output-file", os.devnull, FOLDER / f"{language}.po"],
                                      capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_tables(self):
        english = self.run_in("en", "models", "list").split("\n")[0]
        for language in LANGUAGES:
            with self.subTest(language):
                self.assertNotEqual(self.run_in(language, "models", "list").split("\n")[0], english)

    def test_json(self):
        english = json.loads(self.run_in("en", "models", "list", "--json"))
        for language in LANGUAGES:
            with self.subTest(language):
                self.assertEqual(json.loads(self.run_in(language, "models", "list", "--json")), english)


if __name__ == "__main__":
    sys.exit(tap.main())
