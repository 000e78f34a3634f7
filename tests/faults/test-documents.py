#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents that keep every rule and make no sense go through every command that reads one.

Usage: test-documents.py DYNO-CLI

`DYNO_TEST_DOCUMENTS=N` reads so many (`./dev sanitize`: 200, `./dev faults`: 500), `DYNO_TEST_SEED=N` only that one, and keeps it.
"""

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

from commandline import CLI, FIXTURES, NOISE, PATIENCE, FaultTest
import senseless
import tap

DOCUMENT = FIXTURES / "store" / "fixtures" / "v9.dyno"
DOCUMENTS = 3
# Documents that something failed at: work without a byte (375).
FOUND = {375}
REFUSAL = re.compile(r"\Adyno-cli: [^\n]*[.!?)]\n\Z")


class Senseless(FaultTest):
    def list_commands(self, path, folder):
        """A document that is refused is refused by all; one that is read goes through tables and charts."""
        yield ["open", path]
        yield ["show", path, "--json"]
        yield ["show", path, DOCUMENT, "--case", "1"]
        yield ["report", path]
        yield ["report", path, "--format", "csv"]
        yield ["export", path, DOCUMENT, "--chart", "all", "--format", "svg,png", "-o", folder / "charts"]
        yield ["compare", path, DOCUMENT, "--json"]
        yield ["compare", path, "--chart", folder / "ratios.svg"]
        yield ["open", path, "--import"]
        yield ["history", "--json"]
        yield ["history", "--chart", folder / "history.svg"]

    def judge(self, arguments, environment):
        """What is wrong with the answer, and whether it was a refusal."""
        done = subprocess.run([CLI, *map(str, arguments)], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=PATIENCE * 4, check=False)
        said = done.stderr.decode(errors="replace")
        plain = said.replace(environment["HOME"], "")
        if done.returncode not in (0, 1) or NOISE.search(plain):
            return f"status {done.returncode}: {said[-1500:]}", False
        if done.returncode == 1 and not REFUSAL.match(said):
            return f"not a sentence: {said[-1500:]}", True
        try:
            done.stdout.decode()
        except UnicodeDecodeError:
            return "its output is not UTF-8", False
        return None, done.returncode == 1

    def read(self, seed):
        """Takes one document through the commands: what went wrong, and whether it was refused."""
        folder = self.folder / str(seed)
        folder.mkdir()
        path = folder / "senseless.dyno"
        senseless.write(DOCUMENT, path, seed)
        environment = self.environment | {"DYNO_DATA_DIR": str(folder / "data"), "HOME": str(folder)}
        problems, refused = [], False
        for arguments in self.list_commands(path, folder):
            problem, no = self.judge(arguments, environment)
            if problem is not None:
                problems.append(f"document {seed}: {' '.join(map(str, arguments)).replace(str(folder), '')}: {problem}")
            refused = no and arguments[0] == "open"
            if refused:
                break
        if "DYNO_TEST_SEED" not in os.environ:
            shutil.rmtree(folder)
        return problems, refused

    def test_all_commands(self):
        only = os.environ.get("DYNO_TEST_SEED")
        seeds = [int(only)] if only is not None else sorted(
            FOUND.union(range(int(os.environ.get("DYNO_TEST_DOCUMENTS", DOCUMENTS)))))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            answers = list(pool.map(self.read, seeds))
        problems = [problem for found, _ in answers for problem in found]
        n_refused = sum(refused for _, refused in answers)
        print(f"# {len(answers)} documents, {n_refused} refused, {len(problems)} problems")
        self.assertEqual(problems, [], "\n".join(problems[:20]))
        self.assertFalse(answers[0][1] and only is None, "a whole document is refused")


if __name__ == "__main__":
    sys.exit(tap.main())
