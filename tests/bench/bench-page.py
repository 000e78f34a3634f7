#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether Dyno's browser backends measure what a bare page does: bench-page.py DYNO-CLI [PAIRS] [THREADS]

The same model file in the same browser with the same engine, each time in a process of its own: `webnn:DEVICE` and a page
of some lines that runs the model in a loop, in the order ABBA. Software-emulated devices are left out. Both fix all free
dimensions: with one of them free, WebNN takes 2 of the 100 nodes of this model, and the rest runs in WebAssembly, at a
fraction of the speed. So a page whose WebNN does not take every node is an error here. What differs on purpose: Dyno's page
works in a worker and goes through several inputs.
"""

import http.server
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading

import pairs

MODEL = "mobilenet_v2_1.0_224"
SECONDS = 4
PROVIDERS = {"cpu": {"name": "webnn", "deviceType": "cpu"}, "gpu": {"name": "webnn", "deviceType": "gpu"},
             "npu": {"name": "webnn", "deviceType": "npu"}, "webgpu": {"name": "webgpu"}, "wasm": {"name": "wasm"}}
PAGE = """<!doctype html><script type="module">
const said = [];
for (const level of ['debug', 'error', 'info', 'log', 'warn'])
  console[level] = (...words) => said.push(words.join(' '));
function checkNodes() {
  const count = said.map(line => line.match(/nodes in the graph: (\\d+) number of nodes supported by WebNN: (\\d+)/))
    .filter(Boolean).pop();
  if (count?.[1] !== count?.[2])
    throw new Error(`WebNN takes ${count[2]} of ${count[1]} nodes`);
}
try {
  const ort = await import('./runtime/ort.all.min.mjs');
  ort.env.wasm.wasmPaths = new URL('runtime/', location.href).href;
  ort.env.wasm.numThreads = THREADS;
  const session = await ort.InferenceSession.create('model.onnx', {
    executionProviders: [PROVIDER], logSeverityLevel: PROVIDER.name === 'webnn' ? 1 : 2,
    freeDimensionOverrides: { batch: 1, height: 224, width: 224 } });
  checkNodes();
  const pixels = Float32Array.from({ length: 3 * 224 * 224 }, Math.random);
  const inputs = { pixel_values: new ort.Tensor('float32', pixels, [1, 3, 224, 224]) };
  const loop = async seconds => {
    const durations = [];
    for (const end = performance.now() + 1000 * seconds; performance.now() < end;) {
      const begin = performance.now();
      await session.run(inputs);
      durations.push(performance.now() - begin);
    }
    return durations;
  };
  await loop(1);
  await fetch('result', { method: 'POST', body: JSON.stringify(await loop(SECONDS)) });
} catch (error) {
  await fetch('result', { method: 'POST', body: JSON.stringify(String(error)) });
}
</script>"""


class Server(http.server.ThreadingHTTPServer):
    def __init__(self, folder, page):
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder, self.page, self.result, self.is_done = folder, page, None, threading.Event()


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {".mjs": "text/javascript", ".wasm": "application/wasm", "": "application/octet-stream"}

    def __init__(self, request, address, server):
        super().__init__(request, address, server, directory=server.folder)

    def log_message(self, *_):
        pass

    def end_headers(self):
        """Isolated, a page has the better clock, and threads."""
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def do_GET(self):
        if self.path != "/":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        return self.wfile.write(self.server.page.encode())

    def do_POST(self):
        self.server.result = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()
        self.server.is_done.set()


def measure_page(browser, folder, device, threads):
    page = PAGE.replace("PROVIDER", json.dumps(PROVIDERS[device])).replace("THREADS", str(threads)).replace("SECONDS", str(SECONDS))
    with Server(folder, page) as server, tempfile.TemporaryDirectory(prefix="dyno-bench-profile-") as profile:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        command = [browser, "--headless=new", "--no-first-run", "--enable-features=WebMachineLearningNeuralNetwork,Vulkan",
                   "--enable-unsafe-webgpu", "--no-proxy-server", "--disable-renderer-backgrounding",
                   "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", f"--user-data-dir={profile}",
                   *(["--no-sandbox"] if os.getuid() == 0 else []), f"http://127.0.0.1:{server.server_port}/"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
            is_done = server.is_done.wait(60)
            running.terminate()
        server.shutdown()
    if not is_done or isinstance(server.result, str):
        sys.exit(f"The bare page on {device} gave no result: {server.result}")
    return statistics.median(server.result), min(server.result)


def find(runtimes):
    """The browser and the engine, as set-up puts them into the runtimes folder."""
    browser = os.environ.get("DYNO_BROWSER") or next(map(str, runtimes.glob("chromium-*/chromium")), None)
    return browser, next(runtimes.glob("onnxruntime-web-*"), None)


def main():
    cli = sys.argv[1]
    n_pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    threads = int(sys.argv[3]) if len(sys.argv) > 3 else len(os.sched_getaffinity(0))
    browser, engine = find(pathlib.Path(os.environ.get("DYNO_RUNTIMES_DIR", "runtimes")))
    hardware = json.loads(pairs.run([cli, "hardware", "--json"], os.environ))
    backend = next(backend for backend in hardware["backends"] if backend["id"] == "webnn")
    devices = [device["id"] for device in backend["devices"] if device["kind"] != "software"]
    if backend["state"] != "available" or browser is None or engine is None or not devices:
        print(f"Skipped: {backend.get('reason') or 'the runtimes folder has no browser or no ONNX Runtime Web.'}")
        return pairs.SKIPPED
    with tempfile.TemporaryDirectory(prefix="dyno-bench-page-") as folder:
        environment = os.environ | {"XDG_CACHE_HOME": f"{folder}/cache", "DYNO_DATA_DIR": f"{folder}/data", "DYNO_BROWSER": browser}
        pathlib.Path(folder, "runtime").symlink_to(engine.resolve())
        model = pathlib.Path(folder, "model.onnx")
        pairs.run([cli, "models", "export", MODEL, model], environment)
        for device in devices:
            pairs.compare(f"webnn:{device} over a bare page", n_pairs,
                          lambda device=device: pairs.measure_dyno(cli, environment, model, f"webnn:{device}",
                                                                   threads if device == "wasm" else 0, SECONDS),
                          lambda device=device: measure_page(browser, folder, device, threads))
    return 0


if __name__ == "__main__":
    sys.exit(main())
