/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The Levenshtein distance, in any case. A name that contains the other counts as similar, however much
 * longer it is. Returns how unlike they are, 0 if they are the same. */
guint dyno_similar_distance (const char *wanted, const char *name);

G_END_DECLS
