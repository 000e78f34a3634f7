/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-roofline.h"

#define PREFIX        "stage_"
#define MEDIAN_SUFFIX "_p50_ms"

static const char *const derived[] = { "_roof_ms", "_compute_bound", "_memory_bound" };

/* The work of a stage over the prompt, or in all steps that decode. */
typedef struct
{
  double flops;
  double bytes;
} Work;

/* The shortest time for the work of a stage by its roofs, and the part of it that memory takes, in seconds. */
typedef struct
{
  double all;
  double memory;
  gboolean is_doubtful;
} RoofTime;

gboolean
dyno_stage_roof_is_derived (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (derived); i++)
    if (g_str_has_prefix (name, PREFIX) && g_str_has_suffix (name, derived[i]))
      return TRUE;
  return FALSE;
}

static double
get_number (DynoResult *result, const char *stage, const char *what)
{
  g_autofree char *name = g_strconcat (PREFIX, stage, what, NULL);

  return dyno_result_get_number (result, name);
}

/* Only the time of both kinds of steps together is measured. Each is placed as if its part of that time were as large as
 * its part of the time by the roofs. */
static RoofTime
find_time (const DynoRoofline *roofs, const Work *works, guint n_works, double seconds)
{
  RoofTime time = { 0 };
  double least[2] = { 0 }, sum = 0;

  for (guint i = 0; i < n_works; i++)
    {
      least[i] = fmax (works[i].flops / dyno_ceiling_get_value (roofs->compute),
                       works[i].bytes / dyno_ceiling_get_value (roofs->levels[0]));
      sum += least[i];
    }
  for (guint i = 0; i < n_works; i++)
    {
      DynoRooflinePoint point;

      if (!dyno_roofline_place (roofs, works[i].flops, works[i].bytes, seconds * least[i] / sum, &point))
        continue;
      time.all += works[i].flops / point.attainable;
      time.memory += point.memory_bound ? works[i].flops / point.attainable : 0;
      time.is_doubtful |= point.is_doubtful;
    }
  return time;
}

static void
take (DynoResult *result,
      const char *stage,
      const char *what,
      double number,
      const char *unit,
      gboolean unsteady)
{
  g_autofree char *name = g_strconcat (PREFIX, stage, what, NULL);
  g_autofree char *source =
      g_strdup_printf ("%s%s_flops and %s%s_bytes (model of traffic) under the measured ceilings, against "
                       "%s%s%s",
                       PREFIX, stage, PREFIX, stage, PREFIX, stage, MEDIAN_SUFFIX);

  dyno_result_take_value (
      result,
      dyno_value_new (name, number, unit, unsteady ? DYNO_QUALITY_UNSTEADY : DYNO_QUALITY_ESTIMATED, source));
}

static void
place_stage (DynoResult *result, const DynoRoofline *roofs, const char *stage, DynoValue *median)
{
  double decode_flops = get_number (result, stage, "_decode_flops");
  double decode_bytes = get_number (result, stage, "_decode_bytes");
  gboolean decodes = isfinite (decode_flops) && isfinite (decode_bytes);
  double seconds = dyno_value_get_number (median) / 1e3;
  const Work works[] = { { get_number (result, stage, "_flops") - (decodes ? decode_flops : 0),
                           get_number (result, stage, "_bytes") - (decodes ? decode_bytes : 0) },
                         { decode_flops, decode_bytes } };
  gboolean unsteady = dyno_value_get_quality (median) == DYNO_QUALITY_UNSTEADY;
  RoofTime time;
  gboolean is_near, is_memory;

  if (!isfinite (works[0].flops) || !isfinite (works[0].bytes))
    return;
  time = find_time (roofs, works, decodes ? 2 : 1, seconds);
  if (!(time.all > 0) || time.is_doubtful)
    return;
  is_near = time.all >= DYNO_ROOFLINE_LEAST_SHARE * seconds;
  is_memory = 2 * time.memory > time.all;
  take (result, stage, derived[0], 1e3 * time.all, "ms", unsteady);
  take (result, stage, derived[1], is_near && !is_memory, "", unsteady);
  take (result, stage, derived[2], is_near && is_memory, "", unsteady);
}

void
dyno_stage_roof_complete (DynoResult *result, const char *machine, GPtrArray *ceilings)
{
  GPtrArray *values = dyno_result_get_values (result);
  const gsize outside = strlen (PREFIX) + strlen (MEDIAN_SUFFIX);

  /* The values that are added follow the others. */
  for (guint i = 0, n = values->len; i < n; i++)
    {
      g_autoptr (DynoValue) median = dyno_value_ref (values->pdata[i]);
      const char *name = dyno_value_get_name (median);
      g_autofree char *stage = NULL;
      DynoRoofline roofs;

      if (!g_str_has_prefix (name, PREFIX) || !g_str_has_suffix (name, MEDIAN_SUFFIX) ||
          strlen (name) <= outside)
        continue;
      stage = g_strndup (name + strlen (PREFIX), strlen (name) - outside);
      g_autoptr (DynoCase) own = dyno_case_for_stage (dyno_result_get_case (result), stage);
      g_autofree char *device = dyno_roofline_dup_device (own, machine);
      if (dyno_roofline_find (&roofs, ceilings, device, dyno_roofline_count_busy_threads (own, machine),
                              dyno_case_get_pinning (own), dyno_case_get_computed_precision (own)))
        place_stage (result, &roofs, stage, median);
    }
}
