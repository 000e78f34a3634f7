# SPDX-License-Identifier: GPL-3.0-or-later
"""How Sphinx builds the manual. “-D list_names=PROGRAM” names the program that prints the tables of names."""

import re
import subprocess

project = "Dyno"
author = "The Dyno developers"
copyright = "The Dyno developers, GPL-3.0-or-later"
extensions = ["myst_parser"]
myst_heading_anchors = 3
html_title = "Dyno"
html_theme = "alabaster"
html_theme_options = {
    "description": "Benchmark of inference engines",
    "fixed_sidebar": False,
    "show_powered_by": False,
    "font_family": "system-ui, Cantarell, sans-serif",
    "code_font_family": "monospace",
}
html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html"]}
html_static_path = ["_static"]
html_css_files = ["manual.css"]
html_copy_source = False
html_show_sphinx = False
html_use_index = False
# Commands and their output: no language colours them.
highlight_language = "none"

TABLE = re.compile(r"^<!-- names: (\w+) -->$", re.MULTILINE)


def fill_tables(app, page, source):
    """Puts the tables of names in the places of their marks."""
    program = app.config.list_names
    if program:
        source[0] = TABLE.sub(lambda mark: subprocess.run([program, mark[1]], check=True, capture_output=True,
                                                          encoding="utf-8").stdout, source[0])


def setup(app):
    app.add_config_value("list_names", "", "env")
    app.connect("source-read", fill_tables)
