#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages that “dyno-cli serve” shows, and those who may not see them: test-serve.py DYNO-CLI"""

import contextlib
import http.client
import json
import os
import pathlib
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap

CLI = sys.argv.pop(1)
QUICKLY = ["--invocations", "1", "--warmup-seconds", "0.01", "--min-seconds", "0.05", "--max-seconds", "0.1", "--no-ceilings"]
GUARD_SECONDS = 60


class Browser:
    """Chromium, by the messages of its protocol for debuggers: one it reads from descriptor 3, and answers on 4."""

    def __init__(self, program, folder):
        its_input, self.requests = os.pipe()
        self.answers, its_output = os.pipe()
        # Chromium refuses to run as root with its sandbox.
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        shell = f'exec "$@" 3<&{its_input} 4>&{its_output}'
        # pylint: disable-next=consider-using-with
        self.process = subprocess.Popen(["/bin/sh", "-c", shell, "sh", program, "--headless=new", "--remote-debugging-pipe",
                                         "--no-proxy-server", "--disable-background-networking", *flags,
                                         f"--user-data-dir={folder}", "about:blank"],
                                        pass_fds=(its_input, its_output), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(its_input)
        os.close(its_output)
        self.received = b""
        self.n_requests = 0
        self.session = {}
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = {"sessionId": self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        self.call("Page.enable")

    def read(self):
        while b"\0" not in self.received:
            ready, _, _ = select.select([self.answers], [], [], GUARD_SECONDS)
            part = os.read(self.answers, 1 << 16) if ready else b""
            if not part:
                raise EOFError("The browser answers nothing.")
            self.received += part
        message, _, self.received = self.received.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        self.n_requests += 1
        request = {"id": self.n_requests, "method": method, "params": parameters, **self.session}
        os.write(self.requests, json.dumps(request).encode() + b"\0")
        while (answer := self.read()).get("id") != self.n_requests:
            self.events.append(answer["method"])
        return answer["result"]

    def wait_until_loaded(self):
        while "Page.loadEventFired" not in self.events:
            self.events.append(self.read()["method"])
        self.events.clear()

    def load(self, address):
        self.call("Page.navigate", url=address)
        self.wait_until_loaded()

    def evaluate(self, expression):
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def end(self):
        self.call("Browser.close")
        self.process.wait(GUARD_SECONDS)
        os.close(self.answers)
        os.close(self.requests)


class Serve(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="dyno-serve-")
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        script = cls.folder / "script.json"
        script.write_text("{}", encoding="utf-8")
        cls.environment = os.environ | {"DYNO_DATA_DIR": str(cls.folder / "data"), "DYNO_FAKE_BACKEND": str(script)}
        cls.call("run", "-m", "bert-tiny", "-b", "fake", *QUICKLY)
        cls.run_id = json.loads(cls.call("list", "--json"))[0]["id"]
        cls.server = subprocess.Popen([CLI, "serve"], env=cls.environment, stdin=subprocess.DEVNULL, text=True,
                                      stdout=subprocess.PIPE)
        cls.addClassCleanup(cls.end)
        cls.address = urllib.parse.urlsplit(cls.server.stdout.readline().strip())

    @classmethod
    def call(cls, *arguments):
        return subprocess.run([CLI, *arguments], env=cls.environment, stdin=subprocess.DEVNULL, text=True, check=True,
                              stdout=subprocess.PIPE, timeout=GUARD_SECONDS).stdout

    @classmethod
    def end(cls):
        cls.server.send_signal(signal.SIGTERM)
        cls.server.wait(GUARD_SECONDS)
        cls.server.stdout.close()

    def ask(self, path, method="GET", **headers):
        """Returns the status, the headers and the text."""
        connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=GUARD_SECONDS)
        try:
            connection.putrequest(method, path, skip_host="Host" in headers)
            for name, value in headers.items():
                connection.putheader(name, value)
            connection.endheaders()
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            connection.close()

    def test_address(self):
        self.assertEqual(self.address.hostname, "127.0.0.1")
        self.assertRegex(self.address.path, r"^/[0-9a-f-]{36}/$")
        other = subprocess.Popen([CLI, "serve"], env=self.environment, stdin=subprocess.DEVNULL, text=True,
                                 stdout=subprocess.PIPE)
        with other:
            self.assertNotEqual(urllib.parse.urlsplit(other.stdout.readline().strip()).path, self.address.path)
            other.send_signal(signal.SIGINT)
            self.assertEqual(other.wait(GUARD_SECONDS), 0)

    def test_list(self):
        status, headers, text = self.ask(self.address.path)
        self.assertEqual(status, 200)
        self.assertEqual(headers["Cache-Control"], "no-store")
        self.assertEqual(headers["Referrer-Policy"], "no-referrer")
        self.assertNotIn("Refresh", headers)
        self.assertIn(f'href="run/{self.run_id}"', text)

    def test_damaged(self):
        """A queue that cannot be read is reported above the runs, which are still listed; an unknown run is named."""
        queue = self.folder / "data/store.sqlite.queue"
        queue.write_text("{", encoding="utf-8")
        self.addCleanup(queue.unlink)
        status, _, text = self.ask(self.address.path)
        self.assertEqual(status, 200)
        self.assertIn("cannot be read", text)
        self.assertIn(f'href="run/{self.run_id}"', text)
        status, _, text = self.ask(f"{self.address.path}run/nosuch")
        self.assertEqual(status, 404)
        self.assertIn("“nosuch”", text)

    def test_report(self):
        status, headers, text = self.ask(f"{self.address.path}run/{self.run_id}")
        self.assertEqual(status, 200)
        self.assertEqual(headers["Content-Type"], "text/html; charset=utf-8")
        self.assertIn("BERT tiny", text)
        self.assertIn("<svg", text)

    def test_live(self):
        """A run that is measured is told with its progress, and the page asks to be loaded again; so is one that waits."""
        self.call("queue", "add", "-m", "bert-tiny", "-b", "fake", "--batch", "64", "--queue-priority", "idle")
        with self.measure():
            _, headers, text = self.ask(self.address.path)
            self.assertIn("Waiting:", text)
            self.assertEqual(headers["Refresh"], "5")
            (live,) = [run["id"] for run in json.loads(self.call("list", "--json")) if run["running"]]
            self.assertEqual(self.ask(f"{self.address.path}run/{live}")[1]["Refresh"], "5")

    def open_browser(self):
        programs = sorted(pathlib.Path(os.environ["DYNO_RUNTIMES_DIR"]).glob("chromium-*/chromium"))
        if not programs:
            tap.skip_without_engine(self, "webnn", "there is no browser: ./dev setup fetches one")
        profile = self.enterContext(tempfile.TemporaryDirectory(prefix="dyno-browser-", ignore_cleanup_errors=True))
        browser = Browser(programs[-1], profile)
        self.addCleanup(browser.end)
        return browser

    def test_browser(self):
        """A real browser draws the list and a report, follows the link between them, and loads a page again by itself."""
        browser = self.open_browser()
        browser.load(self.address.geturl())
        self.assertEqual(browser.evaluate("document.title"), "Runs in Dyno")
        browser.evaluate(f"document.querySelector('a[href=\"run/{self.run_id}\"]').click()")
        browser.wait_until_loaded()
        self.assertIn("BERT tiny", browser.evaluate("document.querySelector('h1').innerText"))
        for width in (1280, 370):
            browser.call("Emulation.setDeviceMetricsOverride", width=width, height=720, deviceScaleFactor=1, mobile=False)
            drawn, page, needed = browser.evaluate(
                "[document.querySelector('svg').getBoundingClientRect().width, "
                "document.documentElement.clientWidth, document.documentElement.scrollWidth]")
            self.assertGreater(drawn, page / 2)
            self.assertLessEqual(needed, page, f"The page scrolls sideways when it is {width} px wide.")
        browser.call("Emulation.clearDeviceMetricsOverride")
        with self.measure():
            browser.load(self.address.geturl())
            self.assertIn("Being measured:", browser.evaluate("document.body.innerText"))
            browser.wait_until_loaded()
            self.assertEqual(browser.evaluate("document.title"), "Runs in Dyno")

    @contextlib.contextmanager
    def measure(self):
        """A run is being measured meanwhile, and is listed."""
        slowly = ["--invocations", "1", "--min-seconds", "60", "--max-seconds", "60", "--no-ceilings"]
        with subprocess.Popen([CLI, "run", "-m", "bert-tiny", "-b", "fake", "--batch", "2,4", *slowly], env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            try:
                while True:
                    status, _, text = self.ask(self.address.path)
                    self.assertEqual(status, 200)
                    if "Being measured:" in text:
                        break
                    self.assertIsNone(run.poll())
                yield
            finally:
                run.send_signal(signal.SIGINT)
                run.wait(GUARD_SECONDS)

    def test_nodes(self):
        """What nodes have finished is listed until it is fetched, and is a run then."""
        self.call("run", "-m", "bert-tiny", "-b", "fake", "--batch", "3", *QUICKLY, "--on", "local")
        job = json.loads(self.call("jobs", "list", "--json"))[0]["id"]
        node = re.escape(socket.gethostname())
        self.assertRegex(self.ask(self.address.path)[2], f"On “{node}”:")
        self.call("jobs", "watch", job, "--every", "0.2")
        self.assertNotIn("On “", self.ask(self.address.path)[2])

    def test_strangers(self):
        """Nothing is shown without the token, to another host, or to another method; nor is anything outside the store."""
        root = self.address.path
        wrong = root[:-2] + ("0/" if root[-2] != "0" else "1/")
        for path, status in (("/", 404), (wrong, 404), (f"{wrong}run/{self.run_id}", 404), (root[:-1], 404),
                             (f"/x{root}", 404), (f"{root}nosuch", 404), (f"{root}run/", 404), (f"{root}run/nosuch", 404),
                             (f"{root}run/../../etc/passwd", 404), (f"{root}../../../etc/passwd", 404),
                             (f"{root}run/%2e%2e%2f%2e%2e%2fetc%2fpasswd", 400), (f"{root}run//etc/passwd", 404),
                             (f"{root}run/{self.folder}/data/store.sqlite", 404)):
            with self.subTest(path=path):
                answer = self.ask(path)
                self.assertEqual(answer[0], status)
                self.assertNotIn(self.run_id, answer[2])
                self.assertNotIn("root:", answer[2])
        for host in ("evil.example", f"evil.example:{self.address.port}", f"localhost:{self.address.port}", "127.0.0.1", ""):
            with self.subTest(host=host):
                self.assertEqual(self.ask(root, Host=host)[0], 403)
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "HEAD", "TRACE"):
            with self.subTest(method=method):
                self.assertEqual(self.ask(root, method)[0], 405)

    def test_noise(self):
        """What is no request, or one with a body without end, stops nobody else."""
        open_sockets = []
        for text in (b"\0\xff\n\n", b"GET", f"POST {self.address.path} HTTP/1.1\r\nHost: {self.address.netloc}\r\n"
                     "Content-Length: 100000000000\r\n\r\n".encode(), b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n"):
            stranger = socket.create_connection((self.address.hostname, self.address.port), GUARD_SECONDS)
            self.addCleanup(stranger.close)
            stranger.sendall(text)
            open_sockets.append(stranger)
        self.assertEqual(self.ask(self.address.path)[0], 200)

    def test_port(self):
        done = subprocess.run([CLI, "serve", "--port", str(self.address.port)], env=self.environment, capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, check=False, timeout=GUARD_SECONDS)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, f"cannot be served on port {self.address.port}")
        done = subprocess.run([CLI, "serve", "--port", "70000"], env=self.environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, check=False, timeout=GUARD_SECONDS)
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    sys.exit(tap.main())
