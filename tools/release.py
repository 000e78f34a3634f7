#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks a release for ./dev release.

Usage: release.py check [SOURCE-FOLDER]    all files name the same version; prints the version
       release.py compare FOLDER FOLDER    two builds of a release are the same, byte for byte
"""

import email.utils
import hashlib
import pathlib
import re
import sys
import xml.etree.ElementTree

METAINFO = "data/io.github.dynobench.Dyno.metainfo.xml.in"
HEADING = re.compile(r"^Dyno (\d+(?:\.\d+)+)\n(.*)\n\n", re.MULTILINE)
ENTRY = re.compile(r"^dyno \((.+)\) (\S+);.*\n", re.MULTILINE)
SIGNATURE = re.compile(r"^ -- .+ <.+>  (.+)$", re.MULTILINE)
# These two record when and where a package was built.
RECORDS = (".buildinfo", ".changes")


class Fault(Exception):
    """A sentence about a file of the release."""


def find_version(root, name, pattern):
    found = re.search(pattern, (root / name).read_text(encoding="utf-8"), re.MULTILINE)
    if not found:
        raise Fault(f"{name} names no version.")
    return found[1]


def read_news(root):
    """Returns the versions of NEWS, newest first; each is underlined and has entries."""
    text = (root / "NEWS").read_text(encoding="utf-8")
    headings = list(HEADING.finditer(text))
    for heading, after in zip(headings, [*headings[1:], None]):
        body = text[heading.end():after.start() if after else len(text)]
        if heading[2] != "=" * len(f"Dyno {heading[1]}") or not re.search("^ - ", body, re.MULTILINE):
            raise Fault(f"NEWS: underline “Dyno {heading[1]}” with as many “=”, and list its changes below as “ - …”.")
    if not headings or headings[0].start() != 0:
        raise Fault("NEWS does not begin with “Dyno VERSION” and a line of “=”.")
    return [heading[1] for heading in headings]


def read_metainfo(root):
    """Returns the versions of the AppStream releases and their dates, newest first."""
    try:
        releases = xml.etree.ElementTree.parse(root / METAINFO).getroot().findall("releases/release")
    except xml.etree.ElementTree.ParseError as error:
        raise Fault(f"{METAINFO} is no XML: {error}.") from error
    for release in releases:
        if not "".join(release.find("description").itertext() if release.find("description") is not None else "").strip():
            raise Fault(f"{METAINFO}: the release {release.get('version')} has no description.")
    return [(release.get("version"), release.get("date")) for release in releases]


def read_changelog(root):
    """Returns the versions of debian/changelog and their days, newest first."""
    text = (root / "debian" / "changelog").read_text(encoding="utf-8")
    entries = list(ENTRY.finditer(text))
    try:
        dates = [email.utils.parsedate_to_datetime(date) for date in SIGNATURE.findall(text)]
    except ValueError as error:
        raise Fault(f"debian/changelog: {error}; “date -R” prints one as it should be.") from error
    if not entries or len(entries) != len(dates):
        raise Fault("debian/changelog: each entry needs a first line “dyno (VERSION) unstable; …” and a last line “ -- NAME "
                    "<ADDRESS>  DATE”.")
    if entries[0][2] == "UNRELEASED":
        raise Fault("debian/changelog: the newest entry is UNRELEASED; name the distribution, usually unstable.")
    return [(entry[1], date.date().isoformat()) for entry, date in zip(entries, dates)]


def check(root):
    """Returns the version, and raises a Fault where a file is about another one."""
    version = find_version(root, "meson.build", r"^project\([^)]*?version: '([^']+)'")
    metainfo, changelog = read_metainfo(root), read_changelog(root)
    lists = {METAINFO: [release[0] for release in metainfo], "debian/changelog": [entry[0] for entry in changelog],
             "NEWS": read_news(root)}
    newest = {name: (versions or ["no version"])[0] for name, versions in lists.items()}
    newest["CITATION.cff"] = find_version(root, "CITATION.cff", r"^version: (\S+)$")
    for name, found in newest.items():
        if found != version:
            raise Fault(f"{name} is about {found}, and meson.build about {version}: bring the older one up to date.")
    for name, versions in lists.items():
        if versions != lists["NEWS"]:
            raise Fault(f"{name} lists {', '.join(versions)}, and NEWS {', '.join(lists['NEWS'])}: add those that are missing.")
    for (_, day), (released, other_day) in zip(metainfo, changelog):
        if day != other_day:
            raise Fault(f"{METAINFO} dates {released} {day}, and debian/changelog {other_day}: give both the day of the release.")
    return version


def list_made(folder):
    """Returns the SHA-256 of each file that has to be the same wherever and whenever it is built."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.iterdir()) if path.is_file() and path.suffix not in RECORDS}


def compare(first, second):
    one, other = list_made(first), list_made(second)
    if not one:
        raise Fault(f"“{first}” is empty: build first.")
    for name in sorted(one | other):
        print("same     " if one.get(name) == other.get(name) else "DIFFERENT", one.get(name, "missing in the first"), name)
    different = [name for name in sorted(one | other) if one.get(name) != other.get(name)]
    if different:
        raise Fault(f"built twice, these differ: {', '.join(different)}.")


def main(verb, *folders):
    if verb == "check":
        print(check(pathlib.Path(*folders or [pathlib.Path(__file__).resolve().parent.parent])))
    elif verb == "compare":
        compare(*map(pathlib.Path, folders))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main(*(sys.argv[1:] or ["help"]))
    except (Fault, OSError) as error:
        sys.exit(f"release: {error}")
