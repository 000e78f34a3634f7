#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The manifest of the Flatpak: its holes are those it may have, and what it bundles is what was reviewed.

Usage: test-flatpak.py MANIFEST ENGINES
"""

import json
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap

ENGINES = {engine["id"]: engine for engine in json.loads(pathlib.Path(sys.argv.pop()).read_text(encoding="utf-8"))["engines"]}
MANIFEST = json.loads(pathlib.Path(sys.argv.pop()).read_text(encoding="utf-8"))
MODULES = {module["name"]: module for module in MANIFEST["modules"]}
SOURCES = [source for module in MANIFEST["modules"] for source in module["sources"]]

# A window, a graphics card, and nothing else: no file of the user's but through the portal, no network, and no command
# outside of the sandbox.
ALLOWED = {"--device=dri", "--share=ipc", "--socket=fallback-x11", "--socket=wayland"}


class FlatpakTest(unittest.TestCase):
    def test_permissions(self):
        self.assertEqual(set(MANIFEST["finish-args"]), ALLOWED)

    def test_runtime(self):
        self.assertEqual(MANIFEST["id"], "io.github.dynobench.Dyno")
        self.assertEqual(MANIFEST["runtime"], "org.gnome.Platform")
        self.assertGreaterEqual(int(MANIFEST["runtime-version"]), 48)

    def test_sources_are_local_and_pinned(self):
        for source in SOURCES:
            self.assertNotIn("url", source)
            self.assertTrue(source["path"].startswith("sources/"), source)
            if source["type"] != "dir":
                self.assertRegex(source["sha256"], re.compile("^[0-9a-f]{64}$"))

    def test_engines_are_those_of_the_list(self):
        for name in ("onnxruntime", "openvino"):
            version = ENGINES[name]["versions"][0]
            listed = {archive["file"]: archive["sha256"] for archive in version["archives"].values()}
            bundled = {source["path"].removeprefix("sources/"): source["sha256"] for source in MODULES[name]["sources"]}
            self.assertEqual(bundled, listed)

    def test_engines_are_whole(self):
        commands = "\n".join(MODULES["openvino"]["build-commands"])
        for part in ENGINES["openvino"]["versions"][0]["archives"]["x86_64"]["take"]:
            self.assertIn(part["from"], commands.split())
        (part,) = ENGINES["onnxruntime"]["versions"][0]["archives"]["x86_64"]["take"]
        (command,) = MODULES["onnxruntime"]["build-commands"]
        self.assertIn(part["from"].removeprefix("package/").replace("x64", "$cpu"), command)


sys.exit(tap.main())
