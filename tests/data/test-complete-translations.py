#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that every language says all that the sources say: nothing untranslated, nothing fuzzy, nothing left over.

Usage: test-complete-translations.py SOURCE-ROOT

“meson compile dyno-update-po” merges the sources into the catalogues; what is new or fuzzy then needs a translation.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap

ROOT = pathlib.Path(sys.argv.pop(1))
FOLDER = ROOT / "po"
LANGUAGES = [line for line in (FOLDER / "LINGUAS").read_text(encoding="utf-8").split("\n") if line and line[0] != "#"]
# Those of Meson's preset “glib”, with which po/meson.build extracts.
KEYWORDS = ("_", "N_", "C_:1c,2", "NC_:1c,2", "g_dcgettext:2", "g_dngettext:2,3", "g_dpgettext2:2c,3")
MISSING = [tool for tool in ("xgettext", "msgcmp", "msgattrib") if not shutil.which(tool)]


@unittest.skipIf(MISSING, f"{', '.join(MISSING)} not found: install the package “gettext”.")
class CompleteTranslations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="dyno-template-")
        cls.addClassCleanup(folder.cleanup)
        cls.template = pathlib.Path(folder.name, "dyno.pot")
        subprocess.run(["xgettext", "--files-from", FOLDER / "POTFILES.in", "--directory", ROOT, "--output", cls.template,
                        "--from-code", "UTF-8", *(f"--keyword={keyword}" for keyword in KEYWORDS)], check=True)

    def test_all_is_translated(self):
        for language in LANGUAGES:
            with self.subTest(language):
                done = subprocess.run(["msgcmp", FOLDER / f"{language}.po", self.template],
                                      capture_output=True, text=True, encoding="utf-8", check=False)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_engines_are_is_extracted(self):
        """Their list is no source that xgettext reads."""
        template = self.template.read_text(encoding="utf-8").replace('"\n"', "")
        for engine in json.loads((ROOT / "data" / "engines.json").read_text(encoding="utf-8"))["engines"]:
            self.assertIn(f'"{engine["summary"]}"', template)

    def test_nothing_is_left_over(self):
        for language in LANGUAGES:
            for what in ("--only-fuzzy", "--only-obsolete"):
                with self.subTest(f"{language} {what}"):
                    left = subprocess.run(["msgattrib", what, FOLDER / f"{language}.po"],
                                          capture_output=True, text=True, encoding="utf-8", check=True).stdout
                    self.assertEqual(left, "")


if __name__ == "__main__":
    sys.exit(tap.main())
