/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint dyno_similar_distance (const char *wanted, const char *name);

G_END_DECLS
