#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What models, sizes, suites and libraries get that are not what they should be.

Usage: test-models.py DYNO-CLI FOLDER-OF-LIBRARIES
"""

import contextlib
import itertools
import json
import os
import pathlib
import signal
import struct
import subprocess
import sys

LIBRARIES = pathlib.Path(sys.argv.pop(2))

from commandline import AFFINE, CLI, FIXTURES, MODEL, PATIENCE, QUICKLY, EngineTest, FaultTest, is_sanitized, limits, some
import onnx_bytes
import tap

BERT = {
    "model_type": "bert", "vocab_size": 1000, "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2,
    "intermediate_size": 128, "max_position_embeddings": 128, "type_vocab_size": 2,
}
GPT2 = {"model_type": "gpt2", "vocab_size": 1000, "n_embd": 64, "n_layer": 2, "n_head": 2, "n_positions": 128}
LLAMA = {
    "model_type": "llama", "vocab_size": 1000, "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "intermediate_size": 128, "max_position_embeddings": 128,
}


class Files(FaultTest):
    """Files are looked at before anything runs, so nothing is left in the store."""

    n_refused = 0

    def refuse_model(self, path, *words):
        commands = ((["run", "-m", path], 2), (["models", "info", path], 1))
        Files.n_refused += 1
        for command, status in commands if tap.THOROUGH else (commands[Files.n_refused % 2],):
            with self.subTest(command=command):
                self.refuse(*command, status=status, words=[f"“{path}”", *words])

    def tearDown(self):
        self.assertEqual(self.list_runs(), [])

    def test_missing(self):
        self.refuse_model(self.folder / "nosuch.onnx", "no file", "Check the path")
        self.refuse_model(self.folder / "nosuch.json", "could not be read", "Check the path")

    def test_unknown_id(self):
        self.refuse("run", "-m", "bert-tinny", status=2, words=["“bert-tinny”", "Similar", MODEL])

    def test_empty(self):
        self.refuse_model(self.write("empty.onnx", b""), "is empty", "again")

    def test_not_onnx(self):
        for content in some((b"hello, world\n" * 99, b"\x89PNG\r\n\x1a\n" + bytes(99), b"\xff" * 9999, bytes(9999)), 2):
            with self.subTest(content=content[:9]):
                self.refuse_model(self.write("other.onnx", content), "not an ONNX model", "again")

    def test_cut_short(self):
        whole = AFFINE.read_bytes()
        without_opsets = whole.rindex(b"B\x04")
        for length in (without_opsets, *some(range(1, len(whole)), 3)):
            with self.subTest(length=length):
                path = self.write("cut.onnx", whole[:length])
                self.refuse("models", "info", path, words=[f"“{path}”", "cut short", "again"])

    def test_git_lfs_pointer(self):
        pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"
        self.refuse_model(self.write("pointer.onnx", pointer), "Git LFS", "git lfs pull")

    @tap.thorough
    def test_files_of_other_kinds(self):
        self.refuse_model(self.write("model.onnx", b"PK\x03\x04" + bytes(99)), "not an ONNX model", "config.json")

    def test_damaged_gguf(self):
        for content in some((b"GGUF" + bytes(99), b"GGUF\x03" + b"\xff" * 99, b"GGUF"), 2):
            with self.subTest(content=content[:9]):
                self.refuse_model(self.write("model.gguf", content), "not a GGUF file that can be used", "again")

    def test_folder(self):
        self.refuse_model(self.folder, "config.json", "ONNX file")

    def test_not_a_file(self):
        self.refuse_model("/dev/null", "not a file", "ONNX file")

    @tap.thorough
    def test_names_that_are_no_text(self):
        self.refuse_model(self.write("names.onnx", onnx_bytes.relu([b"\xff\xfe", 4])), "not text", "again")

    def test_any_name_that_is_no_text(self):
        """Wherever it stands: what is read back from an engine is full of them."""
        bad = onnx_bytes.field(1, b"\xff\xfe")
        infos = [onnx_bytes.tensor_info(name, [4]) for name in "xy"]
        for attributes in (onnx_bytes.field(3, b"n\xe4me"), onnx_bytes.field(7, b"\xc3\x28"), onnx_bytes.field(5, bad),
                           onnx_bytes.graph_attribute("body", onnx_bytes.field(1, bad))):
            with self.subTest(attributes=attributes):
                model = onnx_bytes.model([onnx_bytes.node("Relu", ["x"], ["y"], attributes)], infos[:1], infos[1:])
                self.refuse_model(self.write("names.onnx", model), "not text", "again")

    def test_dimensions_named_by_blanks(self):
        """They are as good as nameless."""
        for name in some((" ", "\n", "+", " + +"), 2):
            with self.subTest(name=name):
                path = self.write("blank.onnx", onnx_bytes.relu([1, name]))
                self.refuse("models", "info", path, status=2, words=["“x:1=64”"])
                self.call("models", "info", path, "--dim", "x:1=3", status=0)

    def test_documentation_in_another_encoding(self):
        path = self.write("words.onnx", onnx_bytes.relu([4]) + onnx_bytes.field(6, "caf\xe9".encode("latin-1")))
        self.call("models", "info", path, status=0)

    def test_nested_without_end(self):
        infos = [onnx_bytes.tensor_info(name, [4]) for name in "xy"]
        for depth in (3000, 10000):
            with self.subTest(depth=depth):
                body = onnx_bytes.node("If", ["x"], ["y"], onnx_bytes.graph_attribute("body", onnx_bytes.nested(depth)))
                path = self.write("deep.onnx", onnx_bytes.model([body], infos[:1], infos[1:]))
                self.refuse_model(path, "nested too deeply", "again")

    def test_a_worker_that_dies(self):
        """What ends the process that reads a file does not end the one that asked."""
        (self.folder / "libexec").mkdir()
        worker = self.write("libexec/dyno-worker", "#!/bin/sh\necho last words >&2\nkill -SEGV $$\n")
        worker.chmod(0o700)
        self.environment |= {"DYNO_LIBEXEC_DIR": str(worker.parent)}
        self.refuse_model(self.write("one.onnx", onnx_bytes.relu([4])), "damaged", "last words")

    def test_impossible_weight(self):
        self.refuse_model(self.write_with_weight("impossible.onnx", [2**40, 2**40], b""), "“w”", "impossible shape")

    @tap.thorough
    def test_impossible_weights_all_together(self):
        """Each sparse one is small in the file, and an engine unpacks it."""
        infos = [onnx_bytes.tensor_info(tensor, ["batch", 4]) for tensor in "xy"]
        sparse = [onnx_bytes.field(1, onnx_bytes.weights(f"w{i}", [1], bytes(4)))
                  + onnx_bytes.field(2, onnx_bytes.integers("i", [1], [0])) + onnx_bytes.field(3, 2**44) for i in range(9)]
        model = onnx_bytes.model([onnx_bytes.node("Add", ["x", "w0"], ["y"])], infos[:1], infos[1:], sparse=sparse)
        self.refuse_model(self.write("impossible.onnx", model), "impossible size")

    def test_lacking_values(self):
        """An engine allocates what a shape says before it looks for the values."""
        self.refuse_model(self.write_with_weight("lacking.onnx", [2**31], bytes(16)), "“w”", "needs 8.6\u00a0GB", "holds 16 bytes")
        for n_values in (2**40, 3):
            with self.subTest(n_values=n_values):
                self.refuse_model(self.write("lacking.onnx", onnx_bytes.sparse(2**31, n_values, 2)), "“w”", "of values")

    def write_with_weight(self, name, dims=(4,), data=None, **external):
        infos = [onnx_bytes.tensor_info(tensor, ["batch", 4]) for tensor in "xy"]
        weight = onnx_bytes.weights("w", dims, data, **external)
        return self.write(name, onnx_bytes.model([onnx_bytes.node("Add", ["x", "w"], ["y"])], infos[:1], infos[1:],
                                                 [weight]))

    def test_external_data_missing(self):
        self.refuse_model(self.write_with_weight("far.onnx", location="weights.bin"), "weights.bin”", "not there",
                          "beside the model")

    @tap.thorough
    def test_external_data_unnamed(self):
        self.refuse_model(self.write_with_weight("far.onnx"), "“w”", "which file")

    def test_external_data_too_short(self):
        self.write("weights.bin", bytes(16))
        for place in some(({"offset": 1}, {"length": 17}, {"offset": 2**63 - 1}), 2):
            with self.subTest(place=place):
                path = self.write_with_weight("far.onnx", location="weights.bin", **place)
                self.refuse("models", "info", path, words=[f"“{path}”", "too short"])

    def test_external_data_that_is_no_number(self):
        self.write("weights.bin", bytes(16))
        for place in some(({"offset": -4}, {"offset": 2**63}, {"length": "0x10"}, {"length": "many"}), 2):
            with self.subTest(place=place):
                path = self.write_with_weight("far.onnx", location="weights.bin", **place)
                self.refuse("models", "info", path, words=[f"“{path}”", "“w”", "not a number of bytes"])

    def test_external_data_elsewhere(self):
        for location in some(("../weights.bin", "/etc/passwd", "a/../../b"), 2):
            with self.subTest(location=location):
                path = self.write_with_weight("far.onnx", location=location)
                self.refuse("models", "info", path, words=[f"“{path}”", f"“{location}”", "outside of its own folder"])

    def test_external_data_elsewhere_in_a_part(self):
        """Weights may stand in constants, in subgraphs and in functions, too."""
        far = onnx_bytes.weights("w", [4], location="../weights.bin")
        infos = [onnx_bytes.tensor_info(name, [4]) for name in "xy"]
        constant = onnx_bytes.node("Constant", [], ["c"], onnx_bytes.tensor_attribute("value", far))
        subgraph = onnx_bytes.graph_attribute("body", onnx_bytes.field(5, far))
        for nodes in ([constant], [onnx_bytes.node("If", ["x"], ["y"], subgraph)],
                      [onnx_bytes.node("If", ["x"], ["y"], onnx_bytes.graph_attribute("b", onnx_bytes.field(1, constant)))]):
            with self.subTest(nodes=nodes):
                model = onnx_bytes.model([onnx_bytes.node("Relu", ["x"], ["y"]), *nodes], infos[:1], infos[1:])
                self.refuse_model(self.write("far.onnx", model), "outside of its own folder")
        function = onnx_bytes.field(25, onnx_bytes.field(1, "f") + onnx_bytes.field(7, constant))
        self.refuse_model(self.write("far.onnx", onnx_bytes.relu([4]) + function), "outside of its own folder")

    def test_link_out_of_the_folder(self):
        (self.folder / "link.bin").symlink_to("/etc/passwd")
        self.refuse_model(self.write_with_weight("far.onnx", location="link.bin"), "“link.bin”",
                          "outside of its own folder")

    @tap.thorough
    def test_links_beside_each_other(self):
        """As a cache of downloads has it: both the model and its data are links."""
        (self.folder / "blobs").mkdir()
        (self.folder / "snapshot").mkdir()
        self.write_with_weight("blobs/0", location="far.bin")
        self.write("blobs/1", bytes(16))
        (self.folder / "snapshot" / "far.onnx").symlink_to("../blobs/0")
        (self.folder / "snapshot" / "far.bin").symlink_to("../blobs/1")
        self.call("models", "info", self.folder / "snapshot" / "far.onnx", status=0)

    def test_not_regular(self):
        """Nobody writes to the other end of a pipe, and a device never ends."""
        os.mkfifo(self.folder / "pipe.json")
        os.mkfifo(self.folder / "pipe.onnx")
        self.refuse_model(self.folder / "pipe.json", "not a regular file")
        self.refuse_model(self.folder / "pipe.onnx", "not a file")
        (self.folder / "zero.json").symlink_to("/dev/zero")
        self.refuse_model(self.folder / "zero.json", "not a regular file")
        self.refuse("run", "--suite", self.folder / "pipe.json", status=2, words=["pipe.json", "not a regular file"])
        self.refuse("run", "--suite", "/dev/zero", status=2, words=["/dev/zero", "not a regular file"])

    def test_too_large(self):
        with open(self.folder / "huge.json", "wb") as file:
            file.truncate(3 * 10**9)
        self.refuse_model(self.folder / "huge.json", "larger than")
        self.refuse("run", "--suite", self.folder / "huge.json", status=2, words=["huge.json", "larger than"])


class SizesOfDyno(EngineTest):
    """Files whose exporter named no dimension, or whose sizes nobody knows."""

    def test_leading_dimension_without_a_name(self):
        """It is the batch; a size that it is bound to is that of the case."""
        for dim, name in ((onnx_bytes.NAMELESS, "x:0"), ("unk__7", "unk__7")):
            with self.subTest(name=name):
                path = self.write("nameless.onnx", onnx_bytes.relu([dim, 4]))
                results = self.measure("-m", path, "--batch", "1,8", status=0)
                self.assertEqual([result["case"]["batch-size"] for result in results], [1, 8])
                (result,) = self.measure("-m", path, "--dim", f"{name}=8", status=0)
                self.assertEqual(result["case"]["batch-size"], 8)
                self.refuse("run", "-m", path, "--dim", f"{name}=8", "--batch", "1,8", status=2,
                            words=["batch size 1", "binds its batch to 8"])

    @tap.thorough
    def test_sizes_that_do_not_suit(self):
        """Where Dyno chose them, the remedy is to choose others."""
        infos = [onnx_bytes.tensor_info("x", ["batch", 1, "sequence"]), onnx_bytes.tensor_info("y", ["batch", 1, "frames"])]
        weight = onnx_bytes.weights("w", [1, 1, 400], bytes(1600))
        nodes = [onnx_bytes.node("Relu", ["x"], ["z"]), onnx_bytes.node("Conv", ["z", "w"], ["y"])]
        path = self.write("wide.onnx", onnx_bytes.model(nodes, infos[:1], infos[1:], [weight]))
        words = ["The sizes were batch 1, sequence 128.", "--sequence"]
        info = json.loads(self.call("models", "info", path, "--json", status=0).stdout)
        self.assert_words(info["flops_problem"], *words)
        self.assertNotIn("Export", info["flops_problem"])
        self.assertNotIn("Export", self.fail_case("-m", path, words=words))
        self.measure("-m", path, "--sequence", "1600", status=0)

    @tap.thorough
    def test_batch_without_effect(self):
        path = self.write("fixed.onnx", onnx_bytes.relu([1, 4]))
        self.refuse("run", "-m", path, "--batch", "8", status=2, words=["batch size 8", "no effect"])
        self.refuse("run", "-m", path, "--batch", "1,8", status=2, words=["batch size 8", "no effect"])
        self.measure("-m", path, "--batch", "1", status=0)

    @tap.thorough
    def test_window(self):
        """A length is at least that of the convolution that reads it."""
        infos = [onnx_bytes.tensor_info("x", ["batch", 1, "sequence"]), onnx_bytes.tensor_info("y", ["batch", 1, "frames"])]
        weight = onnx_bytes.weights("w", [1, 1, 400], bytes(1600))
        path = self.write("wide.onnx", onnx_bytes.model([onnx_bytes.node("Conv", ["x", "w"], ["y"])], infos[:1], infos[1:], [weight]))
        (result,) = self.measure("-m", path, status=0)
        self.assertEqual(result["case"]["sequence-length"], 400)
        self.fail_case("-m", path, "--sequence", "399", words=["at least 400", "“sequence”"])

    @tap.thorough
    def test_fixed_sizes_that_do_not_suit(self):
        """Nobody can choose others."""
        infos = [onnx_bytes.tensor_info("x", [1, 1, 128]), onnx_bytes.tensor_info("y", [1, 1, "frames"])]
        reshape = [onnx_bytes.node("Expand", ["x", "s"], ["z"]), onnx_bytes.node("Identity", ["z"], ["y"])]
        shape = onnx_bytes.integers("s", [3], [1, 1, 5])
        path = self.write("fixed.onnx", onnx_bytes.model(reshape, infos[:1], infos[1:], [shape]))
        self.fail_case("-m", path, words=["Export the model again"])


class Values(EngineTest):
    """Inputs that steer a graph."""

    def write_scaling(self, name="scaling.onnx"):
        """y = x · factor, where the graph compares the factor with 3."""
        inputs = [onnx_bytes.tensor_info("x", ["batch", 2]), onnx_bytes.tensor_info("factor", [], onnx_bytes.INT64)]
        cast = onnx_bytes.field(5, onnx_bytes.field(1, "to") + onnx_bytes.field(3, onnx_bytes.FLOAT) + onnx_bytes.field(20, 2))
        nodes = [onnx_bytes.node("Cast", ["factor"], ["f"], cast), onnx_bytes.node("Mul", ["x", "f"], ["y"]),
                 onnx_bytes.node("Equal", ["factor", "three"], ["usual"])]
        outputs = [onnx_bytes.tensor_info("y", ["batch", 2])]
        return self.write(name, onnx_bytes.model(nodes, inputs, outputs, [onnx_bytes.integers("three", [], [3])]))

    def write_npy(self, name, numbers, shape):
        header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".encode()
        return self.write(name, b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header
                          + struct.pack(f"<{len(numbers)}f", *numbers))

    def get_note(self, result, code):
        return next((note["message"] for note in result["diagnostics"] if note["code"] == code), "")

    def test_chosen(self):
        """What the graph compares an input with is its usual value, and the case says so."""
        (result,) = self.measure("-m", self.write_scaling(), status=0)
        self.assertIn("factor = 3", self.get_note(result, "inputs"))
        self.assertIn("--input", self.get_note(result, "inputs"))

    def test_given(self):
        """A value is part of the case; a file says how large its input is."""
        model = self.write_scaling()
        values = self.write_npy("x.npy", [1, 2, 3, 4, 5, 6], (3, 2))
        (result,) = self.measure("-m", model, "--input", "factor=5", "--input", f"x=@{values}", status=0)
        self.assertEqual(result["case"]["inputs"], f"factor=5;x=@{values}")
        self.assertEqual(result["case"]["batch-size"], 3)
        self.assertIn("factor = 5", self.get_note(result, "inputs"))
        self.assertIn("x.npy", self.call("show", status=0).stdout)
        # Only the command that repeats the run needs the whole path.
        words, _, command = self.call("show", status=0).stdout.partition("\ndyno-cli run ")
        self.assertNotIn(str(self.folder), words)
        self.assertIn(str(values), command)
        suite = self.write("suite.json", json.dumps({"models": [str(model)], "inputs": "factor=7"}))
        (result,) = self.measure("--suite", suite, status=0)
        self.assertIn("factor = 7", self.get_note(result, "inputs"))

    def test_wrong(self):
        model = self.write_scaling()
        self.refuse("run", "-m", model, "--input", "rate=1", status=2, words=["“rate”", "x, factor"])
        self.refuse("run", "-m", model, "--input", "x=@nosuch.npy", status=2, words=["nosuch.npy", "Check the path"])
        self.refuse("models", "info", model, "--input", "rate=1", status=2, words=["“rate”", "x, factor"])
        self.fail_case("-m", model, "--input", "factor=fast", words=["“factor”", "“fast”"])

    def test_test_vector(self):
        """Its outputs are what the model must give."""
        model = self.write_scaling()
        vectors = self.folder / "test_data_set_0"
        vectors.mkdir()
        (vectors / "input_0.pb").write_bytes(onnx_bytes.weights("x", [1, 2], struct.pack("<2f", 1, 2)))
        (vectors / "input_1.pb").write_bytes(onnx_bytes.integers("factor", [], [2]))
        (vectors / "output_0.pb").write_bytes(onnx_bytes.weights("y", [1, 2], struct.pack("<2f", 2, 4)))
        for arguments in ([], ["--input", f"@{vectors}"]):
            with self.subTest(arguments=arguments):
                (result,) = self.measure("-m", model, *arguments, status=0)
                self.assertIn("right", self.get_note(result, "test-vector"))
        (result,) = self.measure("-m", model, "--batch", "2", status=0)
        self.assertEqual(self.get_note(result, "test-vector"), "")
        (vectors / "output_0.pb").write_bytes(onnx_bytes.weights("y", [1, 2], struct.pack("<2f", 2, 5)))
        for arguments in ([], ["--input", f"@{vectors}"]):
            with self.subTest(arguments=arguments):
                self.fail_case("-m", model, *arguments, words=["“y”", "test vector", "The answer is wrong"])

    @tap.thorough
    def test_infinite_test_vector(self):
        """A number that is not finite is right where the vector has it, and nowhere else."""
        model = self.write_scaling()
        vectors = self.folder / "test_data_set_0"
        vectors.mkdir()
        infinite, finite = struct.pack("<2f", 1, float("inf")), struct.pack("<2f", 2, 4)
        (vectors / "input_0.pb").write_bytes(onnx_bytes.weights("x", [1, 2], infinite))
        (vectors / "input_1.pb").write_bytes(onnx_bytes.integers("factor", [], [1]))
        (vectors / "output_0.pb").write_bytes(onnx_bytes.weights("y", [1, 2], infinite))
        (result,) = self.measure("-m", model, "--input", f"@{vectors}", status=0)
        self.assertIn("right", self.get_note(result, "test-vector"))
        (vectors / "output_0.pb").write_bytes(onnx_bytes.weights("y", [1, 2], finite))
        self.fail_case("-m", model, "--input", f"@{vectors}", words=["“y”", "element 1", "The answer is wrong"])

    def check_vector(self, node, infos, value, right, other, **keywords):
        """A model of one operator, by a test vector that is right, and by one that says something else."""
        path = self.write("one.onnx", onnx_bytes.model([node], infos[:1], infos[1:], **keywords))
        vectors = self.folder / "vectors"
        vectors.mkdir(exist_ok=True)
        (vectors / "input_0.pb").write_bytes(value)
        (vectors / "output_0.pb").write_bytes(right)
        (result,) = self.measure("-m", path, "--input", f"@{vectors}", status=0)
        self.assertIn("right", self.get_note(result, "test-vector"))
        (vectors / "output_0.pb").write_bytes(other)
        self.fail_case("-m", path, "--input", f"@{vectors}", words=["“y", "test vector", "means nothing"])
        return path

    @tap.thorough
    def test_test_vector_of_texts(self):
        infos = [onnx_bytes.tensor_info(name, [2], onnx_bytes.STRING) for name in "xy"]
        right, other = (onnx_bytes.texts("", ["hello", last]) for last in ("wörld", "world"))
        self.check_vector(onnx_bytes.node("Identity", ["x"], ["y"]), infos, right, right, other)

    @tap.thorough
    def test_test_vector_of_small_numbers(self):
        """Of a byte, of half a byte, and of a quarter."""
        cast = onnx_bytes.field(5, onnx_bytes.field(1, "to") + onnx_bytes.field(3, onnx_bytes.FLOAT) + onnx_bytes.field(20, 2))
        for kind, value, last in ((onnx_bytes.FLOAT8, b"\x38\x40\xb8", -1), (onnx_bytes.INT4, b"\x21\x0f", -1),
                                  (onnx_bytes.UINT2, b"\x39", 3)):
            right, other = (onnx_bytes.weights("", [3], struct.pack("<3f", 1, 2, number)) for number in (last, 15))
            with self.subTest(kind=kind):
                infos = [onnx_bytes.tensor_info("x", [3], kind), onnx_bytes.tensor_info("y", [3])]
                path = self.check_vector(onnx_bytes.node("Cast", ["x"], ["y"], cast), infos,
                                         onnx_bytes.packed("", [3], kind, value), right, other, opset=25 if kind == onnx_bytes.UINT2 else 21,
                                         ir_version=10)
                self.measure("-m", path, status=0)

    @tap.thorough
    def test_test_vector_of_sequences(self):
        """One tensor less, and another number in one, are wrong; without a value the case says how to give one."""
        one, two = (onnx_bytes.weights("", [n], struct.pack(f"<{n}f", *range(1, n + 1))) for n in (1, 2))
        other = onnx_bytes.weights("", [2], struct.pack("<2f", 1, 3))
        infos = [onnx_bytes.sequence_info(name) for name in "xy"]
        for wrong in ([one], [one, other]):
            right = onnx_bytes.sequence("", [one, two])
            path = self.check_vector(onnx_bytes.node("Identity", ["x"], ["y"]), infos, right, right,
                                     onnx_bytes.sequence("", wrong))
        self.fail_case("-m", path, outcome="skipped", words=["“x”", "sequence", "--input @FOLDER"])
        self.fail_case("-m", path, "--input", "x=5", words=["“x”", ".npy"])
        values = self.write_npy("x.npy", [1, 2], (2,))
        self.measure("-m", path, "--input", f"x=@{values}", status=0)

    @tap.thorough
    def test_other_sizes(self):
        """Where the sizes that Dyno chose fail, others are tried, of which the case is then; sizes that are given stay."""
        infos = [onnx_bytes.tensor_info("x", ["batch", 3, "height", "width"]), onnx_bytes.tensor_info("y", [1, 3, 48 * 320])]
        shape = onnx_bytes.integers("shape", [3], [1, 3, 48 * 320])
        path = self.write("line.onnx", onnx_bytes.model([onnx_bytes.node("Reshape", ["x", "shape"], ["y"])], infos[:1],
                                                        infos[1:], [shape]))
        (result,) = self.measure("-m", path, "--invocations", "2", status=0)
        note = self.get_note(result, "other-sizes")
        self.assert_words(note, "height 224", "--dim height=48,width=320")
        self.assertNotIn("processes", note)
        (given,) = self.measure("-m", path, "--invocations", "2", "--dim", "height=48,width=320", status=0)
        self.assertEqual(result["case"], given["case"])
        self.fail_case("-m", path, "--dim", "height=47,width=321", words=["line.onnx", "--dim height=…,width=…"])

    @tap.thorough
    def test_other_length(self):
        """A number of tokens may have been chosen by a person, so it stays, but one at which the model runs is named."""
        infos = [onnx_bytes.tensor_info("x", ["batch", "sequence"]), onnx_bytes.tensor_info("y", [1, 64])]
        shape = onnx_bytes.integers("shape", [2], [1, 64])
        path = self.write("text.onnx", onnx_bytes.model([onnx_bytes.node("Reshape", ["x", "shape"], ["y"])], infos[:1],
                                                        infos[1:], [shape]))
        self.fail_case("-m", path, words=["sequence 128", "It does run with 64 tokens (--sequence 64)."])
        self.measure("-m", path, "--sequence", "64", status=0)

    @tap.thorough
    def test_branches(self):
        """Which branch ran and how often a body did is told."""
        (result,) = self.measure("-m", self.write("loop.onnx", onnx_bytes.loop(5)), status=0)
        self.assertIn("“loop” 5 times", self.get_note(result, "branches"))

    @tap.thorough
    def test_without_elements(self):
        """An input without an element is run, and the case says that it may be for nothing."""
        for dims, *arguments in (([4, 0],), ([4, "frobs"], "--dim", "frobs=0")):
            with self.subTest(dims=dims):
                (result,) = self.measure("-m", self.write("none.onnx", onnx_bytes.relu(dims)), *arguments, status=0)
                self.assertIn("empty-output", [note["code"] for note in result["diagnostics"]])

    @tap.thorough
    def test_without_inputs(self):
        weight = onnx_bytes.tensor_attribute("value", onnx_bytes.weights("", [2], struct.pack("<2f", 1, 2)))
        path = self.write("constant.onnx", onnx_bytes.model([onnx_bytes.node("Constant", [], ["y"], weight)], [],
                                                            [onnx_bytes.tensor_info("y", [2])]))
        self.measure("-m", path, status=0)

    def test_strings(self):
        infos = [onnx_bytes.tensor_info(name, [2], onnx_bytes.STRING) for name in ("text", "copy")]
        path = self.write("text.onnx", onnx_bytes.model([onnx_bytes.node("Identity", ["text"], ["copy"])], infos[:1], infos[1:]))
        self.fail_case("-m", path, outcome="skipped", words=["“text”", "--input text=VALUE"])
        self.measure("-m", path, "--input", "text=hello, world", status=0)


class Hostile(EngineTest):
    """Small files that make much of themselves: whatever is asked of one has an end, and says what it is in a few words."""

    def look_at(self, name, content, may_run=True):
        """Everything about it is told but the work of a step, within a second or two."""
        path = self.write(name, content)
        info = json.loads(self.call("models", "info", path, "--json", "--deadline-seconds", "1", status=0).stdout)
        self.assertIsNone(info["flops"])
        self.assertRegex(info["flops_problem"], r"\A.{20,1500}[.!?)]\Z")
        self.assertGreater(len(info["inputs"]), 0)
        self.call("run", "--dry-run", "-m", path, status=0 if may_run else 1)
        return path, info

    def run_case(self, path, words, outcome="failed"):
        reason = self.fail_case("-m", path, "--stall-seconds", "2", "--deadline-seconds", "10", outcome=outcome, words=words)
        self.assertLess(len(reason), 2000)

    @tap.thorough
    def test_sparse(self):
        """What an engine would make of it is told, and nothing is started."""
        path, info = self.look_at("sparse.onnx", onnx_bytes.sparse(2**40, 2, 2), may_run=False)
        self.assertEqual((info["weight_bytes"], info["parameters"]), (2**42, 2))
        self.assertGreaterEqual(info["memory_needed_bytes"], 2 * 2**42)
        self.assert_words(info["flops_problem"], "does not fit", "4.4\u00a0TB of weights")
        self.run_case(path, ["GB of memory", "4.4\u00a0TB of weights"], outcome="skipped")

    def test_unpacking(self):
        """An engine gets no more memory than is free: here, on a machine that has 1.5 GB left."""
        if is_sanitized():
            self.skipTest("the address sanitizer allows no limit of memory")
        proc = self.folder / "proc"
        proc.mkdir()
        for entry in pathlib.Path("/proc").iterdir():
            (proc / entry.name).symlink_to(entry)
        (proc / "meminfo").unlink()
        self.write("proc/meminfo", "MemTotal: 16000000 kB\nMemFree: 1500000 kB\nMemAvailable: 1500000 kB\n")
        self.environment |= {"DYNO_PROCFS_ROOT": str(proc)}
        path, info = self.look_at("unpacking.onnx", onnx_bytes.unpacking(2**30))
        self.assert_words(info["flops_problem"], "not enough memory")
        self.run_case(path, ["not enough memory"])

    def test_loop(self):
        path, info = self.look_at("loop.onnx", onnx_bytes.loop(2**62))
        self.assert_words(info["flops_problem"], "One step took more than 1 s", "--deadline-seconds")
        text = self.call("models", "info", path, "--deadline-seconds", "1", status=0).stdout
        self.assert_words(text, "FLOPs: unknown. One step took more than 1 s.", "Memory: about", "x: float [1]")
        self.run_case(path, ["2 s"])

    def test_functions(self):
        path, info = self.look_at("functions.onnx", onnx_bytes.functions(12, 10))
        self.assert_words(info["flops_problem"], "One step took more than 1 s")
        self.run_case(path, ["2 s"])

    def is_counting(self, process):
        """Other workers end while this one looks at them."""
        with contextlib.suppress(OSError):
            return b"--count-work" in pathlib.Path(f"/proc/{process}/cmdline").read_bytes()
        return False

    def test_stopped(self):
        """Ctrl+C ends the command with the process that counts."""
        path = self.write("loop.onnx", onnx_bytes.loop(2**62))
        with subprocess.Popen([CLI, "models", "info", path], env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            children = pathlib.Path(f"/proc/{process.pid}/task")
            worker = None
            while worker is None:
                self.assertIsNone(process.poll())
                workers = [child for task in children.iterdir() for child in (task / "children").read_text().split()]
                worker = next((int(child) for child in workers if self.is_counting(child)), None)
            gone = os.pidfd_open(worker)
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assert_gone(gone)

    @tap.thorough
    def test_many_dimensions(self):
        """Time and words do not grow with the square of what a file names."""
        path = self.write("many.onnx", onnx_bytes.many_dimensions(100_000))
        self.refuse("models", "info", path, status=2, words=["d0, d1, d2", "and 99992 more", "“d0=64,d1=64"])
        self.run_case(path, ["d0, d1, d2", "and 99992 more"])

    def test_long_names(self):
        for letter in some(("a", "\x1b", "\n"), 2):
            with self.subTest(letter=letter):
                name = "x" + letter * 1_000_000 + "y"
                path = self.write("long.onnx", onnx_bytes.relu([name]))
                self.refuse("models", "info", path, status=2, words=["…"])
                self.run_case(path, ["…"])
                infos = [onnx_bytes.tensor_info(one, [1]) for one in (name, "y")]
                model = onnx_bytes.model([onnx_bytes.node(name, [name], ["y"])], infos[:1], infos[1:])
                path = self.write("long.onnx", model)
                text = self.call("models", "info", path, status=0).stdout
                self.assertLess(len(text), 5000)
                self.run_case(path, ["…"], outcome="skipped")


class Configs(FaultTest):
    n_refused = 0

    def refuse_config(self, content, *words):
        """The file, and the folder that it is in."""
        Configs.n_refused += 1
        with self.subTest(content=str(content)[:200]):
            path = self.write("config.json", content if isinstance(content, (bytes, str)) else json.dumps(content))
            for place, told in ((path, f"“{path}”"), (self.folder, self.folder)):
                if tap.THOROUGH or (place == path) == (Configs.n_refused % 2 == 0):
                    self.refuse("models", "info", place, words=[told, *words])

    def test_not_a_config(self):
        for content in some(("", "null", "[1, 2]", '"bert"', '{"model_type": "bert",', b"\xff\xfe", b'{"a": "\0"}',
                             '{"vocab_size": nan}'), 4):
            self.refuse_config(content, "not a config in JSON", "again")

    @tap.thorough
    def test_what_only_python_writes(self):
        """NaN is read, and is no number."""
        self.refuse_config(json.dumps(BERT | {"vocab_size": float("nan")}), "“vocab_size”")
        self.refuse_config(json.dumps(BERT | {"vocab_size": float("inf")}), "“vocab_size”")

    def test_nested_without_end(self):
        for deep in some(("[" * 200000, '{"a":' * 200000, '{"config":' + "[" * 200000), 2):
            self.refuse_config(deep, "not a config in JSON")

    def test_unknown_family(self):
        self.refuse_config(BERT | {"model_type": "frobformer"}, "“frobformer”", "models types", "ONNX file")
        for content in ({}, {"model_type": None}, {"model_type": ""}, {"config": 5}):
            self.refuse_config(content, "“model_type”")

    def test_long_texts(self):
        """What a stranger wrote is quoted in a few words, in one line."""
        keys = ("model_type", "hidden_act", "_name_or_path", "architectures", "vocab_size")
        for key, text in some(itertools.product(keys, ("a" * 100_000, "\n\x1b" * 50_000)), 4):
            with self.subTest(key=key, text=text[:2]):
                path = self.write("config.json", json.dumps(BERT | {key: [text] if key == "architectures" else text}))
                done = self.call("models", "info", path, status=1 if key in ("model_type", "hidden_act", "vocab_size") else 0)
                self.assertLess(len(done.stdout + done.stderr), 4000)
                self.assertLess((done.stdout + done.stderr).count("\n"), 40)

    def test_missing_keys(self):
        for config in (BERT, GPT2, LLAMA):
            for key in some(sorted(config.keys() - {"model_type", "type_vocab_size", "num_key_value_heads"}), 2):
                self.refuse_config({name: value for name, value in config.items() if name != key}, f"“{key}”")
        for family in ("resnet", "vit", "distilbert"):
            self.refuse_config({"model_type": family}, "cannot be built")

    def test_nonsense_sizes(self):
        keys = sorted(BERT.keys() - {"model_type"})
        for key, size in some(itertools.product(keys, (0, -1, 10**12)), 4):
            self.refuse_config(BERT | {key: size}, f"“{key}”", str(size), "must lie between")

    def test_wrong_kinds(self):
        for key, value in some((("vocab_size", "many"), ("vocab_size", 9.5), ("vocab_size", [9]), ("hidden_act", 5),
                                ("layer_norm_eps", "small"), ("model_type", ["bert"])), 3):
            self.refuse_config(BERT | {key: value}, f"“{key}”", "is not")
        self.refuse_config(LLAMA | {"tie_word_embeddings": "yes"}, "“tie_word_embeddings”", "true or false")
        self.refuse_config(LLAMA | {"rope_theta": 0}, "“rope_theta”", "at least 1")

    def test_heads_that_do_not_divide(self):
        self.refuse_config(BERT | {"num_attention_heads": 3}, "64", "3 heads")
        self.refuse_config(GPT2 | {"n_head": 5}, "64", "5 heads")
        self.refuse_config(LLAMA | {"num_key_value_heads": 3}, "4 heads", "3 heads")

    def test_too_many_layers(self):
        self.refuse_config(BERT | {"num_hidden_layers": 10**6}, "1000000 layers")

    @tap.thorough
    def test_unknown_activation(self):
        self.refuse_config(BERT | {"hidden_act": "frob"}, "“frob”")

    def test_what_the_runner_says(self):
        path = self.write("config.json", json.dumps(BERT | {"hidden_size": 0}))
        self.refuse("run", "-m", path, "-m", path, status=2, words=[f"“{path}”", "“hidden_size” is 0"])
        self.assertEqual(self.list_runs(), [])


class Engine(EngineTest):
    def fixture(self, name):
        return FIXTURES / "backends" / "fixtures" / name

    def test_unknown_operator(self):
        self.fail_case("-m", self.fixture("unknown-operator.onnx"), outcome="skipped",
                       words=["“Frobnicate”", "ONNX Runtime", "newer runtime"])

    def test_newer_opset(self):
        for name in ("newer-opset.onnx", "newer-ir.onnx"):
            with self.subTest(name=name):
                self.fail_case("-m", self.fixture(name), outcome="skipped",
                               words=[name, "newer version of ONNX", "older opset"])

    def write_dangling(self):
        infos = [onnx_bytes.tensor_info(name, [4]) for name in "xy"]
        return self.write("odd.onnx", onnx_bytes.model([onnx_bytes.node("Relu", ["nosuch"], ["y"])], infos[:1], infos[1:]))

    def test_dangling_value(self):
        self.fail_case("-m", self.write_dangling(), words=["odd.onnx", "nosuch"])

    def test_a_bad_case_takes_no_good_one_along(self):
        results = self.measure("-m", self.fixture("unknown-operator.onnx"), "-m", self.write_dangling(),
                               "-m", AFFINE, "--listed", status=1)
        self.assertEqual([result["status"] for result in results], ["skipped", "failed", "ok"])

    def test_no_memory_left(self):
        if is_sanitized():
            self.skipTest("the address sanitizer needs terabytes of address space")
        path = self.write("wide.onnx", onnx_bytes.relu(["batch", 1000]))
        for megabytes, batch in ((500, 200000), (700, 100000)):
            with self.subTest(megabytes=megabytes):
                self.fail_case("-m", path, "--batch", batch, words=["memory", "maller"],
                          preexec_fn=limits(RLIMIT_AS=megabytes * 1000000))
        self.assertEqual(self.measure("-m", path, status=0)[0]["status"], "ok")


class Sizes(FaultTest):
    """Sizes that do not fit are told apart from those that do before anything is measured."""

    @classmethod
    def setUpClass(cls):
        cls.shared = tap.make_folder("dyno-fault-sizes-", cls.addClassCleanup)
        worker = cls.shared / "dyno-worker"
        worker.write_text('#!/bin/sh\n[ "$1" != --measure ] && exec "$WORKER" "$@"\nexit 1\n', encoding="utf-8")
        worker.chmod(0o700)

    def setUp(self):
        super().setUp()
        self.use_worker(self.shared)
        self.environment["WORKER"] = f"{os.environ['DYNO_LIBEXEC_DIR']}/dyno-worker"

    def test_unbound(self):
        path = self.write("free.onnx", onnx_bytes.relu(["batch", "frobs", "quux"]))
        self.fail_case("-m", path, words=["frobs, quux", "“frobs=64,quux=64”"])
        self.fail_case("-m", path, "--dim", "frobs=3", words=["quux", "“quux=64”"])
        self.refuse("models", "info", path, status=2, words=["frobs, quux"])

    def test_overrides(self):
        path = self.write("free.onnx", onnx_bytes.relu(["batch", "frobs"]))
        for override, *words in some((
            ("batch=0", "“batch”", "“0”", "from 1"), ("frobs=-1", "“-1”", "from 0"), ("frobs=", "“”", "from 0"),
            ("frobs=1e3", "“1e3”", "whole number"), ("frobs=99999999999999999999", "“99999999999999999999”"),
            ("nosuch=3", "“nosuch”", "batch, frobs"), ("frobs", "“frobs”", "name=size"),
            ("frobs=2147483648,batch=2147483648", "“x: float [batch, frobs]”", "maller"),
        ), 4):
            with self.subTest(override=override):
                self.fail_case("-m", path, "--dim", override, words=words)

    @tap.thorough
    def test_fixed_nonsense(self):
        for dims, *words in (([2**62, 2**62], "more than", "maller"), ([4, -5], "x:1", "“x:1=64”")):
            with self.subTest(dims=dims):
                self.fail_case("-m", self.write("fixed.onnx", onnx_bytes.relu(dims)), words=words)

    def test_batch_and_sequence(self):
        numbers = ("-1", "1.5", "many", "4294967296", "99999999999999999999", "0x10", "1 2")
        options = (("--batch", "batch-sizes", 1, 16777216), ("--sequence", "sequence-lengths", 0, 1073741824))
        for number, (option, name, least, most) in some(itertools.product(numbers, options), 6):
            with self.subTest(option=option, number=number):
                self.refuse("run", "-m", MODEL, option, number, status=2,
                            words=[f"“{number}”", name, f"from {least} to {most}"])
        self.refuse("run", "-m", MODEL, "--batch", "0", status=2, words=["“0”", "batch-sizes"])
        self.refuse("run", "-m", MODEL, "--batch", "", status=2, words=["batch-sizes"])
        self.assertEqual(self.list_runs(), [])

    def test_too_many_tokens(self):
        self.fail_case("-m", MODEL, "--sequence", 100000, words=["at most 512 tokens", "100000", "shorter"])
        self.fail_case("-m", "gpt2", "--generate", 99999, words=["at most 1024 tokens", "99999", "generate fewer"])

    def test_threads(self):
        self.fail_case("-m", MODEL, "--threads", 999999, outcome="skipped", words=["999999 threads", "at most"])
        self.refuse("run", "-m", MODEL, "--threads", "-1", status=2, words=["“-1”", "threads"])

    def test_method(self):
        for option, number in some((("--max-seconds", "nan"), ("--max-seconds", "inf"), ("--max-seconds", "0"),
                                    ("--min-seconds", "-1"), ("--interval-percent", "0"), ("--min-samples", "x"),
                                    ("--stall-seconds", "0"), ("--deadline-seconds", "-1"), ("--seed", "-1")), 4):
            with self.subTest(option=option, number=number):
                self.refuse("run", "-m", MODEL, option, number, status=2, words=[option.strip("-")])

    def test_too_large_for_the_machine(self):
        """The arithmetic: the sum that is said is that of the parts that are said."""
        self.need_engine()
        reason = self.fail_case("-m", MODEL, "--batch", 10**7, outcome="skipped",
                           words=["GB of memory", "of weights × 2", "of inputs", "of results", "10000000 × ", "available"])
        self.assertRegex(reason, r"needs about [\d.]+ GB .* but [\d.]+ GB are available")
        config = self.write("config.json", json.dumps(BERT | {"hidden_size": 1 << 20, "intermediate_size": 1 << 20}))
        self.fail_case("-m", config, outcome="skipped", words=["of weights × 2", "TB", "available"])

    def test_other_names(self):
        self.refuse("run", "-m", MODEL, "-b", "nosuch", status=2, words=["“nosuch”", "“cpu”"])


class Suites(FaultTest):
    def test_broken(self):
        for content, *words in some((
            ("", "JSON object"), ("{", "JSON"), ("[1]", "JSON object"), ("[" * 200000, "nested too deeply"),
            ('{"models": 3}', "“models”", "list"), ('{"models": [{}]}', "“models”"), ('{"models": []}', "model"),
            ('{"models": ["bert-tiny"], "frob": 1}', "“frob”", "not a known setting"),
            ('{"models": ["bert-tiny"], "method": 7}', "“method”", "object"),
            ('{"models": ["bert-tiny"], "method": {"min-seconds": "x"}}', "“min-seconds”", "number"),
            ('{"models": ["bert-tiny"], "batch-sizes": [0]}', "“0”", "batch-sizes"),
            ('{"models": ["nosuch"]}', "“nosuch”"),
        ), 5):
            with self.subTest(content=content[:60]):
                self.refuse("run", "--suite", self.write("suite.json", content), status=2, words=words)
        self.assertEqual(self.list_runs(), [])

    def test_too_many_cases(self):
        suite = {"models": [MODEL], "batch-sizes": list(range(1, 2000)), "sequence-lengths": list(range(1, 100))}
        self.refuse("run", "--suite", self.write("suite.json", json.dumps(suite)), status=2,
                    words=["more than 100000 cases", "fewer"])

    def test_missing(self):
        self.refuse("run", "--suite", self.folder / "nosuch.json", status=2, words=["nosuch.json", "cannot be read"])
        self.refuse("run", "--suite", "nosuch", status=2, words=["“nosuch”", "quick"])


class Libraries(FaultTest):
    """A library that was named is used, or the case fails with the remedy; the other commands go on."""

    def setUp(self):
        super().setUp()
        cpu = tap.find_backend(self.call("hardware", "--json", status=0).stdout, "cpu")
        if "ort_include" in (cpu["remedy"] or ""):
            tap.skip_without_engine(self, "cpu", cpu["reason"])
        self.environment |= tap.use_cache(self.folder / "cache")

    def refuse_library(self, path, *words):
        with self.subTest(path=path):
            self.environment |= {"DYNO_ONNXRUNTIME": str(path)}
            self.fail_case("-m", AFFINE, outcome="skipped", words=[*words, "engines install onnxruntime"])
            cpu = tap.find_backend(self.call("hardware", "--json", status=0).stdout, "cpu")
            self.assertEqual(cpu["state"], "unsupported")
            self.assert_words(cpu["reason"], *words)
            self.assert_words(cpu["remedy"], "engines install onnxruntime")

    def test_wrong(self):
        self.refuse_library(self.folder / "nosuch.so", "nosuch.so”", "does not exist")
        self.refuse_library(self.write("text.so", "no library\n"), "text.so”", "cannot be opened")
        self.refuse_library(self.folder, f"“{self.folder.resolve()}”", "cannot be opened")
        self.refuse_library(LIBRARIES / "libno-runtime.so", "libno-runtime.so”", "not ONNX Runtime")

    def test_too_old(self):
        self.refuse_library(LIBRARIES / "libold-runtime.so", "1.17.1", "too old", "1.20")
        self.refuse_library(LIBRARIES / "libmute-runtime.so", "1.99.0", "none of the API versions")

    def test_none(self):
        self.environment |= {"DYNO_RUNTIMES_DIR": str(self.folder), "DYNO_LIBRARY_PATH": str(self.folder)}
        self.environment.pop("VIRTUAL_ENV", None)
        remedy = "engines install onnxruntime"
        self.fail_case("-m", AFFINE, outcome="skipped", words=["ONNX Runtime was not found", remedy])
        self.assert_words(self.call("hardware", "--all", status=0).stdout, "No ONNX Runtime was found", remedy)
        info = json.loads(self.call("models", "info", AFFINE, "--json", status=0).stdout)
        self.assertIsNone(info["flops"])
        self.assert_words(info["flops_problem"], "ONNX Runtime was not found")


if __name__ == "__main__":
    sys.exit(tap.main())
