#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the project rules that no compiler checks.

A finding is "file:line: rule: what, and what to do instead". Where a rule is broken for a good reason, say so on
the line, or on the one before it: /* nocheck:RULE why */. With --format, clang-format has its say as well.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys

MAX_FUNCTION_LINES = 60
# “What” as a noun, in 1000 words of comments of a module, or of the manual.
MAX_WHATS = 3
# README.md is one page; the manual in docs/ says the rest.
MAX_README_LINES = 100
# Of all static functions, in per cent: those with one call site.
MAX_SINGLE_CALLERS = 25
# A share of fewer functions says nothing.
ENOUGH_FUNCTIONS = 50
# A header this long or shorter that so few files of its folder alone include is no concept of its own.
SMALL_HEADER_LINES = 45
FEW_INCLUDERS = 2
IGNORED_FOLDERS = re.compile(r"^(\.git|build.*|runtimes|real-models|out|__pycache__)$")
# The folders of the window from the bottom up: a file may include only what is below its own folder. All others are pages,
# which do not know each other; the shell above them knows all.
APP_FOLDERS = ("widgets", "session", "charts", "reports", "engines", "history", "runs")
APP_SHELL = "shell"
C_MODULES = ("src", "backends", "metrics")
COMPAT = ("dyno-compat.c", "dyno-compat.h")
# Their objects are made for several threads, or live as long as the process.
THREAD_SAFE = ("dyno-output-file.c", "dyno-prober.c", "dyno-store.c", "dyno-worker-service.c")

SPDX_SUFFIXES = (".c", ".h", ".py", ".sh", ".xml", ".ui", ".css", ".svg", ".in", ".build", ".supp", ".js")
SPDX_NAMES = ("dev", "run", "meson_options.txt")

# Call: what to use instead.
BANNED_CALLS = {
    "sprintf": "g_snprintf() or g_strdup_printf()",
    "vsprintf": "g_vsnprintf()",
    "strcpy": "g_strlcpy() or g_strdup()",
    "strcat": "g_strconcat()",
    "strtok": "g_strsplit()",
    "strdup": "g_strdup()",
    "atoi": "g_ascii_string_to_signed()",
    "atof": "g_ascii_strtod()",
    "strtod": "g_ascii_strtod()",
    "setlocale": "setlocale() in a main.c alone",
    "g_error": "a GError, or g_critical()",
    "json_parser_load_from_data": "dyno_json_text_load(): JSON-GLib takes what is not JSON",
    "json_from_string": "dyno_json_text_parse(): JSON-GLib takes what is not JSON",
    "json_to_string": "dyno_json_text_write(): not all that it writes is JSON",
    "g_set_str": "g_free() and g_strdup(): the baseline is GLib 2.74",
    "gtk_widget_show": "gtk_widget_set_visible()",
    "gtk_widget_hide": "gtk_widget_set_visible()",
    "gtk_widget_get_allocation": "gtk_widget_compute_bounds()",
    "gtk_widget_get_allocated_width": "gtk_widget_get_width()",
    "gtk_widget_get_allocated_height": "gtk_widget_get_height()",
    "gtk_widget_translate_coordinates": "gtk_widget_compute_point()",
}
BANNED_IN_LIBRARIES = {
    "printf": "a return value or a GError",
    "g_print": "a return value or a GError",
    "g_printerr": "a return value or a GError",
    "exit": "a return value",
    "abort": "g_assert()",
}
BANNED_IN_TESTS = {
    "sleep": "a main loop that waits for the event itself",
    "usleep": "a main loop that waits for the event itself",
    "nanosleep": "a main loop that waits for the event itself",
    "g_usleep": "a main loop that waits for the event itself",
}
# GTK and libadwaita classes that later versions deprecate.
DEPRECATED_CLASSES = """
    AdwLeaflet AdwFlap AdwSqueezer AdwViewSwitcherTitle AdwEnumListModel GtkTreeView GtkIconView GtkCellRenderer
    GtkTreeStore GtkListStore GtkComboBox GtkEntryCompletion GtkDialog GtkMessageDialog GtkInfoBar GtkAssistant
    GtkStatusbar GtkLockButton GtkVolumeButton GtkColorButton GtkFontButton GtkAppChooser GtkColorChooser
    GtkFontChooser GtkFileChooserDialog GtkFileChooserWidget GtkStyleContext""".split()
# Those without a replacement on the baseline: in dyno-compat alone.
COMPAT_CLASSES = """
    AdwAboutWindow AdwMessageDialog AdwPreferencesWindow GtkFileChooserNative GtkShortcutsWindow""".split()
COMPAT_CALLS = ("gtk_show_uri", "gtk_css_provider_load_from_data")

SYSTEM_PATH = re.compile(r'"/(sys|proc|etc|usr|opt|dev|home|tmp|var|lib|lib64|run|root|mnt|work)(/|")')
REGISTRY = re.compile(r"registry\.npm|npmjs\.(org|com)|pypi\.org|pythonhosted\.org|crates\.io|deb\.debian\.org"
                      r"|nodesource\.com|rubygems\.org|proxy\.golang\.org")
TRANSLATED_C = re.compile(r"\b(?:_|N_|C_|NC_|ngettext|g_dngettext|g_dpgettext2|g_dgettext)\s*\(\s*(?:[A-Z_]+,\s*)?\"")
TRANSLATION = re.compile(r"\b(?:_|N_|C_|NC_|ngettext|g_dngettext|g_dpgettext2|g_dgettext) \(")
STEAL = re.compile(r"\b(?:g_steal_pointer|g_steal_fd|g_steal_handle_id) \(&([\w.>-]+)\)")
GLIB_FORMAT = re.compile(r"\bG_\w+_FORMAT\b")
TRANSLATED_UI = re.compile(r'translatable="(yes|true)"')
NOCHECK = re.compile(r"nocheck:([a-z-]+) +(?!\*/)\S")
CALL = re.compile(r"\b(\w+) \(")
DEFINITION = re.compile(r"^([a-z_]\w*) \(")
INCLUDE = re.compile(r'^#include "(?:[^"]*/)?([^"/]+)"', re.M)
CODE_BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
NOTE_FOR_TRANSLATORS = re.compile(r"/\*(?:(?!\*/).)*?Translators:.*?\*/", re.DOTALL)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
WORD = re.compile(r"[A-Za-z']+")
WHAT = re.compile(r"\b[Ww]hat\b")
IDENTIFIER = re.compile(r"\b[a-z]\w+\b")
NAMED = re.compile(r"\b[a-z]\w+\b(?! ?\()")
LEXEMES = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def blank(match):
    """Replaces a lexeme by spaces, so that lines and columns stay."""
    return re.sub(r"[^\n]", " ", match[0])


def split_arguments(code, start):
    """Returns the arguments of the call whose first argument begins at start, as (from, to)."""
    arguments, depth, begin = [], 1, start
    for end in range(start, len(code)):
        depth += {"(": 1, ")": -1}.get(code[end], 0)
        if depth == 0 or depth == 1 and code[end] == ",":
            arguments.append((begin, end))
            begin = end + 1
        if depth == 0:
            break
    return arguments


def find_calls_around(code, place):
    """Yields where the arguments begin of each call around a place, from the innermost to the statement."""
    depth = 0
    for start in range(place - 1, -1, -1):
        depth += {"(": -1, ")": 1}.get(code[start], 0)
        if depth < 0:
            yield start + 1
            depth = 0
        if code[start] in ";{}":
            return


def underscored(class_name):
    """AdwViewSwitcherTitle becomes adw_view_switcher_title."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", class_name).lower()


class Source:
    """A file, and a copy of it without comments and strings where it is C."""

    def __init__(self, root, path):
        self.path = path
        self.name = path.relative_to(root).as_posix()
        self.module = self.name.split("/")[0]
        self.text = path.read_text(encoding="utf-8", errors="replace")
        self.lines = self.text.splitlines()
        self.is_c = path.suffix in (".c", ".h")
        self.code = LEXEMES.sub(blank, self.text) if self.is_c else ""
        self.code_lines = self.code.splitlines()

    def functions(self):
        """Yields (name, is_static, first line, number of lines) of every function, lines counted from 1."""
        start = None
        for number, line in enumerate(self.code_lines, 1):
            if found := DEFINITION.match(line):
                start = number, found[1]
            elif line.startswith("{") and start is not None:
                body = number
            elif line.startswith("}") and start is not None:
                first, name = start
                heading = " ".join(self.code_lines[max(0, first - 3):first - 1])
                is_static = "static" in heading.rpartition("}")[2].rpartition(";")[2].split()
                yield name, is_static, first, number - body - 1
                start = None
            elif line.endswith(";") and not line.startswith((" ", "\t")):
                start = None


    def is_called_once(self, name):
        """Whether a static function has one call site and is named nowhere else."""
        uses = re.findall(rf"\b{name}\b(?: \()?", self.code)
        declared = len(re.findall(rf"^(?:static [^;={{}}]*?\b|){name} \([^;{{]*?[;{{]", self.code, re.M))
        return len(uses) - declared == 1 and all(use.endswith("(") for use in uses)


def module_of(source):
    return "/".join(source.name.split("/")[:2 if source.module == "src" else 1])


def app_level_of(source):
    """Returns the folder of a file of the window and how high it is; None for any other file."""
    parts = source.name.split("/")
    if len(parts) != 4 or parts[:2] != ["src", "app"]:
        return None
    folder = parts[2]
    pages = len(APP_FOLDERS)
    return folder, APP_FOLDERS.index(folder) if folder in APP_FOLDERS else pages + (folder == APP_SHELL)


class Linter:
    def __init__(self, root):
        self.root = root
        self.findings = []
        self.sources = [Source(root, path) for path in self.walk(root)]
        self.declared = collections.defaultdict(set)
        for source in self.sources:
            if source.path.suffix == ".h":
                self.declared[source.path.parent].update(CALL.findall(source.code))

    def walk(self, folder):
        for path in sorted(folder.iterdir()):
            if path.is_dir() and not IGNORED_FOLDERS.match(path.name):
                yield from self.walk(path)
            elif path.is_file() and path.suffix not in (".png", ".onnx", ".dyno", ".db", ".swp", ".bin"):
                yield path

    def report(self, source, line, rule, message):
        around = source.lines[max(0, line - 2):line]
        if not any(rule == found for text in around for found in NOCHECK.findall(text)):
            self.findings.append(f"{source.name}:{line}: {rule}: {message}")

    def report_matches(self, source, lines, pattern, rule, message):
        for number, text in enumerate(lines, 1):
            if found := pattern.search(text):
                self.report(source, number, rule, message(found))

    def check_spdx(self, source):
        if source.path.suffix not in SPDX_SUFFIXES and source.path.name not in SPDX_NAMES or source.module == "po":
            return
        if not any("SPDX-License-Identifier:" in line for line in source.lines[:3]):
            self.report(source, 1, "spdx", "the file has no SPDX-License-Identifier in its first three lines")

    def check_functions(self, source):
        prefix = source.path.stem.replace("-", "_")
        for name, is_static, line, length in source.functions():
            if length > MAX_FUNCTION_LINES and not name.endswith("_class_init"):
                self.report(source, line, "length", f"{name}() has {length} lines; at most {MAX_FUNCTION_LINES} fit")
            own = name == "main" or name.lstrip("_").startswith(prefix) or name in self.declared[source.path.parent]
            if not is_static and not own and source.path.suffix == ".c":
                self.report(source, line, "prefix", f"{name}() should begin with {prefix}_, stand in a header of its folder, or be static")

    def check_calls(self, source):
        banned = dict(BANNED_CALLS)
        is_main = source.path.name == "main.c"
        if source.module in C_MODULES and not is_main and not source.name.startswith(("src/cli/", "src/app/")):
            banned |= BANNED_IN_LIBRARIES
        if source.module == "tests":
            banned |= BANNED_IN_TESTS
            del banned["g_error"], banned["setlocale"], banned["json_from_string"]
        if is_main:
            del banned["setlocale"]
        pattern = re.compile(r"(?<![\w.>])(" + "|".join(banned) + r") \(")
        self.report_matches(source, source.code_lines, pattern, "call", lambda m: f"{m[1]}(): use {banned[m[1]]}")
        self.report_matches(source, source.code_lines, re.compile(r"\bgoto\b"), "goto",
                            lambda m: "goto: let g_autoptr clean up, or split the function")

    def check_translations(self, source):
        """xgettext ends a string where a macro follows that it does not know."""
        for call in TRANSLATION.finditer(source.code):
            depth, end = 1, call.end()
            while depth > 0 and end < len(source.code):
                depth += {"(": 1, ")": -1}.get(source.code[end], 0)
                end += 1
            if found := GLIB_FORMAT.search(source.code, call.end(), end):
                line = source.code.count("\n", 0, found.start()) + 1
                self.report(source, line, "translation", f"{found[0]} cuts the string off for translators: "
                            "use PRId64 or PRIu64 of <inttypes.h>, or %zu")

    def check_notes(self, source):
        """xgettext forgets a note for translators behind which other code comes first."""
        for note in NOTE_FOR_TRANSLATORS.finditer(source.text):
            following = source.text[note.end():].split("\n", 2)[:2]
            if not any(TRANSLATION.search(line) for line in following):
                line = source.text.count("\n", 0, note.start()) + 1
                self.report(source, line, "translation", "translators do not see this note: put it right before the string's call")

    def check_includes(self, source):
        """A list that a macro shapes may be included more often."""
        seen = set()
        for number, line in enumerate(source.text.splitlines(), 1):
            if line.startswith("#include ") and not line.endswith(('.inc"', '.def"')):
                if line in seen:
                    self.report(source, number, "include", "the header is included twice")
                seen.add(line)

    def check_steals(self, source):
        """C evaluates arguments in any order: one that is stolen may be gone before another reads it."""
        for steal in STEAL.finditer(source.code):
            reads = re.compile(r"(?<![\w.>])" + re.escape(steal[1]) + r"(?!\w)")
            others = (
                source.code[begin:end]
                for start in find_calls_around(source.code, steal.start())
                for begin, end in split_arguments(source.code, start)
                if not begin <= steal.start() < end
            )
            if any(reads.search(other) for other in others):
                line = source.code.count("\n", 0, steal.start()) + 1
                self.report(source, line, "steal", f"another argument of the call reads {steal[1]}, which may be NULL "
                            "by then: keep what it reads in a variable")

    def check_deprecated(self, source):
        if source.path.name in COMPAT:
            return
        if source.is_c:
            names = DEPRECATED_CLASSES + COMPAT_CLASSES
            calls = [underscored(name) + "_" for name in names] + list(COMPAT_CALLS)
            pattern = re.compile(r"\b(" + "|".join(names) + r")\b|\b(?:" + "|".join(calls) + r")\w*")
            lines = source.code_lines
        else:
            pattern = re.compile(r'class="(?:' + "|".join(DEPRECATED_CLASSES) + r')\w*"')
            lines = source.lines
        self.report_matches(source, lines, pattern, "deprecated",
                            lambda m: f"{m[0]} goes away in later versions: use its successor, or src/app/widgets/dyno-compat.c")

    def check_spinners(self, source):
        """One that turns on a page that is not shown has the window drawn all the time."""
        pattern = re.compile(r'"spinning"|\bgtk_spinner_(?:start|set_spinning) \(')
        self.report_matches(source, source.lines, pattern, "spinner",
                            lambda m: f"{m[0]}: connect the signals map and unmap to gtk_spinner_start and gtk_spinner_stop")

    def check_owners(self, source):
        """A thread may hold the last reference to its task, and thus to the task's source object."""
        for match in re.finditer(r"\b(\w+) = g_task_new \((?!NULL)(\w+),", source.code):
            rest = source.code[match.end():source.code.find("\n}", match.end())]
            if f"g_task_run_in_thread ({match[1]}," in rest and source.path.name not in THREAD_SAFE:
                line = source.code.count("\n", 0, match.start()) + 1
                self.report(source, line, "owner", f"a thread could finalize {match[2]}: use dyno_owned_task_new()")

    def check_paths(self, source):
        if source.module not in C_MODULES or source.path.name == "dyno-paths.c":
            return
        self.report_matches(source, source.lines, SYSTEM_PATH, "path",
                            lambda m: f"{m[0]}…: ask dyno_paths_build(), so that tests can give another root")

    def check_registries(self, source):
        self.report_matches(source, source.lines, REGISTRY, "registry",
                            lambda m: f"{m[0]}: name the package; its client knows the host")

    def has_strings_for_people(self, source):
        if source.module == "data":
            return source.name.endswith((".desktop.in", ".gschema.xml", ".metainfo.xml.in", ".mime.xml.in"))
        pattern = TRANSLATED_C if source.is_c else TRANSLATED_UI
        return source.module in C_MODULES + ("ui",) and pattern.search(source.text)

    def check_potfiles(self, write):
        potfiles = self.root / "po" / "POTFILES.in"
        text = potfiles.read_text(encoding="utf-8")
        comments = [line for line in text.splitlines() if line.startswith("#")]
        wanted = sorted(source.name for source in self.sources if self.has_strings_for_people(source))
        new_text = "\n".join(comments + wanted) + "\n"
        if write:
            potfiles.write_text(new_text, encoding="utf-8")
        elif text != new_text:
            missing = " ".join(set(wanted) - set(text.splitlines())) or "none"
            self.findings.append(f"po/POTFILES.in: potfiles: run tools/lint.py --write-potfiles; missing: {missing}")

    def check_unused(self):
        """A macro that cleans up names its function in a header, without calling it there."""
        uses = collections.Counter()
        for source in self.sources:
            if source.is_c:
                uses.update(IDENTIFIER.findall(source.code) if source.path.suffix == ".c" else NAMED.findall(source.code))
        for source in self.sources:
            if source.path.suffix == ".c" and source.module in C_MODULES:
                for name, is_static, line, _ in source.functions():
                    if not is_static and name != "main" and uses[name] < 2:
                        self.report(source, line, "unused", f"nothing calls {name}(): remove it")

    def check_headers(self):
        """A folder has one private header for what only its own files use."""
        included, includers, homes = (collections.defaultdict(set) for _ in range(3))
        for source in self.sources:
            homes[source.path.name].add(module_of(source))
            if source.is_c and source.module in C_MODULES:
                for name in INCLUDE.findall(source.text):
                    included[name].add(source.path.parent)
                    includers[name].add(module_of(source))
        counts = collections.Counter(name for source in self.sources if source.is_c and source.module in C_MODULES
                                     for name in set(INCLUDE.findall(source.text)))
        private = {source.path.parent: source.path.name for source in self.sources
                   if source.path.name.endswith("-private.h")}
        for source in self.sources:
            name, folder = source.path.name, source.path.parent
            if (source.path.suffix == ".h" and source.module in C_MODULES and private.get(folder, name) != name and
                    included[name] == {folder} and counts[name] <= FEW_INCLUDERS and len(source.lines) <= SMALL_HEADER_LINES):
                self.report(source, 1, "header", f"only this folder includes it: move it into {private[folder]}")
            private_names = [other for other in INCLUDE.findall(source.text) if other.endswith("-private.h")]
            for other in private_names:
                if source.module in C_MODULES and module_of(source) not in homes[other]:
                    self.report(source, 1, "header", f"{other} belongs to another module")
            if (private_names and source.path.suffix == ".h" and name not in private.values() and
                    includers[name] - {module_of(source)}):
                self.report(source, 1, "header", f"other modules include it, and with it {private_names[0]}")

    def check_order(self):
        """Inside the window, includes point down."""
        levels = {source.path.name: app_level_of(source) for source in self.sources if source.path.suffix == ".h"}
        for source in self.sources:
            own = app_level_of(source)
            for number, line in enumerate(source.lines, 1):
                found = INCLUDE.match(line) if own else None
                other = levels.get(found[1]) if found else None
                if other and other[0] != own[0] and other[1] >= own[1]:
                    self.report(source, number, "order", f"{own[0]} is not above {other[0]}: use an action, a signal or the "
                                "session, or move what both need below them")

    def check_words(self):
        """A comment is a plain sentence with a subject and a verb: “what it is” has neither."""
        words, whats = collections.Counter(), collections.Counter()
        for source in self.sources:
            if source.is_c and source.module in C_MODULES:
                module = module_of(source)
                for comment in COMMENT.findall(source.text):
                    words[module] += len(WORD.findall(comment))
                    whats[module] += len(WHAT.findall(comment))
            elif source.module == "docs" and source.path.suffix == ".md":
                text = CODE_BLOCK.sub("", source.text)
                words["docs"] += len(WORD.findall(text))
                whats["docs"] += len(WHAT.findall(text))
        for module, n in sorted(whats.items()):
            if 1000 * n > MAX_WHATS * max(words[module], 1000):
                self.findings.append(f"{module}: words: “what” {n} times in {words[module]} words of prose: say who does which "
                                     "thing")

    def check_readme(self):
        for source in self.sources:
            if source.name == "README.md" and len(source.lines) > MAX_README_LINES:
                self.report(source, 1, "readme", f"it has {len(source.lines)} lines; at most {MAX_README_LINES} fit: "
                            "move a passage into docs/")

    def check_grain(self):
        """A helper has a reason: two callers, a callback, a test, or the body of a loop."""
        called_once = [
            source.is_called_once(name)
            for source in self.sources
            if source.path.suffix == ".c" and source.module in C_MODULES
            for name, is_static, _, _ in source.functions()
            if is_static
        ]
        if len(called_once) >= ENOUGH_FUNCTIONS and 100 * sum(called_once) > MAX_SINGLE_CALLERS * len(called_once):
            self.findings.append(f"src: grain: {sum(called_once)} of {len(called_once)} static functions have one call site: "
                                 "fold those that are no body of a loop into their callers")

    def check_format(self):
        files = [str(source.path) for source in self.sources if source.is_c]
        if subprocess.run(["clang-format", "--dry-run", "-Werror", *files], check=False).returncode != 0:
            self.findings.append("format: run clang-format -i on the files above")

    def run(self, write_potfiles):
        for source in self.sources:
            self.check_spdx(source)
            self.check_registries(source)
            if source.is_c:
                self.check_functions(source)
                self.check_calls(source)
                self.check_paths(source)
                self.check_translations(source)
                self.check_notes(source)
                self.check_includes(source)
                self.check_steals(source)
                self.check_owners(source)
            if source.is_c or source.path.suffix == ".ui":
                self.check_deprecated(source)
            if source.module == "ui" or source.name.startswith("src/app/"):
                self.check_spinners(source)
        self.check_unused()
        self.check_headers()
        self.check_order()
        self.check_words()
        self.check_grain()
        self.check_readme()
        self.check_potfiles(write_potfiles)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--format", action="store_true", help="check the formatting as well")
    parser.add_argument("--write-potfiles", action="store_true", help="bring po/POTFILES.in up to date")
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    arguments = parser.parse_args()
    linter = Linter(arguments.folder)
    linter.run(arguments.write_potfiles)
    if arguments.format:
        linter.check_format()
    print("\n".join(linter.findings) or f"{len(linter.sources)} files follow the rules.")
    return 1 if linter.findings else 0


if __name__ == "__main__":
    sys.exit(main())
