/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Looks for an engine's library: in the runtimes folder and its subfolders, which are for Dyno alone, in the system's
 * folders, in the virtual environment and in the system's Python. Within each, the highest version comes first.
 * Returns the files found, without links and without duplicates. The caller owns it. @prefix: the beginning of the
 * library's file name, `libopenvino_c.so`. @python_folder: the folder of the library in a Python package, below
 * `site-packages`. */
char **dyno_library_search (const char *prefix, const char *python_folder);

G_END_DECLS
