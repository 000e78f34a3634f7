# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a llama of two layers with random weights, as small as a GGUF file can be that writes words."""

import random
import struct

ALIGNMENT = 32
STRING, ARRAY = 8, 9
FORMATS = {4: "<I", 5: "<i", 6: "<f"}
NORMAL, UNKNOWN, CONTROL, BYTE = 1, 2, 3, 6
WIDTH, LAYERS, HEADS, INNER, WORDS = 64, 2, 4, 128, 253


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def number(kind):
    return lambda value: struct.pack(FORMATS[kind], value)


def entry(name, kind, value):
    return text(name) + struct.pack("<I", kind) + (text(value) if kind == STRING else number(kind)(value))


def array(name, kind, values):
    pack = text if kind == STRING else number(kind)
    return text(name) + struct.pack("<IIQ", ARRAY, kind, len(values)) + b"".join(map(pack, values))


def settings(tokens):
    kinds = [UNKNOWN, CONTROL, CONTROL] + [BYTE] * 256 + [NORMAL] * WORDS
    return [entry("general.architecture", STRING, "llama"),
            entry("llama.context_length", 4, 512), entry("llama.embedding_length", 4, WIDTH),
            entry("llama.block_count", 4, LAYERS), entry("llama.feed_forward_length", 4, INNER),
            entry("llama.attention.head_count", 4, HEADS), entry("llama.attention.head_count_kv", 4, HEADS),
            entry("llama.attention.layer_norm_rms_epsilon", 6, 1e-5),
            entry("llama.rope.dimension_count", 4, WIDTH // HEADS), entry("llama.vocab_size", 4, len(tokens)),
            entry("tokenizer.ggml.model", STRING, "llama"), array("tokenizer.ggml.tokens", STRING, tokens),
            array("tokenizer.ggml.scores", 6, [-float(i) for i in range(len(tokens))]),
            array("tokenizer.ggml.token_type", 5, kinds), entry("tokenizer.ggml.bos_token_id", 4, 1),
            entry("tokenizer.ggml.eos_token_id", 4, 2), entry("tokenizer.ggml.unknown_token_id", 4, 0),
            entry("tokenizer.chat_template", STRING, "{% for m in messages %}{{ m['content'] }}{% endfor %}")]


def draw(*shape):
    """Rows are the last dimension, as GGUF counts them from the innermost."""
    count = shape[0] * (shape[1] if len(shape) > 1 else 1)
    return shape[::-1], struct.pack(f"<{count}f", *(random.uniform(-0.1, 0.1) for _ in range(count)))


def ones(n):
    return (n,), struct.pack(f"<{n}f", *([1.0] * n))


def tensors(n_tokens):
    # The rows of what is no word are zero, so that words are what is written.
    shape, words = draw(WORDS, WIDTH)
    quiet = bytes((n_tokens - WORDS) * WIDTH * 4)
    yield "token_embd.weight", draw(n_tokens, WIDTH)
    yield "output.weight", ((WIDTH, n_tokens), quiet + words)
    yield "output_norm.weight", ones(WIDTH)
    for layer in range(LAYERS):
        for name, rows, columns in (("attn_q", WIDTH, WIDTH), ("attn_k", WIDTH, WIDTH), ("attn_v", WIDTH, WIDTH),
                                    ("attn_output", WIDTH, WIDTH), ("ffn_gate", INNER, WIDTH), ("ffn_up", INNER, WIDTH),
                                    ("ffn_down", WIDTH, INNER)):
            yield f"blk.{layer}.{name}.weight", draw(rows, columns)
        for name in ("attn_norm", "ffn_norm"):
            yield f"blk.{layer}.{name}.weight", ones(WIDTH)


def pad(data):
    return data + bytes(-len(data) % ALIGNMENT)


def write(path):
    random.seed(1)
    tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{i:02X}>" for i in range(256)] + [f"▁word{i}" for i in range(WORDS)]
    entries = settings(tokens)
    infos, body, count = b"", b"", 0
    for name, (shape, data) in tensors(len(tokens)):
        infos += text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, len(body))
        body += pad(data)
        count += 1
    head = b"GGUF" + struct.pack("<IQQ", 3, count, len(entries)) + b"".join(entries) + infos
    path.write_bytes(pad(head) + body)
