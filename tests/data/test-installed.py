#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is installed does what the build folder does, in its own place and within a sandbox like Flatpak's.

Usage: test-installed.py MESON BUILD-FOLDER PREFIX

The files are installed into a folder which bubblewrap then shows where they belong.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap

PREFIX = sys.argv.pop()
BUILD = pathlib.Path(sys.argv.pop()).resolve()
MESON = sys.argv.pop()
RUNTIMES = os.environ["DYNO_RUNTIMES_DIR"]

# What Flatpak shows of the machine: of /sys these folders and no others.
SYS = ("block", "bus", "class", "dev", "devices")
QUICKLY = ("-m", "bert-tiny", "--invocations", "1", "--warmup-seconds", "0.05", "--min-seconds", "0.1", "--max-seconds",
           "0.5", "--no-ceilings")
# The application finds its own files without being told, and the user's in a home of its own.
VARIABLES = {"PATH": f"{PREFIX}/bin:/usr/bin:/bin", "HOME": "/home", "XDG_DATA_HOME": "/home/data", "LC_ALL": "C.UTF-8",
             "XDG_CACHE_HOME": "/home/cache", "XDG_CONFIG_HOME": "/home/config", "DYNO_RUNTIMES_DIR": "/tmp/runtimes",
             "XDG_DATA_DIRS": f"{PREFIX}/share:/usr/share", "GSETTINGS_BACKEND": "memory",
             "COLUMNS": "1000"}


def bind_if_there(option, path):
    return [option, path, path] if os.path.exists(path) else []


def usual_view(destination, home):
    """The system as it is, read-only, with the prefix in its place."""
    view = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"]
    return view + ["--bind", f"{destination}{PREFIX}", PREFIX, "--tmpfs", "/home", "--bind", str(home), "/home"]


def sandbox_view(destination, home, info):
    """As Flatpak makes it with --device=dri: processes, network and users of its own."""
    view = ["--unshare-pid", "--unshare-user", "--unshare-net", "--unshare-uts", "--ro-bind", "/usr", "/usr"]
    for name in ("bin", "lib", "lib64", "sbin"):
        if os.path.islink(f"/{name}"):
            view += ["--symlink", os.readlink(f"/{name}"), f"/{name}"]
        else:
            view += bind_if_there("--ro-bind", f"/{name}")
    view += ["--ro-bind", "/etc", "/etc", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--dir", "/run"]
    for device in ("/dev/dri", *map(str, pathlib.Path("/dev").glob("nvidia*"))):
        view += bind_if_there("--dev-bind", device)
    for name in SYS:
        view += bind_if_there("--ro-bind", f"/sys/{name}")
    view += ["--bind", f"{destination}{PREFIX}", PREFIX, "--bind", str(home), "/home"]
    return view + ["--ro-bind", str(info), "/.flatpak-info"]


def read_hardware(text):
    """What of the machine does not change from one moment to the next."""
    machine = json.loads(text)["machine"]
    return [machine[name] for name in ("cpu", "caches", "numa_nodes", "core_kinds")]


class InstalledTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="dyno-installed-")
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.destination = cls.folder / "destination"
        (cls.folder / "info").write_text("[Application]\nname=io.github.dynobench.Dyno\n", encoding="utf-8")
        subprocess.run([MESON, "install", "-C", str(BUILD), "--no-rebuild", "--quiet", "--destdir", str(cls.destination)],
                       check=True, stdout=subprocess.DEVNULL)

    def setUp(self):
        self.home = self.folder / self.id()
        self.home.mkdir()

    def need_bubblewrap(self, view):
        if shutil.which("bwrap") is None:
            self.skipTest("bubblewrap is not installed")
        tried = subprocess.run(["bwrap", *view, "true"], capture_output=True, text=True, check=False)
        if tried.returncode != 0:
            self.skipTest(f"bubblewrap may not make a sandbox here: {tried.stderr.strip()}")

    def call(self, view, *command):
        runtimes = ["--ro-bind", RUNTIMES, "/tmp/runtimes"] if os.path.isdir(RUNTIMES) else []
        shown = [*view, *runtimes, "--chdir", "/home", "--clearenv"]
        for name, value in VARIABLES.items():
            shown += ["--setenv", name, value]
        done = subprocess.run(["bwrap", *shown, *command], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              check=False)
        # A busy machine may leave a case unsteady, which 1 stands for.
        self.assertIn(done.returncode, (0, 1) if "run" in command else (0,), f"{command}: {done.stderr}{done.stdout}")
        return done.stdout

    def call_uninstalled(self, *command):
        environment = os.environ | {"COLUMNS": VARIABLES["COLUMNS"], "DYNO_DATA_DIR": str(self.home / "uninstalled")}
        return subprocess.run([BUILD / "src" / "cli" / "dyno-cli", *command], env=environment, capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, check=True).stdout

    def measure(self, view):
        """The main job: measures, stores, reports and draws."""
        tap.need_engine(self, lambda: self.call(view, "dyno-cli", "hardware", "--json"))
        self.call(view, "dyno-cli", "run", *QUICKLY, "--export", "charts", "-o", "run.dyno")
        self.assertIn("texts/s", self.call(view, "dyno-cli", "show", "last"))
        self.assertTrue(list((self.home / "charts").glob("*.svg")))
        self.assertGreater((self.home / "run.dyno").stat().st_size, 1000)

    def test_same_as_uninstalled(self):
        view = usual_view(self.destination, self.home)
        self.need_bubblewrap(view)
        self.assertEqual(read_hardware(self.call(view, "dyno-cli", "hardware", "--json")),
                         read_hardware(self.call_uninstalled("hardware", "--json")))
        self.assertEqual(self.call(view, "dyno-cli", "models", "list"), self.call_uninstalled("models", "list"))
        self.measure(view)

    def test_manual(self):
        if not (BUILD / "docs" / "manual").exists():
            self.skipTest("the manual is not part of this build")
        pages = (BUILD / "docs" / "manual").rglob("*.html")
        installed = pathlib.Path(f"{self.destination}{PREFIX}") / "share" / "doc" / "dyno" / "manual"
        self.assertEqual(sorted(page.relative_to(BUILD / "docs" / "manual") for page in pages),
                         sorted(page.relative_to(installed) for page in installed.rglob("*.html")))

    def test_sandbox(self):
        view = sandbox_view(self.destination, self.home, self.folder / "info")
        self.need_bubblewrap(view)
        self.assertEqual(sorted(self.call(view, "ls", "/sys").split()), sorted(filter(
            lambda name: os.path.exists(f"/sys/{name}"), SYS)))
        self.assertIn("Flatpak", self.call(view, "dyno-cli", "hardware"))
        inside = read_hardware(self.call(view, "dyno-cli", "hardware", "--json"))
        outside = read_hardware(self.call_uninstalled("hardware", "--json"))
        self.assertEqual(inside, outside)
        self.assertNotIn("Flatpak", self.call_uninstalled("hardware"))
        self.measure(view)


sys.exit(tap.main())
