/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-store-private.h"

#define MAX_LENGTH 100

void
dyno_baseline_free (DynoBaseline *self)
{
  g_free (self->name);
  g_free (self->run_id);
  g_free (self);
}

gboolean
dyno_baseline_is_name (const char *text)
{
  return *text != '\0' && strlen (text) <= MAX_LENGTH && g_utf8_validate (text, -1, NULL) &&
         strchr (text, G_DIR_SEPARATOR) == NULL && !g_str_has_suffix (text, ".dyno") &&
         !g_str_equal (text, "last") && !g_str_equal (text, "latest") && *text != '-';
}
