#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The suite “every-backend” for real, on whatever this machine has: in `./dev faults` with its small language model, else with one
of two operators, because what software emulates takes minutes for more.

Usage: test-every-backend.py DYNO-CLI
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap

CLI = sys.argv.pop(1)
THOROUGH = {"DYNO_TEST_THOROUGH", "DYNO_TEST_WHOLE_SUITE"} & os.environ.keys()
AFFINE = pathlib.Path(__file__).parent.parent / "backends" / "fixtures" / "affine.onnx"
MODEL = "bert-tiny" if THOROUGH else str(AFFINE)
PICTURES = "mobilenet_v2_1.0_224"
QUICKLY = ["--sequence", "16", "--invocations", "1", "--warmup-seconds", "0.05", "--min-samples", "5", "--min-seconds", "0.1",
           "--max-seconds", "0.3", "--idle-seconds", "0"]


def setUpModule():
    """What is found out about engines is kept apart: programs that find fewer would write down theirs in between."""
    global FOLDER, BACKENDS
    FOLDER = tap.make_folder("dyno-every-backend-", unittest.addModuleCleanup)
    BACKENDS = json.loads(call("hardware", "--json").stdout)["backends"]


def call(*arguments, store="every"):
    environment = os.environ | {"DYNO_DATA_DIR": str(FOLDER / store), "DYNO_CACHE_DIR": str(FOLDER / "cache")}
    environment.pop("DYNO_FAKE_BACKEND", None)
    return subprocess.run([CLI, *arguments], env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          check=False)


class EveryBackend(unittest.TestCase):
    """One run, and every backend looked at in it."""

    @classmethod
    def setUpClass(cls):
        # A server takes the models that it holds itself, and llama.cpp and LiteRT take files, which no suite can name.
        cls.backends = [backend for backend in BACKENDS if backend["id"] not in ("server", "llamacpp", "litert")]
        cls.done = call("run", "--suite", "every-backend", "--model", MODEL, *QUICKLY, "--json")

    def setUp(self):
        if not any(backend["state"] == "available" for backend in self.backends):
            tap.skip_without_engine(self, "cpu", "; ".join(backend["reason"] for backend in self.backends))
        (run,) = json.loads(self.done.stdout)["runs"]
        self.results = {(result["case"]["backend"], result["case"]["device"]): result for result in run["results"]}

    def value(self, result, name):
        return next((value.get("value") for value in result["values"] if value["name"] == name), None)

    def fell_back(self, backend, result):
        """Whether one of ONNX Runtime's further providers left most of the model to the processor, which is its right."""
        return backend == "onnxruntime" and result["status"] == "failed" and "fell back" in result["reason"]

    def test_every_backend_has_its_case(self):
        self.assertEqual({backend["id"] for backend in self.backends}, {backend for backend, _ in self.results})
        fell_back = any(self.fell_back(backend, result) for (backend, _), result in self.results.items())
        self.assertEqual(self.done.returncode, int(fell_back), self.done.stderr)

    def test_what_is_there_is_measured(self):
        for backend in self.backends:
            result = self.results[backend["id"], ""]
            with self.subTest(backend=backend["id"]):
                if self.fell_back(backend["id"], result):
                    self.assertEqual(backend["state"], "available")
                elif result["status"] == "skipped" and "does not compute in fp32" in result["reason"]:
                    self.assertEqual(backend["devices"][0]["kind"], "emulated")
                elif backend["state"] == "available":
                    self.assertEqual(result["status"], "ok", result.get("reason"))
                    self.assertEqual(result["device"], backend["devices"][0]["name"])
                    self.assertGreater(self.value(result, "latency_p50_ms"), 0)
                    self.assertGreater(self.value(result, "load_time_ms"), 0)
                    if backend["id"] != "cpu":
                        error = next(value for value in result["values"] if value["name"] == "output_max_error")
                        self.assertIsNotNone(error.get("value"), error)
                        self.assertLess(error["value"], 0.01)
                else:
                    self.assertEqual(result["status"], "skipped", result.get("reason"))
                    self.assertIn(backend["reason"], result["reason"])
                    self.assertEqual(result["values"], [])

    def test_devices_of_the_suite(self):
        devices = {(backend["id"], device["id"]): device for backend in self.backends for device in backend["devices"]}
        for (backend, device), result in self.results.items():
            if device == "":
                continue
            with self.subTest(backend=backend, device=device):
                self.assertEqual(result["status"] == "ok", (backend, device) in devices, result.get("reason"))
                self.assertEqual(result["status"] == "skipped", (backend, device) not in devices)

    def test_the_work_ran_where_it_should(self):
        for (backend, device), result in self.results.items():
            percent = self.value(result, "placement_percent") if result["status"] == "ok" else None
            with self.subTest(backend=backend, device=device):
                self.assertTrue(percent is None or percent >= 50, percent)

    def test_software_is_said(self):
        kinds = {backend["id"]: {device["id"]: device["kind"] for device in backend["devices"]}
                 for backend in self.backends}
        for (backend, device), result in self.results.items():
            if result["status"] != "ok":
                continue
            kind = kinds[backend][device] if device else next(iter(kinds[backend].values()))
            codes = [diagnostic["code"] for diagnostic in result["diagnostics"]]
            with self.subTest(backend=backend, device=device):
                self.assertEqual("software-device" in codes, kind == "software")


class HugePages(unittest.TestCase):
    """Asked of the kernel for the weights of a model, where it gives any."""

    def measure(self, told, **variables):
        with tempfile.TemporaryDirectory(prefix="dyno-huge-pages-") as folder:
            environment = os.environ | tap.without_engines(but=["DYNO_ONNXRUNTIME"]) | {"DYNO_DATA_DIR": folder} | variables
            environment.pop("DYNO_FAKE_BACKEND", None)
            done = subprocess.run([CLI, "run", "-m", "bert-tiny", "-b", "cpu", "--option", f"huge-pages={told}", *QUICKLY, "--json"],
                                  env=environment, capture_output=True, text=True, check=False)
        (run,) = json.loads(done.stdout)["runs"]
        (result,) = run["results"]
        return result

    def huge(self, told):
        result = self.measure(told)
        if result["status"] == "skipped":
            tap.skip_without_engine(self, "cpu", result["reason"])
        self.assertEqual(result["status"], "ok", result.get("reason"))
        return next((value["value"] for value in result["values"] if value["name"] == "memory_huge_pages_mb"), 0)

    def test_own_tunables_are_kept(self):
        """Dyno adds to what the user tells the C library."""
        with tempfile.TemporaryDirectory(prefix="dyno-tunables-") as folder:
            worker, seen = pathlib.Path(folder) / "dyno-worker", pathlib.Path(folder) / "seen"
            worker.write_text(f'#!/bin/sh\necho "$GLIBC_TUNABLES" > {seen}\nexec "$WORKER" "$@"\n', encoding="utf-8")
            worker.chmod(0o700)
            real = pathlib.Path(os.environ["DYNO_LIBEXEC_DIR"]) / "dyno-worker"
            self.measure("on", DYNO_LIBEXEC_DIR=folder, WORKER=str(real), GLIBC_TUNABLES="glibc.malloc.perturb=0")
            self.assertEqual(seen.read_text(encoding="utf-8").strip(), "glibc.malloc.perturb=0:glibc.malloc.hugetlb=1")

    def test_on_and_off(self):
        modes = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")
        if not modes.exists() or "[never]" in modes.read_text(encoding="ascii"):
            self.skipTest("the kernel gives no transparent huge pages")
        if b"__asan_init" in pathlib.Path(os.environ["DYNO_LIBEXEC_DIR"], "dyno-worker").read_bytes():
            self.skipTest("the address sanitizer has its own memory")
        on = self.huge("on")
        self.assertGreater(on, 2)
        self.assertLess(self.huge("off"), on)


class Quick(unittest.TestCase):
    """The suite “quick” on every device that takes its models in their precision, but for two kinds: those that software
    emulates, which take minutes for a step, and ONNX Runtime's further providers, which may leave most of a model to the
    processor."""

    def setUp(self):
        self.specs = [f"{backend['id']}:{device['id']}" for backend in BACKENDS for device in backend["devices"]
                      if device["kind"] not in ("software", "emulated")
                      and backend["id"] not in ("onnxruntime", "llamacpp", "litert")]
        if not self.specs:
            tap.skip_without_engine(self, "cpu", "no backend is available")

    def measure(self, n_cases, *arguments):
        specs = [argument for spec in self.specs for argument in ("--backend", spec)]
        done = call("run", "--suite", "quick", *specs, *arguments, "--json", store="quick")
        self.assertEqual(done.returncode, 0, done.stderr)
        (run,) = json.loads(done.stdout)["runs"]
        self.assertEqual(sorted(f"{result['case']['backend']}:{result['case']['device']}" for result in run["results"]),
                         sorted(self.specs * n_cases))
        for result in run["results"]:
            with self.subTest(case=result["case"]):
                self.check(result)

    def check(self, result):
        self.assertEqual(result["status"], "ok", result.get("reason"))
        values = {value["name"]: value.get("value") for value in result["values"]}
        self.assertGreater(values["latency_p50_ms"], 0)
        if result["case"]["backend"] != "cpu":
            self.assertLess(values["output_max_error"], 0.01)

    if THOROUGH:
        def test_suite(self):
            """Whole in the benchmarks, where it takes a quarter of an hour; else its smallest model for pictures."""
            if "DYNO_TEST_WHOLE_SUITE" in os.environ:
                self.measure(10)
            else:
                self.measure(1, "--model", PICTURES, "--batch", "1", *QUICKLY)


if __name__ == "__main__":
    sys.exit(tap.main())
