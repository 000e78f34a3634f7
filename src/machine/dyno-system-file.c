/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-system-file.h"

char *
dyno_system_file_dup_text (DynoPathKind kind, const char *path)
{
  g_autofree char *file = dyno_paths_build (kind, path, NULL);
  g_autofree char *text = NULL;

  if (!g_file_get_contents (file, &text, NULL, NULL) || *g_strstrip (text) == '\0')
    return NULL;
  return g_utf8_make_valid (text, -1);
}

gint64
dyno_system_file_read_int64 (DynoPathKind kind, const char *path, gint64 fallback)
{
  g_autofree char *text = dyno_system_file_dup_text (kind, path);
  char *end = NULL;
  gint64 number = text != NULL ? g_ascii_strtoll (text, &end, 10) : 0;

  return text != NULL && end != text ? number : fallback;
}

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

gint64
dyno_system_file_parse_kib (const char *text, const char *key)
{
  g_autofree char *value = dyno_system_file_dup_field (text, key, ": ");

  return value != NULL ? g_ascii_strtoll (value, NULL, 10) * 1024 : -1;
}

gboolean
dyno_system_file_add_ticks (const char *text, DynoProcessorTicks *ticks)
{
  /* user, nice, system, idle, iowait, irq, softirq and steal; later fields are part of user and nice. */
  gint64 fields[8];
  gboolean is_whole = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      char *end;

      fields[i] = g_ascii_strtoll (text, &end, 10);
      is_whole = end != text;
      text = end;
    }
  ticks->busy += fields[0] + fields[1] + fields[2] + fields[5] + fields[6];
  ticks->idle += fields[3] + fields[4];
  ticks->stolen += fields[7];
  return is_whole;
}

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
