#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A TensorFlow Lite file on LiteRT in Dyno's own process.

Usage: test-litert.py DYNO-CLI FIXTURES
"""

import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap

FIXTURES = pathlib.Path(sys.argv.pop())
CLI = os.path.abspath(sys.argv.pop())
# As test-litert.c counts them by hand.
FLOPS = 5118


class LiteRt(unittest.TestCase):
    def setUp(self):
        self.folder = tap.make_folder("dyno-litert-", self.addCleanup)
        self.model = FIXTURES / "picture.tflite"

    def call(self, *arguments, but=("DYNO_LITERT", "DYNO_ONNXRUNTIME")):
        return subprocess.run([CLI, *arguments], capture_output=True, text=True, timeout=200,
                              env={**os.environ, **tap.without_engines(but=but),
                                   "DYNO_DATA_DIR": str(self.folder / "data"), "DYNO_NO_CEILINGS": "1"})

    def need_engine(self):
        tap.need_engine(self, lambda: self.call("hardware", "--json").stdout, "litert")

    def measure(self, *arguments):
        done = self.call("run", "--threads", "1", "--invocations", "1", "--min-seconds", "0.1", "--max-seconds", "0.3", "--json",
                         *arguments)
        return json.loads(done.stdout)["runs"][0]["results"]

    def test_describes(self):
        self.need_engine()
        told = json.loads(self.call("models", "info", str(self.model), "--json").stdout)
        self.assertEqual((told["family"], told["architecture"]), ("tflite", "tflite"))
        self.assertEqual(told["parameters"], 237)
        self.assertEqual(told["weight_mix"], "float 100 %")
        self.assertEqual(told["flops"], FLOPS)

    def test_needs_the_engine(self):
        done = self.call("models", "info", str(self.model), but=())
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("engines install litert", done.stderr)

    def test_measures(self):
        self.need_engine()
        (result,) = self.measure("-m", str(self.model), "-b", "litert")
        self.assertEqual(result["status"], "ok", result.get("reason"))
        values = {value["name"]: value for value in result["values"]}
        self.assertEqual(values["flops"]["value"], FLOPS)
        self.assertLess(values["output_max_error"]["value"], 1e-4)
        self.assertIn("LiteRT's own kernels", values["output_max_error"]["source"])
        # Operands and results of two convolutions and a product, of four bytes.
        self.assertEqual(values["bytes_per_step"]["value"], 4 * (192 + 112 + 64 + 64 + 40 + 64 + 16 + 85 + 5))
        self.assertIn("graph in the file", values["bytes_per_step"]["source"])
        self.assertEqual((values["placement_percent"]["value"], values["delegated_operators_percent"]["value"]), (100, 100))
        self.assertIn("Convolution", {operator["type"] for operator in result["operators"]})

    def test_options(self):
        self.need_engine()
        results = self.measure("-m", str(self.model), "-b", "litert", "--option", "kernels=xnnpack,builtin,reference")
        self.assertEqual([result["status"] for result in results], ["ok"] * 3, results)

    def test_whole_numbers(self):
        self.need_engine()
        (result,) = self.measure("-m", str(FIXTURES / "whole.tflite"), "-b", "litert")
        self.assertEqual((result["status"], result["case"]["precision"]), ("ok", "int8"), result.get("reason"))

    def test_free_batch(self):
        self.need_engine()
        results = self.measure("-m", str(FIXTURES / "affine.tflite"), "-b", "litert", "--batch", "1,16")
        self.assertEqual([result["status"] for result in results], ["ok", "ok"], results)
        flops = [next(value["value"] for value in result["values"] if value["name"] == "flops") for result in results]
        self.assertEqual(flops, [14, 14 * 16])

    def test_elsewhere(self):
        self.need_engine()
        (result,) = self.measure("-m", str(self.model), "-b", "cpu")
        self.assertEqual(result["status"], "skipped")
        self.assertIn("Choose the backend “litert”", result["reason"])
        (result,) = self.measure("-m", "bert-tiny", "-b", "litert", "--batch", "1", "--sequence", "8")
        self.assertEqual(result["status"], "skipped")
        self.assertIn("opens files of TensorFlow Lite", result["reason"])

    def test_damaged(self):
        self.need_engine()
        damaged = self.folder / "damaged.tflite"
        damaged.write_bytes(self.model.read_bytes()[:1000])
        done = self.call("models", "info", str(damaged))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("damaged.tflite", done.stderr)


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[1:]))
