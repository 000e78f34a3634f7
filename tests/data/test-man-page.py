#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Manual pages are made wherever the folder of the build is.

Usage: test-man-page.py MAN-PAGE [HELP2MAN]
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap

HELP2MAN = sys.argv.pop() if len(sys.argv) == 3 else None
MAN_PAGE = sys.argv.pop()

PROGRAM = """#!/bin/sh
case "$*" in
--version) echo "dyno-cli 1.0" ;;
"run --help") printf 'Usage: dyno-cli run\\n\\nRuns it.\\n\\nOptions:\\n  -x, --extra  More\\n' ;;
*) printf 'Usage: dyno-cli COMMAND\\n\\nMeasures.\\n\\nCommands:\\n  run  Run\\n' ;;
esac
"""


class ManPageTest(unittest.TestCase):
    def test_folders(self):
        if HELP2MAN is None:
            self.skipTest("there is no help2man")
        for name in ("plain", "with a space", "it's “quoted” & $HOME; (more)", "back\\slash"):
            with self.subTest(name=name), tempfile.TemporaryDirectory(prefix="dyno-man-") as temporary:
                folder = pathlib.Path(temporary, name)
                folder.mkdir()
                program = folder / "dyno-cli"
                program.write_text(PROGRAM, encoding="utf-8")
                program.chmod(0o755)
                page = folder / "dyno-cli.1"
                subprocess.run([sys.executable, MAN_PAGE, HELP2MAN, program, "a test", page], check=True)
                text = page.read_text(encoding="utf-8")
                self.assertRegex(text, r'(?m)^\.TH DYNO-CLI "1"')
                self.assertIn("\ndyno-cli \\- a test\n", text)
                self.assertRegex(text, r'(?m)^\.SH "DYNO-CLI RUN"\nRuns it\.')
                self.assertNotIn(str(folder), text)


if __name__ == "__main__":
    sys.exit(tap.main())
