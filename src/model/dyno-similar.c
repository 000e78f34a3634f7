/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-model-private.h"

static guint
edit_distance (const char *a, const char *b)
{
  gsize length = strlen (b);
  g_autofree guint *row = g_new (guint, length + 1);

  for (guint k = 0; k <= length; k++)
    row[k] = k;
  for (guint i = 1; a[i - 1] != '\0'; i++)
    {
      guint diagonal = row[0];

      row[0] = i;
      for (guint k = 1; k <= length; k++)
        {
          guint above = row[k];

          row[k] = MIN (MIN (above, row[k - 1]) + 1, diagonal + (a[i - 1] != b[k - 1]));
          diagonal = above;
        }
    }
  return row[length];
}

guint
dyno_similar_distance (const char *wanted, const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  guint distance = edit_distance (wanted, lower);
  gboolean is_part = *wanted != '\0' && (strstr (lower, wanted) != NULL || strstr (wanted, lower) != NULL);

  return is_part ? MIN (distance, 2) : distance;
}
