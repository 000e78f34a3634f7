/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gint64 *dyno_arrivals_draw (gsize n, double rate, guint64 seed);

G_END_DECLS
