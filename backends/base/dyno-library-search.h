/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char **dyno_library_search (const char *prefix, const char *python_folder);

G_END_DECLS
