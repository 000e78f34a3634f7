#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What bench-decoding does, with PyTorch: transformers-start.py CONFIG

For each line that comes in, the seconds from a config to the end of the first step, with random weights and no export.
The first answer is what the imports took.
"""

import json
import pathlib
import sys
import time

BEGIN = time.perf_counter()

import torch  # noqa: E402
import transformers  # noqa: E402

PROMPT_LENGTH = 16


def start(path):
    begin = time.perf_counter()
    config = json.loads(path.read_text())["config"]
    config = transformers.AutoConfig.for_model(config.pop("model_type"), **config)
    model = transformers.AutoModelForCausalLM.from_config(config, torch_dtype=torch.float32).eval()
    with torch.inference_mode():
        model(torch.arange(PROMPT_LENGTH)[None], use_cache=True)
    return time.perf_counter() - begin


def main():
    print(time.perf_counter() - BEGIN, flush=True)
    for _ in sys.stdin:
        print(start(pathlib.Path(sys.argv[1])), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
