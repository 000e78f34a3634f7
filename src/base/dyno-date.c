/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-text.h"

char *
dyno_date_format (gint64 microseconds)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (microseconds / G_USEC_PER_SEC);
  g_autoptr (GDateTime) local = utc != NULL ? g_date_time_to_local (utc) : NULL;

  if (microseconds == 0 || local == NULL)
    return g_strdup ("");
  /* Translators: a date, see g_date_time_format() */
  return g_date_time_format (local, _ ("%-e %B %Y"));
}
