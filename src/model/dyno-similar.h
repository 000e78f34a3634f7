/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns how different the names are, 0 if they are the same: the Levenshtein distance, ignoring case. A
 * name that contains the other counts as similar, however much longer it is. */
guint dyno_similar_distance (const char *wanted, const char *name);

G_END_DECLS
