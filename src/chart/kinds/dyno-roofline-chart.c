/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-run-summary.h"
#include "dyno-unit.h"

/* The part of a case that a point shows: the two kinds of steps of a generation are far apart. */
typedef enum
{
  WHOLE,
  PREFILL,
  DECODE,
  N_PARTS,
} Part;

static const struct
{
  const char *label;
  const char *flops;
  const char *bytes;
  const char *rate;
} parts[] = {
  [WHOLE] = { "", "flops", "bytes_per_step", "flops_per_sec" },
  [PREFILL] = { N_ ("prefill"), "prefill_flops", "prefill_bytes", "prefill_flops_per_sec" },
  [DECODE] = { N_ ("decode"), "decode_flops", "decode_bytes", "decode_flops_per_sec" },
};

/* A case or one of its stages under its roofs. */
typedef struct
{
  const DynoChartCase *kase;
  Part part;
  char *stage; /* NULL for all of the model */
  DynoRoofs roofs;
  DynoRoofsVerdict verdict;
  double intensity;
  double rate;
  double low;
  double high;
} Point;

/* Another tool may report only the intensity. */
static double
get_intensity (DynoResult *result, Part part)
{
  if (part == WHOLE)
    return dyno_result_get_number (result, "arithmetic_intensity_flops_per_byte");
  return dyno_result_get_number (result, parts[part].flops) /
         dyno_result_get_number (result, parts[part].bytes);
}

static gboolean
has_part (DynoResult *result, Part part)
{
  double intensity = get_intensity (result, part);

  return (part != WHOLE) == isfinite (dyno_result_get_number (result, "decode_flops")) && intensity > 0 &&
         isfinite (intensity) && dyno_result_get_number (result, parts[part].rate) > 0;
}

static gboolean
has_place (DynoResult *result)
{
  return has_part (result, WHOLE) || has_part (result, PREFILL) || has_part (result, DECODE);
}

static int
compare_points (gconstpointer a, gconstpointer b)
{
  double left = ((const Point *)a)->intensity;
  double right = ((const Point *)b)->intensity;

  return left < right ? -1 : left > right;
}

static void
clear_point (gpointer data)
{
  g_free (((Point *)data)->stage);
}

/* A stage that also decodes is in the points of prefill and decode: as a whole it has no place under the roofs. */
static void
add_stages (GArray *points, const DynoChartCase *kase, DynoRooflineScene *roofline)
{
  g_autoptr (GArray) stages = dyno_stage_times_list (kase->result);

  for (guint i = 0; stages->len > 1 && i < stages->len; i++)
    {
      const DynoStageTime *stage = &g_array_index (stages, DynoStageTime, i);
      Point point = { .kase = kase, .intensity = stage->flops / stage->bytes, .low = NAN, .high = NAN };

      point.rate = stage->flops / stage->p50_ms * 1e3;
      if (stage->decodes || !(point.intensity > 0 && isfinite (point.intensity) && point.rate > 0))
        continue;
      point.stage = g_strdup (stage->name);
      dyno_roofs_find (&point.roofs, kase, stage->name);
      dyno_roofs_judge (&point.roofs, point.intensity, point.rate, &point.verdict);
      dyno_roofline_scene_add_case (roofline, kase, stage->name);
      dyno_roofline_scene_add_point (roofline, &point.roofs, point.intensity, point.rate, FALSE);
      g_array_append_val (points, point);
    }
}

static GArray *
collect_points (GPtrArray *cases, DynoRooflineScene *roofline)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (Point));

  for (guint i = 0; i < cases->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (cases, i);

      dyno_roofline_scene_add_case (roofline, kase, NULL);
      for (Part part = 0; part < N_PARTS; part++)
        if (has_part (kase->result, part))
          {
            /* The interval of the rate is the reciprocal of that of the median latency; the parts of a
             * generation have none. */
            DynoResult *result = kase->result;
            double flops = part == WHOLE ? dyno_result_get_number (result, "flops") : NAN;
            Point point = { .kase = kase, .part = part, .intensity = get_intensity (result, part) };

            point.rate = dyno_result_get_number (result, parts[part].rate);
            point.low = flops * 1e3 / dyno_result_get_number (result, "latency_median_high_ms");
            point.high = flops * 1e3 / dyno_result_get_number (result, "latency_median_low_ms");
            dyno_roofs_find (&point.roofs, kase, NULL);
            dyno_roofs_judge (&point.roofs, point.intensity, point.rate, &point.verdict);

            dyno_roofline_scene_add_point (roofline, &point.roofs, point.intensity, point.rate, FALSE);
            g_array_append_val (points, point);
          }
      /* The stages of several cases would hide each other. */
      if (cases->len == 1)
        add_stages (points, kase, roofline);
    }
  g_array_set_clear_func (points, clear_point);
  g_array_sort (points, compare_points);
  return points;
}

static const char *
get_part_label (const Point *point)
{
  return point->stage != NULL ? point->stage : point->part != WHOLE ? _ (parts[point->part].label) : "";
}

/* Appends the part to the name of its case; @name may be empty. */
static char *
add_part (char *name, const Point *point)
{
  g_autofree char *of = name;
  const char *label = get_part_label (point);

  if (*label == '\0')
    return g_steal_pointer (&of);
  if (of == NULL || *of == '\0')
    return g_strdup (label);
  /* Translators: the name of a case, and which of its steps: “Qwen2 0.5B · decode” */
  return g_strdup_printf (_ ("%s · %s"), of, label);
}

static char *
dup_name (const Point *point, guint dimensions)
{
  return add_part (dyno_chart_cases_dup_name (point->kase, dimensions), point);
}

static const Point *
find_best (GArray *points, gboolean by_share)
{
  const Point *best = NULL;

  for (guint i = 0; i < points->len; i++)
    {
      const Point *point = &g_array_index (points, Point, i);
      double value = by_share ? point->verdict.share : point->rate;

      if (point->stage == NULL && isfinite (value) &&
          (best == NULL || value > (by_share ? best->verdict.share : best->rate)))
        best = point;
    }
  return best;
}

/* Counts for the points of one part: all, those with a ridge, those left of it, those far below both roofs, and those
 * whose roofs vary too much. */
typedef struct
{
  guint n_points;
  guint n_judged;
  guint n_bound;
  guint n_far;
  guint n_doubtful;
} Count;

static Count
count (GArray *points, Part part)
{
  Count of = { 0 };

  for (guint i = 0; i < points->len; i++)
    {
      const Point *point = &g_array_index (points, Point, i);

      if (point->part != part || point->stage != NULL)
        continue;
      of.n_points++;
      of.n_judged += isfinite (dyno_roofs_get_ridge (&point->roofs));
      of.n_bound += point->verdict.memory_bound && !point->verdict.is_far;
      of.n_far += point->verdict.is_far;
      of.n_doubtful += point->verdict.is_doubtful;
    }
  return of;
}

/* Cases that generate have two points each; if there are others, too, says nothing, nor if roofs vary too much. */
static char *
describe_bound (GArray *points)
{
  Count whole = count (points, WHOLE);
  Count prefill = count (points, PREFILL);
  Count decode = count (points, DECODE);

  if (whole.n_doubtful + prefill.n_doubtful + decode.n_doubtful > 0)
    return g_strdup ("");
  if (prefill.n_points + decode.n_points == 0)
    {
      if (whole.n_judged == 0)
        return g_strdup ("");
      if (whole.n_far == whole.n_judged && whole.n_judged == whole.n_points)
        return g_strdup (whole.n_judged == 1 ? _ ("It is far below both roofs.")
                                             : _ ("All cases are far below both roofs."));
      if (whole.n_far > 0)
        return g_strdup_printf (ngettext ("%u of %u cases is far below both roofs.",
                                          "%u of %u cases are far below both roofs.", whole.n_far),
                                whole.n_far, whole.n_judged);
      if (whole.n_bound == 0 && whole.n_judged < whole.n_points)
        return g_strdup_printf (ngettext ("The %u case with roofs is compute-bound.",
                                          "All %u cases with roofs are compute-bound.", whole.n_judged),
                                whole.n_judged);
      if (whole.n_bound == 0)
        return g_strdup (whole.n_judged == 1 ? _ ("It is compute-bound.")
                                             : _ ("All cases are compute-bound."));
      if (whole.n_bound == whole.n_judged && whole.n_judged == whole.n_points)
        return g_strdup (whole.n_judged == 1 ? _ ("It is memory-bound.") : _ ("All cases are memory-bound."));
      return g_strdup_printf (
          ngettext ("%u of %u cases is memory-bound.", "%u of %u cases are memory-bound.", whole.n_bound),
          whole.n_bound, whole.n_judged);
    }
  if (whole.n_points > 0 || decode.n_judged == 0 || decode.n_bound < decode.n_judged)
    return g_strdup ("");
  return g_strdup (prefill.n_judged > 0 && prefill.n_bound == 0 && prefill.n_far == 0
                       ? _ ("Prefill is compute-bound, decoding memory-bound.")
                       : _ ("Decoding is memory-bound."));
}

static char *
describe (GArray *points, guint varying, const char *note)
{
  const Point *best = find_best (points, TRUE);
  g_autofree char *name = NULL;
  g_autofree char *rate = NULL;
  g_autofree char *sentence = NULL;

  if (best == NULL)
    {
      best = find_best (points, FALSE);
      name = dup_name (best, varying);
      rate = dyno_unit_format (best->rate, "FLOP/s");
      /* Translators: a case, and its FLOP/s */
      sentence = g_strdup_printf (_ ("%s has the highest performance, %s."), name, rate);
      return dyno_sentences_join (sentence, note);
    }
  name = dup_name (best, varying);
  if (best->verdict.above)
    return g_strdup_printf (_ ("%s is above its roof: the roof or the FLOP count is wrong."), name);
  g_autofree char *share = dyno_roofline_scene_describe_verdict (&best->verdict);
  g_autofree char *bound = describe_bound (points);
  /* Translators: a case, and how near it comes to a roof: “BERT on CPU reaches 61 % of the fp32 AVX2 roof.” */
  sentence = g_strdup_printf (_ ("%s reaches %s."), name, share);
  return dyno_sentences_join (sentence, bound);
}

static void
add_rows (DynoChart *chart, GPtrArray *cases, GArray *points)
{
  DynoChartTable *table = dyno_chart_build_table (chart);
  gboolean with_part = FALSE, with_stage = FALSE;
  double least = INFINITY;
  double most = 0;

  for (guint i = 0; i < points->len; i++)
    {
      with_part |= g_array_index (points, Point, i).part != WHOLE;
      with_stage |= g_array_index (points, Point, i).stage != NULL;
      least = MIN (least, g_array_index (points, Point, i).rate);
      most = MAX (most, g_array_index (points, Point, i).rate);
    }
  dyno_chart_table_add_case_columns (table, cases, 0);
  if (with_part || with_stage)
    dyno_chart_table_add_column (table, with_stage ? _ ("Part") : _ ("Steps"));
  dyno_chart_table_add_column (table, _ ("Intensity (FLOP/byte)"));
  dyno_chart_table_add_quantity (table, _ ("Performance"), "FLOP/s", least, most);
  dyno_chart_table_add_quantity (table, dyno_chart_cases_get_interval_heading (cases, FALSE), "FLOP/s", least,
                                 most);
  dyno_chart_table_add_quantity (table, dyno_chart_cases_get_interval_heading (cases, TRUE), "FLOP/s", least,
                                 most);
  dyno_chart_table_add_columns (table, _ ("Roof"), _ ("% of roofline"), _ ("Bound by"), NULL);
  for (guint i = 0; i < points->len; i++)
    {
      const Point *point = &g_array_index (points, Point, i);
      g_autofree char *roof =
          point->verdict.roof != NULL ? dyno_ceiling_dup_name (point->verdict.roof) : NULL;
      gboolean judged = isfinite (dyno_roofs_get_ridge (&point->roofs)) && !point->verdict.is_doubtful;

      dyno_chart_table_begin_row (table, point->kase);
      if (with_part || with_stage)
        dyno_chart_table_add_text (table, get_part_label (point));
      dyno_chart_table_add_number (table, point->intensity);
      dyno_chart_table_add_number (table, point->rate);
      dyno_chart_table_add_number (table, point->low);
      dyno_chart_table_add_number (table, point->high);
      dyno_chart_table_add_text (table, roof);
      dyno_chart_table_add_number (table, 100 * point->verdict.share);
      dyno_chart_table_add_text (table, !judged                       ? ""
                                        : point->verdict.is_far       ? _ ("neither")
                                        : point->verdict.memory_bound ? _ ("memory")
                                                                      : _ ("compute"));
    }
}

static DynoSeries *
find_series (DynoChart *chart, GPtrArray *all, const DynoChartCase *kase, guint dimensions)
{
  g_autofree char *name = dyno_chart_cases_dup_name (kase, dimensions);

  return dyno_chart_find_series (chart, all, kase, name, DYNO_COLOR_DIMENSIONS);
}

/* Creates the series in the order of the plan, which the legend keeps. If there are several, the label of a
 * point does not repeat the name of its series. */
static GPtrArray *
create_series (DynoChart *chart, GPtrArray *cases, GArray *points, guint varying, double factor)
{
  guint common = varying & DYNO_COLOR_DIMENSIONS;
  guint dimension = common != 0 ? common : DYNO_DIMENSION_BACKEND;
  GPtrArray *all = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < cases->len; i++)
    find_series (chart, all, g_ptr_array_index (cases, i), dimension);
  for (guint i = 0; i < points->len; i++)
    {
      const Point *point = &g_array_index (points, Point, i);
      guint rest = all->len > 1 ? varying & ~dimension : varying;
      g_autofree char *name = dup_name (point, rest);
      g_autofree char *label = add_part (
          varying & ~dimension ? dyno_chart_cases_dup_label (point->kase, varying & ~dimension) : NULL,
          point);
      DynoSeries *series = find_series (chart, all, point->kase, dimension);
      g_autofree char *rate = dyno_unit_format (point->rate, "FLOP/s");
      g_autofree char *intensity = dyno_unit_format_significant (point->intensity);
      g_autofree char *share = NULL;
      g_autofree char *text = NULL;
      guint index = dyno_series_get_length (series);

      if (point->verdict.roof == NULL)
        text = g_strdup_printf (_ ("%s: %s at %s FLOP/byte"), name, rate, intensity);
      else if (point->verdict.above)
        text = g_strdup_printf (
            _ ("%s: %s at %s FLOP/byte, above its roof: the roof or the FLOP count is wrong"), name, rate,
            intensity);
      else
        {
          share = dyno_roofline_scene_describe_verdict (&point->verdict);
          /* Translators: a case, its rate and intensity, and how near to a roof it comes */
          text = g_strdup_printf (_ ("%s: %s at %s FLOP/byte, %s"), name, rate, intensity, share);
        }

      if (!dyno_series_add_with_band (series, point->intensity, point->rate * factor, point->low * factor,
                                      point->high * factor))
        continue;
      dyno_series_set_text (series, index, text);
      dyno_series_set_label (series, index, label);
      dyno_chart_cases_mark_point (series, index, point->kase, parts[point->part].rate);
      dyno_series_set_flagged (series, index, point->verdict.above);
    }
  return all;
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (DynoRooflineScene) roofline = dyno_roofline_scene_new (dyno_chart_get_aspect (chart) > 0);
  g_autoptr (GArray) points = collect_points (cases, roofline);
  guint varying = dyno_chart_cases_get_varying (cases);
  g_autoptr (GPtrArray) all =
      create_series (chart, cases, points, varying, dyno_roofline_scene_get_factor (roofline));
  g_autofree char *note = dyno_roofline_scene_dup_note (roofline);
  g_autofree char *words = dyno_chart_cases_dup_interval_words (cases);

  dyno_roofline_scene_fill (roofline, chart);
  for (guint i = 0; i < all->len; i++)
    {
      dyno_chart_add_series (chart, g_ptr_array_index (all, i));
      dyno_chart_take_layer (chart, dyno_bubble_layer_new (g_ptr_array_index (all, i)));
    }
  add_rows (chart, cases, points);
  g_autofree char *common = dyno_chart_cases_dup_labelled_caption (cases);
  g_autofree char *lines = dyno_roofline_scene_describe_lines (roofline);
  g_autofree char *disturbance = dyno_roofline_scene_describe_disturbance (roofline);
  GString *caption = g_string_new (NULL);
  guint n_above = 0;
  for (guint i = 0; i < points->len; i++)
    n_above += g_array_index (points, Point, i).verdict.above;
  g_autofree char *above = dyno_roofline_scene_describe_above (n_above);
  g_string_append_printf (caption, "%s%s\n", common, disturbance);
  dyno_sentences_append (caption, lines);
  dyno_sentences_append (caption,
                         _ ("Bytes are those that operators read and write: an estimate, not a counter."));
  dyno_sentences_append (caption, above);
  dyno_sentences_append (caption, note);
  dyno_chart_take_caption (chart, g_string_free (caption, FALSE));
  if (count (points, WHOLE).n_points > 0)
    dyno_chart_take_note (chart, g_strdup_printf (_ ("Whiskers, from the latency: %s."), words));
  dyno_chart_take_finding (chart, describe (points, varying, note));
}

const DynoChartInfo dyno_roofline_chart = {
  .name = "roofline",
  .label = N_ ("Roofline"),
  .empty = N_ ("No case has both counted FLOPs and counted bytes. Measure with a backend that reports its "
               "operators, such as the CPU."),
  .group = DYNO_CHART_GROUP_LIMITS,
  .flags = DYNO_CHART_HAS_ROOFS | DYNO_CHART_IS_WIDE,
  .has_data = has_place,
  .build = build,
};
