#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A report in JSON is what its schema says.

Usage: test-schema.py WRITE-REPORT SCHEMA
"""

import json
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap

try:
    import jsonschema
except ImportError:
    jsonschema = None

SCHEMA = json.loads(pathlib.Path(sys.argv.pop(2)).read_text(encoding="utf-8"))
WRITER = sys.argv.pop(1)


@unittest.skipIf(jsonschema is None, "The Python package “jsonschema” is not installed.")
class Schema(unittest.TestCase):
    def setUp(self):
        text = subprocess.run([WRITER, "json"], capture_output=True, text=True, check=True).stdout
        self.report = json.loads(text)
        self.validator = jsonschema.Draft202012Validator(SCHEMA)

    def test_schema_itself(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_report(self):
        self.assertGreater(len(self.report["runs"][0]["results"]), 1)
        self.validator.validate(self.report)

    def test_other_version(self):
        self.report["schema_version"] += 1
        self.assertFalse(self.validator.is_valid(self.report))

    def test_lost_member(self):
        del self.report["runs"][0]["results"][0]["values"][0]["unit"]
        self.assertFalse(self.validator.is_valid(self.report))


if __name__ == "__main__":
    sys.exit(tap.main())
