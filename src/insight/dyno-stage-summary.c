/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-cases.h"
#include "dyno-insight-private.h"
#include "dyno-run-summary.h"
#include "dyno-unit.h"

#define PREFIX        "stage_"
#define SHARE_SUFFIX  "_percent"
#define MEDIAN_SUFFIX "_p50_ms"
#define RUN_SUFFIX    "_run_ms"

static void
clear_stage (gpointer data)
{
  g_free (((DynoStageTime *)data)->name);
}

static double
get_number (DynoResult *result, const char *stage, const char *suffix)
{
  g_autofree char *name = g_strconcat (PREFIX, stage, suffix, NULL);

  return dyno_result_get_number (result, name);
}

GArray *
dyno_stage_times_list (DynoResult *result)
{
  GArray *stages = g_array_new (FALSE, FALSE, sizeof (DynoStageTime));
  const gsize outside = strlen (PREFIX) + strlen (SHARE_SUFFIX);

  g_return_val_if_fail (DYNO_IS_RESULT (result), stages);

  g_array_set_clear_func (stages, clear_stage);
  GPtrArray *values = dyno_result_get_values (result);
  for (guint i = 0; i < values->len; i++)
    {
      const char *share = dyno_value_get_name (values->pdata[i]);
      DynoStageTime stage = { .percent = dyno_value_get_number (values->pdata[i]) };

      if (!g_str_has_prefix (share, PREFIX) || !g_str_has_suffix (share, SHARE_SUFFIX) ||
          strlen (share) <= outside || !isfinite (stage.percent))
        continue;
      stage.name = g_strndup (share + strlen (PREFIX), strlen (share) - outside);
      stage.p50_ms = get_number (result, stage.name, MEDIAN_SUFFIX);
      stage.run_ms = get_number (result, stage.name, RUN_SUFFIX);
      g_array_append_val (stages, stage);
    }
  return stages;
}

const DynoStageTime *
dyno_stage_times_find_longest (GArray *stages)
{
  const DynoStageTime *longest = NULL;

  for (guint i = 0; i < stages->len; i++)
    {
      const DynoStageTime *stage = &g_array_index (stages, DynoStageTime, i);

      if (longest == NULL || stage->percent > longest->percent)
        longest = stage;
    }
  return longest;
}

char *
dyno_stage_summary_dup (DynoResult *result)
{
  g_autoptr (GArray) stages = dyno_stage_times_list (result);
  g_autoptr (GString) times = g_string_new (NULL);
  g_autofree char *label = dyno_case_parts_dup_label (result);
  const DynoStageTime *longest = dyno_stage_times_find_longest (stages);

  for (guint i = 0; i < stages->len; i++)
    {
      const DynoStageTime *stage = &g_array_index (stages, DynoStageTime, i);
      g_autofree char *time = isfinite (stage->p50_ms) ? dyno_unit_format (stage->p50_ms, "ms") : NULL;

      if (time != NULL)
        g_string_append_printf (times, "%s%s %s", times->len > 0 ? ", " : "", stage->name, time);
    }
  if (longest == NULL)
    return NULL;
  g_autofree char *percent = dyno_unit_format_percent (longest->percent);
  /* Translators: a part of a model such as “decoder”, its share of the time in per cent, a case, and the time of each part
   */
  return g_strdup_printf (_ ("The stage “%s” takes %s %% of the time in %s: %s."), longest->name, percent,
                          label, times->str);
}
