/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-text.h"

char *
dyno_csv_dup_text (const char *text)
{
  char *end = NULL;

  if (text == NULL || *text == '\0' || strchr ("=+-@\t\r\n", *text) == NULL)
    return g_strdup (text);
  g_ascii_strtod (text, &end);
  return end != text && *end == '\0' ? g_strdup (text) : g_strconcat ("'", text, NULL);
}

void
dyno_csv_append (GString *csv, const char *cell, char separator)
{
  g_auto (GStrv) parts = NULL;
  g_autofree char *doubled = NULL;

  if (strchr (cell, separator) == NULL && strpbrk (cell, "\"\r\n") == NULL)
    {
      g_string_append (csv, cell);
      return;
    }
  parts = g_strsplit (cell, "\"", -1);
  doubled = g_strjoinv ("\"\"", parts);
  g_string_append_printf (csv, "\"%s\"", doubled);
}
