# SPDX-License-Identifier: GPL-3.0-or-later
"""A machine without an engine: one is installed, a model is fetched from the hub, and both are measured."""

import hashlib
import http.server
import io
import json
import pathlib
import platform
import re
import tarfile
import threading

from screen import wait_for

ID = "somebody/tiny-bert"
COMMIT = "0123456789abcdef0123456789abcdef01234567"
CONFIG = json.dumps({
    "model_type": "bert", "vocab_size": 100, "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
    "intermediate_size": 16, "max_position_embeddings": 512, "type_vocab_size": 2}).encode()
ADDRESS = "Id (“owner/name”) or address of its page"
STOPPED = re.compile("^The download was stopped")


class Server(http.server.ThreadingHTTPServer):
    """Stands in for the hub and for the registry of engines; half of each file comes only while it may."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.files = {}
        self.begins = []
        self.may_go_on = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"


class Answer(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        content = self.server.files.get(self.path, b"")
        begin = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").split("-")[0])
        self.server.begins.append((self.path, begin))
        self.send_response(404 if not content else 206 if begin else 200)
        if begin:
            self.send_header("Content-Range", f"bytes {begin}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(content) - begin))
        self.end_headers()
        half = begin + (len(content) - begin) // 2
        try:
            self.wfile.write(content[begin:half])
            self.wfile.flush()
            self.server.may_go_on.wait()
            self.wfile.write(content[half:])
        except ConnectionError:
            self.close_connection = True


def walk(person):
    server = Server()
    library = take_engines(person)
    offer_engine(person, server, library)
    offer_model(person, server)
    person.start()
    install(person, server, library)
    fetch(person, server)
    measure(person)


def take_engines(person):
    """Gives this person folders without engines, and returns the library of the engine that will be installed there."""
    folders = pathlib.Path(person.desktop.environment["DYNO_RUNTIMES_DIR"]).glob("onnxruntime-1*")
    own = person.desktop.home / "runtimes"
    own.mkdir()
    person.desktop.environment.update(DYNO_RUNTIMES_DIR=str(own), DYNO_CACHE_DIR=str(person.desktop.home / "cache" / "dyno"))
    return next(next(folders).resolve().glob("libonnxruntime.so.1*"))


def offer_engine(person, server, library):
    version = library.parent.name.removeprefix("onnxruntime-")
    memory = io.BytesIO()
    with tarfile.open(fileobj=memory, mode="w:gz", compresslevel=0) as archive:
        archive.add(library, f"package/bin/{library.name}")
    package = memory.getvalue()
    archive = {"file": "onnxruntime.tgz", "size": len(package), "sha256": hashlib.sha256(package).hexdigest(),
               "unpacked": library.stat().st_size, "take": [{"from": "package/bin/lib*"}]}
    engine = {"id": "onnxruntime", "name": "ONNX Runtime", "summary": "CPU", "backends": ["cpu"], "registry": "npm",
              "package": "onnxruntime-node", "license": {"name": "MIT", "files": []},
              "versions": [{"version": version, "archives": {platform.machine(): archive}}]}
    path = person.desktop.home / "engines.json"
    path.write_text(json.dumps({"engines": [engine]}))
    server.files["/onnxruntime-node/-/onnxruntime.tgz"] = package
    person.desktop.environment.update(DYNO_ENGINES=str(path), npm_config_registry=server.address, no_proxy="127.0.0.1")


def offer_model(person, server):
    blob = hashlib.sha1(b"blob %d\0" % len(CONFIG) + CONFIG).hexdigest()
    listing = {"sha": COMMIT, "siblings": [{"rfilename": "config.json", "size": len(CONFIG), "blobId": blob}]}
    server.files[f"/api/models/{ID}/revision/main?blobs=true"] = json.dumps(listing).encode()
    server.files[f"/{ID}/resolve/{COMMIT}/config.json"] = CONFIG
    person.desktop.environment.update(HF_ENDPOINT=server.address, HF_HOME=str(person.desktop.home / "hub"))


def install(person, server, library):
    # Where there is none, they are unfolded.
    person.look("no-engine")
    person.press(re.compile("^Install Engine"), role="list item")
    person.press("Install")
    stop(person, "engine")
    begin = server.begins[-1]
    server.may_go_on.set()
    person.press("Install")
    person.see_no("frame", "Install Engine")
    installed = person.desktop.home / "runtimes" / library.parent.name / library.name
    assert person.wait_for_file(installed).read_bytes() == library.read_bytes()
    path, place = server.begins[-1]
    assert path == begin[0] and place > 0, f"The second download of {path} began at {place}"
    person.tick("ONNX Runtime (CPU)")


def fetch(person, server):
    server.may_go_on.clear()
    person.choose_from_menu("From the Hub, and Recent Models", "Add from the Hub…")
    person.type_into(ADDRESS, "somebody/nothing")
    server.may_go_on.set()
    person.press("Fetch")
    person.see(None, re.compile("“somebody/nothing”"))
    server.may_go_on.clear()
    person.type_into(ADDRESS, ID)
    person.press("Fetch")
    stop(person, "model")
    server.may_go_on.set()
    person.press("Fetch")
    person.see_no("frame", "Add from the Hub")
    wait_for("the tick of the model", lambda: person.see("check box", ID).has("checked"))
    assert list((person.desktop.home / "hub").rglob("config.json")), "The config is not in the cache of the hub"


def stop(person, picture):
    person.see("status bar", None)
    person.look(picture)
    person.press("Cancel")
    person.see(None, STOPPED)


def measure(person):
    person.press("Run")
    (count, n_cases), = person.wait_for_row("SELECT n_ok, n_cases FROM runs WHERE finished_at > 0")
    assert count == n_cases, f"{count} of {n_cases} cases succeeded"
    case = person.ask_cli("show", "last")["runs"][0]["results"][0]["case"]
    assert case["backend"] == "cpu" and ID in case["model"], case
