/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns whether it is a time above 0. @text (nullable): a time, such as “5min”, “90s” or “1h”. @seconds:
 * the time in seconds. Fails with DYNO_ERROR_INVALID_ARGUMENT. */
gboolean dyno_cli_duration_parse (const char *text, double usual, double *seconds, GError **error);

G_END_DECLS
