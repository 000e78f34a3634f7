/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean dyno_cli_percent_read (const char *text, const char *option, double *share, GError **error);

G_END_DECLS
