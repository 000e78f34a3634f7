# SPDX-License-Identifier: GPL-3.0-or-later
"""Dyno as a test of ReFrame 4: the median latency of each case is a figure, compared with the site's references.

    reframe -c dyno_reframe.py -r --performance-report
    reframe -c dyno_reframe.py -r -S dyno_cases="-m resnet-50 -b cuda --batch 1,8"
"""

import json
import pathlib

import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class DynoTest(rfm.RunOnlyRegressionTest):
    dyno_cases = variable(str, value="--suite quick")  # noqa: F821 (names that ReFrame puts into the body of a class)
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    executable = "dyno-cli"
    exclusive_access = True
    postrun_cmds = ["dyno-cli report run.dyno --format github-action-benchmark -o figures.json"]
    keep_files = ["run.dyno", "figures.json"]

    @run_before("run")  # noqa: F821
    def choose_cases(self):
        # Status 1 says that a case failed or stayed unsteady: the others have their figures.
        self.executable_opts = ["run", *self.dyno_cases.split(), "-o", "run.dyno", "|| test $? = 1"]

    @sanity_function  # noqa: F821
    def has_figures(self):
        return sn.assert_true(sn.path_isfile("figures.json"), "Dyno left no figures: the end of rfm_job.err says why.")

    @run_before("performance")  # noqa: F821
    def take_figures(self):
        figures = json.loads(pathlib.Path(self.stagedir, "figures.json").read_text(encoding="utf-8"))
        self.perf_variables = {figure["name"]: sn.make_performance_function(sn.defer(figure["value"]), figure["unit"])
                               for figure in figures}
