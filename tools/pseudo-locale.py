#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes translations into a language that nobody speaks: accented, half as long again, in brackets.

Usage: pseudo-locale.py SOURCE-ROOT FOLDER STAMP

The catalogue is FOLDER/LANGUAGE/LC_MESSAGES/dyno.mo. What is on the screen without brackets was never translated.
"""

import pathlib
import re
import subprocess
import sys

LANGUAGE = "eo"
ACCENTS = str.maketrans("aceginorsuyACEGINORSUY", "àçéğîñöŕšüýÀÇÉĞÎÑÖŔŠÜÝ")
# What stays as it is: placeholders, markup, references, and the letter behind a mnemonic's underscore.
KEPT = re.compile(r"""(%(?:\d+\$)?[-+ #0']*(?:\*|\d+)?(?:\.(?:\*|\d+))?(?:hh|h|ll|l|z|j|t)?(?:<PRI\w+>|[a-zA-Z%])"""
                  r"""|<[^<>]*>|&\w+;|\\.|_\w)""")
WORD = 7
KEYWORDS = ("_", "N_", "C_:1c,2", "NC_:1c,2", "ngettext:1,2")


def translate(text):
    """A message in the language, as it stands between quotes in a catalogue."""
    body = text.strip()
    start = text.index(body) if body else 0
    # Line breaks at the ends are two characters here.
    head, body, tail = re.fullmatch(r"((?:\\n)*)(.*?)((?:\\n)*)", body).groups()
    parts = KEPT.split(body)
    parts[::2] = [part.translate(ACCENTS) for part in parts[::2]]
    longer = " ".join("~" * min(WORD, n) for n in range(len(body) // 2, 0, -WORD))
    return f"{text[:start]}{head}⟦{''.join(parts)}{' ' + longer if longer else ''}⟧{tail}{text[start + len(text.strip()):]}"


def join(lines):
    return "".join(re.findall(r'"(.*)"', lines))


def translate_catalogue(catalogue):
    def answer(match):
        singular, plural = join(match["singular"]), join(match["plural"] or "")
        if not singular:
            return match[0]
        if not plural:
            return f'{match["asked"]}msgstr "{translate(singular)}"\n'
        return f'{match["asked"]}msgstr[0] "{translate(singular)}"\nmsgstr[1] "{translate(plural)}"\n'

    catalogue = re.sub(r'(?P<asked>^msgid (?P<singular>(?:".*"\n)+)(?:msgid_plural (?P<plural>(?:".*"\n)+))?)'
                       r'(?:msgstr(?:\[\d\])? ".*"\n)+', answer, catalogue, flags=re.MULTILINE)
    return catalogue.replace("charset=CHARSET", "charset=UTF-8").replace(
        "nplurals=INTEGER; plural=EXPRESSION", "nplurals=2; plural=n != 1")


def main():
    root, folder, stamp = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    extracted = subprocess.run(
        ["xgettext", "--files-from", root / "po" / "POTFILES.in", "--directory", root, "--output", "-",
         "--from-code", "UTF-8", "--keyword", *(f"--keyword={keyword}" for keyword in KEYWORDS)],
        check=True, capture_output=True, text=True, encoding="utf-8").stdout
    place = folder / LANGUAGE / "LC_MESSAGES"
    place.mkdir(parents=True, exist_ok=True)
    subprocess.run(["msgfmt", "--check-format", "--output-file", place / "dyno.mo", "-"], check=True,
                   input=translate_catalogue(extracted), text=True, encoding="utf-8")
    # Tests of GTK run in this locale; in “C” nothing is translated.
    subprocess.run(["localedef", "-i", "en_US", "-f", "UTF-8", folder / "en_US.UTF-8"], check=False)
    stamp.touch()


if __name__ == "__main__":
    main()
