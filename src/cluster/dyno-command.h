/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

char *dyno_command_run (const char *const *words, const char *input, char **messages, GError **error);
gboolean dyno_command_spawn (const char *const *words, const char *log, gint64 *process, GError **error);

G_END_DECLS
