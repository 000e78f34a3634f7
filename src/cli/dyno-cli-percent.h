/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns whether it is a percentage above 0, or NULL. @text (nullable): the given text: “3%” and “3” both
 * mean three per cent. @share: set to the share; not changed if @text is NULL. Fails with
 * DYNO_ERROR_INVALID_ARGUMENT. */
gboolean dyno_cli_percent_read (const char *text, const char *option, double *share, GError **error);

G_END_DECLS
