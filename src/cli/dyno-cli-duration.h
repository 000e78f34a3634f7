/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean dyno_cli_duration_parse (const char *text, double usual, double *seconds, GError **error);

G_END_DECLS
