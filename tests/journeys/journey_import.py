# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of other tools by the dialog, from a folder with strange files in it, again, and pasted."""

import json
import pathlib
import re
import shutil
import statistics

THEIRS = {"google-benchmark/v1.8.json", "llama-bench/b6135.json", "hyperfine/v1.18.json"}


def walk(person):
    fixtures = pathlib.Path(person.programs.source) / "tests/import/fixtures"
    person.start()
    import_file(person, fixtures / "hyperfine/v1.20.json")
    import_folder(person, fill_folder(person, fixtures))
    import_again(person, fixtures / "hyperfine/v1.20.json")
    paste(person, fixtures / "ollama-verbose/v0.6.txt")
    check_store(person, fixtures / "hyperfine/v1.20.json")


def import_file(person, path):
    person.choose_from_menu("Main Menu", "Import Results…")
    person.name_file(path, opens=True)
    person.press("Show")
    person.see("label", re.compile("The command failed in 1 of its runs"))
    person.look("imported")


def fill_folder(person, fixtures):
    folder = person.desktop.home / "their results"
    folder.mkdir()
    for name in THEIRS:
        shutil.copy(fixtures / name, folder / name.replace("/", "-"))
    (folder / "notes.txt").write_text("Nothing was measured here.\n")
    (folder / "broken.json").write_text('{"results": [{"command": "sleep 1", "mean": ')
    return folder


def import_folder(person, folder):
    person.choose_from_menu("Main Menu", "Import Results from a Folder…")
    person.name_file(folder, opens=True)
    person.see("label", "2 Files Not Imported")
    person.see("label", re.compile("broken.json.*notes.txt", re.DOTALL))
    person.look("folder")
    person.press("Close", within="2 Files Not Imported")


def import_again(person, path):
    person.choose_from_menu("Main Menu", "Import Results…")
    person.name_file(path, opens=True)
    person.press("Show")
    person.see("label", re.compile("The command failed in 1 of its runs"))


def paste(person, path):
    """What another tool has printed becomes a run, which is shown; other text is told to be none."""
    person.show("Results")
    person.copy("Nothing was measured here.")
    person.keys("ctrl+v")
    person.see("label", "The text in the clipboard holds no results in a format that Dyno knows")
    person.copy(path.read_text())
    person.keys("ctrl+v")
    person.see("label", "Imported 1 run")
    person.see("label", re.compile("^example3:8b"))
    person.choose_from_menu("Main Menu", "Paste Results")
    person.see("label", "The run is there already")


def check_store(person, path):
    rows = person.query("SELECT dialect, file_name FROM imports")
    expected = {("hyperfine", path.name), ("ollama-verbose", "clipboard")} | {(name.split("/")[0], name.replace("/", "-")) for name in THEIRS}
    assert len(rows) == len(expected) and set(rows) == expected, rows
    (median,), = person.query("SELECT value FROM metric_values JOIN results ON id = result_id JOIN imports"
                              " USING (run_id) WHERE file_name = ? AND name = 'latency_p50_ms'", path.name)
    times = json.loads(path.read_text())["results"][0]["times"]
    assert abs(median - 1000 * statistics.median(times)) < 1e-6, f"{median} ms of {times} s"
