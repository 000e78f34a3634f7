/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-system-file.h"

/**
 * dyno_system_file_dup_text:
 * @kind: the root
 * @path: a path below it
 *
 * Returns: (transfer full) (nullable): the file's text without the white space around it, or %NULL when it
 *   cannot be read or is empty
 */
char *
dyno_system_file_dup_text (DynoPathKind kind, const char *path)
{
  g_autofree char *file = dyno_paths_build (kind, path, NULL);
  g_autofree char *text = NULL;

  if (!g_file_get_contents (file, &text, NULL, NULL) || *g_strstrip (text) == '\0')
    return NULL;
  return g_utf8_make_valid (text, -1);
}

/**
 * dyno_system_file_read_int64:
 * @kind: the root
 * @path: a path below it
 * @fallback: what to return when the file holds no number
 *
 * Returns: the whole number the file starts with
 */
gint64
dyno_system_file_read_int64 (DynoPathKind kind, const char *path, gint64 fallback)
{
  g_autofree char *text = dyno_system_file_dup_text (kind, path);
  char *end = NULL;
  gint64 number = text != NULL ? g_ascii_strtoll (text, &end, 10) : 0;

  return text != NULL && end != text ? number : fallback;
}

/**
 * dyno_system_file_dup_field:
 * @text: (nullable): lines of a key and a value each
 * @key: the key
 * @separators: the characters that may stand between key and value
 *
 * Returns: (transfer full) (nullable): the value of the first line with this key
 */
char *
dyno_system_file_dup_field (const char *text, const char *key, const char *separators)
{
  gsize length = strlen (key);

  for (const char *line = text; line != NULL && *line != '\0';)
    {
      const char *end = strchrnul (line, '\n');

      if (g_str_has_prefix (line, key) && strchr (separators, line[length]) != NULL && line[length] != '\0')
        {
          const char *value = line + length + strspn (line + length, separators);

          return value < end ? g_strchomp (g_strndup (value, end - value)) : g_strdup ("");
        }
      line = *end != '\0' ? end + 1 : end;
    }
  return NULL;
}

/**
 * dyno_system_file_parse_kib:
 * @text: (nullable): the text of `meminfo`
 * @key: a key in it, such as `MemTotal`
 *
 * Returns: the value in bytes, -1 when there is none
 */
gint64
dyno_system_file_parse_kib (const char *text, const char *key)
{
  g_autofree char *value = dyno_system_file_dup_field (text, key, ": ");

  return value != NULL ? g_ascii_strtoll (value, NULL, 10) * 1024 : -1;
}

/**
 * dyno_system_file_list:
 * @kind: the root
 * @path: a folder below it
 *
 * Returns: (transfer full) (array zero-terminated=1): the names in the folder, none when it cannot be read
 */
char **
dyno_system_file_list (DynoPathKind kind, const char *path)
{
  g_autofree char *file = dyno_paths_build (kind, path, NULL);
  g_autoptr (GDir) folder = g_dir_open (file, 0, NULL);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    g_strv_builder_add (names, name);
  return g_strv_builder_end (names);
}
