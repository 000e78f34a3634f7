/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-csv.h"

static gboolean
is_number (const char *text)
{
  char *end = NULL;

  g_ascii_strtod (text, &end);
  return end != text && *end == '\0';
}

/**
 * dyno_csv_dup_text:
 * @text: (nullable): a text, perhaps a stranger's
 *
 * A spreadsheet would compute a text that begins like a formula, and might start programs for it.
 *
 * Returns: (transfer full) (nullable): the text of a cell, with an apostrophe before what looks like a formula
 */
char *
dyno_csv_dup_text (const char *text)
{
  if (text == NULL || *text == '\0' || strchr ("=+-@\t\r\n", *text) == NULL || is_number (text))
    return g_strdup (text);
  return g_strconcat ("'", text, NULL);
}

/**
 * dyno_csv_append:
 * @csv: comma-separated values after RFC 4180
 * @cell: a number, or a text of [func@Dyno.csv_dup_text]
 * @separator: what stands between cells
 *
 * Appends a cell, in quotes where it needs them.
 */
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
