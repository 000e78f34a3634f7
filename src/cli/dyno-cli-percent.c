/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-cli-private.h"
#include "dyno-error.h"

#define MAX_PERCENT 1000

gboolean
dyno_cli_percent_read (const char *text, const char *option, double *share, GError **error)
{
  char *end = NULL;
  double percent = text != NULL ? g_ascii_strtod (text, &end) : 0;

  if (text == NULL)
    return TRUE;
  if (end != text && (*end == '\0' || g_str_equal (end, "%")) && percent > 0 && percent <= MAX_PERCENT)
    {
      *share = percent / 100;
      return TRUE;
    }
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("“%s” is not a percentage for --%s. Give one above 0, such as 2%%."), text, option);
  return FALSE;
}
