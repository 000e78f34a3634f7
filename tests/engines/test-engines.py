#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Installing engines, from a server on the loopback interface that speaks the registries' paths.

Usage: test-engines.py DYNO-CLI
"""

import contextlib
import hashlib
import http.server
import io
import json
import os
import pathlib
import platform
import resource
import signal
import subprocess
import sys
import tarfile
import threading
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import namespaces
import tap

CLI = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).parents[2]
LIBRARY = os.urandom(300_000)
LICENSE = b"Do what you like.\n"


def make_tgz(files=(), others=()):
    """A package as npm has it; others are members that are no plain files."""
    memory = io.BytesIO()
    with tarfile.open(fileobj=memory, mode="w:gz") as archive:
        for name, content in files:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        for member in others:
            archive.addfile(member)
    return memory.getvalue()


def make_link(name, target, kind=tarfile.SYMTYPE):
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, target
    return member


def make_wheel(files):
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return memory.getvalue()


GOOD = [("package/README.md", b"not wanted"), ("package/bin/libtoy.so.1", LIBRARY), ("package/LICENSE", LICENSE)]


class Registry(http.server.ThreadingHTTPServer):
    """What it holds and how it misbehaves; every request is kept."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.files = {}
        self.types = {}
        self.requests = []
        self.status = None
        self.cuts = 0
        self.stalls = False
        self.resume = threading.Event()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"


class Answer(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        registry = self.server
        registry.requests.append((self.path, dict(self.headers)))
        content = registry.files.get(self.path)
        if registry.status is not None or content is None:
            self.send_response(registry.status or 404)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        start = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").split("-")[0])
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Type", registry.types.get(self.path, "application/octet-stream"))
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        half = start + (len(content) - start) // 2
        with contextlib.suppress(ConnectionError):
            self.wfile.write(content[start:half])
            self.wfile.flush()
            if registry.stalls:
                registry.resume.wait(30)
            if registry.cuts > 0:
                registry.cuts -= 1
                self.close_connection = True
                return
            self.wfile.write(content[half:])


class EnginesTest(unittest.TestCase):
    def setUp(self):
        self.folder = tap.make_folder("dyno-engines-", self.addCleanup)
        self.runtimes = self.folder / "runtimes"
        self.registry = self.serve()
        self.engines = []
        self.environment = {name: value for name, value in os.environ.items()
                            if name.lower() not in ("npm_config_registry", "pip_index_url")} | {
            "DYNO_ENGINES": str(self.folder / "engines.json"), "DYNO_RUNTIMES_DIR": str(self.runtimes),
            "DYNO_DATA_DIR": str(self.folder), "DYNO_CACHE_DIR": str(self.folder / "cache"),
            "npm_config_registry": self.registry.address, "PIP_INDEX_URL": f"{self.registry.address}/simple",
            "no_proxy": "127.0.0.1"}
        self.offer("1.0", make_tgz(GOOD))

    def serve(self):
        return tap.serve(Registry(), self.addCleanup)

    def offer(self, version, content, file=None, take=(), **changes):
        """Lists a package as version of the engine “toy”, and holds it."""
        file = file or f"toy-{version}.tgz"
        self.registry.files[f"/@some/toy/-/{file}"] = content
        archive = {"file": file, "size": len(content), "sha256": hashlib.sha256(content).hexdigest(), "unpacked": 400_000,
                   "take": take or [{"from": "package/bin/lib*.so*"}]}
        archive |= {name: changes.pop(name) for name in list(changes) if name in archive}
        self.engines.append({
            "id": "toy", "name": "Toy Runtime", "summary": "toys", "backends": ["cpu"], "registry": "npm",
            "package": "@some/toy", "license": {"name": "MIT", "files": ["package/LICENSE"]},
            "versions": [{"version": version, "archives": {platform.machine(): archive}}]} | changes)
        self.write_list()

    def write_list(self):
        (self.folder / "engines.json").write_text(json.dumps({"engines": self.engines}), encoding="utf-8")

    def offer_only(self, content, **changes):
        self.engines.clear()
        self.offer("1.0", content, **changes)

    def call(self, *arguments, status=0, **options):
        done = subprocess.run([CLI, "engines", *arguments], env=self.environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, check=False, timeout=100, **options)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertNotRegex(done.stderr, r"CRITICAL|WARNING \*\*")
        return done.stdout if status == 0 else done.stderr

    def install(self, *specs, **options):
        return self.call("install", "--yes", *specs, **options)

    def refuse(self, *words, **options):
        """Says why, and leaves nothing that looks installed."""
        said = self.install("toy", status=1, **options)
        for word in words:
            self.assertIn(word, said)
        self.assertEqual([path.name for path in self.runtimes.glob("*") if not path.name.endswith(".part")], [])
        self.assertEqual(list(self.runtimes.glob("*.part/unpacked")), [])
        return said

    def left(self):
        return sorted(path.name for path in self.runtimes.rglob("*") if path.is_file())

    def test_good(self):
        """What is wanted is there, with its licence, and nothing else."""
        self.assertIn("Toy Runtime 1.0 was installed", self.install("toy"))
        folder = self.runtimes / "toy-1.0"
        self.assertEqual((folder / "libtoy.so.1").read_bytes(), LIBRARY)
        self.assertEqual((folder / "licenses" / "LICENSE").read_bytes(), LICENSE)
        self.assertEqual(self.left(), ["LICENSE", "dyno-engine.json", "libtoy.so.1"])
        self.assertEqual([path.name for path in self.runtimes.iterdir()], ["toy-1.0"])
        self.assertEqual((folder / "libtoy.so.1").stat().st_mode & 0o777, 0o644)
        self.assertIn("is there already", self.install("toy"))
        self.assertEqual(len(self.registry.requests), 1)

    def test_terms(self):
        """Size and licence are shown before anything is fetched, and without consent nothing is."""
        said = self.call("install", "toy", status=1)
        self.assertIn("Licence: MIT", said)
        self.assertIn(f"{len(self.registry.files['/@some/toy/-/toy-1.0.tgz']) / 1000:.1f} kB".replace(".0 ", "."), said.replace("\u00a0", " "))
        self.assertIn("Nothing was fetched", said)
        self.assertEqual(self.registry.requests, [])
        self.assertFalse(self.runtimes.exists())

    def test_list(self):
        self.offer("0.9", make_tgz(GOOD))
        self.install("toy@0.9")
        toys = json.loads(self.call("list", "--json"))
        self.assertEqual([(toy["version"], toy["is_installed"], toy["is_removable"]) for toy in toys],
                         [("1.0", False, False), ("0.9", True, True)])
        self.assertIn("toy@0.9", self.call("list"))
        self.assertIn("Known engines: toy@1.0, toy@0.9", self.call("install", "--yes", "toy@7", status=1))
        self.call("install", status=2)
        self.call("remov", "toy", status=2)

    def test_side_by_side(self):
        """Two versions, and each is removed alone."""
        self.offer("0.9", make_tgz([("package/bin/libtoy.so.1", b"old"), ("package/LICENSE", LICENSE)]))
        self.install("toy@1.0", "toy@0.9")
        self.assertEqual(sorted(path.name for path in self.runtimes.iterdir()), ["toy-0.9", "toy-1.0"])
        self.call("remove", "toy@1.0")
        self.assertEqual([path.name for path in self.runtimes.iterdir()], ["toy-0.9"])
        self.assertIn("is not installed", self.call("remove", "toy@1.0", status=1))

    def test_not_ours(self):
        """What somebody else put there is neither overwritten nor removed."""
        folder = self.runtimes / "toy-1.0"
        folder.mkdir(parents=True)
        (folder / "libtoy.so.1").write_bytes(b"mine")
        self.assertIn("is there already", self.install("toy"))
        self.assertIn("was not installed by Dyno", self.call("remove", "toy", status=1))
        self.assertEqual((folder / "libtoy.so.1").read_bytes(), b"mine")
        self.assertEqual(self.registry.requests, [])

    def test_removal_follows_no_link(self):
        self.install("toy")
        kept = self.folder / "kept"
        kept.mkdir()
        (kept / "file").touch()
        (self.runtimes / "toy-1.0" / "link").symlink_to(kept)
        self.call("remove", "toy")
        self.assertTrue((kept / "file").exists())
        self.assertEqual(list(self.runtimes.iterdir()), [])

    def test_wheel(self):
        """Found through the index, as JSON and as a page."""
        wheel = make_wheel([("toy/libtoy.so.1", LIBRARY), ("toy/big", bytes(1_000_000))])
        file = "toy-2.0-cp312-cp312-manylinux_2_28_x86_64.whl"
        link = f"../../files/{file}#sha256={hashlib.sha256(wheel).hexdigest()}"
        pages = {
            "application/vnd.pypi.simple.v1+json": json.dumps({"files": [{"filename": "toy-2.0.tar.gz", "url": "no"},
                                                                         {"filename": file, "url": link}]}),
            "text/html": f'<!DOCTYPE html><a href="x/other.whl">no</a><br/><a\nhref="{link}" data-requires-python="&gt;=3">{file}</a>'}
        self.offer_only(wheel, file=file, take=[{"from": "toy/lib*"}], registry="python", package="toy",
                        license={"name": "MIT", "files": []})
        self.registry.files[f"/files/{file}"] = wheel
        for media_type, page in pages.items():
            with self.subTest(media_type=media_type):
                self.registry.files["/simple/toy/"] = page.encode()
                self.registry.types["/simple/toy/"] = media_type
                self.install("toy")
                self.assertEqual((self.runtimes / "toy-1.0" / "libtoy.so.1").read_bytes(), LIBRARY)
                self.call("remove", "toy")
        self.registry.files["/simple/toy/"] = b"<html></html>"
        self.refuse("lists no file", file)

    def test_brotli(self):
        """A program and an archive that lie compressed in the package."""
        try:
            pack = lambda content: subprocess.run(["brotli", "-c"], input=content, capture_output=True, check=True).stdout
            packed = pack(b"#!program\n" * 1000)
        except FileNotFoundError:
            self.skipTest("the program brotli, which makes the package, is not installed")
        inner = io.BytesIO()
        with tarfile.open(fileobj=inner, mode="w") as archive:
            member = tarfile.TarInfo("below/libGL.so")
            member.size, member.mode = 5, 0o755
            archive.addfile(member, io.BytesIO(b"draws"))
        take = [{"from": "package/toy.br", "name": "toy", "packing": "brotli", "executable": True},
                {"from": "package/more.tar.br", "packing": "brotli-tar"}]
        self.offer_only(make_tgz([("package/toy.br", packed), ("package/more.tar.br", pack(inner.getvalue())),
                                  ("package/LICENSE", LICENSE)]), take=take)
        done = subprocess.run([CLI, "engines", "install", "--yes", "toy"], env=self.environment, capture_output=True,
                              text=True, check=False, timeout=100)
        if "without libbrotlidec" in done.stderr:
            self.skipTest("Dyno was built without libbrotlidec")
        self.assertEqual(done.returncode, 0, done.stderr)
        folder = self.runtimes / "toy-1.0"
        self.assertEqual((folder / "toy").read_bytes(), b"#!program\n" * 1000)
        self.assertEqual((folder / "toy").stat().st_mode & 0o777, 0o755)
        self.assertEqual((folder / "below" / "libGL.so").read_bytes(), b"draws")
        self.assertEqual(self.left(), ["LICENSE", "dyno-engine.json", "libGL.so", "toy"])
        self.call("remove", "toy")
        self.offer_only(make_tgz([("package/toy.br", packed[:-3]), ("package/more.tar.br", b""), ("package/LICENSE", LICENSE)]),
                        take=take)
        self.refuse("cannot be unpacked", "damaged")

    def test_wrong_hash(self):
        """A package that was replaced is never opened, whether it is as long or longer, and not kept."""
        good = self.registry.files["/@some/toy/-/toy-1.0.tgz"]
        for wrong in (good[:-1] + b"x", good + b"more"):
            with self.subTest(size=len(wrong)):
                self.registry.files["/@some/toy/-/toy-1.0.tgz"] = wrong
                self.refuse("toy-1.0.tgz", "not the file that was expected")
                self.assertEqual(self.left(), [])

    def test_truncated(self):
        """A connection that is cut is made again, and what came is not fetched twice."""
        self.registry.cuts = 2
        self.install("toy")
        starts = [headers.get("Range") for _, headers in self.registry.requests]
        self.assertEqual((starts[0], len(starts)), (None, 3))
        self.assertRegex(starts[1], r"bytes=[1-9]\d*-")

    def test_damaged_archive(self):
        """Of the right hash, but broken inside."""
        self.offer_only(make_tgz(GOOD)[:-2000])
        self.refuse("cannot be unpacked")
        self.offer_only(b"no archive at all")
        self.refuse("cannot be unpacked")

    def test_stopped(self):
        """Ctrl+C keeps what came; the next time goes on from there."""
        self.registry.stalls = True
        size = len(self.registry.files["/@some/toy/-/toy-1.0.tgz"])
        part = self.runtimes / "toy-1.0.part" / "toy-1.0.tgz.incomplete"
        with subprocess.Popen([CLI, "engines", "install", "--yes", "toy"], env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
            while not (part.exists() and part.stat().st_size == size // 2):
                self.assertIsNone(running.poll())
            self.assertIn("installed by another program now", self.install("toy", status=1))
            running.send_signal(signal.SIGINT)
            _, said = running.communicate(timeout=100)
        self.assertEqual(running.returncode, 1)
        self.assertIn("was stopped", said)
        self.registry.stalls = False
        self.registry.resume.set()
        self.install("toy")
        self.assertEqual(self.registry.requests[-1][1]["Range"], f"bytes={size // 2}-")
        self.assertEqual([path.name for path in self.runtimes.iterdir()], ["toy-1.0"])

    def test_connection_that_never_holds(self):
        """The message names the file, what is kept of it, and what to do."""
        self.registry.cuts = 1000
        said = self.install("toy", status=1)
        for words in ("The download of “toy-1.0.tgz” broke off after", "try again", "what arrived is kept"):
            self.assertIn(words, said)
        self.registry.cuts = 0
        self.install("toy")

    def test_removal_of_a_part(self):
        part = self.runtimes / "toy-1.0.part"
        part.mkdir(parents=True)
        (part / "toy-1.0.tgz.incomplete").write_bytes(b"half")
        self.call("remove", "toy")
        self.assertEqual(list(self.runtimes.iterdir()), [])

    def test_hostile_paths(self):
        for name in ("../../up/libtoy.so.1", "/libtoy.so.1", "package/bin/../../../libevil.so"):
            with self.subTest(name=name):
                self.offer_only(make_tgz([(name, b"evil"), *GOOD]))
                self.refuse("outside of its folder")
                self.assertEqual(list(self.folder.rglob("libevil*")) + list(self.folder.rglob("up")), [])

    def test_links_and_devices(self):
        fifo = tarfile.TarInfo("package/bin/libtoy.so.1")
        fifo.type = tarfile.FIFOTYPE
        for member in (make_link("package/bin/libtoy.so.1", "/etc/passwd"), fifo,
                       make_link("package/bin/libtoy.so.1", "package/LICENSE", tarfile.LNKTYPE)):
            with self.subTest(type=member.type):
                self.offer_only(make_tgz([("package/LICENSE", LICENSE)], [member]))
                self.refuse("link or a device")

    def test_same_name_twice(self):
        self.offer_only(make_tgz([*GOOD, ("package/bin/x/libtoy.so.1", b"other")]), take=[{"from": "package/bin/*"}])
        self.refuse("libtoy.so.1")

    def test_larger_than_stated(self):
        self.offer_only(make_tgz(GOOD), unpacked=100_000)
        self.refuse("larger than the list")

    def test_bomb(self):
        """What is skipped has to be unpacked as well, in such an archive."""
        self.offer_only(make_tgz([("package/zeros", bytes(64_000_000)), ("package/bin/libtoy.so.1", b"x"), ("package/LICENSE", LICENSE)]))
        self.refuse("far more than it should")

    def test_missing_in_package(self):
        self.offer_only(make_tgz([("package/LICENSE", LICENSE)]))
        self.refuse("holds no file “package/bin/lib*.so*”")

    def test_statuses(self):
        for status, words in ((404, "does not have the package"), (403, "HTTP 403"), (500, "HTTP 500")):
            with self.subTest(status=status):
                self.registry.status = status
                self.refuse(words, self.registry.address)

    def test_no_network(self):
        self.environment["npm_config_registry"] = "http://127.0.0.1:9"
        self.refuse("cannot be reached", "npm_config_registry")
        self.environment["npm_config_registry"] = "nonsense"
        self.refuse("“nonsense”, which is no address", "npm_config_registry")

    def test_no_registry_known(self):
        """Without npm and without a word from the user."""
        del self.environment["npm_config_registry"]
        self.environment["PATH"] = str(self.folder)
        self.refuse("Install npm, or set npm_config_registry")
        self.offer_only(make_tgz(GOOD), registry="python")
        del self.environment["PIP_INDEX_URL"]
        self.refuse("Install pip", "PIP_INDEX_URL")

    def test_tools_are_asked(self):
        """npm and pip say which registries they are set to."""
        tools = self.folder / "tools"
        tools.mkdir()
        del self.environment["npm_config_registry"], self.environment["PIP_INDEX_URL"]
        self.environment["PATH"] = f"{tools}:{self.environment['PATH']}"
        for name, says in (("npm", f"{self.registry.address}/"),
                           ("python3", f"  -i, --index-url <url>  Base URL of the index (default {self.registry.address}/simple).")):
            (tools / name).write_text(f"#!/bin/sh\necho '{says}'\n", encoding="utf-8")
            (tools / name).chmod(0o755)
        self.install("toy")
        self.call("remove", "toy")
        self.offer_only(make_tgz(GOOD), registry="python")
        self.registry.files["/simple/@some/toy/"] = '<a href="/@some/toy/-/toy-1.0.tgz">toy-1.0.tgz</a>'.encode()
        self.install("toy")

    def test_unwritable(self):
        self.runtimes.write_text("a file", encoding="utf-8")
        self.assertIn("DYNO_RUNTIMES_DIR", self.install("toy", status=1))

    def test_write_that_fails(self):
        """As on a disk that fills up on the way."""
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        self.refuse("cannot be written", preexec_fn=limit)
        self.install("toy")

    def test_full_disk(self):
        """Known before anything is fetched."""
        self.runtimes.mkdir()
        mount = [*namespaces.WITH_OWN_MOUNTS, "sh", "-c", 'mount -t tmpfs -o size=64k tmpfs "$0" && exec "$@"', str(self.runtimes)]
        if subprocess.run([*mount, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("a small file system cannot be mounted here")
        done = subprocess.run([*mount, CLI, "engines", "install", "--yes", "toy"], env=self.environment, capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, check=False, timeout=100)
        self.assertEqual(done.returncode, 1)
        self.assertIn("are free at", done.stderr)
        self.assertEqual([path for path, _ in self.registry.requests], [])

    def test_no_package_for_this_machine(self):
        self.engines[0]["versions"][0]["archives"] = {}
        self.write_list()
        self.refuse("has nothing for this processor")
        self.engines[0]["problem"] = "There is none for Linux."
        self.write_list()
        self.refuse("There is none for Linux.")

    def test_bad_lists(self):
        for text in ("", "[]", "{}", '{"engines": [5]}', '{"engines": [{"id": "../up", "versions": [{}]}]}', "[" * 100_000):
            with self.subTest(text=text[:40]):
                (self.folder / "engines.json").write_text(text, encoding="utf-8")
                self.assertIn("is not one that Dyno understands", self.call("list", status=1))
        for wrong in ({"file": "../up.tgz"}, {"size": -1}, {"sha256": "no"}, {"take": []}, {"take": [{"from": "a", "name": "../b"}]}):
            with self.subTest(wrong=wrong):
                self.engines.clear()
                self.offer("1.0", make_tgz(GOOD))
                self.engines[0]["versions"][0]["archives"][platform.machine()] |= wrong
                self.write_list()
                self.assertIn("is not one that Dyno understands", self.call("list", status=1))

    def test_own_list(self):
        """Dyno's own list: each entry has a package for some machine, or says why not."""
        del self.environment["DYNO_ENGINES"]
        listed = json.loads((ROOT / "data" / "engines.json").read_text(encoding="utf-8"))["engines"]
        wanted = [(engine["id"], version["version"]) for engine in listed for version in engine["versions"]]
        self.assertEqual([(engine["id"], engine["version"]) for engine in json.loads(self.call("list", "--json"))], wanted)
        for engine in listed:
            self.assertTrue("problem" in engine or all(version["archives"] for version in engine["versions"]), engine["id"])

    def test_probe_notices(self):
        """What backends found is asked anew once an engine came or went."""
        fingerprints = lambda: {path.name: json.loads(path.read_text(encoding="utf-8")).get("fingerprint")
                                for path in (self.folder / "cache").rglob("*.json")}
        look = [CLI, "hardware", "--json"]
        subprocess.run(look, env=self.environment, capture_output=True, check=True, timeout=100)
        before = fingerprints()
        self.install("toy")
        subprocess.run(look, env=self.environment, capture_output=True, check=True, timeout=100)
        self.assertTrue(before)
        self.assertNotEqual(before, fingerprints())


if __name__ == "__main__":
    sys.exit(tap.main())
