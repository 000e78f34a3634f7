# SPDX-License-Identifier: GPL-3.0-or-later
"""Keyboard shortcuts are shown, and Help opens the page of the manual about the page on screen, by the main menu and by F1."""

import pathlib

from screen import wait_for


def walk(person):
    opened = catch_pages(person)
    person.start()
    person.choose_from_menu("Main Menu", "Keyboard Shortcuts")
    person.see("label", "Previous or next point")
    person.keys("Escape")
    person.see_no("label", "Previous or next point")
    person.show("Compare")
    person.choose_from_menu("Main Menu", "Help")
    see_manual(person, opened, "comparing.html")
    person.show("Hardware")
    person.keys("F1")
    see_manual(person, opened, "backends.html")


def catch_pages(person):
    """Makes a browser of a program that notes the addresses which it is to open; returns its notes."""
    environment = person.desktop.environment
    opened = person.desktop.home / "opened"
    entry = pathlib.Path(environment["XDG_DATA_HOME"]) / "applications" / "browser.desktop"
    entry.parent.mkdir()
    entry.write_text(f"[Desktop Entry]\nType=Application\nName=Browser\nExec=sh -c 'echo \"$1\" >>{opened}' - %u\n")
    associations = pathlib.Path(environment["XDG_CONFIG_HOME"]) / "mimeapps.list"
    associations.write_text("[Default Applications]\ntext/html=browser.desktop\nx-scheme-handler/file=browser.desktop\n")
    return opened


def see_manual(person, opened, name):
    """A build without the manual says so."""
    path = pathlib.Path(person.desktop.environment["DYNO_MANUAL_DIR"]) / name
    if path.exists():
        wait_for(f"the opening of {name}", lambda: opened.exists() and str(path) in opened.read_text())
    else:
        person.see("label", "The Manual Is Not Installed")
        person.keys("Escape")
        person.see_no("label", "The Manual Is Not Installed")
