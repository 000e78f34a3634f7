/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-cli-private.h"
#include "dyno-error.h"

static const struct
{
  const char *suffix;
  double seconds;
} units[] = { { "", 1 }, { "s", 1 }, { "min", 60 }, { "h", 3600 } };

gboolean
dyno_cli_duration_parse (const char *text, double usual, double *seconds, GError **error)
{
  char *end = NULL;
  g_autofree char *suffix = NULL;
  double number;

  *seconds = usual;
  if (text == NULL)
    return TRUE;
  number = g_ascii_strtod (text, &end);
  suffix = g_strstrip (g_strdup (end));
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_equal (suffix, units[i].suffix) && number > 0 && isfinite (number))
      {
        *seconds = number * units[i].seconds;
        return TRUE;
      }
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("“%s” is not a time: write it as “5min”, “90s” or “1h”."), text);
  return FALSE;
}
