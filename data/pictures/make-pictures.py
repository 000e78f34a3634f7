#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the picture that vision models are given as a file: five squares of one colour, and hills and a sky with a
grain.

    python3 make-pictures.py

It needs GdkPixbuf for Python (python3-gi, gir1.2-gdkpixbuf-2.0); what it writes is committed.
"""

import math
import pathlib

import gi

gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf, GLib  # noqa: E402

HERE = pathlib.Path(__file__).parent
WIDTH, HEIGHT, SIDE = 500, 375, 60
COLOURS = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255), (0, 0, 0))


def grain(x, y):
    """A number from 0 to 1 that looks drawn."""
    bits = (x * 0x9E3779B1 ^ y * 0x85EBCA77) & 0xFFFFFFFF
    bits = (bits ^ bits >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
    bits = (bits ^ bits >> 12) * 0x297A2D39 & 0xFFFFFFFF
    return (bits ^ bits >> 15) / 0xFFFFFFFF


def smooth(x, y, size):
    """The grain, a cell as large as that."""
    column, row = x // size, y // size
    u, v = x % size / size, y % size / size
    top = grain(column, row) * (1 - u) + grain(column + 1, row) * u
    bottom = grain(column, row + 1) * (1 - u) + grain(column + 1, row + 1) * u
    return top * (1 - v) + bottom * v


def colour(x, y):
    if y < SIDE and x < SIDE * len(COLOURS):
        return COLOURS[x // SIDE]
    rough = 0.5 * smooth(x, y, 32) + 0.3 * smooth(x, y, 8) + 0.2 * smooth(x, y, 2)
    hill = HEIGHT * (0.55 + 0.12 * math.sin(x / 60) + 0.05 * math.sin(x / 17 + 1))
    if y < hill:
        return tuple(int(c + 25 * rough + 60 * y / HEIGHT) for c in (90, 130, 165))
    return tuple(int(c * (0.45 + 0.8 * rough)) for c in (95, 120, 55))


pixels = bytes(part for y in range(HEIGHT) for x in range(WIDTH) for part in colour(x, y))
picture = GdkPixbuf.Pixbuf.new_from_bytes(GLib.Bytes.new(pixels), GdkPixbuf.Colorspace.RGB, False, 8, WIDTH, HEIGHT,
                                          3 * WIDTH)
picture.savev(str(HERE / "picture.jpeg"), "jpeg", ["quality"], ["90"])
picture.savev(str(HERE / "picture.png"), "png", ["compression"], ["9"])
