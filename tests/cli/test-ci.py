#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the steps of the example workflows of data/ci and the commands of its README on a small model.

Usage: test-ci.py DYNO-CLI FOLDER-OF-WORKFLOWS
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import tap

FIXTURES = pathlib.Path(__file__).parent.parent / "import" / "fixtures"
EXAMPLES = pathlib.Path(sys.argv.pop(2))
CLI = pathlib.Path(sys.argv.pop(1)).resolve()
WORKFLOWS = ("github-workflow.yml", "gitlab-ci.yml")
LIMITS = "--warmup-seconds 0.05 --min-seconds 0.1 --max-seconds 0.5"
QUICKLY = f"-m bert-tiny --invocations 1 {LIMITS}"
# Of the cases that a workflow names itself, the first alone.
FIRST = f"-m bert-tiny --batch 1 --sequence 32 {LIMITS}"


def steps(name):
    """The commands of a workflow that are Dyno's."""
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    return [line for line in re.findall(r"^\s*(?:run:|-) (.*dyno-cli .*)$", text, re.MULTILINE)]


def variable(name, key):
    """What a workflow sets a variable to."""
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    return re.search(rf"^\s*{key}: (.*)$", text, re.MULTILINE).group(1)


def readme_commands():
    """The commands that the README shows on lines of their own."""
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^    (dyno-cli .*)$", text, re.MULTILINE)


class Ci(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Engines are asked again wherever PATH is another, so all tests have the same one, and a cache for it."""
        cls.shared = tap.make_folder("dyno-ci-shared-", cls.addClassCleanup)
        (cls.shared / "bin").mkdir()
        (cls.shared / "bin" / "dyno-cli").symlink_to(CLI)

    def setUp(self):
        self.folder = tap.make_folder("dyno-ci-", self.addCleanup)
        self.environment = os.environ | tap.without_engines(but=["DYNO_ONNXRUNTIME"]) | {
            "PATH": f"{self.shared / 'bin'}:{os.environ['PATH']}", "DYNO_DATA_DIR": str(self.folder / "data"),
            "DYNO_CACHE_DIR": str(self.shared / "cache"), "DYNO_CASES": QUICKLY, "DYNO_SELFTEST": "16s"}

    def run_any(self, command, **more):
        return subprocess.run(["sh", "-e", "-c", command], cwd=self.folder, env=self.environment | more,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)

    def run_shell(self, command, status=0, **more):
        done = self.run_any(command, **more)
        self.assertEqual(done.returncode, status, f"{command}: {done.stderr}{done.stdout}")
        return done.stdout

    def need_engine(self):
        tap.need_engine(self, lambda: self.run_shell("dyno-cli hardware --json"))

    def read_suite(self):
        return xml.etree.ElementTree.parse(self.folder / "dyno.xml").getroot().find("testsuite")

    def test_workflows(self):
        self.need_engine()
        commands = steps("github-workflow.yml")
        self.assertEqual(commands, steps("gitlab-ci.yml"))
        self.assertEqual(len(commands), 3)
        (self.folder / "target").mkdir()
        for command in commands:
            self.run_shell(command)
        self.assertRegex((self.folder / "dyno.md").read_text(encoding="utf-8"), "^# .* compared with ")
        suite = self.read_suite()
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("skipped")), ("1", "0", "1"))
        self.assertTrue((self.folder / "branch.dyno").exists())
        comparison = json.loads(self.run_shell("dyno-cli ci --baseline main.dyno branch.dyno --json"))
        # Few processes make nothing certain; on a busy machine the case may never even have become steady.
        ((verdict, reason),) = ([(case["verdict"], "") for case in comparison["cases"]] +
                                [("", left_out["reason"]) for left_out in comparison["left_out"]])
        self.assertTrue(verdict in ("not-enough-data", "probably-faster", "probably-slower")
                        or reason.startswith("Never steady in "), f"{verdict}{reason}")

    def run_git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=Test", "-c", "user.email=test@localhost", *arguments], cwd=self.folder,
                       check=True, capture_output=True)

    def make_repository(self):
        """A branch that is slower than the one it is to be merged into."""
        (self.folder / "origin").mkdir()
        self.run_git("init", "--initial-branch", "main", "origin")
        for branch, speed in (("main", "fast"), ("change", "slow")):
            self.run_git("-C", "origin", "checkout", "-B", branch)
            (self.folder / "origin" / "speed").write_text(speed, encoding="utf-8")
            self.run_git("-C", "origin", "add", "speed")
            self.run_git("-C", "origin", "commit", "-m", speed)
        self.run_git("clone", "--branch", "change", "origin", "work")

    def test_baseline(self):
        """The baseline is measured of the branch that changes are merged into, and the other side of the change."""
        if shutil.which("git") is None:
            self.skipTest("git is not installed.")
        self.make_repository()
        stub = self.folder / "stub"
        stub.mkdir()
        (stub / "dyno-cli").write_text('#!/bin/sh\necho "$1 $(cat speed)" >> "$SAID"\n', encoding="utf-8")
        (stub / "dyno-cli").chmod(0o755)
        text = (EXAMPLES / "gitlab-ci.yml").read_text(encoding="utf-8")
        script = re.search(r"^  script:\n(.*?)^  \w", text, re.MULTILINE | re.DOTALL).group(1)
        commands = re.findall(r"^    - (.*)$", script, re.MULTILINE)
        environment = {"PATH": f"{stub}:{os.environ['PATH']}", "SAID": str(self.folder / "said"),
                       "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"}
        self.run_shell("cd work\n" + "\n".join(commands), **environment)
        self.assertEqual((self.folder / "said").read_text(encoding="utf-8").splitlines(),
                         ["selftest slow", "run fast", "ci slow"])
        text = (EXAMPLES / "github-workflow.yml").read_text(encoding="utf-8")
        self.assertRegex(text, r"ref: \$\{\{ github.event.pull_request.base.sha \}\}\n\s*path: target\n")

    @tap.thorough
    def test_nothing_compared(self):
        """The report and the program say so, and the job does not fail."""
        self.need_engine()
        self.run_shell(f"dyno-cli run {FIRST} --invocations 1 -o main.dyno")
        self.run_shell(f"dyno-cli run {FIRST.replace('--batch 1', '--batch 2')} --invocations 1 -o branch.dyno")
        done = self.run_any("dyno-cli ci --baseline main.dyno branch.dyno --report dyno.md")
        self.assertEqual(done.returncode, 0)
        self.assertIn("Nothing was compared", done.stderr)
        self.assertIn("have no case to compare", (self.folder / "dyno.md").read_text(encoding="utf-8"))

    def use_german_numbers(self):
        place = self.folder / "locales"
        place.mkdir()
        if tool := shutil.which("localedef"):
            subprocess.run([tool, "-i", "de_DE", "-f", "UTF-8", place / "de_DE.UTF-8"], capture_output=True, check=False)
        if not (place / "de_DE.UTF-8" / "LC_NUMERIC").exists():
            self.skipTest("The package “locales” is not installed, so no locale with a decimal comma can be made.")
        self.environment |= {"LOCPATH": str(place), "LC_ALL": "", "LC_NUMERIC": "de_DE.UTF-8"}

    def import_loads(self, name, throughput):
        """A run of two cases that differ in the requests per second."""
        text = (FIXTURES / "mlperf-loadgen" / "v5-server-summary.txt").read_text(encoding="utf-8")
        text = text.replace("9.75", throughput)
        self.assertRegex(text, r"target_qps : 10\n")
        (self.folder / name).write_text("".join(text.replace("target_qps : 10\n", f"target_qps : {rate}\n")
                                                for rate in (2000, 3000)), encoding="utf-8")
        return self.run_shell(f"dyno-cli import {name}").split()[0]

    def test_locale(self):
        """What is written is the same whatever the numbers of the user look like."""
        self.use_german_numbers()
        ids = self.import_loads("before.txt", "9.75"), self.import_loads("after.txt", "9.5")
        shown = self.run_shell(f"dyno-cli ci --baseline {ids[0]} {ids[1]} --junit dyno.xml")
        names = [case.get("name") for case in self.read_suite().iter("testcase")]
        self.assertEqual(len(names), 2)
        for name, rate in zip(names, (2000, 3000)):
            self.assertIn(f"{rate} requests/s", name)
            self.assertIn(f"{rate} requests/s", shown)
        compared = json.loads(self.run_shell(f"dyno-cli compare {ids[0]} {ids[1]} --json"))
        self.assertIn("2000 requests/s", compared["cases"][0]["label"])

    @tap.thorough
    def test_own_cases(self):
        """The suite and the number of processes that the workflows name: five processes give a verdict."""
        self.need_engine()
        cases = variable(WORKFLOWS[0], "DYNO_CASES")
        for name in WORKFLOWS:
            self.assertEqual(variable(name, "DYNO_CASES"), cases)
            self.run_shell(f"dyno-cli run {variable(name, 'DYNO_CASES')} --dry-run")
        one = {"DYNO_CASES": f"{cases} {FIRST}"}
        (self.folder / "target").mkdir()
        _, baseline, compare = steps(WORKFLOWS[0])
        self.run_shell(baseline, **one)
        done = self.run_any(compare, **one)
        # On a busy machine the same model may well be slower than itself; what counts is that all three say the same.
        failures = int(self.read_suite().get("failures"))
        self.assertEqual(done.returncode, 3 if failures > 0 else 0, f"{done.stderr}{done.stdout}")
        run = json.loads(self.run_shell("dyno-cli report --format json branch.dyno"))["runs"][0]
        self.assertEqual([len(result["invocations"]) for result in run["results"]], [5])
        comparison = json.loads(self.run_any("dyno-cli ci --baseline main.dyno branch.dyno --json").stdout)
        self.assertEqual(sum(case["verdict"] == "slower" for case in comparison["cases"]), failures)

    def test_selftest_time(self):
        """The time that the workflows and the README give a self-test is one that it takes."""
        times = {variable(name, "DYNO_SELFTEST") for name in WORKFLOWS}
        shown = [command for command in readme_commands() if command.startswith("dyno-cli selftest")]
        self.assertEqual([f"dyno-cli selftest --within {time}" for time in times], shown)
        # Without what measures, a command that is right fails otherwise than one that is wrong.
        self.run_shell(shown[0], status=1, DYNO_LIBEXEC_DIR=str(self.folder))
        self.run_shell("dyno-cli selftest --within never", status=2, DYNO_LIBEXEC_DIR=str(self.folder))

    def report(self, name):
        """On a busy machine a case may never become steady, and then there is nothing to write."""
        done = self.run_any(f"dyno-cli report --format {name} main.dyno")
        if done.returncode == 0:
            self.assertTrue(done.stdout.strip(), name)
        else:
            self.assertIn("No case has a steady latency", done.stderr)

    @tap.thorough
    def test_readme(self):
        self.need_engine()
        run = next(command for command in readme_commands() if command.startswith("dyno-cli run"))
        self.run_shell(f"{run.removesuffix(' -o main.dyno')} --dry-run")
        self.run_shell(f"{run} {FIRST} --invocations 1")
        text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
        formats = set(re.findall(r"--format ([a-z-]+)", text))
        self.assertEqual(len(formats), 3)
        for name in formats:
            self.report(name)
        for option in re.findall(r"`(--[a-z]+)", text):
            if option != "--format":
                self.assertIn(option, self.run_shell("dyno-cli ci --help"))

    def test_reframe(self):
        """ReFrame runs the example, and each case is a figure of it."""
        packages = pathlib.Path(os.environ["DYNO_RUNTIMES_DIR"]) / "reframe"
        if shutil.which("reframe") is None and not packages.exists():
            self.skipTest("ReFrame is not installed: it is the Python package reframe-hpc.")
        program = shutil.which("reframe") or f"{sys.executable} '{packages / 'bin' / 'reframe'}'"
        self.need_engine()
        cases = f"-m bert-tiny --batch 1,2 --sequence 32 --invocations 1 {LIMITS}"
        self.run_shell(f"{program} -c '{EXAMPLES / 'dyno_reframe.py'}' -r -S dyno_cases='{cases}' --prefix '{self.folder}' "
                       "--report-file report.json --dont-restage --keep-stage-files", TMPDIR=str(self.folder),
                       PYTHONPATH=str(packages))
        report = json.loads((self.folder / "report.json").read_text(encoding="utf-8"))
        case, = report["runs"][0]["testcases"]
        # ReFrame 4.6 says “success”, 4.7 “pass”.
        self.assertIn(case["result"], ("pass", "success"))
        figures = json.loads(pathlib.Path(case["stagedir"], "figures.json").read_text(encoding="utf-8"))
        self.assertGreater(len(figures), 0)

    def test_comment(self):
        """Nothing is said where no report was written; where one was, even if a case was slower, the whole of it."""
        gh = self.shared / "bin" / "gh"
        gh.write_text("#!/bin/sh\necho \"$@\" >> said\n", encoding="utf-8")
        gh.chmod(0o755)
        text = (EXAMPLES / "github-workflow.yml").read_text(encoding="utf-8")
        self.assertIn("NUMBER: ${{ github.event.number }}", text)
        comment = re.search(r"run: (.*gh pr comment.*)$", text, re.MULTILINE).group(1)
        self.run_shell(comment, NUMBER="7")
        self.assertFalse((self.folder / "said").exists())
        (self.folder / "dyno.md").write_text("## Results", encoding="utf-8")
        self.run_shell(comment, NUMBER="7")
        self.assertEqual((self.folder / "said").read_text(encoding="utf-8"), "pr comment 7 --body-file dyno.md\n")

    def test_usage(self):
        self.run_shell("dyno-cli ci branch.dyno", status=2)
        self.run_shell("dyno-cli ci -m bert-tiny --baseline main.dyno branch.dyno", status=2)
        self.run_shell("dyno-cli ci --baseline main.dyno --threshold little branch.dyno", status=2)
        self.run_shell("dyno-cli ci --baseline nosuch.dyno nosuch.dyno", status=1)


if __name__ == "__main__":
    sys.exit(tap.main())
