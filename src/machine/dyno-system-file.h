/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-paths.h"

G_BEGIN_DECLS

char *dyno_system_file_dup_text (DynoPathKind kind, const char *path);
gint64 dyno_system_file_read_int64 (DynoPathKind kind, const char *path, gint64 fallback);
char *dyno_system_file_dup_field (const char *text, const char *key, const char *separators);
gint64 dyno_system_file_parse_kib (const char *text, const char *key);
char **dyno_system_file_list (DynoPathKind kind, const char *path);

G_END_DECLS
