#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each rule of tools/lint.py finds what breaks it, and a reason silences it."""

import importlib.util
import pathlib
import sys
import tempfile
import unittest

LINT = pathlib.Path(sys.argv.pop(1)).resolve()
spec = importlib.util.spec_from_file_location("lint", LINT)
lint = importlib.util.module_from_spec(spec)
sys.dont_write_bytecode = True
spec.loader.exec_module(lint)

SPDX = "/* SPDX-License-Identifier: GPL-3.0-or-later */\n"


class LintTest(unittest.TestCase):
    def rules_broken(self, name, text, potfiles="", **others):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, content in {name: text, "po/POTFILES.in": potfiles, **others}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(content, encoding="utf-8")
            linter = lint.Linter(root)
            linter.run(False)
            return [finding.split(": ")[1] for finding in linter.findings]

    def assert_breaks(self, rule, text, name="src/run/dyno-foo.c", potfiles="\n"):
        self.assertEqual(self.rules_broken(name, SPDX + text, potfiles), [rule], text)

    def assert_follows(self, text, name="src/run/dyno-foo.c", potfiles="\n"):
        self.assertEqual(self.rules_broken(name, SPDX + text, potfiles), [])

    def test_spdx(self):
        self.assertEqual(self.rules_broken("src/run/dyno-foo.c", "int x;\n", "\n"), ["spdx"])

    def test_grain(self):
        """Callbacks and functions with two callers are no helpers of one function."""
        functions = "".join(f"static int\nhelp_{i} (int x)\n{{\n  return x;\n}}\n" for i in range(lint.ENOUGH_FUNCTIONS))

        def call(how):
            calls = "".join(f"  {how.format(name=f'help_{i}')}\n" for i in range(lint.ENOUGH_FUNCTIONS))
            return functions + f"int\ndyno_foo_run (int x)\n{{\n{calls}  return dyno_foo_run (x);\n}}\n"

        found = self.rules_broken("src/run/dyno-foo.c", SPDX + call("x = {name} (x);"), "\n")
        self.assertIn("grain", found)
        for how in ("x = {name} (x) + {name} (1);", "g_idle_add ({name}, NULL);"):
            self.assertNotIn("grain", self.rules_broken("src/run/dyno-foo.c", SPDX + call(how), "\n"), how)

    def test_notes_for_translators(self):
        note = "  /* Translators: a name */\n"
        call = "static int\nfoo (char *s)\n{{\n{}  return 0;\n}}\n"
        self.assert_breaks("translation", call.format(note + "  s = format (\n    _ (\"%s\"), s);\n"),
                           potfiles="src/run/dyno-foo.c\n")
        self.assert_follows(call.format("  s = format (\n  " + note + "    _ (\"%s\"), s);\n"), potfiles="src/run/dyno-foo.c\n")
        self.assert_follows(call.format("  s = format (/* Translators: a name */ _ (\"%s\"), s);\n"),
                            potfiles="src/run/dyno-foo.c\n")

    def test_prefix(self):
        function = "\nvoid\n{0}_do (int a)\n{{\n}}\n\nstatic void\nf (void)\n{{\n  {0}_do (1);\n}}\n"
        self.assert_breaks("prefix", function.format("other"))
        self.assert_follows(function.format("dyno_foo"))
        self.assert_follows(function.format("other").replace("void", "static void"))

    def test_unused(self):
        function = "\nvoid\ndyno_foo_do (void)\n{\n}\n"
        self.assert_breaks("unused", function)
        self.assert_follows(function + "\nstatic void\nf (void)\n{\n  dyno_foo_do ();\n}\n")

    def test_headers(self):
        include = SPDX + '#include "dyno-foo.h"\n'
        private = {"src/run/dyno-run-private.h": SPDX, "src/run/dyno-foo.c": include}
        header = "src/run/dyno-foo.h"
        self.assertEqual(self.rules_broken(header, SPDX, "\n", **private), ["header"])
        self.assertEqual(self.rules_broken(header, SPDX, "\n", **private, **{"src/cli/dyno-bar.c": include}), [])
        self.assertEqual(self.rules_broken(header, SPDX + "\n" * 50, "\n", **private), [])
        self.assertEqual(self.rules_broken(header, SPDX, "\n", **{"src/run/dyno-foo.c": include}), [])
        leak = SPDX + '#include "dyno-run-private.h"\n'
        self.assertEqual(self.rules_broken("src/cli/dyno-bar.c", leak, "\n", **private), ["header"])
        self.assertEqual(self.rules_broken("src/run/dyno-bar.c", leak, "\n", **private), [])
        self.assertEqual(self.rules_broken(header, leak, "\n", **private, **{"src/cli/dyno-bar.c": include}), ["header"])

    def test_order(self):
        include = SPDX + '#include "dyno-b.h"\n'

        def order(from_folder, to_folder):
            header = {f"src/app/{to_folder}/dyno-b.h": SPDX + "\n" * 50}
            return self.rules_broken(f"src/app/{from_folder}/dyno-a.c", include, "\n", **header)

        for pair in (("shell", "compare"), ("compare", "history"), ("session", "widgets"), ("compare", "compare")):
            self.assertEqual(order(*pair), [], pair)
        for pair in (("compare", "shell"), ("compare", "results"), ("results", "compare"), ("widgets", "session")):
            self.assertEqual(order(*pair), ["order"], pair)

    def test_words(self):
        function = "\n/* {} */\nstatic void\nf (void)\n{{\n}}\n"
        self.assert_breaks("words", function.format("What it is. " * 4))
        self.assert_follows(function.format("What it is. " * 3))

    def test_manual(self):
        self.assertEqual(self.rules_broken("docs/page.md", "What it is. " * 4, "\n"), ["words"])
        self.assertEqual(self.rules_broken("docs/page.md", "```\n" + "What it is. " * 4 + "\n```\n", "\n"), [])

    def test_readme(self):
        self.assertEqual(self.rules_broken("README.md", "line\n" * 101, "\n"), ["readme"])
        self.assertEqual(self.rules_broken("README.md", "line\n" * 100, "\n"), [])

    def test_length(self):
        self.assert_follows("\nstatic void\nf (void)\n{\n" + "  ;\n" * 60 + "}\n")
        self.assert_breaks("length", "\nstatic void\nf (void)\n{\n" + "  ;\n" * 61 + "}\n")
        self.assert_follows("\nstatic void\nfoo_class_init (void)\n{\n" + "  ;\n" * 99 + "}\n")

    def test_calls(self):
        for call in ("sprintf (b)", "g_print (b)", "atof (b)", "gtk_widget_show (b)"):
            self.assert_breaks("call", f"\nstatic void\nf (void)\n{{\n  {call};\n}}\n")
        self.assert_follows('\nstatic void\nf (void)\n{\n  /* sprintf (b) */\n  g ("sprintf (b)");\n}\n')
        self.assert_follows("\nstatic void\nf (void)\n{\n  /* nocheck:call for its speed */\n  sprintf (b);\n}\n")
        self.assert_follows("\nstatic void\nf (void)\n{\n  g_print (b);\n}\n", "src/cli/dyno-foo.c")
        self.assert_breaks("call", "\nstatic void\nf (void)\n{\n  g_usleep (1);\n}\n", "tests/run/test-foo.c")

    def test_a_reason_must_be_given(self):
        self.assert_breaks("call", "\nstatic void\nf (void)\n{\n  sprintf (b); /* nocheck:call */\n}\n")

    def test_deprecated(self):
        self.assert_breaks("deprecated", "GtkTreeView *x;\n", "src/app/dyno-foo.c")
        self.assert_breaks("deprecated", "AdwAboutWindow *x;\n", "src/app/dyno-foo.c")
        self.assert_follows("AdwAboutWindow *x;\n", "src/app/widgets/dyno-compat.c")
        self.assert_follows("GtkTreeListModel *x;\n", "src/app/dyno-foo.c")

    def test_spinners(self):
        self.assert_breaks("spinner", "gtk_spinner_start (self->spinner);\n", "src/app/dyno-foo.c")
        self.assert_breaks("spinner", '<property name="spinning">1</property>\n', "ui/dyno-foo.ui")
        self.assert_follows('<signal name="map" handler="gtk_spinner_start"/>\n', "ui/dyno-foo.ui")

    def test_paths(self):
        self.assert_breaks("path", 'x = "/proc/self";\n')
        self.assert_follows('x = "/proc/self";\n', "src/base/dyno-paths.c")

    def test_registries(self):
        self.assert_breaks("registry", "https://pypi" + ".org", "README.md")

    def test_includes(self):
        self.assert_breaks("include", '#include "a.h"\n#include "b.h"\n#include "a.h"\n')

    def test_translations(self):
        call = '_ ("(%" {}\n   " samples)")\n'
        known = "src/run/dyno-foo.c\n"
        self.assert_breaks("translation", call.format("G_GINT64_FORMAT"), potfiles=known)
        self.assert_breaks("translation", 'ngettext ("a", "%" G_GSIZE_FORMAT, f (n))\n', potfiles=known)
        self.assert_follows(call.format("PRId64"), potfiles=known)
        self.assert_follows('f (_ ("a"), "%" G_GINT64_FORMAT)\n', potfiles=known)

    def test_steals(self):
        body = "\nstatic void\nf (void)\n{{\n  {}\n}}\n"
        for statement in (
            "g (saving->entry, g_steal_pointer (&saving));",
            "g (g_steal_pointer (&saving), *saving);",
            "g (saving,\n     h (1, g_steal_pointer (&saving)));",
            "g (h (saving->file, 2), g_steal_pointer (&saving));",
            "g (self->name, g_steal_pointer (&self->name));",
            "g (fd, g_steal_fd (&fd));",
        ):
            self.assert_breaks("steal", body.format(statement))
        for statement in (
            "g (entry, g_steal_pointer (&saving));",
            "g (self->saving, g_steal_pointer (&saving));",
            "g (self->count, g_steal_pointer (&self->name));",
            "g (error, saving != NULL ? g_steal_pointer (&saving) : NULL);",
            "if (saving->count > 0 && g (1, g_steal_pointer (&saving)))\n    return;",
            "g (saving->entry, 1);\n  h (2, g_steal_pointer (&saving));",
        ):
            self.assert_follows(body.format(statement))

    def test_potfiles(self):
        self.assert_breaks("potfiles", '_("x")\n')
        self.assert_breaks("potfiles", "", potfiles="src/run/gone.c\n")
        self.assert_follows('_("x")\n', potfiles="src/run/dyno-foo.c\n")


if __name__ == "__main__":
    unittest.main()
