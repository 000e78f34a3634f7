#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fetching models, from a server on the loopback interface that speaks the hub's paths.

Usage: test-hub.py DYNO-CLI
"""

import contextlib
import hashlib
import http.server
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap

CLI = os.path.abspath(sys.argv.pop(1))
COMMIT = "0123456789abcdef0123456789abcdef01234567"
ID = "somebody/tiny-bert"
CONFIG = json.dumps({
    "model_type": "bert", "vocab_size": 100, "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
    "intermediate_size": 16, "max_position_embeddings": 512, "type_vocab_size": 2}).encode()


def git_hash(content):
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def describe(name, content):
    """A file as the hub lists it: those of the large kind have a SHA-256."""
    entry = {"rfilename": name, "size": len(content), "blobId": git_hash(content)}
    if not name.endswith(".json"):
        entry["lfs"] = {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}
    return entry


class Hub(http.server.ThreadingHTTPServer):
    """What it holds and how it misbehaves; every request is kept."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.files = {"config.json": CONFIG}
        self.listing = None
        self.requests = []
        self.elsewhere = None
        self.statuses = []
        self.retry_after = "0"
        self.cuts = 0
        self.knows_ranges = True
        self.stalls = threading.Event()
        self.resume = threading.Event()
        self.lies = {}
        self.location = None
        self.trickles = None
        self.shift = 0

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"

    def list_files(self):
        if self.listing is not None:
            return self.listing
        return {"sha": COMMIT, "siblings": [describe(name, content) for name, content in self.files.items()]}


class Answer(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def say(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(body)

    def trickle(self):
        """A byte now and then keeps every connection alive."""
        with contextlib.suppress(ConnectionError):
            while not self.server.resume.wait(0.02):
                self.wfile.write(b" ")
                self.wfile.flush()
        self.close_connection = True

    def do_GET(self):
        hub = self.server
        hub.requests.append((self.path, dict(self.headers)))
        if hub.trickles == "nothing":
            hub.resume.wait(30)
            self.close_connection = True
            return None
        if hub.trickles == "headers":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            return self.trickle()
        if hub.trickles == "listing":
            self.send_response(200)
            self.end_headers()
            return self.trickle()
        if hub.statuses:
            return self.say(hub.statuses.pop(0), b"no", Retry_After=hub.retry_after)
        if hub.location is not None:
            return self.say(302, Location=hub.location)
        if self.path == f"/api/models/{ID}/revision/main?blobs=true":
            listing = hub.list_files()
            return self.say(200, listing if isinstance(listing, bytes) else json.dumps(listing).encode())
        prefix = f"/{ID}/resolve/{COMMIT}/"
        if self.path.startswith(prefix) and self.path.removeprefix(prefix) in hub.files:
            return self.send_file(self.path.removeprefix(prefix))
        return self.say(404, b"not here")

    def send_file(self, name):
        hub = self.server
        if hub.elsewhere is not None and not name.endswith(".json"):
            return self.say(302, Location=f"{hub.elsewhere.address}{self.path}")
        content = hub.lies.get(name, hub.files[name])
        start = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").split("-")[0]) if hub.knows_ranges else 0
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start + hub.shift}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        half = start + (len(content) - start) // 2
        cut = hub.cuts > 0 and not name.endswith(".json")
        with contextlib.suppress(ConnectionError):
            self.wfile.write(content[start:half])
            self.wfile.flush()
            if hub.stalls.is_set() and not name.endswith(".json"):
                hub.resume.wait(30)
            if hub.trickles == "file" and not name.endswith(".json"):
                return self.trickle()
            if cut:
                hub.cuts -= 1
                self.close_connection = True
                return
            self.wfile.write(content[half:])


class HubTest(unittest.TestCase):
    def setUp(self):
        self.folder = tap.make_folder("dyno-hub-", self.addCleanup)
        self.hub = self.serve()
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("HF_")} | {
            "HF_HOME": str(self.folder / "home"), "HF_ENDPOINT": self.hub.address, "DYNO_DATA_DIR": str(self.folder),
            "DYNO_CACHE_DIR": str(self.folder / "cache"), "no_proxy": "127.0.0.1"}
        self.repo = self.folder / "home" / "hub" / "models--somebody--tiny-bert"

    def serve(self):
        return tap.serve(Hub(), self.addCleanup)

    def call(self, *arguments, status=0):
        done = subprocess.run([CLI, "models", *arguments], env=self.environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, check=False, timeout=100)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertNotRegex(done.stderr, r"CRITICAL|WARNING \*\*")
        return done.stdout if status == 0 else done.stderr

    def fetch(self, *options, status=0):
        return self.call("fetch", ID, *options, status=status)

    def refuse(self, *words, options=()):
        said = self.fetch(*options, status=1)
        for word in words:
            self.assertIn(word, said)
        self.assertFalse((self.repo / "refs" / "main").exists())
        return said

    def requested(self, name):
        return [headers for path, headers in self.hub.requests if path.endswith(name)]

    def test_config(self):
        """A config alone is enough, in the layout of the hub's own programs, and only asked for once."""
        said = self.fetch()
        self.assertIn(f"dyno-cli run -m {ID}", said)
        self.assertEqual((self.repo / "refs" / "main").read_text(encoding="utf-8"), COMMIT)
        config = self.repo / "snapshots" / COMMIT / "config.json"
        self.assertEqual(os.readlink(config), f"../../blobs/{git_hash(CONFIG)}")
        self.assertEqual(config.read_bytes(), CONFIG)
        info = json.loads(self.call("info", ID, "--json"))
        self.assertEqual((info["id"], info["architecture"]), (ID, "bert"))
        self.fetch()
        self.assertEqual(len(self.requested("config.json")), 1)

    def test_preparation(self):
        """How sound and pictures are prepared comes with the config."""
        self.hub.files["preprocessor_config.json"] = b'{"sampling_rate": 24000}'
        self.fetch()
        snapshot = self.repo / "snapshots" / COMMIT
        self.assertEqual({path.name for path in snapshot.iterdir()}, {"config.json", "preprocessor_config.json"})

    def test_bundled_name(self):
        """Who fetches a model under the name that it has on the hub gets that, not the bundled one."""
        self.assertEqual(json.loads(self.call("info", "somebody/bert-tiny", "--json"))["id"], "bert-tiny")
        other = self.repo.parent / "models--somebody--bert-tiny"
        self.fetch()
        self.repo.rename(other)
        self.assertEqual(json.loads(self.call("info", "somebody/bert-tiny", "--json"))["id"], "somebody/bert-tiny")
        self.assertEqual(json.loads(self.call("info", "bert-tiny", "--json"))["id"], "bert-tiny")

    def test_unknown_architecture(self):
        self.hub.files["config.json"] = b'{"model_type": "nosuch"}'
        self.assertRegex(self.fetch(), "cannot be measured: .*“nosuch”")

    def test_files(self):
        """Shards with their index; an export with its data; each below the folder it has on the hub."""
        self.hub.files |= {"model.safetensors.index.json": b"{}", "model-00001-of-00002.safetensors": b"one",
                           "model-00002-of-00002.safetensors": b"two", "onnx/model.onnx": b"graph",
                           "onnx/model.onnx_data": b"data", "pytorch_model.bin": b"never"}
        snapshot = self.repo / "snapshots" / COMMIT
        self.fetch("--weights")
        self.assertEqual({path.name for path in snapshot.iterdir()},
                         {"config.json", "model.safetensors.index.json", "model-00001-of-00002.safetensors",
                          "model-00002-of-00002.safetensors"})
        self.fetch("--onnx")
        self.assertEqual((snapshot / "onnx" / "model.onnx_data").read_bytes(), b"data")
        self.assertEqual(len(self.requested("config.json")), 1)
        self.assertEqual(self.requested("pytorch_model.bin"), [])
        self.call("fetch", ID, "--onnx", "--weights", status=2)

    def test_pipeline(self):
        """The configs of all parts and of the sampler; the weights of what computes, in full precision where there are both."""
        self.hub.files = {"model_index.json": b'{"_class_name": "NoSuchPipeline", "unet": ["diffusers", "UNet2DConditionModel"]}',
                          "unet/config.json": b"{}", "scheduler/scheduler_config.json": b"{}", "safety_checker/config.json": b"{}",
                          "unet/diffusion_pytorch_model.safetensors": b"unet",
                          "unet/diffusion_pytorch_model.fp16.safetensors": b"never",
                          "text_encoder/model.fp16.safetensors": b"text",
                          "vae/diffusion_pytorch_model.safetensors.index.json": b"{}",
                          "vae/diffusion_pytorch_model-00001-of-00002.safetensors": b"one",
                          "vae/diffusion_pytorch_model-00002-of-00002.safetensors": b"two",
                          "safety_checker/model.safetensors": b"never", "v1-5.safetensors": b"never"}
        snapshot = self.repo / "snapshots" / COMMIT
        configs = {"model_index.json", "unet/config.json", "scheduler/scheduler_config.json", "safety_checker/config.json"}

        def listed():
            return {str(path.relative_to(snapshot)) for path in snapshot.rglob("*") if not path.is_dir()}

        self.fetch()
        self.assertEqual(listed(), configs)
        self.fetch("--weights")
        self.assertEqual(listed(), {name for name in self.hub.files if self.hub.files[name] != b"never"})

    def test_what_is_not_there(self):
        self.refuse("no weights as safetensors", options=["--weights"])
        self.refuse("no ONNX export", options=["--onnx"])
        del self.hub.files["config.json"]
        self.refuse("no config.json")

    def test_redirect(self):
        """The token is for the hub alone."""
        other = self.serve()
        other.files = self.hub.files = {"config.json": CONFIG, "model.safetensors": b"weights"}
        self.hub.elsewhere = other
        self.environment["HF_TOKEN"] = "secret"
        self.fetch("--weights")
        self.assertTrue(all(headers["Authorization"] == "Bearer secret" for _, headers in self.hub.requests))
        self.assertTrue(other.requests)
        self.assertFalse(any("Authorization" in headers for _, headers in other.requests))

    def test_redirects_that_lead_nowhere(self):
        self.hub.location = f"{self.hub.address}/again"
        self.refuse("The redirects of “127.0.0.1” form a loop")
        self.hub.location = "file:///etc/passwd"
        self.refuse("no safe address", "file:///etc/passwd")

    def test_refused(self):
        for token, status, words in ((None, 401, "set HF_TOKEN to an access token"), ("secret", 401, "access token does not open"),
                                     ("secret", 403, "Accept the model’s terms"), (None, 404, "There is no model"),
                                     (None, 418, "HTTP 418"), (None, 500, "HTTP 500")):
            with self.subTest(status=status, token=token):
                self.environment.pop("HF_TOKEN", None)
                if token is not None:
                    self.environment["HF_TOKEN"] = token
                self.hub.statuses = [status]
                self.refuse(words, *([f"“{ID}”"] if status != 500 else []))

    def test_asked_to_wait(self):
        self.hub.statuses = [429, 429]
        self.fetch()
        self.hub.statuses, self.hub.retry_after = [429], "86400"
        self.assertIn("a pause of 86400 s", self.fetch(status=1))

    def test_cut_connection(self):
        """What came is not fetched again."""
        content = self.hub.files["model.safetensors"] = os.urandom(300_000)
        self.hub.cuts = 3
        self.fetch("--weights")
        self.assertEqual((self.repo / "snapshots" / COMMIT / "model.safetensors").read_bytes(), content)
        self.assertEqual([headers.get("Range") for headers in self.requested("model.safetensors")],
                         [None, "bytes=150000-", "bytes=225000-", "bytes=262500-"])

    def test_server_without_ranges(self):
        content = self.hub.files["model.safetensors"] = os.urandom(300_000)
        self.hub.cuts, self.hub.knows_ranges = 1, False
        self.fetch("--weights")
        self.assertEqual((self.repo / "snapshots" / COMMIT / "model.safetensors").read_bytes(), content)

    def test_answer_that_never_ends(self):
        """However it keeps the connection alive, a list of files has a limit."""
        self.environment["HF_HUB_ETAG_TIMEOUT"] = "1"
        for part in ("nothing", "headers", "listing"):
            with self.subTest(part=part):
                self.hub.trickles = part
                self.refuse("did not send its whole answer within 1 s", "Check the network")

    def test_download_that_never_ends(self):
        """What came is kept."""
        content = self.hub.files["model.safetensors"] = os.urandom(300_000)
        self.environment["HF_HUB_DOWNLOAD_TIMEOUT"] = "1"
        self.hub.trickles = "file"
        said = self.refuse("broke off after 150", "what arrived is kept", options=["--weights"])
        self.assertRegex(said, r": only \d+ bytes arrived within 1 s\.")
        self.assertEqual(len(self.requested("model.safetensors")), 1)
        self.hub.trickles = None
        (incomplete,) = (self.repo / "blobs").glob("*.incomplete")
        os.truncate(incomplete, 150_000)  # blanks are no part of the file
        self.fetch("--weights")
        self.assertEqual(self.requested("model.safetensors")[-1]["Range"], "bytes=150000-")
        self.assertEqual((self.repo / "snapshots" / COMMIT / "model.safetensors").read_bytes(), content)

    def test_server_that_sends_another_part(self):
        self.hub.files["model.safetensors"] = os.urandom(300_000)
        self.hub.cuts, self.hub.shift = 1, -1
        said = self.refuse("“model.safetensors” from byte 150000 on, but sent it from byte 149999 on", "Delete “",
                           options=["--weights"])
        pathlib.Path(said.split("Delete “")[1].split("”")[0]).unlink()
        self.fetch("--weights")

    def test_sizes_beyond_all_numbers(self):
        config = describe("config.json", CONFIG)
        for n in (2, 3):
            shards = [describe(f"model-{i}-of-{n}.safetensors", b"") | {"size": 2**63 - 1} for i in range(n)]
            index = describe("model.safetensors.index.json", b"{}")
            self.hub.listing = {"sha": COMMIT, "siblings": [config, index, *shards]}
            self.refuse("The files take 18.4", "are free", options=["--weights"])

    def test_connection_that_never_holds(self):
        self.hub.files["model.safetensors"] = b"x"
        self.hub.cuts = 1000
        self.refuse("connection", options=["--weights"])

    def test_stopped(self):
        """Ctrl+C keeps what came; the next time goes on from there."""
        content = self.hub.files["model.safetensors"] = os.urandom(400_000)
        self.hub.stalls.set()
        incomplete = self.repo / "blobs" / f"{hashlib.sha256(content).hexdigest()}.incomplete"
        with subprocess.Popen([CLI, "models", "fetch", ID, "--weights"], env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
            while not (incomplete.exists() and incomplete.stat().st_size == 200_000):
                self.assertIsNone(running.poll())
            self.assertIn("Another program is fetching", self.fetch("--weights", status=1))
            running.send_signal(signal.SIGINT)
            _, said = running.communicate(timeout=100)
        self.assertEqual(running.returncode, 1)
        self.assertIn("was stopped", said)
        self.hub.stalls.clear()
        self.hub.resume.set()
        self.fetch("--weights")
        self.assertEqual(self.requested("model.safetensors")[-1]["Range"], "bytes=200000-")
        self.assertEqual((self.repo / "snapshots" / COMMIT / "model.safetensors").read_bytes(), content)

    def test_wrong_checksum(self):
        """What is not what the hub lists is never given a name, whether it is as long or longer."""
        self.hub.files["model.safetensors"] = b"right"
        for wrong in (b"wrong", b"right and more"):
            with self.subTest(wrong=wrong):
                self.hub.lies["model.safetensors"] = wrong
                self.refuse("“model.safetensors”", "arrived damaged", options=["--weights"])
                self.assertEqual([path.name for path in (self.repo / "blobs").iterdir()], [git_hash(CONFIG)])
        self.hub.lies["config.json"] = CONFIG.replace(b"8", b"9", 1)
        (self.repo / "blobs" / git_hash(CONFIG)).unlink()
        self.refuse("“config.json”", "arrived damaged")

    def test_hostile_names(self):
        for name in ("../config.json", "/etc/config.json", "a/../../config.json", "..\\up/config.json", "a\n/config.json"):
            with self.subTest(name=name):
                self.hub.listing = {"sha": COMMIT, "siblings": [describe("model_index.json", b"{}"), describe(name, b"{}")]}
                self.refuse("lies outside of its folder")
                self.assertFalse((self.repo / "blobs").exists())
        for commit in ("../../../up", "main", 7, None):
            self.hub.listing = {"sha": commit, "siblings": []}
            self.refuse("not one that Dyno understands")

    def test_nonsense(self):
        for answer in (b"", b"<html>", b"[]", b"{}", b"[" * 100_000, json.dumps({"sha": COMMIT, "siblings": 5}).encode()):
            with self.subTest(answer=answer[:20]):
                self.hub.listing = answer
                self.refuse("not one that Dyno understands")
        self.hub.listing = {"sha": COMMIT, "siblings": [None, 5, {}, {"rfilename": "config.json", "size": -1, "blobId": "x"}]}
        self.refuse("no config.json")

    def test_wrong_ids(self):
        for wrong in ("../up", "a/b/c", "a b", "a/b.", "a..b", "a/", "x" * 97, "a--b"):
            with self.subTest(id=wrong):
                self.assertIn("cannot be a model on the hub", self.call("fetch", wrong, status=2))
        self.assertEqual(self.hub.requests, [])

    def test_no_hub(self):
        self.environment["HF_HUB_OFFLINE"] = "1"
        self.refuse("HF_HUB_OFFLINE")
        del self.environment["HF_HUB_OFFLINE"]
        self.environment["HF_ENDPOINT"] = "nonsense"
        self.refuse("HF_ENDPOINT is “nonsense”")
        self.environment["HF_ENDPOINT"] = "http://127.0.0.1:9"
        self.refuse("cannot be reached", "HF_ENDPOINT")
        self.assertEqual(self.hub.requests, [])

    def test_place_that_cannot_be_written(self):
        (self.folder / "home").write_text("a file", encoding="utf-8")
        self.assertIn("HF_HOME", self.fetch(status=1))


if __name__ == "__main__":
    sys.exit(tap.main())
