/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-report-private.h"
#include "dyno-report.h"
#include "dyno-text.h"

/* Smaller numbers are too long without a power of ten. */
#define LEAST_WITHOUT_POWER 1e-9

/* Formats four digits, or all digits before the point, for the locale of this thread, see DynoReportLocale. */
char *
dyno_report_text_format_number (double number)
{
  double size = fabs (number);

  if (size < 1e-4 && size >= LEAST_WITHOUT_POWER)
    {
      /* It has four digits, without a power of ten or trailing zeros. */
      char *text = g_strdup_printf ("%.*f", 3 - (int)floor (log10 (fabs (number))), number);

      for (char *end = text + strlen (text) - 1; *end == '0'; end--)
        *end = '\0';
      return text;
    }
  if (size > 0 && (size < 1 || size >= 1e15))
    return g_strdup_printf ("%.4g", number);
  return g_strdup_printf ("%.*f", size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3, number);
}

/* Returns the shortest text that reads back as the same number. */
char *
dyno_report_text_format_exact (double number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (buffer, sizeof buffer, "%.15g", number);
  if (g_ascii_strtod (buffer, NULL) != number)
    g_ascii_dtostr (buffer, sizeof buffer, number);
  return g_strdup (buffer);
}

char *
dyno_report_text_format_time (gint64 microseconds)
{
  g_autoptr (GDateTime) time = NULL;

  if (microseconds > 0)
    time = g_date_time_new_from_unix_utc (microseconds / G_USEC_PER_SEC);
  return time != NULL ? g_date_time_format (time, "%Y-%m-%dT%H:%M:%SZ") : NULL;
}

char *
dyno_report_text_format_date (gint64 microseconds)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (microseconds / G_USEC_PER_SEC);
  g_autoptr (GDateTime) local = utc != NULL ? g_date_time_to_local (utc) : NULL;

  if (microseconds == 0 || local == NULL)
    return g_strdup ("—");
  return g_date_time_format (local, "%Y-%m-%d %H:%M");
}

/* Escapes text for Markdown: nothing in it is markup, it stays on its line, and control characters are
 * written out. */
char *
dyno_report_text_escape (const char *text)
{
  g_autofree char *shown = dyno_plain_text_show_controls (text != NULL ? text : "");
  g_autoptr (GString) escaped = g_string_new (NULL);

  for (const char *next = shown; *next != '\0'; next++)
    {
      if (strchr ("\\`*<[]|", *next) != NULL)
        g_string_append_c (escaped, '\\');
      g_string_append_c (escaped, *next == '\n' || *next == '\t' ? ' ' : *next);
    }
  return g_string_free (g_steal_pointer (&escaped), FALSE);
}
