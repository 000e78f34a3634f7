#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What bench-decoding does, with PyTorch: transformers-start.py CONFIG

For each line that comes in, the seconds from a config to the end of the first step, with random weights: “step” runs the
model in PyTorch, “export” exports it to ONNX and runs that in ONNX Runtime. The first answer is what the imports took, the
second what can be asked.
"""

import importlib.util
import json
import pathlib
import sys
import tempfile
import time

BEGIN = time.perf_counter()

import torch  # noqa: E402
import transformers  # noqa: E402

PROMPT_LENGTH = 16
EXPORT_NEEDS = ("onnx", "onnxscript", "onnxruntime")


def build(path):
    config = json.loads(path.read_text())["config"]
    config = transformers.AutoConfig.for_model(config.pop("model_type"), **config)
    return transformers.AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()


def step(path):
    with torch.inference_mode():
        build(path)(torch.arange(PROMPT_LENGTH)[None], use_cache=True)


class Logits(torch.nn.Module):
    """Without a cache, which is more than is asked of the other side."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids):
        return self.model(input_ids, use_cache=False).logits


def export(path):
    import onnxruntime

    prompt = torch.arange(PROMPT_LENGTH)[None]
    with tempfile.TemporaryDirectory() as folder, torch.inference_mode():
        file = str(pathlib.Path(folder) / "model.onnx")
        torch.onnx.export(Logits(build(path)).eval(), (prompt,), file, input_names=["input_ids"], dynamo=True,
                          external_data=True, verbose=False)
        session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
        session.run(None, {"input_ids": prompt.numpy()})


def main():
    ways = {"step": step}
    path = pathlib.Path(sys.argv[1])
    answers = sys.stdout
    sys.stdout = sys.stderr  # exporting tells how far it is
    if all(importlib.util.find_spec(name) for name in EXPORT_NEEDS):
        ways["export"] = export
    print(time.perf_counter() - BEGIN, file=answers, flush=True)
    print(" ".join(ways), file=answers, flush=True)
    for line in sys.stdin:
        begin = time.perf_counter()
        ways[line.strip()](path)
        print(time.perf_counter() - begin, file=answers, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
