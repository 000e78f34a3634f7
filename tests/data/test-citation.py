#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""CITATION.cff names the program, licence and authors that the other files name.

Usage: test-citation.py SOURCE-FOLDER
"""

import pathlib
import re
import sys
import unittest
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap

SOURCE = pathlib.Path(sys.argv.pop(1))


class Citation(unittest.TestCase):
    def setUp(self):
        text = (SOURCE / "CITATION.cff").read_text(encoding="utf-8")
        self.fields = dict(re.findall(r"(?m)^(?:  - )?([a-z-]+): (.*)$", text))
        self.metainfo = xml.etree.ElementTree.parse(SOURCE / "data" / "io.github.dynobench.Dyno.metainfo.xml.in").getroot()

    def test_program(self):
        self.assertEqual(self.fields["cff-version"], "1.2.0")
        self.assertEqual(self.fields["title"], self.metainfo.findtext("name"))
        self.assertEqual(self.fields["license"], self.metainfo.findtext("project_license"))
        self.assertEqual(self.fields["name"], self.metainfo.findtext("developer/name"))
        self.assertEqual(self.fields["repository-code"], self.metainfo.findtext("url[@type='vcs-browser']"))


if __name__ == "__main__":
    sys.exit(tap.main())
