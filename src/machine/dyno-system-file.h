/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-paths.h"

G_BEGIN_DECLS

/* Returns the file's text without the white space around it, or NULL if it cannot be read or is empty. */
char *dyno_system_file_dup_text (DynoPathKind kind, const char *path);
/* Returns the whole number the file starts with. */
gint64 dyno_system_file_read_int64 (DynoPathKind kind, const char *path, gint64 fallback);
/* Returns the value of the first line with this key; NULL if there is none. @text may be NULL.
 * @separators: the characters allowed between key and value. */
char *dyno_system_file_dup_field (const char *text, const char *key, const char *separators);
/* Returns the value in bytes, -1 if there is none. @text (nullable): the text of `meminfo`. @key: a key in
 * it, such as `MemTotal`. */
gint64 dyno_system_file_parse_kib (const char *text, const char *key);
/* Returns the names in the folder, none if it cannot be read. */
char **dyno_system_file_list (DynoPathKind kind, const char *path);

G_END_DECLS
