#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole command line on a real small model, in a store of its own.

Usage: test-cli.py DYNO-CLI [CLASS...]
"""

import contextlib
import csv
import fcntl
import functools
import io
import json
import os
import pathlib
import platform
import pty
import re
import select
import shlex
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
import unicodedata
import unittest
import unittest.mock
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap
from namespaces import WITH_OWN_MOUNTS

CLI = sys.argv.pop(1)
MODEL = "bert-tiny"
STAGED = "TinyCLIP-ViT-8M-16-Text-3M-YFCC15M"
MODEL_PARAMETERS = 4385920
QUICKLY = ["--invocations", "1", "--warmup-seconds", "0.05", "--min-seconds", "0.1", "--max-seconds", "0.5"]
CHARTS = {"scaling-latency", "scaling-throughput", "comparison"}
CHARTS_OF_A_CASE = {"memory", "distribution", "latency-time", "operators", "placement", "roofline-modules"}


def alone(folder):
    """An environment with the fake backend alone, whose answers others do not take for theirs."""
    return tap.without_engines() | tap.use_cache(folder / "cache")


def environment(folder):
    return os.environ | {"DYNO_DATA_DIR": str(folder)}


def call(folder, *arguments):
    return subprocess.run([CLI, *map(str, arguments)], env=environment(folder), capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, check=False)


def width(text):
    """How many columns of a terminal the text takes."""
    return sum(0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
               for letter in text)


def remove(path):
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def is_unsteady(store):
    return any(result["state"] == "unsteady" for result in json.loads(call(store, "show", "--json").stdout)["runs"][0]["results"])


def run_steadily(store, *arguments):
    """Measures anew, up to ten times, what another program or a machine that stood still kept from becoming steady."""
    written = [pathlib.Path(path) for option, path in zip(arguments, arguments[1:]) if option in ("-o", "-e")]
    for attempt in range(10):
        for path in (store, *written) if attempt > 0 else ():
            remove(path)
        done = call(store, "run", *arguments)
        if done.returncode != 0 or not is_unsteady(store):
            break
    return done


class CliTest(unittest.TestCase):
    WIDTHS = (60, 80, 120)

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="dyno-cli-")
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)
        self.store = self.folder / "data"

    def need_engine(self):
        tap.need_engine(self, lambda: call(self.store, "hardware", "--json").stdout)

    def run_cli(self, *arguments, status=0, store=None):
        done = call(store or self.store, *arguments)
        self.assertEqual(done.returncode, status, f"{arguments}: {done.stderr}{done.stdout}")
        if status == 0:
            self.assertEqual(done.stderr, "", arguments)
        else:
            self.assertRegex(done.stderr, r"^dyno-cli: .*[.!?”)]\n", arguments)
        return done.stdout

    def run_steadily(self, *arguments):
        done = run_steadily(self.store, *arguments)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr}{done.stdout}")
        if is_unsteady(self.store):
            self.skipTest("On this machine nothing becomes steady.")

    def run_json(self, *arguments, **keywords):
        return json.loads(self.run_cli(*arguments, "--json", **keywords))

    def play(self, **script):
        """Lets the fake backend, alone, play a script for the rest of the test."""
        path = self.folder / "script.json"
        path.write_text(json.dumps(script), encoding="utf-8")
        played = unittest.mock.patch.dict(os.environ, alone(self.folder) | {"DYNO_FAKE_BACKEND": str(path)})
        played.start()
        self.addCleanup(played.stop)

    def leave_only_fake(self):
        """No engine but the fake backend is found for the rest of the test."""
        without = unittest.mock.patch.dict(os.environ, alone(self.folder))
        without.start()
        self.addCleanup(without.stop)

    def on_terminal(self, columns, *arguments, status=0):
        """What a command prints on a terminal of so many columns."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        text = b""
        # The terminal is kept open: where its last writer has closed it, Linux may drop what was not read yet.
        theirs_alone = {name: value for name, value in environment(self.store).items() if name != "COLUMNS"}
        with subprocess.Popen([CLI, *arguments], env=theirs_alone, stdin=subprocess.DEVNULL, stdout=theirs,
                              stderr=subprocess.DEVNULL) as process:
            ended = False
            while not ended:
                ended = process.poll() is not None
                while select.select([ours], [], [], 0.1)[0]:
                    text += os.read(ours, 65536)
        os.close(theirs)
        os.close(ours)
        self.assertEqual(process.returncode, status)
        return text.decode().replace("\r\n", "\n")

    def at_width(self, columns, *arguments, language="", status=0):
        """What a command prints to a pipe, at so many columns that the environment gives."""
        done = subprocess.run([CLI, *map(str, arguments)], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              check=False,
                              env=environment(self.store) | {"COLUMNS": str(columns), "LANGUAGE": language})
        self.assertEqual(done.returncode, status, f"{arguments}: {done.stderr}{done.stdout}")
        return done.stderr if status != 0 else done.stdout

    def shown(self, columns, names, *arguments):
        """What a command prints on a terminal, on which columns of these names fit in."""
        text = self.on_terminal(columns, *arguments)
        lines = [line for line in text.splitlines() if not line.startswith("dyno-cli ")]  # to be copied
        self.assertLessEqual(max(map(len, lines)), columns, text)
        hidden = " ".join(re.findall(r"^Not shown: (?:.*\n)*?.*all\s+columns\.$", text, re.MULTILINE))
        for name in names:
            self.assertRegex(text, rf"(?m)(?:^ *|  ){name}(?: |:|$)", arguments)
            self.assertNotIn(name, hidden)
        return text

    def check(self, names, *arguments):
        return [self.shown(columns, names, *arguments) for columns in self.WIDTHS]


class WithoutRuns(CliTest):
    def test_help(self):
        text = self.run_cli("--help")
        for command in ("run", "list", "show", "compare", "export", "report", "open", "models", "hardware", "ceilings",
                        "store", "complete", "recommend", "tune", "history", "baseline", "selftest", "ci", "import", "queue"):
            self.assertIn(f"\n  {command} ", text)
            self.assertIn("Examples:", self.run_cli(command, "--help"))

    def test_version(self):
        self.assertRegex(self.run_cli("--version"), r"^dyno-cli \d+\.\d+\.\d+\n$")

    def test_usage_errors(self):
        wrong = (
            ["nosuch"], ["list", "--nosuch"], ["list", "surplus"], ["list", "--limit", "-1"], ["run"],
            ["run", "--suite", "nosuch"], ["run", "-m", MODEL, "--batch", "two"], ["run", "-m", MODEL, "--batch", "0"],
            ["run", "-m", MODEL, "--min-seconds", "soon"], ["run", "-m", MODEL, "surplus"], ["open"],
            ["ceilings", "surplus"], ["ceilings", "--threads", "-1"], ["ceilings", "--seconds", "0"], ["store"],
            ["store", "nosuch"], ["store", "delete"], ["models", "nosuch"], ["models", "info"],
            ["models", "info", MODEL, "--batch", "0"], ["report", "--format", "docx"], ["export", "--chart", "pie"],
            ["export", "--format", "gif"], ["export", "--size", "huge"],
            ["run", "-m", MODEL, "--pinning", "sideways"], ["run", "-m", MODEL, "--option", "speed"],
            ["run", "-m", MODEL, "--option", "speed=9"], ["run", "-m", MODEL, "--option", "encoder.threads=0"],
            ["run", "-m", MODEL, "--option", "encoder.device=abacus"], ["run", "-m", MODEL, "-b", "cpu:"],
            ["run", "-m", MODEL, "-b", "nosuch"], ["run", "-m", MODEL, "--idle-seconds", "soon"],
            ["recommend", "--goal", "speed"], ["recommend", "--goal", "latency=0"], ["recommend", "--axes", "model"],
            ["recommend", "--max-latency", "-1"], ["tune"], ["tune", MODEL, "surplus"], ["tune", MODEL, "--within", "soon"],
            ["tune", MODEL, "--goal", "speed"], ["tune", MODEL, "--sequence", "8,16"],
            ["selftest", "surplus"], ["selftest", "--within", "soon"], ["queue", "add"], ["queue", "list", "-m", MODEL],
            ["queue", "add", "-m", MODEL, "--queue-priority", "urgent"], ["queue", "move", "1"], ["queue", "run", "--queue-priority", "high"],
            ["hardware", "surplus"], ["ceilings", "--device", "cpu", "--threads", "2"], ["ceilings", "--device", "cpu:"],
            ["compare", "--by", "colour"], ["compare", "--threshold", "little"], ["compare", "--fail-above", "-3%"],
        )
        for arguments in wrong if tap.THOROUGH else wrong[::3]:
            with self.subTest(arguments=arguments):
                self.assertEqual(self.run_cli(*arguments, status=2), "")
        self.assertEqual(call(self.store).returncode, 2)

    def test_hints(self):
        for arguments, hint in (
            (["sho"], "“dyno-cli show”"), (["modles"], "“dyno-cli models”"), (["models", "lsit"], "“dyno-cli models list”"),
            (["models", MODEL], f"“dyno-cli models info {MODEL}”"), (["store", "chek"], "“dyno-cli store check”"),
            (["xyzzy"], "“dyno-cli --help”"), (["store", "xyzzy"], "path, count, check"),
            (["tune", MODEL, "--time", "5"], "Unknown option “--time”. Did you mean “--within”?"),
            (["run", "-m", MODEL, "--engine=cpu"], "Did you mean “--backend”?"),
            (["run", "-m", MODEL, "--bacth", "1"], "Did you mean “--batch”?"), (["list", "--xyzzy"], "“dyno-cli list --help”"),
            (["run", "-m", MODEL, "--wait-quiet", "abc"], "“abc” is not a time: write it as “5min”, “90s” or “1h”."),
        ):
            with self.subTest(arguments=arguments):
                self.assertIn(hint, call(self.store, *arguments).stderr)

    def test_output_that_cannot_be_written(self):
        for arguments in (["list"], ["models"], ["models", "--json"], ["--help"], ["list", "--help"], ["store", "path"]):
            with self.subTest(arguments=arguments):
                with open("/dev/full", "w", encoding="utf-8") as full:
                    done = subprocess.run([CLI, *arguments], env=environment(self.store), stdout=full,
                                          stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stderr, r"^dyno-cli: The output could not be written(: .*)?\.\n$")

    def test_closed_pipe(self):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run([CLI, "models"], env=environment(self.store), stdout=writing, stderr=subprocess.PIPE,
                              text=True, check=False)
        os.close(writing)
        self.assertEqual(done.returncode, 1)
        self.assertIn("could not be written", done.stderr)

    def test_model_types(self):
        """What Dyno builds is listed by a command, and an unknown architecture leads there."""
        types = {entry["type"]: entry["family"] for entry in self.run_json("models", "types")}
        self.assertGreater(len(types), 40)
        self.assertIn("llama", types)
        self.assertIn("llama", self.run_cli("models", "types"))
        config = self.folder / "config.json"
        config.write_text('{"model_type": "frobformer"}', encoding="utf-8")
        self.assertIn("dyno-cli models types", call(self.store, "models", "info", config).stderr)

    def test_tables_fit_the_terminal(self):
        whole = self.run_cli("models")
        for columns in (200, 100, 80, 60, 40):
            with self.subTest(columns=columns):
                text = self.on_terminal(columns, "models")
                self.assertLessEqual(max(map(len, text.splitlines())), columns)
                self.assertIn(MODEL, text)
        self.assertEqual(self.on_terminal(200, "models"), whole)
        self.assertEqual(self.at_width(80, "models"), self.on_terminal(80, "models"))
        self.assertEqual(self.on_terminal(40, "models", "--wide"), whole)
        self.assertRegex(self.on_terminal(40, "models"), rf"\nModel: +{MODEL}\n")

    def test_nothing_there(self):
        self.assertIn("no runs yet", self.run_cli("list"))
        self.assertEqual(self.run_json("list"), [])
        self.assertEqual(self.run_json("store", "count"), {"runs": 0})
        for command in ("show", "compare", "report", "export"):
            self.assertEqual(self.run_cli(command, status=1), "")
            self.assertEqual(self.run_cli(command, "0123abcd", status=1), "")
            self.assertEqual(self.run_cli(command, self.folder / "nosuch.dyno", status=1), "")
        self.run_cli("open", self.folder / "nosuch.dyno", status=1)
        self.run_cli("store", "delete", "0123abcd", status=1)
        self.run_cli("models", "info", "nosuch.onnx", status=1)

    def test_bad_files(self):
        for name, content in (("empty.dyno", b""), ("text.dyno", b"not a document\n" * 999)):
            (self.folder / name).write_bytes(content)
            self.assertEqual(self.run_cli("open", self.folder / name, status=1), "")
            self.assertEqual(self.run_cli("open", self.folder / name, "--import", status=1), "")
        (self.folder / "bad.json").write_text('{"models": 3}', encoding="utf-8")
        self.run_cli("run", "--suite", self.folder / "bad.json", status=2)
        (self.folder / "empty.onnx").write_bytes(b"")
        self.run_cli("models", "info", self.folder / "empty.onnx", status=1)
        self.run_cli("run", "-m", self.folder / "empty.onnx", status=2)
        both = self.run_json("run", "-m", MODEL, "-m", self.folder / "empty.onnx", "--dry-run")
        self.assertIn("empty.onnx", json.dumps(both))
        self.run_cli("run", "-m", MODEL, "-m", "no-such-model-at-all", status=2)
        self.assertEqual(self.run_json("list"), [])

    def test_help_names_every_chart(self):
        error = call(self.store, "export", "--chart", "pie").stderr
        kinds = re.findall(r"[a-z]+(?:-[a-z]+)*", error.rpartition("from:")[2])
        self.assertIn("thread-scaling", kinds)
        text = " ".join(self.run_cli("export", "--help").split())
        self.assertEqual([kind for kind in kinds if not re.search(rf"[ ,]{kind}[ ,]", text)], [])

    def test_store_path(self):
        path = pathlib.Path(self.run_cli("store", "path").strip())
        self.assertEqual(path.parent, self.store)
        self.assertEqual(self.run_json("store", "path"), {"path": str(path)})

    def test_models(self):
        models = self.run_json("models")
        bert = next(model for model in models if model["id"] == MODEL)
        self.assertEqual(bert["parameters"], MODEL_PARAMETERS)
        text = self.run_cli("models")
        for model in models:
            self.assertIn(f"\n{model['id']} ", text)

    def test_fetched_models(self):
        """What is in the hub's cache and can be built is listed like a bundled model."""
        config = {"model_type": "llama", "vocab_size": 64, "hidden_size": 32, "num_hidden_layers": 1,
                  "num_attention_heads": 2, "intermediate_size": 64, "max_position_embeddings": 64}
        bundled = {model["id"] for model in self.run_json("models")}
        for name, text in (("me--good", json.dumps(config)), ("me--bad", "{}"), (f"{MODEL}", json.dumps(config)),
                           ("me--..--up", json.dumps(config))):
            folder = self.folder / "hub" / f"models--{name}"
            (folder / "refs").mkdir(parents=True)
            (folder / "refs" / "main").write_text("abc", encoding="utf-8")
            (folder / "snapshots" / "abc").mkdir(parents=True)
            (folder / "snapshots" / "abc" / "config.json").write_text(text, encoding="utf-8")
        with unittest.mock.patch.dict(os.environ, {"HF_HUB_CACHE": str(self.folder / "hub")}):
            models = self.run_json("models")
        self.assertEqual({model["id"] for model in models} - bundled, {"me/good"})
        self.assertEqual(len(models), len(bundled) + 1)

    def test_filtered_models(self):
        models = self.run_json("models", "list", "--family", "decoder", "--size", "small")
        self.assertTrue(models)
        for model in models:
            self.assertEqual((model["family"], model["size"], model["weights"]), ("decoder", "small", "random"))
            self.assertTrue(25e6 <= model["parameters"] < 100e6)
        kept = {model["id"] for model in self.run_json("models", "list", "--task", "text-generation")}
        self.assertEqual(kept, {model["id"] for model in self.run_json("models") if model["task"] == "text-generation"})
        self.assertEqual(self.run_json("models", "list", "--family", "vision", "--size", "xxl"), [])
        for option in "--family", "--task", "--size":
            self.assertIn(f"“bert” for {option}", call(self.store, "models", "list", option, "bert").stderr)

    def test_completed_model_filters(self):
        for option, words in (("--size", {"tiny", "xxl"}), ("--family", {"encoder", "onnx"}), ("--precision", {"fp32", "fp16"})):
            self.assertLessEqual(words, set(self.run_cli("complete", "--", "models", "list", option, "").splitlines()))

    def test_exported_model(self):
        path = self.folder / "exported.onnx"
        self.run_cli("models", "export", MODEL, path)
        described = self.run_json("models", "info", path)
        self.assertEqual((described["parameters"], described["weights"]), (MODEL_PARAMETERS, "file"))
        whole = path.read_bytes()
        self.assertIn("--force", call(self.store, "models", "export", MODEL, path, "--precision", "fp16").stderr)
        self.assertEqual(path.read_bytes(), whole)
        self.run_cli("models", "export", MODEL, path, "--precision", "fp16", "--force")
        self.assertLess(path.stat().st_size, len(whole) * 0.6)
        self.assertEqual([entry.name for entry in self.folder.glob("*export*")], ["exported.onnx"])
        self.assertIn("ONNX file already", call(self.store, "models", "export", path, self.folder / "x.onnx").stderr)
        self.run_cli("models", "export", MODEL, self.folder / "missing" / "x.onnx", status=1)
        self.assertIn("int3", call(self.store, "models", "export", MODEL, self.folder / "x.onnx", "--precision", "int3").stderr)
        self.assertFalse((self.folder / "x.onnx").exists())

    def test_exported_range(self):
        """Whoever takes the file to another processor must know whether it is right there."""
        without_vnni = platform.machine() == "x86_64" and "vnni" not in pathlib.Path("/proc/cpuinfo").read_text()
        printed = self.run_cli("models", "export", MODEL, self.folder / "x.onnx", "--precision", "int8-dynamic")
        self.assertIn("7 bits" if without_vnni else "8 bits", printed)
        self.assertEqual(self.run_cli("models", "export", MODEL, self.folder / "y.onnx", "--precision", "int4-32"), "")

    def test_exported_stages(self):
        config = self.folder / "t5.json"
        config.write_text(json.dumps({"model_type": "t5", "vocab_size": 10, "d_model": 8, "d_kv": 4, "d_ff": 8, "num_layers": 1,
                                      "num_heads": 2}))
        self.assertEqual(self.run_json("models", "info", config)["stages"], ["encoder", "decoder"])
        printed = self.run_cli("models", "export", config, self.folder / "t5.onnx")
        for stage in "encoder", "decoder":
            path = self.folder / f"t5.{stage}.onnx"
            self.assertIn(str(path), printed)
            self.assertEqual(self.run_json("models", "info", path)["weights"], "file")
        self.assertFalse((self.folder / "t5.onnx").exists())
        again = call(self.store, "models", "export", config, self.folder / "t5.onnx").stderr
        self.assertIn("t5.encoder.onnx” is there already", again)

    def test_what_cannot_generate_is_said(self):
        suite = self.folder / "suite.json"
        done = call(self.store, "run", "-m", MODEL, "-m", "gpt2", "--generate", "4", "--save-suite", suite)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertRegex(done.stderr, r"^dyno-cli: .*“BERT tiny”.*\.\n$")
        self.assertNotIn("GPT-2", done.stderr)

    def test_suite_is_saved_and_read(self):
        path = self.folder / "suite.json"
        self.run_cli("run", "-m", MODEL, "--batch", "1,2", "--seed", "5", "--save-suite", path)
        suite = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual((suite["models"], suite["batch-sizes"], suite["seed"]), ([MODEL], [1, 2], 5))
        again = self.folder / "again.json"
        self.run_cli("run", "--suite", path, "--save-suite", again)
        self.assertEqual(json.loads(again.read_text(encoding="utf-8")), suite)


class OutputFiles(CliTest):
    """What people name as the place of a file need not be a file."""

    FIXTURE = pathlib.Path(__file__).parent.parent / "store" / "fixtures" / "v10.dyno"

    def setUp(self):
        super().setUp()
        self.path = self.folder / "out"
        self.plan = self.folder / "plan.json"
        self.run_cli("open", "--import", self.FIXTURE)
        self.run_cli("run", "-m", MODEL, "--save-suite", self.plan)

    def write(self, path, command, **keywords):
        commands = {"report": ["report", "last", "--format", "html", "-o", path],
                    "document": ["export", "last", "--document", path],
                    "suite": ["run", "--suite", self.plan, "--save-suite", path],
                    "model": ["models", "export", MODEL, path, "--force"],
                    "junit": ["ci", "last", "--baseline", "last", "--junit", path]}
        return self.run_cli(*commands[command], **keywords)

    def for_each(self):
        for command, start in (("report", b"<!DOCTYPE"), ("document", b"SQLite format 3"), ("suite", b"{"), ("model", b"\x08"),
                               ("junit", b"<?xml")):
            with self.subTest(command=command):
                yield command, start
                self.assertEqual(list(self.folder.glob(".dyno*")), [])
                self.path.unlink()

    def test_link(self):
        """The link stays, and what it leads to is replaced."""
        for command, start in self.for_each():
            target = self.folder / "target"
            target.write_bytes(b"old")
            self.path.symlink_to("target")
            self.write(self.path, command)
            self.assertTrue(self.path.is_symlink())
            self.assertTrue(target.read_bytes().startswith(start))

    def test_pipe(self):
        for command, start in self.for_each():
            received = self.folder / "received"
            os.mkfifo(self.path)
            with received.open("wb") as stream, subprocess.Popen(["cat", self.path], stdout=stream):
                self.write(self.path, command)
            self.assertTrue(received.read_bytes().startswith(start))
            self.assertTrue(self.path.is_fifo())

    def test_protected(self):
        """Nobody writes what is protected, not even the superuser."""
        for command, _ in self.for_each():
            self.path.write_bytes(b"keep")
            self.path.chmod(0o444)
            self.write(self.path, command, status=1)
            self.assertEqual(self.path.read_bytes(), b"keep")

    def test_protected_is_known_before_measuring(self):
        self.path.write_bytes(b"keep")
        self.path.chmod(0o444)
        self.play()
        self.run_cli("run", "-m", MODEL, "-b", "fake", *QUICKLY, "-o", self.path, status=1)
        self.assertEqual(len(self.run_json("list")), 1)

    def test_standard_output(self):
        """A log to which others append is not replaced, whatever it is called."""
        log = self.folder / "log"
        with log.open("ab") as stream:
            for arguments in (["report", "last", "-o", "/dev/stdout"], ["export", "last", "--document", "/dev/stdout"],
                              ["models", "export", MODEL, "/dev/stdout", "--force"]):
                log.write_bytes(b"before\n")
                done = subprocess.run([CLI, *arguments], env=environment(self.store), stdout=stream, stdin=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                self.assertTrue(log.read_bytes().startswith(b"before\n"))
                self.assertGreater(log.stat().st_size, 1000)


class Cases(CliTest):
    """What a run's cases may lack."""

    def setUp(self):
        super().setUp()
        self.document = self.folder / "run.dyno"
        shutil.copy(OutputFiles.FIXTURE, self.document)

    def change(self, *statements):
        with contextlib.closing(sqlite3.connect(self.document)) as document, document:
            document.execute("PRAGMA foreign_keys = ON")
            for statement in statements:
                document.execute(statement)

    def test_no_case(self):
        """The run is shown by its heading."""
        self.change("DELETE FROM results", "UPDATE runs SET title = 'Without cases'")
        for command in "open", "show":
            with self.subTest(command=command):
                text = self.run_cli(command, self.document)
                self.assertIn("Without cases\n", text)
                self.assertNotIn("#  ", text)

    def test_no_run(self):
        """A document without runs can be read in every format."""
        self.change("DELETE FROM runs")
        self.assertEqual(json.loads(self.run_cli("open", self.document, "--json"))["runs"], [])
        self.assertEqual(self.run_cli("open", self.document, "--format", "csv").count("\n"), 1)
        for form in "markdown", "html":
            with self.subTest(form=form):
                self.run_cli("open", self.document, "--format", form)


class Strangers(CliTest):
    """What a document of somebody else calls its run and its model."""

    NAME = "=cmd|' /C calc'!A0\x1b[2J\u202egpj\x9b"
    SHOWN = "=cmd|' /C calc'!A0\\x1b[2J\\u202egpj\\u009b"

    def setUp(self):
        super().setUp()
        self.document = self.folder / "stranger.dyno"
        self.forge(self.NAME)

    def forge(self, name):
        shutil.copy(OutputFiles.FIXTURE, self.document)
        with contextlib.closing(sqlite3.connect(self.document)) as document, document:
            document.execute("UPDATE runs SET title = ?, notes = ?", (name, name))
            document.execute("UPDATE results SET model = ?1, model_name = ?1, options = json_set(options, '$.model', ?1)", (name,))

    def assert_tame(self, text):
        self.assertNotRegex(text, r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

    def test_text_for_people(self):
        """It is written out, wherever the output goes."""
        for arguments in (["open", self.document], ["show", self.document], ["compare", self.document, self.document],
                          ["report", self.document], ["report", self.document, "-f", "text"]):
            with self.subTest(arguments=arguments):
                text = self.run_cli(*arguments)
                self.assert_tame(text)
                self.assertIn("\\u202egpj", text)
                self.assert_tame(self.on_terminal(300, *arguments))

    def test_errors(self):
        done = call(self.store, "show", "no\x1b[2J\u202e.dyno")
        self.assert_tame(done.stderr)
        self.assertIn("no\\x1b[2J\\u202e.dyno", done.stderr)

    def test_data_on_a_terminal(self):
        for form in "csv", "csv-long", "json":
            with self.subTest(form=form):
                text = self.on_terminal(80, "report", self.document, "-f", form)
                self.assert_tame(text)
                self.assertIn("\\u202egpj", text)
        self.assertEqual(json.loads(text)["runs"][0]["title"], self.NAME)
        self.assert_tame(self.on_terminal(80, "report", self.document, "-f", "csv", "-o", "/dev/stdout"))
        self.assertEqual(json.loads(self.on_terminal(80, "open", self.document, "--json"))["runs"][0]["title"], self.NAME)

    def test_no_text_on_a_terminal(self):
        self.assertEqual(self.on_terminal(80, "report", self.document, "-f", "pdf", status=2), "")

    def test_data_elsewhere(self):
        """Data is whole, and no cell begins like a formula."""
        self.assertEqual(json.loads(self.run_cli("report", self.document, "-f", "json"))["runs"][0]["title"], self.NAME)
        for form in "csv", "csv-long":
            for row in csv.DictReader(io.StringIO(self.run_cli("report", self.document, "-f", form), newline="")):
                self.assertEqual((row["title"], row["model"]), ("'" + self.NAME, "'" + self.NAME))

    def test_no_formulas(self):
        self.run_cli("export", self.document, "--format", "csv", "-o", self.folder / "charts")
        tables = [path.read_text(encoding="utf-8") for path in (self.folder / "charts").iterdir()]
        tables += [self.run_cli("report", self.document, "-f", form) for form in ("csv", "csv-long", "otava")]
        cells = [cell for table in tables for row in csv.reader(io.StringIO(table)) for cell in row]
        self.assertTrue(any(self.NAME in cell for cell in cells))
        self.assertFalse([cell for cell in cells if cell[:1] in ("=", "+", "@", "\t", "\r")])

    def test_imported_as_it_was(self):
        report = self.folder / "report.json"
        self.run_cli("report", self.document, "-o", report)
        self.run_cli("import", report)
        self.assertEqual(self.run_json("show")["runs"][0]["title"], self.NAME)

    def test_long_names(self):
        """They are cut where they are laid out, so that no page is endless, and whole in data."""
        self.forge("x" * 100000)
        self.run_cli("report", self.document, "-o", self.folder / "long.pdf")
        self.assertLess((self.folder / "long.pdf").stat().st_size, 300000)
        self.assertLess(max(map(len, self.run_cli("report", self.document, "-f", "text").splitlines())), 2000)
        self.run_cli("export", self.document, "-o", self.folder / "charts")
        self.assertEqual(json.loads(self.run_cli("report", self.document, "-f", "json"))["runs"][0]["title"], "x" * 100000)


class Import(CliTest):
    """Files of other tools."""

    FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "import" / "fixtures"

    def import_one(self, dialect, name):
        (imported,) = self.run_json("import", self.FIXTURES / dialect / name)
        return imported["id"]

    def test_files(self):
        path = self.FIXTURES / "llama-bench" / "b6135.json"
        (first,) = self.run_json("import", path)
        self.assertEqual((first["format"], first["tool"], first["cases"], first["new"]),
                         ("llama-bench", "llama-bench 6135 (c1a2b3d4)", 2, True))
        (again,) = self.run_json("import", path)
        self.assertEqual((again["id"], again["new"]), (first["id"], False))
        (run,) = self.run_json("list")
        self.assertEqual((run["cases"], run["imported"], run["interrupted"]), (2, 2, False))
        self.assertEqual(self.run_cli("import", "--original", first["id"]), path.read_text(encoding="utf-8"))
        self.assertEqual(self.run_cli("import", "--original", "last"), path.read_text(encoding="utf-8"))
        self.assertIn("←", self.run_cli("show", first["id"], "--case", "1"))
        self.assertIn("warm-up", self.run_cli("show", first["id"], "--case", "1"))
        (told,) = self.run_json("show", first["id"])["runs"]
        self.assertEqual({value["quality"] for result in told["results"] for value in result["values"]}, {"imported"})
        self.assertEqual(told["origin"]["tool"], "llama-bench")
        self.assertEqual(told["results"][0]["state"], "imported")

    def test_dimensions(self):
        """Rows that differ in their depth alone do not look alike."""
        self.assertIn("Dimensions", self.run_cli("show", self.import_one("llama-bench", "b6135.json")))
        self.assertNotIn("Dimensions", self.run_cli("show", self.import_one("llama-bench", "b1275.csv")))

    def test_interval(self):
        """What the column of intervals is stands below those tables that have it."""
        self.assertNotIn("Interval", self.run_cli("show", self.import_one("zeus", "v0.11.csv")))
        self.assertIn("Column “Interval”: range", self.run_cli("show", self.import_one("pyperf", "v2.json")))

    def test_numbered(self):
        """Cases that a number alone tells apart have it in the table, and are no rivals."""
        run = self.import_one("ort-perf-test", "v1.20.csv")
        self.assertIn("session=2", self.run_cli("show", run))
        self.run_cli("compare", run, status=2)

    def test_standard_input(self):
        """What another tool prints, by a pipe: as good as a file, and the same when it comes again."""
        text = (self.FIXTURES / "sglang-bench-serving" / "v0.5-console.txt").read_text(encoding="utf-8")
        for new in (True, False):
            done = subprocess.run([CLI, "import", "--json", "-"], env=environment(self.store), input=text,
                                  capture_output=True, text=True, check=True)
            (told,) = json.loads(done.stdout)
            self.assertEqual((told["file"], told["format"], told["cases"], told["new"]),
                             ("stdin", "sglang-bench-serving", 1, new))
        self.assertIn("chat-8b: 320 output tokens/s", self.run_cli("show", "last"))
        done = subprocess.run([CLI, "import", "-"], env=environment(self.store), input="nothing\n",
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("“stdin” was not imported. Its format is not one that Dyno knows.", done.stderr)

    def test_unknown_batch(self):
        """A report without its config: the headline says what is not known."""
        path = self.folder / "report.json"
        path.write_bytes((self.FIXTURES / "optimum-benchmark" / "benchmark_report.json").read_bytes())
        (told,) = self.run_json("import", path)
        self.assertIn("items/s at unknown batch size", self.run_cli("show", told["id"]))

    def test_some_fail(self):
        folder = self.folder / "results"
        folder.mkdir()
        (folder / "notes.txt").write_text("no results", encoding="utf-8")
        (folder / "bad.jsonl").write_text('{"build_commit": "a", "n_prompt": 1, "avg_ts": soon}\n', encoding="utf-8")
        (folder / "good.csv").write_bytes((self.FIXTURES / "llama-bench" / "b1275.csv").read_bytes())
        done = call(self.store, "import", folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("Line 1: This is not valid JSON", done.stderr)
        self.assertIn("bad.jsonl", done.stderr)
        self.assertIn("2 cases of llama-bench 1275", done.stdout)
        self.assertIn(f"1 file with an unknown format was skipped.\n  {folder / 'notes.txt'}\n", done.stdout)
        done = call(self.store, "import", "--json", folder)
        self.assertEqual(done.returncode, 1)
        told = {pathlib.Path(entry["file"]).name: entry for entry in json.loads(done.stdout)}
        self.assertIn("Line 1: This is not valid JSON", told["bad.jsonl"]["error"])
        self.assertIn("not one that Dyno knows", told["notes.txt"]["skipped"])
        self.assertEqual(told["good.csv"]["new"], False)
        done = call(self.store, "import", "--format", "csv", folder)
        self.assertEqual(done.returncode, 1)
        rows = {pathlib.Path(row["File"]).name: row for row in csv.DictReader(io.StringIO(done.stdout))}
        self.assertEqual({name: row["State"] for name, row in rows.items()},
                         {"bad.jsonl": "failed", "good.csv": "already there", "notes.txt": "skipped"})
        self.assertEqual((rows["good.csv"]["Run"], rows["good.csv"]["Cases"]), (told["good.csv"]["id"][:8], "2"))
        self.assertIn("not one that Dyno knows", rows["notes.txt"]["Reason"])
        self.run_cli("import", folder / "notes.txt", status=1)

    def test_stopped(self):
        """Ctrl+C while a large file is read: it is not imported, and what was before it stays."""
        # A name so long fills the terminal before the file is read, so that reading waits for who reads what it says.
        large = self.folder / f"large-{'x' * 240}.json"
        record = '{"build_commit": "a", "build_number": 1, "model_type": "m", "n_prompt": 1, "n_gen": 0, "avg_ts": 1}'
        with large.open("w", encoding="utf-8") as file:
            file.write("[" + ",\n".join([record] * 40000) + "]")
        ours, theirs = pty.openpty()
        process = subprocess.Popen([CLI, "import", self.FIXTURES / "llama-bench" / "b6135.json", large],
                                   env=environment(self.store), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=theirs)
        os.close(theirs)
        told = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while chunk := os.read(ours, 1000):
                if b"large" in chunk and b"large" not in told:
                    process.send_signal(signal.SIGINT)
                told += chunk
        os.close(ours)
        self.assertEqual(process.wait(), 1)
        self.assertRegex(told.decode(), r"\d % · large-x+")
        self.assertIn("The import was stopped. 1 new run is in the store.", told.decode())
        self.assertEqual(self.run_json("store", "count"), {"runs": 1})

    def test_comparison(self):
        paths = [self.FIXTURES / "llama-bench" / name for name in ("b6135.json",)]
        (one,) = self.run_json("import", *paths)
        text = paths[0].read_text(encoding="utf-8").replace("6135", "6140").replace("1980000000", "1970000000")
        newer = self.folder / "newer.json"
        newer.write_text(text, encoding="utf-8")
        (other,) = self.run_json("import", newer)
        compared = self.run_json("compare", one["id"], other["id"])
        self.assertEqual({case["verdict"] for case in compared["cases"]}, {"confounded"})
        self.assertIn("measure in different ways", compared["cases"][0]["reason"])

    def test_formats(self):
        self.assertIn("llama-bench", self.run_cli("import", "--formats"))
        known = {entry["format"]: entry for entry in self.run_json("import", "--formats")}
        self.assertEqual(known["llama-bench"]["tool"], "llama-bench")
        self.assertTrue(all(entry["method"] for entry in known.values()))


class Score(CliTest):
    """How fast a machine is beside the reference that is built in."""

    SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
    FILE = SOURCE / "data" / "reference.json"

    def show(self, change=lambda report, run: None):
        """Shows the run of the reference itself, with changes, as one of this store."""
        report = json.loads(self.FILE.read_text(encoding="utf-8"))
        change(report, report["runs"][0])
        path = self.folder / "run.json"
        path.write_text(json.dumps(report), encoding="utf-8")
        self.run_cli("import", path)
        (run,) = self.run_json("show")["runs"]
        return " ".join(self.run_cli("show").split()), run.get("score")

    def test_itself(self):
        text, score = self.show()
        self.assertEqual((round(score["value"], 6), score["cases"], score["of_cases"]), (100, 6, 6))
        self.assertTrue(score["low"] < 100 < score["high"])
        self.assertEqual(set(score["precisions"]), {"fp32"})
        self.assertRegex(text, r"Score 100 \(95 % interval \d+ to \d+\), where the reference machine has 100\. It is of the suite "
                               r"“Quick” on ONNX Runtime \S+\. Reference machine: .* · Dyno .* (good|fair|rough)\.")

    def test_twice_as_fast(self):
        def halve(_, run):
            for result in run["results"]:
                for part in (result, *result["invocations"]):
                    for value in part["values"]:
                        value["value"] /= 2 if value["unit"] == "ms" else 1

        self.assertEqual(round(self.show(halve)[1]["value"], 6), 200)

    def test_cases_that_lack(self):
        text, score = self.show(lambda _, run: run.update(results=run["results"][:4]))
        self.assertEqual((round(score["value"], 6), score["cases"], score["of_cases"]), (100, 4, 6))
        self.assertIn("It is of 4 of 6 cases of the suite “Quick” on ONNX Runtime", text)

    def test_too_few_cases(self):
        text, score = self.show(lambda _, run: run.update(results=run["results"][:2]))
        self.assertEqual((score["value"], score["sides"]), (None, {}))
        self.assertIn(score["reason"], text)
        self.assertEqual(score["reason"], "There is no score: 2 of 6 cases of the suite “Quick” have numbers that hold.")

    def test_made_of_a_run(self):
        self.show()
        report = self.run_cli("show", "--json")
        made = subprocess.run([sys.executable, self.SOURCE / "tools" / "make-reference.py", "a" * 40], input=report, check=True,
                              capture_output=True, text=True, encoding="utf-8")
        old, new = (json.loads(text) for text in (self.FILE.read_text(encoding="utf-8"), made.stdout))
        self.assertEqual(new["commit"], "a" * 40)
        for before, after in zip(old["runs"][0]["results"], new["runs"][0]["results"], strict=True):
            self.assertEqual(after["invocations"], before["invocations"])
        refused = subprocess.run([sys.executable, self.SOURCE / "tools" / "make-reference.py", "a"], check=False,
                                 input=report.replace('"grade":"', '"grade":null,"was":"'), capture_output=True, text=True)
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))
        self.assertIn("without doubt", refused.stderr)


class Hardware(CliTest):
    """What is there, and what a model can run on."""

    def test_hardware(self):
        hardware = self.run_json("hardware")
        self.assertEqual({"machine", "backends", "runtimes", "sensors", "sensor_sources", "noise_floor", "self_test",
                          "readers_confined", "confinement"}, set(hardware))
        self.assertEqual(hardware["readers_confined"], bool(re.search("seccomp.*Landlock [1-9]", hardware["confinement"])))
        cpu = next(backend for backend in hardware["backends"] if backend["id"] == "cpu")
        self.assertIn(cpu["state"], ("available", "unsupported"))
        self.assertTrue(cpu["state"] == "available" or (cpu["reason"] and cpu["remedy"]))
        text = self.run_cli("hardware", "--all")
        self.assertIn("Readers of models: " + hardware["confinement"], text)
        for runtime in hardware["runtimes"]:
            self.assertIn(runtime["path"], text)

    def plug_in(self, chips):
        """Lets the kernel show sensors for the rest of the test."""
        root = self.folder / "sys"
        for number, files in enumerate(chips):
            folder = root / "class" / "hwmon" / f"hwmon{number}"
            folder.mkdir(parents=True)
            for name, text in files.items():
                (folder / name).write_text(f"{text}\n", encoding="utf-8")
        (root / "devices").symlink_to("/sys/devices")
        plugged = unittest.mock.patch.dict(os.environ, {
            "DYNO_SYSFS_ROOT": str(root), "DYNO_ETC_ROOT": str(self.folder / "etc")})
        plugged.start()
        self.addCleanup(plugged.stop)
        self.mount(root / "class", "/sys/class")

    def mount(self, folder, place):
        """Lets the program find a folder at another place for the rest of the test: libsensors knows no other root."""
        enter = [*WITH_OWN_MOUNTS, "sh", "-c", 'mount --bind "$0" "$1" && shift && exec "$@"', str(folder), place]
        if subprocess.run([*enter, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("mount namespaces are not permitted here")
        program = self.folder / "dyno-cli"
        program.write_text(f'#!/bin/sh\nexec {shlex.join([*enter, str(pathlib.Path(CLI).resolve())])} "$@"\n',
                           encoding="utf-8")
        program.chmod(0o755)
        mounted = unittest.mock.patch.object(sys.modules[__name__], "CLI", str(program))
        mounted.start()
        self.addCleanup(mounted.stop)

    @unittest.skipUnless(sys.platform == "linux", "the files are those of Linux")
    def test_hardware_sensors(self):
        self.leave_only_fake()
        self.plug_in([{"name": "power_meter", "power1_average": 212000000, "power1_average_interval": 500},
                      {"name": "k10temp", "temp1_input": 61000, "temp1_label": "Tctl"}])
        hardware = self.run_json("hardware")
        meter, heat = (next(sensor for sensor in hardware["sensors"] if sensor["kind"] == kind)
                       for kind in ("power", "temperature"))
        self.assertEqual((meter["unit"], meter["domain"], meter["period_seconds"]), ("W", "platform", 0.5))
        self.assertEqual((heat["unit"], heat["domain"]), ("°C", "package"))
        self.assertIsNone(heat["period_seconds"])
        self.assertIsNone(heat["resolution"])
        sources = {source["id"]: source for source in hardware["sensor_sources"]}
        self.assertEqual(sources["hwmon"]["state"], "available")
        self.assertTrue(sources["rapl"]["reason"])
        text = self.run_cli("hardware", "--all")
        self.assertRegex(text, r"\npower_meter +Power +the machine’s board +500 +kernel driver power_meter")
        self.assertRegex(text, r"\nk10temp_tctl +Temperature +the whole processor +kernel driver k10temp")
        self.assertIn(sources["rapl"]["reason"], text)

    def backend_of(self, hardware, name):
        return next(backend for backend in hardware["backends"] if backend["id"] == name)

    def test_hardware_of_a_backend(self):
        self.play(runtime="Fake 7", devices=[{"id": "soft:1", "name": "Painted", "kind": "software",
                                              "address": "0000:65:00.0", "precisions": ["fp32", "fp16"]},
                                             {"id": "far", "missing": "It is far away.", "remedy": "Fetch it."}])
        fake = self.backend_of(self.run_json("hardware"), "fake")
        self.assertEqual((fake["state"], fake["runtime"]), ("available", "Fake 7"))
        (device,) = fake["devices"]
        self.assertEqual((device["id"], device["kind"], device["address"]), ("soft:1", "software", "0000:65:00.0"))
        (missing,) = fake["missing_devices"]
        self.assertEqual((missing["id"], missing["reason"], missing["remedy"]), ("far", "It is far away.", "Fetch it."))
        self.assertEqual([option["name"] for option in fake["options"]], ["library", "haste", "repeats", "attention", "window"])
        text = self.run_cli("hardware", "--all")
        self.assertRegex(text, r"\nfake:soft:1 +fake \(soft:1\) +Painted +Software-emulated on the CPU +fp32, fp16 +0000:65:00.0 *\n")
        self.assertRegex(text, r"\nfake \(far\) +It is far away\. +Fetch it\. *\n")
        self.assertRegex(text, r"\nfake +haste +off, on ")

    def test_hardware_that_breaks(self):
        for probe, words in (("crash", "signal 11"), ("exit", "ended the process")):
            self.play(probe=probe)
            fake = self.backend_of(self.run_json("hardware"), "fake")
            self.assertEqual(fake["state"], "unsupported")
            self.assertIn(words, fake["reason"])
            self.assertTrue(fake["remedy"])

    def prefer(self, engine, path, variables):
        """Lets the window's preferences say it for the rest of the test, in place of variables."""
        config = self.folder / "config"
        keyfile = config / "glib-2.0" / "settings" / "keyfile"
        keyfile.parent.mkdir(parents=True, exist_ok=True)
        keyfile.write_text(f"[io/github/dynobench/Dyno]\nengine-paths={{'{engine}': '{path}'}}\n", encoding="utf-8")
        preferred = unittest.mock.patch.dict(os.environ, {"GSETTINGS_BACKEND": "keyfile", "XDG_CONFIG_HOME": str(config)})
        preferred.start()
        for variable in variables:
            os.environ.pop(variable, None)
        self.addCleanup(preferred.stop)

    def check_preferred_engine(self, engine, backend, *variables):
        missing = str(self.folder / "nosuch" / engine)
        self.leave_only_fake()
        self.prefer(engine, missing, variables)
        found = self.backend_of(self.run_json("hardware"), backend)
        self.assertEqual(found["state"], "unsupported")
        self.assertRegex(found["reason"], f"^The named .*“{missing}” (does not exist|is not there)")
        self.assertTrue(found["remedy"])

    def test_preferred_runtime(self):
        self.check_preferred_engine("onnxruntime", "cpu", "DYNO_ONNXRUNTIME")

    def test_preferred_plugins(self):
        self.need_engine()
        self.check_preferred_engine("onnxruntime-plugins", "onnxruntime", "DYNO_ONNXRUNTIME", "DYNO_ONNXRUNTIME_PLUGINS")

    def test_preferred_openvino(self):
        self.check_preferred_engine("openvino", "openvino", "DYNO_OPENVINO")

    def test_preferred_browser(self):
        reason = self.backend_of(self.run_json("hardware"), "webnn").get("reason") or ""
        if "libsoup" in reason:
            tap.skip_without_engine(self, "webnn", reason)
        self.check_preferred_engine("browser", "webnn", "DYNO_BROWSER")

    def test_hardware_is_asked_again(self):
        self.play(runtime="Before")
        self.run_json("hardware")
        kept = self.folder / "cache" / "probes" / "fake.json"
        kept.write_text(kept.read_text(encoding="utf-8").replace("Before", "Kept"), encoding="utf-8")
        self.assertEqual(self.backend_of(self.run_json("hardware"), "fake")["runtime"], "Kept")
        self.assertEqual(self.backend_of(self.run_json("hardware", "--fresh"), "fake")["runtime"], "Before")

    def test_matrix(self):
        self.play(devices=[{"id": "small", "name": "Small card", "memory_mb": 1}, {"id": "large", "name": "Large card"}])
        cells = {cell["device"]: cell for cell in self.run_json("hardware", "--model", MODEL)
                 if cell["backend"] == "fake"}
        self.assertEqual({device: cell["verdict"] for device, cell in cells.items()},
                         {"small": "refused", "large": "not-tried"})
        self.assertEqual({device: cell["runs"] for device, cell in cells.items()}, {"small": False, "large": None})
        self.assertIn("of weights", cells["small"]["reason"])
        self.assertIsNone(cells["large"]["reason"])
        text = self.run_cli("hardware", "-m", MODEL, "-p", "fp32,fp16")
        self.assertRegex(text, r"fake \(small\) +fp32 +Skipped +The case needs about ")
        self.assertRegex(text, r"fake \(large\) +fp32 +May run \(not tried\) *\n")
        self.assertRegex(text, r"fake \(large\) +fp16 +Skipped +“Large card” does not compute in fp16")
        self.run_cli("hardware", "-m", "nosuch", status=1)
        self.run_cli("hardware", "--try", status=2)
        self.run_cli("hardware", "-m", MODEL, "--batch", "0", status=2)

    def test_matrix_after_a_run(self):
        devices = [{"id": "one", "name": "One card"}, {"id": "two", "name": "Other card"}]
        self.play(devices=devices)
        self.run_cli("run", "-m", MODEL, "-b", "fake", "-d", "one", *QUICKLY)
        cells = {cell["device"]: cell for cell in self.run_json("hardware", "--model", MODEL) if cell["backend"] == "fake"}
        self.assertEqual({device: cell["verdict"] for device, cell in cells.items()}, {"one": "runs", "two": "not-tried"})
        self.assertRegex(cells["one"]["reason"], r"^Measured on .* with batch size 1\.$")


class Terminal(CliTest):
    """What the commands print on terminals of several widths: the swept axes and the main value are always there."""

    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.TemporaryDirectory(prefix="dyno-cli-terminal-")
        cls.addClassCleanup(cls.shared.cleanup)
        folder = pathlib.Path(cls.shared.name)
        cls.shared_store = folder / "data"
        script = folder / "script.json"
        script.write_text(json.dumps({"devices": [{"id": "slow", "name": "Slow card"}, {"id": "fast", "name": "Fast card"}]}),
                          encoding="utf-8")
        played = unittest.mock.patch.dict(os.environ, alone(folder) | {"DYNO_FAKE_BACKEND": str(script)})
        played.start()
        cls.addClassCleanup(played.stop)
        for title, options in (("sizes", ["-b", "fake:fast", "--batch", "1,4", "--sequence", "16,32"]),
                               ("loads", ["-b", "fake:fast", "--load", "concurrent=1,2"]),
                               ("cards", ["-b", "fake:slow", "-b", "fake:fast", "--batch", "1,4"])):
            done = call(cls.shared_store, "run", "-m", MODEL, "--title", title, *options, *QUICKLY)
            assert done.returncode == 0, done.stderr

    def setUp(self):
        super().setUp()
        self.store = self.shared_store

    def run_of(self, title):
        return next(run["id"] for run in self.run_json("list") if run["title"] == title)

    def test_sizes(self):
        run = self.run_of("sizes")
        results = self.run_json("show", run)["runs"][0]["results"]
        cases = {(str(result["case"]["batch-size"]), str(result["case"]["sequence-length"])) for result in results}
        for text in self.check(["Batch", "Sequence", "Median"], "show", run):
            rows = re.findall(r"(?m)^\d  +(\d+)  +(\d+)  +~?([\d.]+)\b", text)
            self.assertEqual({row[:2] for row in rows}, cases)
            self.assertTrue(all(float(row[2]) > 0 for row in rows))
            self.assertRegex(text, r"(?m)^BERT tiny.*· fp32")
            self.assertRegex(" ".join(text.split()), r"warnings?: see --notes\.|^(?!.*[Dd]oubtful)")

    def test_loads(self):
        for text in self.check(["Load", "Median"], "show", self.run_of("loads")):
            self.assertEqual(re.findall(r"(?m)^\d  (\d) concurrent clients?  +~?[\d.]+\b", text), ["1", "2"])

    def test_imported(self):
        fixtures = pathlib.Path(__file__).resolve().parent.parent / "import" / "fixtures"
        for name, values in (("llama-bench/b6135.json", ["Prompt", "Decoding"]), ("llama-bench/b1275.csv", []),
                             ("pyperf/v2.json", ["Median"])):
            (imported,) = self.run_json("import", fixtures / name)
            self.addCleanup(lambda: call(self.store, "store", "delete", "last"))
            for text in self.check(values, "show", imported["id"]):
                rows = re.findall(r"(?m)^\d  .*", text) or re.split(r"(?m)^#: .*\n", text)[1:]
                self.assertEqual(len(rows), imported["cases"], text)
                for row in rows:
                    self.assertRegex(row, r"←[\d.]+")

    def test_settings_go_above(self):
        """What all cases share is said once, where there is no room for its columns, and never where there is."""
        run = self.run_of("loads")
        narrow = self.on_terminal(60, "show", run)
        self.assertRegex(narrow, r"(?m)^BERT tiny.*batch 1")
        self.assertNotRegex(narrow, r"Not shown:[^.]*(Model|Batch|Precision|Status)")
        wide = self.on_terminal(60, "show", run, "--wide")
        self.assertRegex(wide, r"(?m)^#  Model  .*  Batch  .*  Status$")
        table = re.search(r"(?m)^#  (?:.*\n){3}", wide)[0]
        self.assertIn(table, self.run_cli("show", run))

    def test_cards(self):
        """A row that fits no other way becomes a card with all its values."""
        text = self.on_terminal(20, "show", self.run_of("sizes"))
        self.assertEqual(re.findall(r"(?m)^Batch: +(\d)$", text), ["1", "1", "4", "4"])
        self.assertEqual(len(re.findall(r"(?m)^Median \((?:ms|µs)\):\n? +~?[\d.]+$", text)), 4)

    def import_pair(self):
        """Two runs whose cases can be compared, however busy the machine is."""
        old = pathlib.Path(__file__).resolve().parent.parent / "import" / "fixtures" / "llama-bench" / "b6135.json"
        new = self.folder / "newer.json"
        new.write_text(old.read_text(encoding="utf-8").replace("6135", "6140").replace("1980000000", "1970000000"),
                       encoding="utf-8")
        self.addCleanup(lambda: [call(self.store, "store", "delete", entry["id"]) for entry in imported])
        imported = self.run_json("import", old, new)
        return [entry["id"] for entry in imported]

    def test_compared(self):
        pair = self.import_pair()
        comparison = self.run_json("compare", *pair)
        self.assertEqual(len(comparison["cases"]), 2)
        for text in self.check(["Value", "Ratio", "Verdict"], "compare", *pair):
            self.assertIn(comparison["headline"], " ".join(text.split()))
            for case in comparison["cases"]:
                self.assertIn(case["label"].rpartition("· ")[2], text)

    def test_folded_notes(self):
        run = self.run_of("cards")
        self.assertRegex(self.run_cli("compare", run), r"differs?: --notes shows more\.\n$")
        self.assertNotIn("What differs", self.run_cli("compare", run))
        self.assertIn("\nWhat differs", self.run_cli("compare", run, "--notes"))

    def test_recommended(self):
        for text in self.check(["Size", "Best", "Value", "Margin"], "recommend", self.run_of("cards"), "--goal", "memory"):
            self.assertRegex(text, r"batch 4")

    def test_followed(self):
        for text in self.check(["Case", "Level"], "history"):
            self.assertRegex(text, r"(?m)batch 4")

    def test_planned(self):
        for text in self.check(["Case", "Expected"], "run", "-m", MODEL, "-b", "fake:fast", "--batch", "1,4", "--dry-run"):
            self.assertEqual(len(re.findall(r"batch [14]\b", text)), 2)

    def test_runs(self):
        for text in self.check(["Run", "Title", "State"], "list"):
            self.assertIn("loads", text)

    def test_models(self):
        for text in self.check(["Model", "Parameters"], "models", "list", "--size", "tiny"):
            self.assertIn(MODEL, text)

    def test_formats(self):
        for text in self.check(["Format"], "import", "--formats"):
            self.assertIn("llama-bench", text)

    def test_engines(self):
        for text in self.check(["Engine", "State"], "engines", "list"):
            self.assertIn("openvino@", text)

    def test_hardware(self):
        for text in self.check(["Device", "Name"], "hardware"):
            self.assertIn("fake:fast", text)
        for text in self.check(["Precision", "Verdict"], "hardware", "--model", MODEL, "--precision", "fp32,fp16"):
            self.assertIn("fp16", text)
        for text in self.check([], "hardware", "--all"):
            self.assertIn("Sensor source", text)

    def test_jobs(self):
        said = self.run_cli("run", "-m", MODEL, "-b", "fake:fast", *QUICKLY, "--on", "local")
        self.run_cli("jobs", "watch", re.search(r"jobs watch (\w+)", said)[1])
        self.addCleanup(lambda: call(self.store, "store", "delete", "last"))
        for text in self.check(["Job", "Nodes", "State"], "jobs", "list"):
            self.assertIn("local", text)

    def test_queue(self):
        self.run_cli("queue", "add", "-m", MODEL, "-b", "fake:fast", *QUICKLY)
        self.addCleanup(lambda: call(self.store, "queue", "remove", ""))
        for text in self.check(["Run", "Priority", "Title"], "queue", "list"):
            self.assertIn("Normal", text)

    def test_baselines(self):
        self.run_cli("baseline", "set", "main", self.run_of("cards"))
        self.addCleanup(lambda: call(self.store, "baseline", "remove", "main"))
        for text in self.check(["Baseline", "Run"], "baseline", "list"):
            self.assertIn("main", text)

    def test_tuned(self):
        fixed = ["-p", "fp32", "--threads", "1", "--option", "haste=off", "--sequence", "8", "--within", "4s"]
        text = self.shown(60, ["Setting", "Value"], "tune", MODEL, "-b", "fake:slow", "-b", "fake:fast", *fixed)
        self.addCleanup(lambda: call(self.store, "store", "delete", "last"))
        self.assertIn("fast", text)

    def every_command(self):
        """Each command with the store of this class, and what it needs to say something."""
        cards, loads = self.run_of("cards"), self.run_of("loads")
        suffix = ["-m", MODEL, "-b", "fake:fast"]
        return [["list"], ["show", cards], ["show", cards, "--notes"], ["show", cards, "--case", "1"], ["show", loads],
                ["compare", cards], ["compare", cards, "--notes"], ["compare", cards, loads, "--notes"],
                ["recommend"], ["recommend", "--notes", "--goal", "memory"], ["history"], ["history", "batch 4"],
                ["history", "concurrent"], ["report", cards, "--template", "comparison", "-f", "text"],
                ["report", cards, "--template", "hardware", "-f", "text"], ["ci", "--baseline", loads, cards, "-f", "text"],
                ["models", "info", MODEL], ["models", "list", "--size", "tiny"], ["models", "types"],
                ["hardware", "--all"], ["hardware", "--model", MODEL], ["engines", "list"], ["baseline", "list"],
                ["import", "--formats"], ["store", "count"], ["store", "check"], ["store", "bin"], ["store", "path"],
                ["jobs", "list"], ["queue", "list"], ["run", *suffix, "--dry-run"]]

    def test_every_line_fits(self):
        """Text is wrapped for pipes, too; only a word alone on its line, such as a path, may be longer."""
        self.run_cli("baseline", "set", "main", self.run_of("cards"))
        self.addCleanup(lambda: call(self.store, "baseline", "remove", "main"))
        others = ((40, ""), (80, "de")) if tap.THOROUGH else ()
        for arguments in self.every_command():
            for columns, language in ((80, ""), (40, "de"), (40, "zh_CN"), *others):
                if columns < 80 and arguments[0] == "report":
                    continue  # a file, of 80 columns
                with self.subTest(arguments=arguments, columns=columns, language=language):
                    for line in self.at_width(columns, *arguments, language=language).splitlines():
                        self.assertTrue(width(line) <= columns or len(line.split()) <= 2, line)

    def test_errors_fit(self):
        for line in self.at_width(40, "show", "nosuch", status=1).splitlines():
            self.assertLessEqual(width(line), 40)

    def read_tables(self, text):
        """The tables of a CSV file, each with its title, which the first one has not."""
        parts = [[]]
        for row in csv.reader(io.StringIO(text)):
            if row == []:
                parts.append([])
            else:
                parts[-1].append(row)
        tables = [(rows.pop(0)[0] if i > 0 and len(rows[0]) == 1 < len(rows[1]) else None, rows)
                  for i, rows in enumerate(parts)]
        for _, rows in tables:
            self.assertEqual({len(row) for row in rows}, {len(rows[0])}, rows)
        return tables

    def test_formats_of_answers(self):
        """Each format has the answer, and programs get exact numbers."""
        run = self.run_of("cards")
        self.run_cli("baseline", "set", "main", run)
        self.addCleanup(lambda: call(self.store, "baseline", "remove", "main"))
        others = (["show", run, "--case", "1"], ["history"], ["list"], ["models", "list"], ["models", "types"], ["baseline", "list"],
                  ["engines", "list"], ["import", "--formats"], ["recommend", run])
        for arguments in (["compare", run], ["show", run], ["models", "info", MODEL], ["hardware"],
                          ["ci", run, "--baseline", run], ["run", "-m", MODEL, "-b", "fake:fast", "--dry-run"],
                          *(others if tap.THOROUGH else ())):
            with self.subTest(arguments=arguments):
                self.assertEqual(list(json.loads(self.run_cli(*arguments, "--format", "json"))),
                                 list(self.run_json(*arguments)))
                self.assertIn("| ", self.run_cli(*arguments, "--format", "markdown"))
                xml.etree.ElementTree.fromstring(self.run_cli(*arguments, "--format", "html").replace("<!DOCTYPE html>", ""))
                title, rows = self.read_tables(self.run_cli(*arguments, "--format", "csv"))[0]
                self.assertIsNone(title)
                self.assertGreater(len(rows), 1)
        self.assertEqual(self.run_cli("compare", run, "--format", "docx", status=2), "")
        cells = self.run_json("recommend", run, "--goal", "memory")["cells"]
        rows = list(csv.DictReader(io.StringIO(self.run_cli("recommend", run, "--goal", "memory", "--format", "csv"))))
        self.assertEqual([float(row["Value (MB)"]) for row in rows if row["Value (MB)"] != ""],
                         [cell["candidates"][0]["memory_peak_mb"] for cell in cells if cell["candidates"]])

    def test_formats_of_sentences(self):
        """An answer without a table is a sentence for people and a number for programs; a path is on a line of its own."""
        n_runs = len(self.run_json("list"))
        self.assertEqual(self.run_json("store", "count"), {"runs": n_runs})
        self.assertEqual(self.run_cli("store", "count"), f"{n_runs}\n")
        self.assertEqual(self.run_cli("store", "count", "--format", "csv"), f"{n_runs}\n")
        self.assertEqual(self.run_cli("store", "check", "--format", "markdown"), f"- {n_runs} runs, 0 unreadable\n")
        path = self.run_json("store", "path")["path"]
        self.assertEqual(self.at_width(20, "store", "path"), f"{path}\n")
        self.assertEqual(self.run_cli("store", "path", "--format", "csv"), f"{path}\n")
        self.assertEqual(self.run_json("baseline", "set", "main", "last"), {"run": self.run_json("list")[0]["id"]})
        run = self.run_json("list")[0]["id"]
        self.assertEqual(self.run_cli("baseline", "remove", "main"), f"The baseline “main” of run {run[:8]} is removed.\n")
        self.run_cli("baseline", "set", "main", "last")
        self.assertEqual(self.run_json("baseline", "remove", "main"), {"run": run})
        self.run_cli("baseline", "remove", "main", status=1)
        self.assertEqual(self.run_cli("baseline", "list", "--format", "csv"), "Baseline,Run,Set,State\n")
        self.assertIn("There are no baselines.", self.run_cli("baseline", "list"))
        self.assertIn("There are no baselines.", self.run_cli("baseline", "list", "--format", "html"))

    def test_bin(self):
        run = self.run_of("loads")
        self.addCleanup(lambda: call(self.store, "store", "restore", run))
        self.assertEqual(self.run_json("store", "delete", run), {"deleted": 1})
        self.assertEqual([deleted["id"] for deleted in self.run_json("store", "bin")], [run])
        ((deleted,),) = [list(csv.DictReader(io.StringIO(self.run_cli("store", "bin", "--format", "csv"))))]
        self.assertEqual((deleted["Run"], deleted["Title"]), (run[:8], "loads"))
        for text in self.check(["Run", "Deleted", "Title"], "store", "bin"):
            self.assertIn(run[:8], text)
        self.assertEqual(self.run_json("store", "restore", run), {"restored": 1})
        self.assertIn("The bin is empty.", self.run_cli("store", "bin"))

    def test_tables_of_a_file(self):
        """Further tables of an answer follow after a blank line, below their title if they have one."""
        tables = self.read_tables(self.run_cli("hardware", "--format", "csv"))
        self.assertGreater(len(tables), 1)
        titles = re.findall(r"(?m)^#+ (.*)$", self.run_cli("hardware", "--format", "markdown"))
        for title, rows in tables[1:]:
            self.assertTrue(title is None or title in titles, title)
            self.assertGreater(len(rows), 1)

    def test_help_fits(self):
        for command in re.findall(r"(?m)^  (\S+)  ", self.run_cli("--help")):
            for line in self.run_cli(command, "--help").splitlines():
                self.assertLessEqual(len(line), 80, f"{command}: {line}")
        self.assertLessEqual(max(map(len, self.run_cli("--help").splitlines())), 80)

    def test_help_groups(self):
        text = self.run_cli("run", "--help")
        groups = re.findall(r"(?m)^(\w[\w ]*):$", text)
        self.assertEqual(groups, ["Usage", "What to measure", "Where to run it", "How long", "Memory and power",
                                  "On other machines", "Alerts", "Output", "Examples"])
        for group, option in (("What to measure", "--model"), ("What to measure", "--remaining"), ("Where to run it", "--backend"),
                              ("How long", "--invocations"), ("How long", "--stall-seconds"), ("On other machines", "--on"),
                              ("Output", "--json"), ("Output", "--notes"), ("Output", "--wide")):
            self.assertRegex(text, rf"(?m)^{group}:\n(?:  .*\n)*  (?:-\w, |    ){option}\b")
        options = re.findall(r"(?m)^  (?:-\w, |    )--([a-z-]+)", text)
        self.assertEqual(len(options), len(set(options)))
        self.assertEqual({f"--{option}" for option in options}, set(self.run_cli("complete", "--", "run", "--").splitlines()))
        self.assertEqual(self.run_cli("run", "-h"), text)


class WithFake(CliTest):
    """Runs on the fake backend, which plays a script."""

    def test_recommendation(self):
        self.play(devices=[{"id": "slow", "name": "Slow card"}, {"id": "fast", "name": "Fast card"}])
        self.run_cli("run", "-m", MODEL, "-b", "fake:slow", "-b", "fake:fast", "--batch", "1,2", *QUICKLY)
        answer = self.run_json("recommend", "last", "--goal", "throughput")
        self.assertEqual((answer["goal"], answer["row_axis"], answer["measured_cases"]), ("throughput", "model", 4))
        self.assertEqual([cell["column"] for cell in answer["cells"]], ["batch 1", "batch 2"])
        for cell in answer["cells"]:
            with self.subTest(column=cell["column"]):
                self.assertEqual(len(cell["candidates"]) + len(cell["refused"]), 2)
                rates = [candidate["throughput_items_per_sec"] for candidate in cell["candidates"]]
                self.assertEqual(rates, sorted(rates, reverse=True))
        refused = self.run_json("recommend", "last", "--max-memory", "0.001", "--axes", "model,backend")
        self.assertEqual({cell["state"] for cell in refused["cells"]}, {"refused"})
        self.assertTrue(all(case["reason"] for cell in refused["cells"] for case in cell["refused"]))
        picture = self.folder / "matrix.svg"
        text = self.run_cli("recommend", "last", "--max-memory", "0.001", "--chart", picture)
        self.assertIn("<svg", picture.read_text(encoding="utf-8"))
        self.assertRegex(text, r"^Lowest median latency on (?s:.*)\nMemory ≤ 1\u00a0kB\n")
        self.assertIn("\nFrom 4 measured cases ", text)
        self.assertIn("\n4 cases were ruled out: --notes shows more.\n", text)
        self.assertNotIn("Not recommended", text)
        self.assertIn("\nNot recommended\n", self.run_cli("recommend", "last", "--max-memory", "0.001", "--notes"))
        self.run_cli("recommend", "last", "--axes", "nosuch,batch", status=2)

    def test_race(self):
        """One card is so much slower that no other load on the machine hides it."""
        self.play(latency={"base_us": 2000},
                  devices=[{"id": "slow", "name": "Slow card", "time_factor": 10}, {"id": "fast", "name": "Fast card"},
                           {"id": "near", "name": "Near card", "time_factor": 1.4}])
        fixed = ["-p", "fp32", "--threads", "1", "--option", "haste=off", "--sequence", "8"]
        answer = self.run_json("tune", MODEL, "-b", "fake:slow", "-b", "fake:fast", *fixed, "--within", "2min")
        best, beaten = answer["settings"]
        self.assertEqual((answer["goal"], best["standing"], best["device"]), ("latency", "best", "fast"))
        self.assertEqual((beaten["standing"], beaten["verdict"]), ("beaten", "faster"))
        self.assertLess(beaten["high"], 1)
        self.assertIn("-b fake:fast -p fp32 --option haste=off --threads 1 --batch 1 --sequence 8", answer["lines"]["Dyno"])
        for case in self.run_json("show", answer["run"])["runs"][0]["results"]:
            self.assertNotIn("invocations-missing", [finding["code"] for finding in case["diagnostics"]])
        # Nothing is measured where there is nothing to choose.
        alone = call(self.store, "tune", MODEL, "-b", "fake:fast", *fixed, "--within", "8s")
        self.assertEqual((alone.returncode, alone.stdout, alone.stderr),
                         (1, "", "dyno-cli: Only one setting can run here, so there is nothing to choose.\n"))
        free = [word for word in fixed if word not in ("--threads", "1")]
        short = call(self.store, "tune", MODEL, "-b", "fake:fast", *free, "--within", "1s")
        self.assertEqual((short.returncode, short.stdout), (1, ""))
        self.assertRegex(" ".join(short.stderr.split()), "Only one setting fits into this time, so there is nothing to choose. "
                                                         r"Allow about \d+\ss for more\.")
        # On a busy machine, 8 s were not enough for one process of each. Earlier results come first, and say so.
        engines = ["-b", "fake:slow", "-b", "fake:near", "-b", "fake:fast"]
        call(self.store, "tune", MODEL, *engines, *fixed, "--within", "20s")
        text = self.run_cli("tune", MODEL, *engines, *fixed, "--within", "20s")
        self.assertRegex(text, r"\nSetting +Standing +Value \(ms\) +Processes +Margin of the best *\n")
        text = " ".join(text.split())
        self.assertRegex(text, r"Earlier runs decided the order; their numbers are no part of the lead: (.*, )?fake \(fast\) \d")
        self.assertRegex(text, r"Not measured now, because they were far behind in earlier runs: fake \(slow\) \d")

    def test_queue(self):
        """Runs wait in their order, one at a time is measured, and a failure of one stops no other."""
        self.play()
        queue = functools.partial(self.run_json, "queue")
        ids = [queue("add", "-m", MODEL, "-b", "fake", "--batch", batch, *QUICKLY, *more)["id"]
               for batch, more in (("1", []), ("2", []), ("4", ["--queue-priority", "high"]))]
        self.assertEqual([run["id"] for run in queue("list")], [ids[2], ids[0], ids[1]])
        self.assertEqual([run["priority"] for run in queue("move", ids[1][:8], "up")], ["high", "normal", "normal"])
        self.assertEqual([run["id"] for run in queue("move", ids[2], "normal")], [ids[1], ids[0], ids[2]])
        self.assertEqual([run["id"] for run in queue("remove", ids[0])], [ids[1], ids[2]])
        gone = self.folder / "gone.onnx"
        self.run_cli("models", "export", MODEL, gone)
        queue("add", "-m", gone, "-b", "fake", "--queue-priority", "high")
        gone.unlink()
        with (self.store / "store.sqlite.queue.claim").open("w", encoding="utf-8") as claim:
            fcntl.flock(claim, fcntl.LOCK_EX)
            self.run_cli("queue", "run", status=1)
        self.assertEqual(len(queue("list")), 3)
        done = call(self.store, "queue", "run", "--json")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "left the queue, because it cannot run.*gone.onnx")
        measured = [[result["case"]["batch-size"] for result in run["results"]] for run in json.loads(done.stdout)["runs"]]
        self.assertEqual(measured, [[2], [4]])
        self.assertEqual(queue("list"), [])
        self.assertEqual(self.run_cli("queue", "run"), "No run waits in the queue.\n")

    @tap.thorough
    def test_damaged_queue(self):
        """The sentence says where; nothing in the file is lost."""
        self.run_cli("store", "count")
        path = self.store / "store.sqlite.queue"
        path.write_text("{", encoding="utf-8")
        for arguments in (["list"], ["add", "-m", MODEL], ["remove", "1"], ["run"]):
            with self.subTest(arguments=arguments):
                self.assertIn(str(path), call(self.store, "queue", *arguments).stderr)
                self.run_cli("queue", *arguments, status=1)
        self.assertEqual(path.read_text(encoding="utf-8"), "{")

    def test_gate(self):
        """The gate closes on a case that was shown to be slower, and on nothing else."""
        documents = {}
        quick = ["-m", MODEL, "-b", "fake", *QUICKLY, "--invocations", "5"]
        for name, latency in (("before", 300), ("after", 900)):
            documents[name] = self.folder / f"{name}.dyno"
            self.play(latency={"base_us": latency}, remote={"exact": True})
            self.run_cli("run", *quick, "-o", documents[name])
        junit = self.folder / "dyno.xml"
        report = self.folder / "dyno.md"
        done = call(self.store, "ci", documents["after"], "--baseline", documents["before"], "--junit", junit, "--report", report)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(done.stdout, report.read_text(encoding="utf-8"))
        self.assertEqual(xml.etree.ElementTree.parse(junit).getroot().find("testsuite").get("failures"), "1")
        self.run_cli("ci", documents["before"], "--baseline", documents["after"])

    @tap.thorough
    def test_matrix_that_is_tried(self):
        outputs = [{"name": "logits", "shape": ["batch", 10]}]
        devices = [{"id": "small", "memory_mb": 1}, {"id": "large"}]
        self.play(devices=devices, outputs=outputs)
        good = self.run_json("hardware", "--model", MODEL, "--try")
        self.play(devices=devices, outputs=outputs, faults=[{"kind": "unsupported", "message": "No “Frobnicate”."}])
        bad = self.run_json("hardware", "--model", MODEL, "--try")
        of = {cell["device"]: (cell["verdict"], cell["runs"]) for cell in good if cell["backend"] == "fake"}
        self.assertEqual(of, {"small": ("refused", False), "large": ("runs", True)})
        (cell,) = (cell for cell in bad if cell["device"] == "large")
        self.assertEqual((cell["verdict"], cell["runs"], cell["reason"]), ("does-not-run", False, "No “Frobnicate”."))

    @tap.thorough
    def test_what_the_device_is(self):
        self.play(devices=[{"id": "card", "name": "Large card", "kind": "discrete-gpu"},
                           {"id": "played", "name": "Played card", "kind": "software"}])
        text = self.run_cli("run", "-m", MODEL, "-b", "fake", "-d", "card", "-d", "played", "--batch", "1,2", "--listed",
                            *QUICKLY)
        for head in (text, self.run_cli("show")):
            self.assertEqual(head.count("\nfake (card): Large card · GPU\n"), 1)
            self.assertEqual(head.count("\nfake (played): Played card · Software-emulated on the CPU\n"), 1)
        self.assertRegex(self.run_cli("show", "--case", "1"), r"fake.*: (Measured|Good|Fair|Rough|Doubtful|Unsteady)\nLarge card · GPU\n")
        self.assertIn("- Large card · GPU (", self.run_cli("report"))
        rows = list(csv.DictReader(io.StringIO(self.run_cli("report", "--format", "csv"))))
        kinds = {"card": ("Large card", "discrete-gpu"), "played": ("Played card", "software")}
        self.assertEqual({row["device_id"]: (row["device"], row["device_kind"]) for row in rows}, kinds)
        results = self.run_json("show")["runs"][0]["results"]
        self.assertEqual({result["case"]["device"]: (result["device"], result["device_kind"]) for result in results}, kinds)

    @tap.thorough
    def test_skipped_with_advice(self):
        self.play(devices=[{"id": "small", "name": "Small card", "memory_mb": 1}, {"id": "large", "name": "Large card"}])
        self.run_cli("run", "-m", MODEL, "-b", "fake", "-d", "small", "-d", "large", *QUICKLY)
        results = {result["case"]["device"]: result for result in self.run_json("show")["runs"][0]["results"]}
        self.assertEqual(results["large"]["status"], "ok")
        self.assertEqual(results["small"]["status"], "skipped")
        self.assertIn("Small card", results["small"]["reason"])
        self.assertNotIn("fake:large", results["small"]["reason"], "the same run tries it")
        self.assertEqual(call(self.store, "run", "-m", MODEL, "-b", "fake:small").returncode, 1)
        (result,) = self.run_json("show")["runs"][0]["results"]
        self.assertIn("fake:large", result["reason"])

    @tap.thorough
    def test_quantised_config(self):
        """Quantised weights that a config asks for are told wherever it is looked at, and beside the result."""
        config = {"model_type": "llama", "vocab_size": 10, "hidden_size": 8, "intermediate_size": 12,
                  "num_hidden_layers": 1, "num_attention_heads": 2, "max_position_embeddings": 16,
                  "quantization_config": {"quant_method": "awq", "bits": 4}}
        self.play()
        path = self.folder / "config.json"
        path.write_text(json.dumps(config))
        self.assertIn("(awq, 4 bits)", self.run_json("models", "info", path)["note"])
        self.assertRegex(self.run_cli("models", "info", path), r"\nNote: .*\(awq, 4 bits\)")
        arguments = ("run", "-m", path, "-b", "fake", "--sequence", "4", *QUICKLY)
        (planned,) = self.run_json(*arguments, "--dry-run")["cases"]
        self.assertIn("(awq, 4 bits)", planned["note"])
        self.assertEqual(self.run_cli(*arguments, "--dry-run").count("(awq, 4 bits)"), 1)
        self.assertRegex(self.run_cli(*arguments, "--notes"), r"Warning: .*\(awq, 4 bits\)")

    def test_dry_run(self):
        """What would run and what would not, and nothing runs."""
        self.play(devices=[{"id": "small", "name": "Small card", "memory_mb": 1}, {"id": "large", "name": "Large card"}])
        arguments = ("run", "-m", MODEL, "-b", "fake", "-d", "small", "-d", "large", *QUICKLY, "--dry-run")
        plan = self.run_json(*arguments)
        small, large = plan["cases"]
        self.assertEqual([case["case"]["device"] for case in plan["cases"]], ["small", "large"])
        self.assertEqual((small["runs"], large["runs"], large["reason"]), (False, True, None))
        self.assertIn("Small card", small["reason"])
        self.assertEqual(small["expected_seconds"], None)
        self.assertEqual(plan["expected_seconds"], large["expected_seconds"])
        self.assertGreater(large["memory_needed_bytes"], 0)
        self.assertGreater(plan["memory_available_bytes"], 0)
        self.assertEqual(large["predicted_latency_ms"], None)
        self.assertRegex(large["prediction_source"], r"no time is predicted")
        text = self.run_cli(*arguments)
        self.assertIn(small["reason"], text)
        self.assertIn("1 of 2 cases would be measured", text)
        self.assertEqual(self.run_json("list"), [])
        self.assertNotIn("“fake:large”", small["reason"])
        self.assertNotIn(" instead", self.run_json(*arguments, "--compare")["cases"][0]["reason"])
        alone = call(self.store, "run", "-m", MODEL, "-b", "fake:small", "--dry-run")
        self.assertEqual(alone.returncode, 1)
        self.assertNotIn("would be measured", alone.stdout)
        self.assertIn("“fake:large” instead", " ".join(alone.stdout.split()))
        self.run_cli(*arguments, "-o", self.folder / "run.dyno", status=2)

    def test_forecast_of_generating(self):
        """More tokens than were measured take as long as the steps of the engine do, whose time is known here."""
        # The model has two stages, so a step takes 40 ms.
        self.play(latency={"base_us": 20000}, remote={"exact": True})
        arguments = ["run", "-m", "llava-miniature", "--modality", "text", "-b", "fake", "--sequence", "8", *QUICKLY]
        self.run_cli(*arguments, "--generate", "4")
        few, many = (self.run_json(*arguments, "--generate", tokens, "--dry-run")["expected_seconds"] for tokens in ("16", "100"))
        # One run, and no more than one sample each in the half second of the warm-up and of the measurement.
        self.assertAlmostEqual(many - few, 3 * (100 - 16) * 0.04, places=3)

    def test_modalities(self):
        """A part of a model for one kind of input is a model of its own, and has its name."""
        self.play()
        clip = "TinyCLIP-ViT-8M-16-Text-3M-YFCC15M"
        arguments = ("run", "-m", clip, "-b", "fake", "--modality", "text,image", "--modality", "image+text", *QUICKLY)
        cases = self.run_json(*arguments, "--dry-run")["cases"]
        self.assertEqual([case["case"]["model"] for case in cases],
                         [f"{clip}@{modality}" for modality in ("text", "image", "image+text")])
        self.run_cli(*arguments)
        results = self.run_json("show")["runs"][0]["results"]
        self.assertEqual({result["model_name"].rsplit(" ", 1)[1] for result in results},
                         {"(text)", "(image)", "(image+text)"})
        refused = call(self.store, "run", "-m", MODEL, "-b", "fake", "--modality", "image", "--dry-run")
        self.assertIn("has no parts for single modalities", refused.stderr)

    @tap.thorough
    def test_waveform(self):
        """A speech model with its features is a model of its own, with one stage more."""
        self.play()
        arguments = ("run", "-m", "whisper-tiny", "-b", "fake", "--modality", "waveform", *QUICKLY)
        self.assertEqual(self.run_json(*arguments, "--dry-run")["cases"][0]["case"]["model"], "whisper-tiny@waveform")
        self.run_cli(*arguments)
        result = self.run_json("show")["runs"][0]["results"][0]
        self.assertEqual(result["model_name"], "Whisper tiny (waveform)")
        refused = call(self.store, "run", "-m", MODEL, "-b", "fake", "--modality", "waveform", "--dry-run")
        self.assertIn("Leave out “waveform”", refused.stderr)

    @tap.thorough
    def test_picture_file(self):
        """A model that reads a picture file has the time of that as a stage, and a step is that and the model."""
        self.play()
        self.run_cli("run", "-m", "resnet-18", "-b", "fake", "--modality", "jpeg,png", *QUICKLY)
        results = self.run_json("show")["runs"][0]["results"]
        self.assertEqual({result["case"]["model"] for result in results}, {"resnet-18@jpeg", "resnet-18@png"})
        for result in results:
            values = {value["name"]: value["value"] for value in result["values"] if "value" in value}
            self.assertGreater(values["stage_prepare_p50_ms"], 0)
            self.assertGreater(values["stage_prepare_percent"], 0)
            self.assertLessEqual(values["stage_prepare_percent"] + values["stage_model_percent"], 100.001)
            self.assertGreaterEqual(values["latency_p50_ms"], 0.5 * values["stage_prepare_p50_ms"])
        refused = call(self.store, "run", "-m", "llava-miniature", "-b", "fake", "--modality", "jpeg", "--dry-run")
        self.assertIn("cannot be given a picture file", refused.stderr)

    @tap.thorough
    def test_chunks(self):
        """How long a sound lasts is an axis; the padding of a window is computed, and does not count."""
        self.play()
        arguments = ("run", "-m", "wav2vec2-base", "-m", "whisper-tiny", "-b", "fake", "--chunk", "0.5,31", *QUICKLY)
        cases = self.run_json(*arguments, "--dry-run")["cases"]
        self.assertEqual([case["case"]["dimensions"] for case in cases], 2 * ["seconds=0.5", "seconds=31"])
        ran = call(self.store, *arguments)
        self.assertIn("give a number above 0, of at most 30", " ".join((ran.stdout + ran.stderr).split()))
        run = self.run_json("show")["runs"][0]
        self.assertEqual(run["plan"]["chunks"], ["0.5", 31])
        found = {(result["case"]["model"], result["case"]["dimensions"]): result for result in run["results"]}
        for model, padded in (("wav2vec2-base", False), ("whisper-tiny", True)):
            result = found[model, "seconds=0.5"]
            values = {value["name"]: value["value"] for value in result["values"] if "value" in value}
            self.assertAlmostEqual(values["audio_seconds"], 0.5)
            self.assertAlmostEqual(values["audio_seconds_per_sec"] / values["throughput_items_per_sec"], 0.5, places=5)
            self.assertEqual("chunk-padded" in [note["code"] for note in result["diagnostics"]], padded)
        refused = call(self.store, "run", "-m", MODEL, "-b", "fake", "--chunk", "1", "--dry-run")
        self.assertIn("No model of the plan hears sounds", refused.stderr)

    @tap.thorough
    def test_images(self):
        """The number of images in a prompt is an axis, and 0 is the text alone."""
        self.play()
        arguments = ("run", "-m", "llava-miniature", "-b", "fake", "--images", "0,1,3", *QUICKLY)
        cases = self.run_json(*arguments, "--dry-run")["cases"]
        self.assertEqual([case["case"].get("images", 1) for case in cases], [0, 1, 3])
        self.run_cli(*arguments)
        run = self.run_json("show")["runs"][0]
        self.assertEqual(run["plan"]["images"], [0, 1, 3])
        self.assertEqual(sorted(result["case"].get("images", 1) for result in run["results"]), [0, 1, 3])
        self.assertIn("Images", self.run_cli("show"))
        refused = call(self.store, "run", "-m", MODEL, "-b", "fake", "--images", "4", "--dry-run")
        self.assertIn("No model of the plan takes any number of images", refused.stderr)
        many = call(self.store, "run", "-m", "llava-miniature", "-b", "fake", "--images", "500", "--dry-run")
        self.assertEqual(many.returncode, 1)
        self.assertIn("Choose fewer images", " ".join(many.stdout.split()))

    @tap.thorough
    def test_first(self):
        """The urgent cases head the list of the plan and the run, and comparisons say that drift is not excluded."""
        self.play(devices=[{"id": "a", "name": "A"}, {"id": "b", "name": "B"}])
        arguments = ("run", "-m", MODEL, "-b", "fake:a", "-b", "fake:b", "--invocations", "2", *QUICKLY[2:],
                     "--first", "FAKE (B)")
        plan = self.run_json(*arguments, "--dry-run")["cases"]
        self.assertEqual([(case["number"], case["case"]["device"], case["first"]) for case in plan],
                         [(2, "b", True), (1, "a", False)])
        self.assertIn("Runs first", self.run_cli(*arguments, "--dry-run"))
        self.run_steadily(*arguments[1:])
        command = self.run_json("show")["runs"][0]["plan"]
        self.assertEqual(command["first"], ["FAKE (B)"])
        self.assertIn("drift between them is not excluded", self.run_cli("compare", "last", "--notes"))
        self.run_cli("run", "-m", MODEL, "-b", "fake", *QUICKLY, "--first", "9", status=2)

    @tap.thorough
    def test_cost(self):
        """What a million costs follows from the price that is given and the rate that was measured, and is estimated."""
        self.play(latency={"base_us": 1000})
        self.run_cli("run", "-m", MODEL, "-b", "fake", *QUICKLY)
        (result,) = self.run_json("show")["runs"][0]["results"]
        rate = next(value["value"] for value in result["values"] if value["name"] == "throughput_items_per_sec")
        answer = self.run_json("recommend", "last", "--cost-per-hour", "3.6 EUR")
        (cell,) = answer["cells"]
        (case,) = cell["candidates"] + cell["refused"]
        self.assertAlmostEqual(case["estimated_cost_per_million"], 1e6 * 3.6 / 3600 / rate, places=6)
        self.assertIn("3.60 EUR per hour, as given", case["cost_source"])
        report = self.run_cli("report", "last", "--format", "markdown", "--cost-per-hour", "3.6EUR")
        self.assertIn("Estimated cost", report)
        self.assertRegex(report, r"EUR per million \w+")
        self.assertNotIn("Estimated cost", self.run_cli("report", "last", "--format", "markdown"))
        self.assertNotIn("cost", json.dumps(self.run_json("recommend", "last")))
        for price in ("cheap", "0", "2.5.1"):
            self.run_cli("recommend", "last", "--cost-per-hour", price, status=2)

    @tap.thorough
    def test_given_bytes(self):
        """The traffic that somebody states is estimated, by them."""
        self.play(nodes=[{"name": "a", "type": "MatMul", "share": 1, "inputs": [["batch", 8], [8, 8]],
                          "outputs": [["batch", 8]]}])
        self.run_cli("run", "-m", MODEL, "-b", "fake", *QUICKLY, "--bytes-per-step", "123456")
        (result,) = self.run_json("show")["runs"][0]["results"]
        values = {value["name"]: value for value in result["values"]}
        self.assertEqual(values["bytes_per_step"]["value"], 123456)
        self.assertEqual(values["bytes_per_step"]["quality"], "estimated")
        self.assertRegex(values["bytes_per_step"]["source"], r"^by you \(--bytes-per-step, or the file beside the model\); Dyno's model of traffic counts ")
        self.assertAlmostEqual(values["arithmetic_intensity_flops_per_byte"]["value"], values["flops"]["value"] / 123456)
        self.run_cli("run", "-m", MODEL, "-b", "fake", *QUICKLY, "--batch", "1,2", "--bytes-per-step", "5", status=2)

    @tap.thorough
    def test_options_take_effect(self):
        self.play(latency={"base_us": 1000})
        self.run_cli("run", "-m", MODEL, "-b", "fake", "--option", "repeats=1,4", *QUICKLY)
        results = {result["case"]["options"]: result for result in self.run_json("show")["runs"][0]["results"]}
        medians = {options: next(value["value"] for value in result["values"] if value["name"] == "latency_p50_ms")
                   for options, result in results.items()}
        self.assertGreaterEqual(medians["repeats=4"], 4)
        self.assertGreaterEqual(medians["repeats=1"], 1)
        self.assertEqual(len(medians), 2)
        self.assertIn("repeats=4", self.run_cli("show"))

    def test_stage_options(self):
        """Options of a stage are an axis as others are; on another device it waits for copies, which are timed."""
        self.play(latency={"base_us": 300}, outputs=[{"name": "text_features", "shape": ["batch", 8]},
                                                     {"name": "image_features", "shape": ["batch", 8]}],
                  devices=[{"id": "one", "name": "One"}, {"id": "slow", "name": "Slow", "time_factor": 3}])
        plan = ["run", "-m", STAGED, "-b", "fake:one", "--option", "vision.repeats=2",
                "--option", "similarity.device=fake:one,fake:slow", *QUICKLY]
        self.run_cli(*plan)
        results = {result["case"]["options"]: {value["name"]: value.get("value") for value in result["values"]}
                   for result in self.run_json("show")["runs"][0]["results"]}
        self.assertEqual(set(results), {f"similarity.device=fake:{device},vision.repeats=2" for device in ("one", "slow")})
        near, far = (results[f"similarity.device=fake:{device},vision.repeats=2"] for device in ("one", "slow"))
        self.assertGreaterEqual(near["stage_vision_p50_ms"], 0.6)
        self.assertGreaterEqual(near["stage_text_p50_ms"], 0.3)
        self.assertGreaterEqual(far["stage_similarity_p50_ms"], 0.9)
        self.assertNotIn("stage_similarity_handover_ms", near)
        self.assertGreater(far["stage_similarity_handover_ms"], 0)
        self.assertNotIn("stage_vision_handover_ms", far)
        self.assertIn("similarity.device=fake:slow,vision.repeats=2", self.run_cli("show"))
        for model, words in (("t5-small", "has no stage “vision”. Its stages are: encoder, decoder."), (MODEL, "has no stages")):
            done = call(self.store, "run", "-m", model, "-b", "fake", "--option", "vision.threads=1", *QUICKLY)
            self.assertEqual(done.returncode, 1, done.stderr + done.stdout)
            self.assertIn(words, " ".join(done.stdout.split()))
        done = call(self.store, "run", "-m", STAGED, "-b", "fake", "--option", "text.device=fake:nosuch", *QUICKLY)
        self.assertRegex(" ".join(done.stdout.split()), "has no device “nosuch” here. It has: “one”, “slow”")
        done = call(self.store, "run", "-m", STAGED, "-b", "fake", "--option", "text.device=webnn", *QUICKLY)
        self.assertIn("a step of both cannot be timed", " ".join(done.stdout.split()))

    def test_a_crash_is_a_result(self):
        self.play(faults=[{"kind": "crash", "run": 1, "batch_size": 2}])
        done = call(self.store, "run", "-b", "fake", "-m", MODEL, "--batch", "1,2", *QUICKLY)
        self.assertEqual(done.returncode, 1, done.stderr + done.stdout)
        results = self.run_json("show")["runs"][0]["results"]
        self.assertEqual(sorted(result["status"] for result in results), ["failed", "ok"])
        reason = next(result["reason"] for result in results if result["status"] == "failed")
        self.assertIn(reason, done.stdout)

    @tap.thorough
    def test_compare_devices(self):
        """Five blocks show a difference; the exit status tells one that was shown, and only beyond what is allowed."""
        self.play(devices=[{"id": "one", "name": "One"}, {"id": "slow", "name": "Slow", "time_factor": 3}],
                  latency={"base_us": 300})
        self.run_steadily("-m", MODEL, "-b", "fake:one", "-b", "fake:slow", *QUICKLY, "--invocations", "5")
        comparison = self.run_json("compare")
        (case,) = comparison["cases"]
        self.assertEqual((case["verdict"], case["processes"], case["in_blocks"]), ("slower", 5, True))
        self.assertTrue(1.5 < case["ratio_low"] <= case["ratio"] <= case["ratio_high"], case)
        self.assertRegex(comparison["answer"], r"^fake \(slow\) is \d\.\d times slower than fake \(one\) \(")
        self.assertEqual(call(self.store, "compare", "--fail-above", "3%").returncode, 3)
        self.run_cli("compare", "--fail-above", "900%")
        self.run_cli("compare", "--baseline", "fake:slow", "--fail-above", "3%")

    def test_run_compare(self):
        """Engines and options take turns, and the answer comes at once."""
        self.play(latency={"base_us": 300})
        plan = ["-m", MODEL, "-b", "fake", *QUICKLY, "--invocations", "5"]
        comparison = self.run_json("run", *plan, "--option", "repeats=1,3", "--compare")
        (case,) = comparison["cases"]
        self.assertEqual((case["verdict"], case["processes"], case["in_blocks"]), ("slower", 5, True))
        self.assertGreaterEqual(case["rounds"], 5)
        self.assertIn("Measured in turns", self.run_cli("compare"))
        self.assertRegex(self.run_cli("report", "last", "--format", "markdown"),
                         r"Turns:\W+2 of 2 cases were alive together with those that they are compared with")
        done = call(self.store, "run", *plan, "--compare")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("nothing to compare", done.stderr)

    def test_run_engines(self):
        """Each engine has its fastest setting in each class of precisions; an emulated device is no part of it."""
        self.leave_only_fake()
        self.play(latency={"base_us": 300}, devices=[
            {"id": "one", "name": "One", "kind": "cpu", "precisions": ["fp32", "fp16"]},
            {"id": "slow", "name": "Slow", "kind": "cpu", "time_factor": 20, "precisions": ["fp32"]},
            {"id": "echo", "name": "Echo", "kind": "emulated", "time_factor": 0.1, "precisions": ["fp32"]}])
        plan = ["run", "-m", MODEL, *QUICKLY, "--invocations", "5"]
        page = self.run_json(*plan, "--engines", "all", "-p", "fp32,fp16")
        self.assertEqual([(setting["device"], setting["bits"]) for setting in page["settings"]], [("one", 32), ("slow", 32), ("one", 16)])
        (comparison,) = page["comparisons"]
        (case,) = comparison["cases"]
        self.assertEqual((case["verdict"], case["processes"], case["in_blocks"]), ("slower", 5, True))
        self.assertGreaterEqual(case["rounds"], 5)
        self.assertRegex(page["answers"][0], r"^32 bit: fake \(one\) fp32 is [\d.]+ times faster than fake \(slow\) fp32\.$")
        self.assertEqual(page["answers"][1:], ["16 bit: only fake (one) fp16 could be measured."])
        left_out = {(part["engine"], part["bits"]): part["reason"] for part in page["left_out"]}
        self.assertIn("fp16", left_out["fake (slow)", 16])
        self.assertIn("does not exist", left_out["ONNX Runtime (CPU)", None])
        self.assertNotIn("nstead", json.dumps(page["left_out"]))
        self.assertNotIn("echo", json.dumps(page))
        text = self.run_cli("report", "--template", "engines", "-f", "markdown")
        self.assertIn(page["answers"][0], text)
        self.assertIn("\n## Not compared\n", text)
        self.assertIn("<svg", self.run_cli("report", "--template", "engines", "-f", "html"))
        for arguments in (["-b", "fake", "--engines", "all"], ["--engines", "all", "--compare"], ["--engines", "all", "-m", "gpt2"],
                          ["--engines", "all", "--cases", "1"], ["--engines", "unheard-of"]):
            self.assertEqual(call(self.store, *plan, *arguments).returncode, 2, arguments)
        self.run_cli("run", "-m", f"{MODEL},resnet-18", "-b", "fake", *QUICKLY)
        done = call(self.store, "report", "--template", "engines")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("several models", done.stderr)

    def make_library(self, **script):
        """Another build of the fake engine, whose library is its script."""
        path = self.folder / "other" / "build.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(script), encoding="utf-8")
        return path

    def test_ci_baseline_library(self):
        """Two builds of an engine are alive together and take turns; the slower one fails the job."""
        self.play(latency={"base_us": 900}, runtime="After")
        other = self.make_library(latency={"base_us": 300}, runtime="Before")
        plan = ["-m", MODEL, "-b", "fake", *QUICKLY, "--invocations", "5"]
        output = self.folder / "both.dyno"
        done = call(self.store, "ci", *plan, "--baseline-library", other, "-o", output, "--junit", self.folder / "dyno.xml",
                    "--json")
        self.assertEqual(done.returncode, 3, f"{done.stderr}{done.stdout}")
        comparison = json.loads(done.stdout)
        (case,) = comparison["cases"]
        self.assertEqual((case["verdict"], case["processes"], case["in_blocks"]), ("slower", 5, True))
        self.assertGreaterEqual(case["rounds"], 5)
        self.assertEqual([side["title"] for side in comparison["sides"]], [str(other), "usual library"])
        self.assertIn("usual library", xml.etree.ElementTree.parse(self.folder / "dyno.xml").getroot().find(".//testcase").get("classname"))
        text = self.run_cli("compare", output, "--by", "library", "--notes")
        self.assertRegex(text, r"Evidence: n = 5 \+ 5 processes, in turns, interval 95 %")
        self.assertRegex(text, r"Library +\S*build.json +default")
        # Each library keeps an answer of its own, so no side asks again for the other's.
        probes = sorted(path.name for path in (self.folder / "cache" / "probes").iterdir())
        self.assertEqual([re.sub(r"-[0-9a-f]{16}", "-*", name) for name in probes if name.startswith("fake")],
                         ["fake-*.json", "fake.json"])
        for name in probes:
            if name.startswith("fake"):
                kept = json.loads((self.folder / "cache" / "probes" / name).read_text(encoding="utf-8"))
                self.assertEqual(kept["probe"]["runtime"], "After" if name == "fake.json" else "Before")

    @tap.thorough
    def test_ci_stored_baseline(self):
        """A run of another time cannot take turns, and the answer says so."""
        self.play(latency={"base_us": 300})
        plan = ["-m", MODEL, "-b", "fake", *QUICKLY]
        self.run_cli("run", *plan, "-o", self.folder / "main.dyno")
        text = self.run_cli("ci", *plan, "--baseline", self.folder / "main.dyno")
        self.assertIn("measured at different times, so they could not take turns", " ".join(text.split()))
        self.assertIn("one run after the other", " ".join(text.split()))

    @tap.thorough
    def test_ci_baseline_library_is_wrong(self):
        self.play()
        other = self.make_library()
        for arguments, words in ((("--baseline-library", self.folder / "nosuch.so"), "There is no file"),
                                 (("--baseline-library", other, "--baseline", "last"), "Either --baseline"),
                                 (("--baseline-library", other, "last"), "leave out the run"),
                                 (("--baseline-library", other, "--cases", "1"), "leave out --cases"),
                                 (("--baseline-library", other, "-b", "server"), "has no library"),
                                 (("--baseline-library", other, "-b", "fake,cpu"), "is of another engine"),
                                 ((), "Either --baseline")):
            done = call(self.store, "ci", *(() if "last" in arguments[2:] else ("-m", MODEL)),
                        *(() if "-b" in arguments or "last" in arguments[2:] else ("-b", "fake")), *arguments)
            self.assertIn(done.returncode, (1, 2), arguments)
            self.assertIn(words, " ".join(done.stderr.split()), arguments)

    @tap.thorough
    def test_run_compare_is_interrupted(self):
        """Whoever stops a comparison hears how it goes on."""
        self.play(latency={"base_us": 300})
        plan = ["run", "-m", MODEL, "-b", "fake", "--option", "repeats=1,3", "--compare", "--invocations", "100", *QUICKLY[2:]]
        with subprocess.Popen([CLI, *plan], env=environment(self.store), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            while not tap.has_ended(process) and not any(run["measured"] for run in self.list_runs()):
                pass
            process.send_signal(signal.SIGINT)
            said = process.communicate()[1]
        (run,) = self.list_runs()
        self.assertIn(f"Continue with “dyno-cli run --remaining {run['id'][:8]}”.", " ".join(said.split()))

    def list_runs(self):
        done = call(self.store, "list", "--json")
        return json.loads(done.stdout) if done.returncode == 0 else []

    @tap.thorough
    def test_compare_measure(self):
        """Runs that cannot be told apart are measured once more, side by side."""
        self.play(latency={"base_us": 300}, remote={"exact": True})
        for repeats in ("1", "3"):
            self.run_cli("run", "-m", MODEL, "-b", "fake", "--option", f"repeats={repeats}", *QUICKLY)
        one, other = (run["id"] for run in self.run_json("list"))
        self.assertLessEqual({case["verdict"] for case in self.run_json("compare", other, one)["cases"]},
                             {"not-enough-data", "probably-slower"})
        (case,) = self.run_json("compare", other, one, "--measure")["cases"]
        self.assertEqual((case["verdict"], case["processes"]), ("slower", 5))
        self.assertGreaterEqual(case["rounds"], 5)
        self.assertEqual(len(self.run_json("list")), 3)


class SelfTest(CliTest):
    """What the fake backend makes a machine differ from itself by."""

    def test_self_test(self):
        """What the machine differs from itself by is measured once, and claims of less are claimed no more."""
        self.play(devices=[{"id": "one"}, {"id": "slow", "time_factor": 1.2}], latency={"base_us": 300, "process_noise": 0.3})
        self.run_cli("run", "-m", MODEL, "-b", "fake:one", "-b", "fake:slow", *QUICKLY, "--invocations", "5")
        self.assertIn("\nThe noise floor of this machine is not known. “Noise Floor” on the page “Hardware” or “dyno-cli selftest” measures it.\n",
                      self.run_cli("compare"))
        self.assertIn("\nNoise floor: not measured yet; “dyno-cli selftest” measures it\n", self.run_cli("hardware"))
        # Processes take longer than was planned, so there is no time for more than a noise floor needs.
        self.play(latency={"base_us": 300, "process_noise": 0.3}, load_ms=1500)
        text = self.run_cli("selftest", "--within", "16s")
        self.assertRegex(text, r"^Measured on fake, because .*\.\nMeasures mobilenet_v2_1.0_224 on fake in 2\d processes, which ")
        self.assertRegex(text, r"\n\nNoise floor of this machine: \d+ %, (doubtful )?self-test on \d+ \w+ \d{4}\.")
        alarms = re.search(r"\nThe case was compared with itself 100 times, and said to differ in (\d+) \((\d+)(?:\.0)? %; 5 % would be acceptable\)\.", text)
        self.assertEqual(alarms[1], alarms[2])
        # Two halves of ten processes differ by chance in a few of the hundred; where the verdict is wrong, in most.
        self.assertLessEqual(int(alarms[1]), 15)
        self.assertIn("\nThe medians of its 10 processes lie between ", text)
        self.play(latency={"base_us": 300, "process_noise": 0.3})
        answer = self.run_json("selftest", "--within", "16s")
        self.assertGreaterEqual(answer["processes"], 10)
        self.assertGreater(answer["noise_floor"], 0.1)
        self.assertEqual(answer["noise_floors"]["latency_p50_ms"], answer["noise_floor"])
        self.assertIn("throughput_items_per_sec", answer["noise_floors"])
        hardware = self.run_json("hardware")
        self.assertEqual((hardware["noise_floor"], hardware["self_test"]), (answer["noise_floor"], answer["run"]))
        comparison = self.run_json("compare")
        (case,) = comparison["cases"]
        self.assertEqual((case["noise_floor"], comparison["noise_floor"]), (answer["noise_floor"],) * 2)
        if abs(case["ratio"] - 1) < 0.1:
            self.assertNotIn(case["verdict"], ("faster", "slower"))
        self.assertRegex(self.run_cli("compare", "--wide"), r" Noise floor \(%\) *\n")
        self.assertEqual(len(self.run_json("list")), 1)
        self.assertEqual(self.run_json("history")["noise_floor"], answer["noise_floor"])
        self.assertIn("\nNoise floor of this machine: ", self.run_cli("recommend", "--goal", "throughput", "--axes", "threads,batch"))
        (shown,) = self.run_json("show", answer["run"])["runs"]
        self.assertEqual(shown["source"], "self-test")

    @tap.thorough
    def test_self_test_is_interrupted(self):
        self.play(latency={"base_us": 300})
        with subprocess.Popen([CLI, "selftest"], env=environment(self.store), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            while not tap.has_ended(process) and self.count_invocations() < 1:
                pass
            process.send_signal(signal.SIGINT)
            _, complaint = process.communicate()
        self.assertEqual(process.returncode, 1)
        self.assertRegex(complaint, r"^dyno-cli: The self-test has \d+ process(es)?, which (is|are) kept as run \w{8}\. "
                                    r"A noise floor needs 10\.\n$")
        self.run_cli("show", complaint.split()[-6].strip("."))
        self.assertIn("\nNoise floor: not measured yet", self.run_cli("hardware"))

    def count_invocations(self):
        path = self.store / "store.sqlite"
        if not path.exists():
            return 0
        try:
            with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
                return db.execute("SELECT count(*) FROM invocations").fetchone()[0]
        except sqlite3.OperationalError:
            return 0  # it is being created


class Repetition(CliTest):
    """A run that is repeated from its document."""

    def setUp(self):
        super().setUp()
        self.document = self.folder / "theirs.dyno"
        self.play(latency={"base_us": 300})
        self.run_cli("run", "-m", MODEL, "-b", "fake", *QUICKLY, "--invocations", "5", "-o", self.document)

    def repeat(self, *arguments):
        done = call(self.folder / "other", "run", "--like", self.document, *arguments)
        self.assertEqual(done.stderr, "")
        return done

    def test_agrees(self):
        """The same machine and engine give the same number, or it is said why that cannot be told."""
        done = self.repeat()
        self.assertIn(done.returncode, (0, 4), done.stdout)
        self.assertIn("\nMachine, engines and Dyno are the same as in that run.\n", done.stdout)
        self.assertEqual("agrees within" in done.stdout, done.returncode == 0)
        self.assertEqual("cannot be told" in done.stdout, done.returncode == 4)
        self.assertIn("\nEvidence: n = 5 + 5 processes, one run after the other, interval 95 %.\n", done.stdout)

    def test_differs(self):
        """An engine that became slower differs, in every format."""
        self.play(latency={"base_us": 600})
        done = self.repeat("--json")
        self.assertEqual(done.returncode, 3, done.stdout)
        answer = json.loads(done.stdout)
        (case,) = answer["cases"]
        self.assertEqual((answer["agreement"], case["agreement"]), ("differs", "differs"))
        self.assertTrue(1.5 < case["ratio_low"] <= case["ratio"] <= case["ratio_high"], case)
        self.assertLess(case["ratio"], 2.5)
        self.assertEqual(answer["comparison"]["cases"][0]["verdict"], "slower")
        for name in ("text", "markdown", "html"):
            done = self.repeat("--format", name)
            self.assertEqual(done.returncode, 3)
            self.assertIn("differs: slower", done.stdout)

    @tap.thorough
    def test_few_processes(self):
        """What cannot be told has its reason and the number of processes that would do."""
        one = self.folder / "one.dyno"
        self.run_cli("run", "-m", MODEL, "-b", "fake", *QUICKLY, "-o", one)
        answer = json.loads(call(self.store, "run", "--like", one, "--json").stdout)
        (case,) = answer["cases"]
        self.assertEqual(case["agreement"], "cannot-be-told")
        self.assertGreaterEqual(case["processes_needed"], 5)
        self.assertRegex(case["reason"], r"\d+ processes")

    @tap.thorough
    def test_devices(self):
        """A device that is not here is named before the run starts, and leaves its case open."""
        self.play(devices=[{"id": "one"}, {"id": "two"}], latency={"base_us": 300})
        self.run_cli("run", "-m", MODEL, "-b", "fake:one", "-b", "fake:two", *QUICKLY, "--invocations", "5", "-o",
                     self.folder / "two.dyno")
        self.play(devices=[{"id": "one"}], latency={"base_us": 300})
        done = call(self.store, "run", "--like", self.folder / "two.dyno")
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        before, after = done.stdout.split("\nRepeated: ")
        self.assertIn("Not compared", before)
        self.assertIn("two", before)
        self.assertIn("open.", after)

    def test_refused(self):
        self.run_cli("run", "--like", "last", "--batch", "2", status=2)
        self.run_cli("run", "--like", "last", "--compare", status=2)
        self.run_cli("run", "--like", "last", "--on", "local", status=2)
        foreign = self.folder / "llama.json"
        foreign.write_text(json.dumps([{"build_commit": "b1", "build_number": 1, "model_filename": "m.gguf",
                                        "model_type": "qwen2 1B Q4_K", "model_size": 1, "model_n_params": 1, "n_batch": 512,
                                        "n_ubatch": 512, "n_threads": 2, "type_k": "f16", "type_v": "f16", "n_gpu_layers": 0,
                                        "backends": "CPU", "cpu_info": "c", "gpu_info": "", "n_prompt": 16, "n_gen": 0,
                                        "test_time": "2099-01-01T00:00:00Z", "avg_ns": 1000000, "stddev_ns": 10,
                                        "avg_ts": 16000.0, "stddev_ts": 1.0, "samples_ns": [1000000], "samples_ts": [16000.0]}]),
                           encoding="utf-8")
        self.run_cli("import", foreign)
        done = call(self.store, "run", "--like", "last")
        self.assertEqual(done.returncode, 2)
        self.assertIn("left no plan that Dyno could repeat", done.stderr.replace("\n  ", " "))


class Verification(CliTest):
    """The measuring is checked by others that measure the same."""

    def test_verify(self):
        self.play(latency={"base_us": 3000})
        python = self.folder / "python"
        python.write_text("#!/bin/sh\ncase \"$2\" in\n*print\\(onnxruntime*) echo 9.9 ;;\n"
                          "*) echo '{\"version\": \"9.9\", \"median_ms\": 1.5}' ;;\nesac\n", encoding="utf-8")
        python.chmod(0o755)
        with unittest.mock.patch.dict(os.environ, {"DYNO_VERIFY_PYTHON": str(python)}):
            answer = self.run_json("verify")
        checks = {check["name"]: check for check in answer["checks"]}
        self.assertEqual(list(checks)[:6], ["bare-loop", "onnxruntime-python", "benchmark-app", "self-comparison", "sensors",
                                            "levels"])
        for check in checks.values():
            self.assertIn(check["outcome"], ("pass", "warn", "not-installed", "not-checked"))
            self.assertTrue(check["text"])
        self.assertTrue(checks["bare-loop"]["ratio_low"] < 1.2 and checks["bare-loop"]["ratio_high"] > 0.8, checks["bare-loop"])
        # The other engine is twice as fast, but has another version.
        self.assertEqual(checks["onnxruntime-python"]["outcome"], "warn")
        self.assertGreater(checks["onnxruntime-python"]["ratio"], 1.5)
        self.assertIn("9.9", checks["onnxruntime-python"]["text"])
        self.assertEqual(self.run_json("list"), [])


class Ceilings(CliTest):
    @unittest.skipUnless(platform.machine() in ("x86_64", "aarch64"), "no kernels are written for this architecture")
    def test_ceilings(self):
        measured = self.run_json("ceilings", "--threads", "1", "--seconds", "0.5")
        self.assertEqual({ceiling["kind"] for ceiling in measured}, {"compute", "bandwidth", "latency"})
        self.assertTrue(all(ceiling["value"] > 0 and ceiling["threads"] == 1 for ceiling in measured))
        self.assertEqual(self.run_json("ceilings", "--threads", "1"), measured)
        text = self.run_cli("ceilings", "--threads", "1")
        self.assertIn("DRAM read ", text)
        roofline = self.folder / "roofline.svg"
        self.run_cli("ceilings", "--threads", "1", "--chart", roofline)
        self.assertIn("<svg", roofline.read_text(encoding="utf-8"))
        for text in self.check(["Compute", "Threads", "Sustained"], "ceilings", "--seconds", "0.1"):
            self.assertIn("DRAM read ", text)
        best = self.by_id(self.run_json("ceilings", "--threads", "1", "--seconds", "0.5", "--measure"))
        for ceiling in measured:
            sign = -1 if ceiling["kind"] == "latency" else 1
            self.assertGreaterEqual(sign * best[ceiling["id"]]["value"], sign * ceiling["value"], ceiling["id"])
        anew = self.run_json("ceilings", "--threads", "1", "--seconds", "0.5", "--forget")
        self.assertGreater(anew[0]["measured-at"], max(ceiling["measured-at"] for ceiling in best.values()))
        self.assertEqual(self.run_json("ceilings", "--threads", "1"), anew)
        self.assertEqual(self.run_json("store", "check"), {"unreadable": 0})

    def by_id(self, ceilings):
        return {ceiling["id"]: ceiling for ceiling in ceilings}

    @tap.thorough
    @unittest.skipUnless(platform.machine() in ("x86_64", "aarch64"), "no kernels are written for this architecture")
    def test_part_of_the_ceilings_is_not_all(self):
        one = self.run_json("ceilings", "--threads", "1", "--seconds", "0.1")
        all_there_are = self.run_json("ceilings", "--seconds", "0.1")
        threads = max(ceiling["threads"] for ceiling in all_there_are)
        if threads == 1:
            self.skipTest("this process may use the time of one core only")
        self.assertIn(1, {ceiling["threads"] for ceiling in all_there_are})
        self.assertGreater(all_there_are[-1]["measured-at"], one[-1]["measured-at"])
        self.assertEqual(self.run_json("ceilings"), all_there_are)
        # More than there are is as many as there are, and known.
        most = [ceiling for ceiling in all_there_are if ceiling["threads"] == threads]
        self.assertEqual(self.run_json("ceilings", "--threads", "100000"), most)

    @tap.thorough
    @unittest.skipUnless(platform.machine() in ("x86_64", "aarch64"), "no kernels are written for this architecture")
    def test_ceilings_of_a_placement_are_kept(self):
        arguments = ("ceilings", "--threads", "1", "--pinning", "one-per-core", "--seconds", "0.1")
        measured = self.run_json(*arguments)
        self.assertEqual({ceiling["pinning"] for ceiling in measured}, {"one-per-core"})
        self.assertEqual(self.run_json(*arguments), measured)


class WithRuntime(CliTest):
    def setUp(self):
        super().setUp()
        self.need_engine()

    def test_self_test_without_time(self):
        self.assertEqual(self.run_cli("selftest", "--within", "1s", status=2), "")

    def test_model_info(self):
        info = self.run_json("models", "info", MODEL, "--sequence", "32")
        self.assertEqual(info["parameters"], MODEL_PARAMETERS)
        self.assertGreater(info["flops"], 0)
        longer = self.run_json("models", "info", MODEL, "--sequence", "64")
        self.assertGreater(longer["flops"], 2 * info["flops"])
        self.assertEqual((info["note"], info["unused_tensors"]), ("", []))
        self.assertIn("input_ids", [tensor["name"] for tensor in info["inputs"]])
        text = self.run_cli("models", "info", MODEL)
        self.assertIn("4385920", text.replace(",", ""))
        self.assertRegex(text, r"FLOPs: [\d.]+\W[MG]FLOP per step, at batch 1, sequence 128\n")
        vision = self.run_json("models", "info", "efficientnet-b0")
        self.assertAlmostEqual(vision["multiply_adds"] / 386e6, 1, delta=0.01)
        self.assertRegex(self.run_cli("models", "info", "efficientnet-b0"), r"Multiply-adds: 38\d\WMMAC ")

    @tap.thorough
    def test_stages(self):
        """Each stage has the precision, the threads and the engine that the case gives it."""
        info = self.run_json("models", "info", STAGED)
        self.assertRegex(info["thread_split"], r"^text\.threads=\d+,vision\.threads=\d+,similarity\.threads=1$")
        self.assertIn(f"--option-set {info['thread_split']}", self.run_cli("models", "info", STAGED))
        self.assertEqual(self.run_json("models", "info", MODEL)["thread_split"], "")
        has_openvino = any(backend["id"] == "openvino" and backend["state"] == "available"
                           for backend in self.run_json("hardware")["backends"])
        device = "openvino:CPU" if has_openvino else "cpu"
        self.run_cli("run", "-m", STAGED, "-b", "cpu", "--threads", "1", "--option", "text.threads=2",
                     "--option", "vision.precision=fp32,int8-weights", "--option", f"vision.device={device}", *QUICKLY)
        results = {result["case"]["options"]: result for result in self.run_json("show")["runs"][0]["results"]}
        weights = []
        for precision in ("fp32", "int8-weights"):
            result = results[f"text.threads=2,vision.device={device},vision.precision={precision}"]
            values = {value["name"]: value.get("value") for value in result["values"]}
            self.assertEqual(result["status"], "ok")
            self.assertEqual(values["placement_percent"], 100, result["case"])
            self.assertEqual("stage_similarity_handover_ms" in values, has_openvino)
            (engines,) = (note["message"] for note in result["diagnostics"] if note["code"] == "engine-library")
            self.assertRegex(engines, r"^SHA-256 of the engine: libonnxruntime\S* [0-9a-f]{64}")
            self.assertEqual("another engine, for stages: libopenvino" in engines, has_openvino, engines)
            weights.append(values["stage_vision_weights_mb"])
        self.assertLess(weights[1], weights[0] / 2)

    @unittest.skipUnless(platform.machine() == "x86_64", "ONNX Runtime has such kernels for each x86-64")
    def test_blocks_of_channels(self):
        """ONNX Runtime's highest level of optimisation has convolutions compute in blocks of channels, and the level below does not."""
        self.run_cli("run", "-m", "resnet-18", "-b", "cpu", "--option", "graph-optimisation=extended,all", *QUICKLY)
        shares = {}
        for result in self.run_json("show")["runs"][0]["results"]:
            values = {value["name"]: value.get("value") for value in result["values"]}
            shares[result["case"]["options"]] = values["blocked_convolutions_percent"]
        self.assertEqual(shares, {"graph-optimisation=extended": 0, "graph-optimisation=all": 100})
        self.assertNotIn("NCHWc", self.run_cli("show", "--case", "1", "--wide"))
        self.assertIn("NCHWc", self.run_cli("show", "--case", "2", "--wide"))

    @unittest.skipUnless(platform.machine() in ("x86_64", "aarch64"), "no kernels are written for this architecture")
    def test_dry_run_predicts_by_ceilings(self):
        self.run_cli("ceilings", "--threads", "1", "--seconds", "0.1")
        (case,) = self.run_json("run", "-m", MODEL, "-b", "cpu", "--threads", "1", "--dry-run")["cases"]
        self.assertGreater(case["predicted_latency_ms"], 0)
        self.assertRegex(case["prediction_source"], "^Predicted, not measured: ")
        self.assertRegex(self.run_cli("run", "-m", MODEL, "-b", "cpu", "--threads", "1", "--dry-run"),
                         r"Predicted from FLOPs, bytes and measured roofs: about \S+\s[mµ]s per step\.")

    def test_model_info_opens_no_engine(self):
        with unittest.mock.patch.dict(os.environ, {"DYNO_LIBEXEC_DIR": str(self.folder)}):
            info = self.run_json("models", "info", MODEL)
        self.assertEqual(info["parameters"], MODEL_PARAMETERS)
        self.assertGreater(info["flops"], 0)

    @tap.thorough
    def test_model_info_of_a_huge_model(self):
        """Neither its weights nor a step of it are made, and what it needs is told for every precision."""
        with unittest.mock.patch.dict(os.environ, {"XDG_CACHE_HOME": str(self.folder)}):
            info = self.run_json("models", "info", "falcon-40b")
            text = self.run_cli("models", "info", "falcon-40b")
        self.assertEqual([path for path in self.folder.rglob("models") if path.is_dir()], [])
        self.assertGreater(info["flops"], 2 * 128 * 40e9)
        self.assertEqual((info["licence"], info["source"]), ("Apache-2.0", "tiiuae/falcon-40b"))
        needs = {need["precision"]: need for need in info["needs"]}
        self.assertEqual(needs["fp32"]["weight_bytes"], info["weight_bytes"])
        self.assertEqual(needs["fp32"]["memory_needed_bytes"], info["memory_needed_bytes"])
        self.assertEqual(needs["fp32"]["fits"], info["memory_needed_bytes"] <= info["memory_available_bytes"])
        self.assertLess(needs["int4-128"]["weight_bytes"], needs["fp32"]["weight_bytes"] / 6)
        self.assertIn("Licence of the weights: Apache-2.0\n", text)
        self.assertRegex(text, r"\nPrecision +Weights \(GB\) +Memory of a step \(GB\)  Fits\n")
        self.assertRegex(text, r"\nint4-128 +\d[\d.]* +\d[\d.]*  (yes|no)\n")

    @tap.thorough
    def test_ceilings_of_a_device(self):
        measured = self.run_json("ceilings", "--device", "cpu", "--seconds", "0.5")
        self.assertEqual({ceiling["device"] for ceiling in measured}, {"cpu:cpu"})
        self.assertTrue(all(ceiling["value"] > 0 for ceiling in measured))
        self.assertEqual(self.run_json("ceilings", "--device", "cpu:cpu"), measured)
        table = self.run_cli("ceilings", "--device", "cpu")
        self.assertRegex(table, r"\nCompute +fp32 ")
        self.assertNotIn("Threads", table)
        self.run_cli("ceilings", "--device", "cpu:nosuch", status=1)
        self.run_cli("ceilings", "--device", "nosuch", status=1)

    def test_progress_on_a_terminal(self):
        ours, theirs = pty.openpty()
        with subprocess.Popen([CLI, "run", "-m", MODEL, "--sequence", "16", *QUICKLY], env=environment(self.store),
                              stdout=subprocess.DEVNULL, stderr=theirs) as process:
            os.close(theirs)
            seen = b""
            try:
                while data := os.read(ours, 65536):
                    seen += data
            except OSError:
                pass  # the other end is closed
        os.close(ours)
        self.assertEqual(process.returncode, 0)
        self.assertIn("measuring", seen.decode())
        self.assertIn(" of 1", seen.decode())
        self.assertTrue(seen.endswith(b"\r\x1b[K"))

    def stop_in_the_middle(self, number):
        many = ["run", "-m", MODEL, "--batch", "1,2,3,4,5,6", "--sequence", "16,32", "--listed", *QUICKLY]
        with subprocess.Popen([CLI, *many], env=environment(self.store), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            while not tap.has_ended(process) and self.count_measured() < 2:
                pass
            ended = process.poll()
            process.send_signal(number)
            said = process.communicate()
        self.assertIsNone(ended, f"ended by itself: {said}")
        self.assertEqual(process.returncode, 1, said)
        return self.run_json("show")["runs"][0]

    def count_measured(self):
        done = call(self.store, "list", "--json")
        return sum(run["measured"] for run in json.loads(done.stdout)) if done.returncode == 0 else 0

    def check_stopped(self, run):
        statuses = [result["status"] for result in run["results"]]
        self.assertGreaterEqual(statuses.count("ok"), 2)
        self.assertGreaterEqual(statuses.count("cancelled"), 1)
        self.assertEqual(statuses.count("ok") + statuses.count("cancelled"), len(statuses))

    def test_interrupt_keeps_what_is_finished(self):
        self.check_stopped(self.stop_in_the_middle(signal.SIGINT))

    @tap.thorough
    def test_terminate_keeps_what_is_finished(self):
        self.check_stopped(self.stop_in_the_middle(signal.SIGTERM))


class WithRun(CliTest):
    """One run of two cases, looked at in every way."""

    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.TemporaryDirectory(prefix="dyno-cli-run-")
        cls.addClassCleanup(cls.shared.cleanup)
        cls.shared_store = pathlib.Path(cls.shared.name) / "data"

    @classmethod
    @functools.cache
    def measured(cls):
        return run_steadily(cls.shared_store, "-m", MODEL, "--batch", "1,2", "--sequence", "32", "--title", "Two sizes", *QUICKLY,
                            "-o", f"{cls.shared.name}/run.dyno", "-e", f"{cls.shared.name}/charts")

    def setUp(self):
        super().setUp()
        self.need_engine()
        self.done = self.measured()
        self.store = self.shared_store
        self.document = pathlib.Path(self.shared.name) / "run.dyno"
        self.assertEqual(self.done.returncode, 0, self.done.stderr + self.done.stdout)

    def values_of(self, result):
        return {value["name"]: value for value in result["values"]}

    def test_run(self):
        self.assertEqual(self.done.stderr, "")
        self.assertIn("Two sizes", self.done.stdout)
        self.assertEqual(len(re.findall(r"^[12]  .* (?:Measured|Good|Fair|Rough|Doubtful|Unsteady)$", self.done.stdout, re.MULTILINE)), 2)
        self.assertTrue(self.document.exists())

    def test_list(self):
        (run,) = self.run_json("list")
        self.assertEqual((run["title"], run["cases"], run["measured"]), ("Two sizes", 2, 2))
        self.assertEqual(self.run_cli("list", "--ids"), run["id"] + "\n")
        self.assertIn(run["id"][:8], self.run_cli("list"))
        self.assertEqual(self.run_json("list", "--search", "tiny"), [run])
        self.assertEqual(self.run_json("list", "--search", "zzz"), [])

    def check_median(self, values):
        """On a busy machine a case may not become steady, or have samples that depend on each other: then it has no
        interval, and says so."""
        median, low, high = (values[f"latency_{name}_ms"] for name in ("p50", "median_low", "median_high"))
        self.assertIn(median["quality"], ("measured", "unsteady"))
        if median["quality"] == "measured" and "Too few samples" not in low["source"]:
            self.assertTrue(0 < low["value"] <= median["value"] <= high["value"])
        else:
            self.assertGreater(median["value"], 0)
            self.assertEqual((low["quality"], high["quality"]), ("unsupported", "unsupported"))

    def test_baseline(self):
        (run,) = self.run_json("list")
        self.run_cli("baseline", "set", "main", run["id"][:8])
        self.addCleanup(lambda: call(self.store, "baseline", "remove", "main"))
        self.assertEqual(self.run_json("baseline", "list"), [{"name": "main", "run": run["id"], "is_kept": True}])
        self.assertEqual(self.run_json("show", "main")["runs"][0]["id"], run["id"])
        self.run_cli("store", "delete", run["id"], status=2)
        for words in (["compare", "--baseline", ""], ["show", ""], ["baseline", "set", "main", ""]):
            self.assertLessEqual({"main", "last", run["id"][:8]}, self.complete(*words), words)
        for words in (["baseline", "set", ""], ["baseline", "remove", ""]):
            self.assertEqual(self.complete(*words), {"main"}, words)
        self.run_cli("baseline", "set", "last", run["id"], status=2)
        self.run_cli("baseline", "remove", "other", status=1)
        self.assertEqual(len(self.run_json("list")), 1)

    def complete(self, *words):
        return set(self.run_cli("complete", "--", *words).splitlines())

    def test_complete_metrics(self):
        for command in ("compare", "history"):
            self.assertLessEqual({"latency_p50_ms", "memory_peak_mb"}, self.complete(command, "--metric", ""))

    def test_history(self):
        self.run_cli("baseline", "set", "known", "last")
        history = self.run_json("history", MODEL)
        self.assertEqual(history["metric"], "latency_p50_ms")
        (baseline,) = history["baselines"]
        self.assertEqual((baseline["name"], baseline["run"]), ("known", history["cases"][0]["points"][0]["run"]))
        self.run_cli("baseline", "remove", "known")
        self.assertEqual(len(history["cases"]), 2)
        for case in history["cases"]:
            (point,) = case["points"]
            self.assertGreater(point["value"], 0)
            self.assertGreater(case["runs_needed"], 1)
        text = self.run_cli("history", "batch 2", "--backend", "cpu", "--machine", "last", "--metric", "memory_peak_mb",
                            "--chart", self.folder / "history.svg")
        self.assertIn("<svg", (self.folder / "history.svg").read_text())
        self.assertIn("Peak memory", text)
        self.assertIn("There is 1 steady run. Changes can be told from chance with 8 or more.", text)
        self.assertIn("No matching case of this machine", self.run_cli("history", "zzz"))
        self.run_cli("history", "--metric", "roof_distance_percent", status=2)

    def test_show(self):
        (run,) = self.run_json("show")["runs"]
        self.assertEqual(len(run["results"]), 2)
        for result in run["results"]:
            values = self.values_of(result)
            self.check_median(values)
            self.assertGreater(values["memory_peak_mb"]["value"], 0)
            self.assertGreater(values["flops"]["value"], 0)
        text = self.run_cli("show", run["id"][:6], "--case", "2")
        for name in ("latency_p50_ms", "memory_peak_mb", "MatMul"):
            self.assertIn(name, text)
        self.assertRegex(text, r"\nModule +Share of the time")
        self.assertEqual(self.run_json("show", self.document)["runs"][0]["id"], run["id"])

    def test_show_no_such_case(self):
        self.run_cli("show", "--case", "3", status=2)

    def test_compare(self):
        """A run with itself: one process of each case claims nothing, and fails nothing."""
        with self.subTest("nothing to compare in one run"):
            self.assertEqual(self.run_cli("compare", status=2), "")
        comparison = self.run_json("compare", "last", self.document, "--fail-above", "1%")
        self.assertEqual([side["is_baseline"] for side in comparison["sides"]], [True, False])
        self.assertEqual(len(comparison["cases"]) + len(comparison["left_out"]), 2)
        for case in comparison["cases"]:
            self.assertEqual((case["verdict"], case["ratio"]), ("not-enough-data", 1))
            self.assertGreaterEqual(case["processes_needed"], 5)
        text = self.run_cli("compare", "last", self.document)
        self.assertIn(f"{comparison['headline']}\n\n{comparison['summary']}\n\n", text)
        self.run_cli("compare", "last", self.document, "--metric", "nosuch", status=2)
        self.run_cli("compare", "last", self.document, "--baseline", "nosuch", status=1)

    def test_compare_chart(self):
        path = self.folder / "forest.svg"
        self.run_cli("compare", "last", self.document, "--chart", path)
        self.assertTrue(path.read_text(encoding="utf-8").startswith("<?xml"))

    def test_report_markdown(self):
        text = self.run_cli("report")
        self.assertIn("# ", text)
        self.assertIn("BERT tiny", text)
        self.assertGreaterEqual(text.count("\n|"), 3)

    def test_report_json(self):
        path = self.folder / "report.json"
        self.assertEqual(self.run_cli("report", "last", "-o", path), "")
        report = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual(report["runs"][0]["title"], "Two sizes")

    def test_report_html(self):
        path = self.folder / "report.html"
        self.assertEqual(self.run_cli("report", "last", "-o", path), "")
        page = xml.etree.ElementTree.parse(path).getroot()
        self.assertEqual(page.find(".//{*}h1").text, "Two sizes")
        self.assertGreater(len(page.findall(".//{*}svg")), 2)

    def test_report_templates(self):
        text = self.run_cli("report", "last", self.document, "--template", "comparison")
        self.assertIn("compared with", text.splitlines()[0])
        self.assertIn("\n## Recommendations\n", self.run_cli("report", "--template", "hardware", "--goal", "memory"))
        self.assertIn("Model,Size,Best,", self.run_cli("report", "--template", "hardware", "--format", "csv"))
        self.run_cli("report", "--template", "hardware", "--format", "gobench", status=2)
        self.run_cli("report", "--template", "novel", status=2)
        text = self.run_cli("report", "last", "-f", "markdown")
        self.assertIn("\n## Rate by batch and length\n", text)
        self.assertEqual(self.run_cli("report", "last", "--template", "language", "-f", "markdown"), text)
        cases = json.loads(self.run_cli("report", "last", "--template", "language", "-f", "json"))
        self.assertEqual([case["batch_size"] for case in cases], [1, 2])
        self.assertGreater(min(case["latency_p50_ms"] for case in cases), 0)
        self.assertIn("Choose one of: run, language.", call(self.store, "report", "last", "--template", "vision").stderr)

    @tap.thorough
    def test_report_gallery(self):
        site = self.folder / "site"
        self.assertEqual(self.run_cli("report", "last", self.document, "--template", "gallery", "-o", site), "")
        index = xml.etree.ElementTree.parse(site / "index.html").getroot()
        links = {link.get("href") for link in index.findall(".//{*}a")}
        self.assertEqual(links | {"index.html", "dyno-gallery.sha256"}, {path.name for path in site.iterdir()})
        self.run_cli("show", site / "run-1.dyno")
        text = self.run_cli("report", "last", "--template", "gallery", "-o", site)
        self.assertIn("run-2.dyno", text)
        self.assertFalse((site / "run-2.dyno").exists())
        self.run_cli("report", "--template", "gallery", status=2)
        self.run_cli("report", "--template", "gallery", "--format", "pdf", "-o", site, status=2)
        self.run_cli("report", "--template", "gallery", "--format", "html", "-o", site)

    def test_ci_report(self):
        """The file of a comparison is one that can hold it, which is known before anything is measured."""
        path = self.folder / "report.bench"
        done = call(self.store, "ci", "last", "--baseline", self.document, "--report", path)
        self.assertEqual(done.returncode, 2)
        self.assertFalse(path.exists())
        endings = re.findall(r"\.[a-z]+\b", done.stderr.partition("ends with")[2])
        self.assertGreaterEqual(set(endings), {".md", ".html", ".pdf", ".txt", ".json", ".csv"})
        for ending in endings:
            path = self.folder / f"report{ending}"
            self.run_cli("ci", "last", "--baseline", self.document, "--report", path)
            if ending != ".pdf":
                self.assertRegex(path.read_text(encoding="utf-8"), r"(?s)BERT tiny.*batch 1")
        path = self.folder / "summary"
        self.run_cli("ci", "last", "--baseline", self.document, "--report", path)
        headings = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("### ")]
        self.assertEqual(len(headings), len(set(headings)))

    def test_report_csv(self):
        rows = list(csv.DictReader(io.StringIO(self.run_cli("report", "--format", "csv"))))
        self.assertGreaterEqual(len(rows), 2)
        self.assertTrue(all(None not in row.values() and None not in row for row in rows))

    def test_report_unwritable(self):
        self.run_cli("report", "-o", self.folder / "no" / "such" / "folder.md", status=1)

    def test_charts_of_run(self):
        names = {path.name for path in pathlib.Path(self.shared.name, "charts").iterdir()}
        for chart in CHARTS:
            self.assertLessEqual({f"{chart}.svg", f"{chart}.png"}, names)
        for chart in CHARTS_OF_A_CASE:
            self.assertEqual(len([name for name in names if name.startswith(f"{chart}-0") and name.endswith(".svg")]), 2)

    def test_export(self):
        outcome = self.run_json("export", "--chart", "comparison,memory", "--format", "svg,png,pdf", "-o", self.folder)
        self.assertEqual(outcome["charts"], 9)
        xml.etree.ElementTree.parse(self.folder / "comparison.svg")
        self.assertEqual((self.folder / "comparison.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual((self.folder / "comparison.pdf").read_bytes()[:5], b"%PDF-")

    @tap.thorough
    def test_export_size(self):
        self.run_cli("export", "--chart", "comparison", "--format", "png", "--size", "400x300", "-o", self.folder)
        size = struct.unpack(">II", (self.folder / "comparison.png").read_bytes()[16:24])
        self.assertEqual(size, (800, 600))
        self.run_cli("export", "--chart", "scaling-latency", "--format", "png", "-o", self.folder)
        width, height = struct.unpack(">II", (self.folder / "scaling-latency.png").read_bytes()[16:24])
        self.assertEqual(width, 1920)
        self.assertGreaterEqual(height, 1080)

    def test_export_unwritable(self):
        (self.folder / "file").write_text("", encoding="utf-8")
        self.run_cli("export", "-o", self.folder / "file" / "below", status=1)

    def test_document(self):
        path = self.folder / "saved.dyno"
        other_store = self.folder / "other"
        (run,) = self.run_json("show")["runs"]
        self.run_cli("export", "--document", path)
        self.assertIn("Two sizes", self.run_cli("open", path))
        self.assertEqual(self.run_json("open", path)["runs"][0], run)
        self.assertEqual(self.run_json("open", path, "--import", store=other_store), [run["id"]])
        self.assertEqual(self.run_json("show", store=other_store)["runs"][0]["results"], run["results"])
        self.assertEqual(self.run_json("store", "check", store=other_store), {"unreadable": 0})
        self.assertEqual(self.run_json("store", "delete", run["id"], store=other_store), {"deleted": 1})
        self.assertEqual(self.run_json("store", "count", store=other_store), {"runs": 0})
        (deleted,) = self.run_json("store", "bin", store=other_store)
        self.assertEqual(deleted["id"], run["id"])
        self.assertIn(run["id"][:8], self.run_cli("store", "bin", store=other_store))
        self.assertEqual(self.run_json("store", "restore", run["id"][:6], store=other_store), {"restored": 1})
        self.assertEqual(self.run_json("show", store=other_store)["runs"][0]["results"], run["results"])
        self.run_cli("store", "delete", "latest", store=other_store)
        self.assertEqual(self.run_json("open", path, "--import", store=other_store), [run["id"]])
        self.run_cli("store", "delete", "latest", store=other_store)
        self.assertEqual(self.run_json("store", "empty-bin", store=other_store), {"erased": 1})
        self.assertIn("empty", self.run_cli("store", "bin", store=other_store))
        self.assertEqual(self.run_json("open", path, "--import", store=other_store), [run["id"]])


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[1:]))
