/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-cases.h"
#include "dyno-insight-private.h"
#include "dyno-unit.h"

#define PREFIX        "stage_"
#define SHARE_SUFFIX  "_percent"
#define MEDIAN_SUFFIX "_p50_ms"

char *
dyno_stage_summary_dup (DynoResult *result)
{
  GPtrArray *values = dyno_result_get_values (result);
  g_autoptr (GString) times = g_string_new (NULL);
  g_autofree char *longest = NULL;
  g_autofree char *label = dyno_case_parts_dup_label (result);
  g_autofree char *percent = NULL;
  double most = -1;

  for (guint i = 0; i < values->len; i++)
    {
      const char *share = dyno_value_get_name (values->pdata[i]);
      gsize outside = strlen (PREFIX) + strlen (SHARE_SUFFIX);
      g_autofree char *stage = NULL;
      g_autofree char *name = NULL;
      g_autofree char *time = NULL;
      double milliseconds;

      if (!g_str_has_prefix (share, PREFIX) || !g_str_has_suffix (share, SHARE_SUFFIX) ||
          strlen (share) <= outside)
        continue;
      stage = g_strndup (share + strlen (PREFIX), strlen (share) - outside);
      name = g_strconcat (PREFIX, stage, MEDIAN_SUFFIX, NULL);
      milliseconds = dyno_result_get_number (result, name);
      time = isfinite (milliseconds) ? dyno_unit_format (milliseconds, "ms") : NULL;
      if (time != NULL)
        g_string_append_printf (times, "%s%s %s", times->len > 0 ? ", " : "", stage, time);
      if (!(dyno_value_get_number (values->pdata[i]) > most))
        continue;
      most = dyno_value_get_number (values->pdata[i]);
      g_free (longest);
      longest = g_steal_pointer (&stage);
    }
  if (longest == NULL)
    return NULL;
  percent = dyno_unit_format_percent (most);
  /* Translators: a part of a model such as “decoder”, its share of the time in per cent, a case, and the time of each part
   */
  return g_strdup_printf (_ ("The stage “%s” takes %s %% of the time in %s: %s."), longest, percent, label,
                          times->str);
}
