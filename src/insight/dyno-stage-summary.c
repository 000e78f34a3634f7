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
      stage.handover_ms = get_number (result, stage.name, "_handover_ms");
      stage.flops = get_number (result, stage.name, "_flops");
      stage.bytes = get_number (result, stage.name, "_bytes");
      stage.decodes = get_number (result, stage.name, "_decode_bytes") > 0;
      stage.weights_mb = get_number (result, stage.name, "_weights_mb");
      stage.peak_mb = get_number (result, stage.name, "_peak_mb");
      stage.roof_ms = get_number (result, stage.name, "_roof_ms");
      stage.is_compute_bound = get_number (result, stage.name, "_compute_bound") > 0.5;
      stage.is_memory_bound = get_number (result, stage.name, "_memory_bound") > 0.5;
      g_array_append_val (stages, stage);
    }
  return stages;
}

char **
dyno_stage_times_dup_names (GArray *stages)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; i < stages->len; i++)
    g_strv_builder_add (names, g_array_index (stages, DynoStageTime, i).name);
  return g_strv_builder_end (names);
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
dyno_stage_time_dup_bound (const DynoStageTime *self, DynoResult *result)
{
  g_autoptr (DynoCase) own = dyno_case_for_stage (dyno_result_get_case (result), self->name);
  const char *precision = dyno_case_get_computed_precision (own);
  g_autofree char *percent = dyno_unit_format_percent (100 * self->roof_ms / self->p50_ms);

  if (!isfinite (self->roof_ms / self->p50_ms))
    return NULL;
  if (self->is_compute_bound)
    /* Translators: a percentage, and a precision such as fp32 */
    return g_strdup_printf (_ ("It is compute-bound, at %s %% of the %s roof."), percent, precision);
  if (self->is_memory_bound)
    return g_strdup_printf (_ ("It is memory-bound, at %s %% of the roof."), percent);
  /* Translators: a percentage */
  return g_strdup_printf (_ ("It is far below both roofs, at %s %% of the nearer one."), percent);
}

/* Returns the share of the stage in the work and the weights of all, as a sentence; NULL if they are unknown. */
static char *
dup_shares (GArray *stages, const DynoStageTime *of)
{
  double flops = 0, weights = 0;

  for (guint i = 0; i < stages->len; i++)
    {
      flops += g_array_index (stages, DynoStageTime, i).flops;
      weights += g_array_index (stages, DynoStageTime, i).weights_mb;
    }
  if (!(isfinite (flops) && flops > 0 && isfinite (weights) && weights > 0))
    return NULL;
  g_autofree char *work = dyno_unit_format_percent (100 * of->flops / flops);
  g_autofree char *held = dyno_unit_format_percent (100 * of->weights_mb / weights);
  /* Translators: the shares of a part of a model in per cent */
  return g_strdup_printf (_ ("It does %s %% of the work and holds %s %% of the weights."), work, held);
}

char *
dyno_stage_summary_dup (DynoResult *result)
{
  g_autoptr (GArray) stages = dyno_stage_times_list (result);
  g_autoptr (GString) times = g_string_new (NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *label = dyno_case_parts_dup_label (result);
  const DynoStageTime *longest = dyno_stage_times_find_longest (stages);

  for (guint i = 0; i < stages->len; i++)
    {
      const DynoStageTime *stage = &g_array_index (stages, DynoStageTime, i);
      g_autofree char *time = isfinite (stage->p50_ms) ? dyno_unit_format (stage->p50_ms, "ms") : NULL;

      if (time != NULL)
        g_string_append_printf (times, "%s%s %s", times->len > 0 ? ", " : "", stage->name, time);
    }
  if (stages->len < 2)
    return NULL;
  g_autofree char *percent = dyno_unit_format_percent (longest->percent);
  g_autofree char *bound = dyno_stage_time_dup_bound (longest, result);
  g_autofree char *shares = dup_shares (stages, longest);
  /* Translators: a part of a model such as “decoder”, its share of the time in per cent, a case, and the time of each part
   */
  g_string_append_printf (text, _ ("The stage “%s” takes %s %% of the time in %s: %s."), longest->name,
                          percent, label, times->str);
  if (bound != NULL)
    g_string_append_printf (text, " %s", bound);
  if (shares != NULL)
    g_string_append_printf (text, " %s", shares);
  return g_strdup (text->str);
}
