# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of Python's unittest that answer in TAP, as meson reads it."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest


def skip_without_engine(test, engine, reason):
    """Leaves a test out: a failure in a build service (CI=true) if tests/meson.build requires the engine, else a skip."""
    if os.environ.get("CI") == "true" and engine in os.environ.get("DYNO_TEST_ENGINES", "").split():
        test.fail(f"The engine “{engine}” is required here: {reason}")
    test.skipTest(reason)


def find_backend(hardware, engine):
    """Returns what `dyno-cli hardware --json` says of an engine."""
    return next(backend for backend in json.loads(hardware)["backends"] if backend["id"] == engine)


# All tests are to run, as in `./dev faults`; else those that others are much like are left out.
THOROUGH = "DYNO_TEST_THOROUGH" in os.environ


def thorough(test):
    """Decorates a test that only runs where all do."""
    return test if THOROUGH else None


BACKENDS = {}


def need_engine(test, ask, engine="cpu"):
    """Leaves a test out where an engine does not measure; ask() returns what `dyno-cli hardware --json` says, which serves
    all tests of a program."""
    if engine not in BACKENDS:
        BACKENDS[engine] = find_backend(ask(), engine)
    if BACKENDS[engine]["state"] != "available":
        skip_without_engine(test, engine, BACKENDS[engine]["reason"])


def without_engines(but=()):
    """Variables under which no engine is found but those that some of them name, and the fake backend: nothing asks the
    others, of which a browser takes seconds to start. Programs that find the same engines share a cache, so that none of them
    has to ask again because another one found more or fewer."""
    variables = ("DYNO_ONNXRUNTIME", "DYNO_OPENVINO", "DYNO_LLAMA_CPP", "DYNO_LITERT", "DYNO_BROWSER")
    cache = pathlib.Path(os.environ["XDG_CACHE_HOME"]) / "-".join(["only", *sorted(but)])
    return {"DYNO_CACHE_DIR": str(cache)} | dict.fromkeys(set(variables) - set(but), str(cache / "nosuch"))


def use_cache(cache):
    """A cache of its own for what is found out about engines, so that nobody takes these answers for theirs. Models and the
    hashes of files are made once for all."""
    shared = pathlib.Path(os.environ["XDG_CACHE_HOME"]) / "dyno"
    cache.mkdir(exist_ok=True)
    for name in ("models", "hashes"):
        (shared / name).mkdir(mode=0o700, parents=True, exist_ok=True)
        if not (cache / name).is_symlink():
            (cache / name).symlink_to(shared / name)
    return {"DYNO_CACHE_DIR": str(cache)}


def make_folder(prefix, add_cleanup):
    """A folder that is removed by what is added: addCleanup of a test, or addClassCleanup of its class."""
    temporary = tempfile.TemporaryDirectory(prefix=prefix)
    add_cleanup(temporary.cleanup)
    return pathlib.Path(temporary.name)


def copy_script(script, place):
    """Copies a script in Python so that the one that runs this starts it: the wrapper of a version manager takes longer than it."""
    _, text = script.read_text(encoding="utf-8").split("\n", 1)
    place.write_text(f"#!{sys.executable} -IS\n{text}", encoding="utf-8")
    place.chmod(0o755)
    return place


def has_ended(process):
    """Waits a moment for the end of a process, so that looking at what it does leaves it the processor."""
    try:
        process.wait(0.05)
    except subprocess.TimeoutExpired:
        return False
    return True


def serve(server, add_cleanup):
    """Lets a server answer until the end of a test; whatever its answers wait for, “resume”, comes then."""
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()

    def stop():
        server.resume.set()
        server.shutdown()
        server.server_close()
        thread.join()
    add_cleanup(stop)
    return server


class TapResult(unittest.TestResult):
    """Prints one line of TAP for each test."""

    def __init__(self):
        super().__init__()
        self.number = 0
        self.failed_parts = 0

    def say(self, word, test, rest=""):
        self.number += 1
        print(f"{word} {self.number} {test.id().split('.', 1)[1]}{rest}", flush=True)

    def explain(self, text):
        """Says why a test failed: on stderr, because meson shows nothing else of a test that speaks TAP."""
        print(text, file=sys.stderr, flush=True)

    def startTest(self, test):
        super().startTest(test)
        self.failed_parts = 0

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is None:
            return
        self.failed_parts += 1
        if self.failed_parts == 1:
            self.say("not ok", test)
        is_failure = issubclass(err[0], test.failureException)
        self.explain(subtest.id())
        self.explain((self.failures if is_failure else self.errors)[-1][1])

    def addSuccess(self, test):
        self.say("ok", test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.say("ok", test, f" # SKIP {reason}")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.say("not ok", test)
        self.explain(self.failures[-1][1])

    def addError(self, test, err):
        super().addError(test, err)
        self.say("not ok", test)
        self.explain(self.errors[-1][1])


def main(names=()):
    """Runs the named classes, or all there are."""
    loader, module = unittest.defaultTestLoader, sys.modules["__main__"]
    suite = loader.loadTestsFromNames(names, module) if names else loader.loadTestsFromModule(module)
    result = TapResult()
    print(f"1..{suite.countTestCases()}", flush=True)
    suite.run(result)
    return 0 if result.wasSuccessful() else 1
