#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The metadata services of clouds, played here: they are asked only when somebody says so.

Usage: test-cloud.py DYNO-CLI
"""

import http.server
import json
import os
import pathlib
import subprocess
import sys
import threading
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap

CLI = sys.argv.pop(1)
FIRMWARE = {"aws": ("sys_vendor", "Amazon EC2"), "google": ("product_name", "Google Compute Engine"),
            "azure": ("chassis_asset_tag", "7783-7084-3265-9085-8269-3286-77"), "hetzner": ("sys_vendor", "Hetzner")}
ANSWERS = {
    "/latest/meta-data/instance-type": ("X-aws-ec2-metadata-token", "a/token==", "m7i.xlarge"),
    "/latest/meta-data/placement/region": ("X-aws-ec2-metadata-token", "a/token==", "eu-central-1"),
    "/computeMetadata/v1/instance/machine-type": ("Metadata-Flavor", "Google", "projects/1/machineTypes/n2-standard-4"),
    "/computeMetadata/v1/instance/zone": ("Metadata-Flavor", "Google", "projects/1/zones/us-central1-a"),
    "/metadata/instance/compute/vmSize": ("Metadata", "true", "Standard_D4s_v5"),
    "/metadata/instance/compute/location": ("Metadata", "true", "westeurope"),
}


class Service(http.server.ThreadingHTTPServer):
    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answers)
        self.resume = threading.Event()
        self.asked = []


class Answers(http.server.BaseHTTPRequestHandler):
    """Each service refuses whoever does not send its header."""

    def answer(self, status, text):
        self.server.asked.append(self.path)
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def do_PUT(self):
        self.answer(200, "a/token==") if self.headers["X-aws-ec2-metadata-token-ttl-seconds"] else self.answer(400, "")

    def do_GET(self):
        name, value, text = ANSWERS.get(self.path.split("?")[0], ("Nobody", "", ""))
        self.answer(200, text) if self.headers[name] == value else self.answer(403, "")

    def log_message(self, *_):
        pass


class Cloud(unittest.TestCase):
    def setUp(self):
        self.folder = tap.make_folder("dyno-cloud-", self.addCleanup)
        self.service = tap.serve(Service(), self.addCleanup)

    def hardware(self, provider, *arguments, status=0):
        tree = self.folder / provider
        (tree / "class/dmi/id").mkdir(parents=True, exist_ok=True)
        name, text = FIRMWARE[provider]
        (tree / "class/dmi/id" / name).write_text(text + "\n", encoding="utf-8")
        variables = tap.without_engines() | {
            "DYNO_SYSFS_ROOT": str(tree), "DYNO_DATA_DIR": str(self.folder / "data"), "DYNO_CACHE_DIR": str(self.folder / "cache"),
            "DYNO_METADATA_ADDRESS": f"http://127.0.0.1:{self.service.server_address[1]}"}
        done = subprocess.run([CLI, "hardware", *arguments], env=os.environ | variables, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr if status else json.loads(done.stdout)["machine"]["state"].get("cloud")

    def test_asked(self):
        for provider, expected in (("aws", ("AWS", "m7i.xlarge", "eu-central-1")),
                                   ("google", ("Google Cloud", "n2-standard-4", "us-central1")),
                                   ("azure", ("Azure", "Standard_D4s_v5", "westeurope"))):
            with self.subTest(provider=provider):
                cloud = self.hardware(provider, "--json", "--ask-metadata")
                self.assertEqual((cloud["provider"], cloud["type"], cloud["region"]), expected)
                self.assertEqual(cloud["source"], "metadata")

    def test_not_asked(self):
        cloud = self.hardware("google", "--json")
        self.assertEqual(cloud, {"provider": "Google Cloud", "type": None, "region": None, "source": "firmware"})
        self.assertEqual(self.service.asked, [])

    def test_refused(self):
        self.assertIn("Dyno does not know the metadata service of Hetzner Cloud",
                      self.hardware("hetzner", "--ask-metadata", status=1))
        with unittest.mock.patch.dict(ANSWERS, {"/metadata/instance/compute/vmSize": ("Metadata", "false", "")}):
            self.assertIn("The metadata service does not answer", self.hardware("azure", "--ask-metadata", status=1))


if __name__ == "__main__":
    sys.exit(tap.main())
