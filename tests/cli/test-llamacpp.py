#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A GGUF file on llama.cpp in Dyno's own process.

Usage: test-llamacpp.py DYNO-CLI
"""

import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap
import tiny_gguf

CLI = os.path.abspath(sys.argv.pop(1))
PARAMETERS = 147776
LAYERS_BYTES = 4 * 2 * (4 * 64 * 64 + 3 * 64 * 128)
OUTPUT_BYTES = 4 * 64 * 512


class LlamaCpp(unittest.TestCase):
    def setUp(self):
        self.folder = tap.make_folder("dyno-llamacpp-", self.addCleanup)
        self.model = self.folder / "tiny.gguf"
        tiny_gguf.write(self.model)

    def call(self, *arguments):
        return subprocess.run([CLI, *arguments], capture_output=True, text=True, timeout=200,
                              env={**os.environ, **tap.without_engines(but=["DYNO_LLAMA_CPP", "DYNO_ONNXRUNTIME"]),
                                   "DYNO_DATA_DIR": str(self.folder / "data"), "DYNO_NO_CEILINGS": "1"})

    def need_engine(self):
        tap.need_engine(self, lambda: self.call("hardware", "--json").stdout, "llamacpp")

    def measure(self, *arguments):
        done = self.call("run", "-m", str(self.model), "--threads", "1", "--invocations", "1", "--min-seconds", "0.3",
                         "--max-seconds", "1", "--json", *arguments)
        return json.loads(done.stdout)["runs"][0]["results"]

    def test_describes(self):
        told = json.loads(self.call("models", "info", str(self.model), "--sequence", "4", "--json").stdout)
        self.assertEqual(told["architecture"], "llama")
        self.assertEqual(told["family"], "gguf")
        self.assertEqual(told["parameters"], PARAMETERS)
        self.assertEqual(told["weight_bytes"], 4 * PARAMETERS)
        self.assertEqual(told["weight_mix"], "F32 100 %")
        self.assertGreater(told["flops"], 0)
        self.assertIn("F32 100 %", self.call("models", "info", str(self.model)).stdout)

    def test_generates(self):
        self.need_engine()
        (result,) = self.measure("-b", "llamacpp", "--sequence", "32", "--generate", "16")
        self.assertEqual(result["status"], "ok", result.get("reason"))
        values = {value["name"]: value.get("value") for value in result["values"]}
        self.assertGreater(values["first_token_latency_ms"], values["inter_token_latency_ms"])
        # The weights, and the keys and values of two layers in half precision for about forty tokens.
        self.assertEqual(values["decode_product_bytes"] // 100000, (LAYERS_BYTES + OUTPUT_BYTES) // 100000)
        self.assertGreater(values["decode_flops"], 2 * (LAYERS_BYTES + OUTPUT_BYTES) / 4)
        self.assertEqual(result["architecture"], "llama")
        self.assertEqual(result["parameter_count"], PARAMETERS)

    def test_options(self):
        self.need_engine()
        results = self.measure("-b", "llamacpp", "--sequence", "32", "--batch", "2", "--option", "flash-attn=on,off",
                               "--option", "cache-type-k=f32")
        self.assertEqual([result["status"] for result in results], ["ok", "ok"], results)

    def test_own_model(self):
        self.need_engine()
        config = self.folder / "tiny.json"
        config.write_text(json.dumps({
            "model_type": "llama", "vocab_size": 64, "hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 2,
            "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 128}))
        report = json.loads(self.call("run", "-m", str(config), "-b", "cpu", "-b", "llamacpp", "--threads", "1", "--sequence", "16",
                                      "--generate", "4", "--precision", "int4-32,fp16,q8_0,q4_k_m,q2_k", "--invocations", "1",
                                      "--min-seconds", "0.1", "--max-seconds", "0.3", "--json").stdout)
        results = {(result["case"]["backend"], result["case"]["precision"]): result for result in report["runs"][0]["results"]}
        # Each precision runs where there is one; not every processor computes in half precision on the CPU backend.
        self.assertEqual({name for name, result in results.items() if result["status"] == "ok"} - {("cpu", "fp16")},
                         {("cpu", "int4-32"), ("llamacpp", "fp16"), ("llamacpp", "q8_0"), ("llamacpp", "q4_k_m")},
                         [result.get("reason") for result in results.values()])
        self.assertIn("q4_k_m", results["llamacpp", "q2_k"]["reason"])
        values = {name: {value["name"]: value.get("value") for value in result["values"]} for name, result in results.items()}
        divergences = [values["llamacpp", precision]["output_divergence"] for precision in ("fp16", "q8_0", "q4_k_m")]
        self.assertLess(divergences[0], 1e-4)
        self.assertEqual(divergences, sorted(divergences))
        self.assertNotIn("output_divergence_f16", values["llamacpp", "fp16"])
        self.assertAlmostEqual(values["llamacpp", "q4_k_m"]["output_divergence_f16"], divergences[2], delta=divergences[2] / 2)
        self.assertEqual(len({result["parameter_count"] for result in results.values() if result["status"] == "ok"}), 1)

    def test_belongs_to_its_engine(self):
        (result,) = self.measure("-b", "cpu")
        self.assertEqual(result["status"], "skipped")
        self.assertIn("llamacpp", result["reason"])
        (other,) = json.loads(self.call("run", "-m", "bert-tiny", "-b", "llamacpp", "--json").stdout)["runs"][0]["results"]
        self.assertEqual(other["status"], "skipped")


if __name__ == "__main__":
    sys.exit(tap.main(sys.argv[1:]))
