/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the local day of that time, such as “12 May 2026”; empty for never. The caller owns it.
 * @microseconds: since 1970, 0 for never. */
char *dyno_date_format (gint64 microseconds);

G_END_DECLS
