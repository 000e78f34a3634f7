/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-model-private.h"

guint
dyno_similar_distance (const char *wanted, const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  gsize length = strlen (lower);
  g_autofree guint *row = g_new (guint, length + 1);
  gboolean is_part;

  for (guint k = 0; k <= length; k++)
    row[k] = k;
  for (guint i = 1; wanted[i - 1] != '\0'; i++)
    {
      guint diagonal = row[0];

      row[0] = i;
      for (guint k = 1; k <= length; k++)
        {
          guint above = row[k];

          row[k] = MIN (MIN (above, row[k - 1]) + 1, diagonal + (wanted[i - 1] != lower[k - 1]));
          diagonal = above;
        }
    }
  is_part = *wanted != '\0' && (strstr (lower, wanted) != NULL || strstr (wanted, lower) != NULL);

  return is_part ? MIN (row[length], 2) : row[length];
}
