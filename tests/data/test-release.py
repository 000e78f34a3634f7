#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of this tree are about one version, and the tools for a release find what is wrong with one.

Usage: test-release.py SOURCE-FOLDER
"""

import contextlib
import io
import json
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
sys.path.insert(0, str(SOURCE / "tools"))
sys.dont_write_bytecode = True
import release  # noqa: E402
import sbom  # noqa: E402
import tap  # noqa: E402
import upgrade  # noqa: E402

FILES = ("meson.build", "NEWS", "CITATION.cff", "debian/changelog", "debian/control", "debian/copyright", "data/engines.json",
         release.METAINFO, sbom.FLATPAK)


class ReleaseTest(unittest.TestCase):
    def setUp(self):
        self.root = tap.make_folder("dyno-release-", self.addCleanup)
        for name in FILES:
            (self.root / name).parent.mkdir(exist_ok=True)
            self.restore(name)

    def restore(self, name):
        shutil.copyfile(SOURCE / name, self.root / name)

    def call(self, tool, *arguments, status=0):
        done = subprocess.run([sys.executable, SOURCE / "tools" / tool, *arguments], capture_output=True, encoding="utf-8",
                              check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def change(self, name, old, new):
        text = (self.root / name).read_text(encoding="utf-8")
        self.assertIn(old, text)
        (self.root / name).write_text(text.replace(old, new, 1), encoding="utf-8")

    def refuse(self, *words):
        with self.assertRaises(release.Fault) as refused:
            release.check(self.root)
        for word in words:
            self.assertIn(word, str(refused.exception))


class Version(ReleaseTest):
    def setUp(self):
        super().setUp()
        self.version = re.search("version: '(.+)'", (SOURCE / "meson.build").read_text(encoding="utf-8"))[1]

    def test_this_tree(self):
        self.assertEqual(self.call("release.py", "check", SOURCE).stdout, f"{self.version}\n")

    def test_another_version(self):
        """Whichever file was forgotten is named, with both versions."""
        other = f"99{self.version[2:]}"
        for name, before, after in (("CITATION.cff", "\nversion: ", ""), ("debian/changelog", "dyno (", ")"),
                                    ("NEWS", "Dyno ", "\n"), (release.METAINFO, 'release version="', '"')):
            with self.subTest(name):
                self.change(name, f"{before}{self.version}{after}", f"{before}{other}{after}")
                self.refuse(name, other, self.version)
                self.restore(name)

    def test_earlier_versions(self):
        """A file that leaves out an earlier release is named."""
        text = (self.root / "NEWS").read_text(encoding="utf-8")
        (self.root / "NEWS").write_text(f"{text}\nDyno 0.0.9\n==========\n\n - Nothing\n", encoding="utf-8")
        self.refuse("lists", "0.0.9")

    def test_days(self):
        text = (self.root / release.METAINFO).read_text(encoding="utf-8")
        (self.root / release.METAINFO).write_text(re.sub(r'(<release .*date=)"[^"]+"', r'\1"2001-01-01"', text), encoding="utf-8")
        self.refuse("2001-01-01", "debian/changelog")

    def test_unfinished(self):
        self.change("debian/changelog", "unstable", "UNRELEASED")
        self.refuse("debian/changelog", "UNRELEASED")

    def test_senseless(self):
        heading = f"Dyno {self.version}"
        for name, content in (("NEWS", ""), ("NEWS", f"{heading}\n===\n\n - Short line\n"),
                              ("NEWS", f"{heading}\n{'=' * len(heading)}\n\nNo entry\n"), ("debian/changelog", ""),
                              ("debian/changelog", f"dyno ({self.version}) unstable; urgency=low\n\n  * Here.\n\n"
                               " -- Me <me@example>  yesterday\n"),
                              (release.METAINFO, "<component/>"), ("meson.build", "project('dyno')"), ("CITATION.cff", "")):
            with self.subTest(name, content=content):
                (self.root / name).write_text(content, encoding="utf-8")
                self.refuse(name)
                self.restore(name)

    def test_sentences(self):
        """A fault ends the program with a line, whatever it is."""
        for name, content in ((release.METAINFO, "<component"), ("CITATION.cff", "")):
            (self.root / name).write_text(content, encoding="utf-8")
            self.assertRegex(self.call("release.py", "check", self.root, status=1).stderr, "^release: [^\n]*\n$")
            self.assertRegex(self.call("sbom.py", "make", self.root, status=1).stderr, "^sbom: [^\n]*\n$")
            self.restore(name)


class Builds(ReleaseTest):
    def make(self, name, **files):
        folder = self.root / name
        folder.mkdir()
        for file, content in files.items():
            (folder / file.replace("_", ".")).write_text(content, encoding="utf-8")
        return folder

    def compare(self, one, other):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            release.compare(one, other)
        return output.getvalue()

    def test_same(self):
        one = self.make("one", dyno_deb="a", dyno_buildinfo="today", dyno_changes="today")
        other = self.make("other", dyno_deb="a", dyno_buildinfo="tomorrow", dyno_changes="tomorrow")
        self.assertRegex(self.compare(one, other), "^same +[0-9a-f]{64} dyno.deb\n$")

    def test_different(self):
        one = self.make("one", a_deb="a", b_deb="b", c_deb="c")
        other = self.make("other", a_deb="A", b_deb="b", d_deb="d")
        done = self.call("release.py", "compare", one, other, status=1)
        self.assertIn("a.deb, c.deb, d.deb", done.stderr)
        self.assertEqual(re.findall(r"(?m)^same .* (\S+)$", done.stdout), ["b.deb"])

    def test_nothing(self):
        with self.assertRaisesRegex(release.Fault, "is empty"):
            self.compare(self.make("one"), self.make("other"))


class Parts(ReleaseTest):
    def find(self, bill, **fields):
        return [part for part in bill["components"] if all(part.get(name) == value for name, value in fields.items())]

    def test_same_bytes(self):
        one, other = (self.call("sbom.py", "make", self.root).stdout for _ in range(2))
        self.assertEqual(one, other)
        (self.root / "dyno.cdx.json").write_text(one, encoding="utf-8")
        n_parts = len(json.loads(one)["components"])
        self.assertEqual(self.call("sbom.py", "check", self.root / "dyno.cdx.json").stdout, f"{n_parts} components\n")

    def test_engines(self):
        """Each archive that Dyno may fetch is a part, with its hash, its licence and a package URL that names it."""
        parts = {part["hashes"][0]["content"]: part for part in sbom.make(self.root)["components"] if "hashes" in part}
        for engine in json.loads((SOURCE / "data" / "engines.json").read_text(encoding="utf-8"))["engines"]:
            for version in engine["versions"]:
                for archive in version["archives"].values():
                    part = parts[archive["sha256"]]
                    self.assertEqual((part["name"], part["version"], part["licenses"], part["scope"]),
                                     (engine["name"], version["version"], [{"expression": engine["license"]["name"]}],
                                      "optional"))
                    number = version.get("package_version", version["version"])
                    self.assertRegex(part["purl"], f"^pkg:(npm|pypi)/.*@{re.escape(number)}([?]|$)")

    def test_flatpak(self):
        """What the Flatpak brings is a part, once where it is an engine as well."""
        hashes = [part["hashes"][0]["content"] for part in sbom.make(self.root)["components"] if "hashes" in part]
        manifest = json.loads((SOURCE / sbom.FLATPAK).read_text(encoding="utf-8"))
        sources = [source["sha256"] for module in manifest["modules"] for source in module["sources"] if "sha256" in source]
        self.assertGreater(len(sources), 5)
        self.assertEqual([hashes.count(source) for source in sources], [1] * len(sources))

    def test_packages(self):
        bill = sbom.make(self.root)
        (gtk,) = self.find(bill, name="libgtk-4-dev")
        self.assertEqual((gtk["scope"], gtk["purl"]), ("required", "pkg:deb/debian/libgtk-4-dev"))
        (version,) = [value["value"] for value in gtk["properties"] if value["name"] == "dyno:required-version"]
        self.assertIn(f"libgtk-4-dev ({version})", (SOURCE / "debian" / "control").read_text(encoding="utf-8"))
        self.assertEqual([part["scope"] for part in self.find(bill, name="meson")], ["excluded"])
        self.assertEqual([part["scope"] for part in self.find(bill, name="chromium")], ["optional"])
        self.assertEqual(self.find(bill, name="dyno-cli"), [])
        self.assertEqual(bill["dependencies"][0]["dependsOn"], [part["bom-ref"] for part in bill["components"]])

    def test_headers(self):
        """They are a part only where the source package has them."""
        self.assertEqual(self.find(sbom.make(self.root), name="onnxruntime"), [])
        folder = self.root / "runtimes" / "include" / "onnxruntime"
        folder.mkdir(parents=True)
        (folder / "onnxruntime_c_api.h").write_text("#define ORT_API_VERSION 27\n", encoding="utf-8")
        (part,) = self.find(sbom.make(self.root), name="onnxruntime")
        self.assertEqual((part["version"], part["licenses"]), ("1.27", [{"license": {"id": "MIT"}}]))

    def test_faults(self):
        """A check finds each mistake that a careless change of the list could make."""
        self.assertEqual(list(sbom.find_faults(sbom.make(self.root))), [])
        for spoil in (lambda bill: bill.update(specVersion="1.0"), lambda bill: bill.update(serialNumber="1"),
                      lambda bill: bill["components"].append(bill["components"][0]),
                      lambda bill: bill["components"][0].pop("name"), lambda bill: bill["components"][0].update(type="thing"),
                      lambda bill: bill["dependencies"][0]["dependsOn"].append("nothing"),
                      lambda bill: bill["components"][-1]["hashes"][0].update(content="0")):
            bill = sbom.make(self.root)
            spoil(bill)
            self.assertNotEqual(list(sbom.find_faults(bill)), [])


class Rows(unittest.TestCase):
    """Whatever happens to a row between two versions of Dyno is noticed."""

    def change(self, statements):
        """Returns what is said about a store that was changed after it was read."""
        path = tap.make_folder("dyno-rows-", self.addCleanup) / "store.sqlite"
        database = sqlite3.connect(path)
        database.executescript("PRAGMA user_version = 7; CREATE TABLE runs (id TEXT, n INTEGER); CREATE TABLE none (id TEXT);"
                               "INSERT INTO runs VALUES ('a', 1), ('a', 1), ('b', NULL);")
        before = upgrade.read_rows(path)
        self.assertEqual(before[0], 7)
        database.executescript(statements)
        database.close()
        with contextlib.redirect_stdout(io.StringIO()) as output:
            upgrade.check_rows(before, path, "now")
        return output.getvalue()

    def test_kept(self):
        for statements in ("", "ALTER TABLE runs ADD COLUMN title TEXT DEFAULT 'new'", "INSERT INTO runs VALUES ('c', 3)",
                           "CREATE TABLE extra (id TEXT)", "ALTER TABLE runs RENAME TO old; CREATE TABLE runs (n INTEGER, id "
                           "TEXT); INSERT INTO runs SELECT n, id FROM old; DROP TABLE old"):
            self.assertIn("all 3 rows of 2 tables", self.change(statements))

    def test_lost(self):
        for statements in ("DELETE FROM runs WHERE id = 'b'", "DELETE FROM runs WHERE rowid = 1", "UPDATE runs SET n = 0",
                           "DROP TABLE runs", "DROP TABLE none", "ALTER TABLE runs DROP COLUMN n"):
            with self.subTest(statements), self.assertRaises(SystemExit) as ended:
                self.change(statements)
            self.assertRegex(str(ended.exception), "^upgrade: now, .* gone")


if __name__ == "__main__":
    sys.exit(tap.main())
