/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-cases.h"
#include "dyno-comparison-builder.h"
#include "dyno-grade.h"
#include "dyno-insight-private.h"
#include "dyno-metric.h"
#include "dyno-result-samples.h"
#include "dyno-roofline.h"
#include "dyno-run-summary.h"
#include "dyno-similar-text.h"
#include "dyno-unit.h"

#define MAX_FINDINGS 5
#define MAX_TILES    12

/* If one type of operator takes this share of the time, it is the bottleneck of the model. */
#define MOST_TIME 0.5

/* The axes of a group; cases that differ in any other part belong to different groups. */
#define AXES (DYNO_CASE_BATCH | DYNO_CASE_SEQUENCE | DYNO_CASE_IMAGES | DYNO_CASE_THREADS)

/* The cases of one model in one setting. */
typedef struct
{
  char *name;
  GPtrArray *results;
} Group;

static void
group_free (Group *group)
{
  g_free (group->name);
  g_ptr_array_unref (group->results);
  g_free (group);
}

static GPtrArray *
collect_groups (DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);
  DynoCaseParts varying = dyno_case_parts_find_varying (results);
  g_autoptr (GPtrArray) sorted = dyno_case_order_sort (run);
  g_autoptr (GHashTable) index = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *groups = g_ptr_array_new_with_free_func ((GDestroyNotify)group_free);

  for (guint i = 0; i < sorted->len; i++)
    {
      /* The name has the parts that set the group apart from others of the run. */
      g_autofree char *model = dyno_case_parts_dup_model (sorted->pdata[i]);
      g_autofree char *setting = dyno_case_parts_dup_text (sorted->pdata[i], varying & ~AXES);
      g_autofree char *name =
          *setting != '\0' ? g_strdup_printf ("%s\u00a0· %s", model, setting) : g_steal_pointer (&model);
      Group *group = g_hash_table_lookup (index, name);

      if (group == NULL)
        {
          group = g_new (Group, 1);
          *group = (Group){ g_steal_pointer (&name), g_ptr_array_new_with_free_func (g_object_unref) };
          g_ptr_array_add (groups, group);
          g_hash_table_insert (index, group->name, group);
        }
      g_ptr_array_add (group->results, g_object_ref (sorted->pdata[i]));
    }
  return groups;
}

/* A case in a few words */

/* Speech is described by its real-time factor, another generation by its number of tokens; other tools measure its two
 * phases separately, or report only a mean. First match wins. A NULL format means items per second. */
static const struct
{
  const char *value;
  const char *format;
} rate_values[] = {
  { "audio_seconds_per_sec", N_ ("%s seconds of audio per second") },
  { "decode_tokens_per_sec", N_ ("%s tokens/s decoded") },
  { "output_tokens_per_sec", N_ ("%s output tokens/s") },
  { "throughput_items_per_sec", NULL },
  { "prefill_tokens_per_sec", N_ ("%s prompt tokens/s") },
  { "latency_p50_ms", "%s" },
  { "throughput_tokens_per_sec", N_ ("%s tokens/s in total") },
  /* Translators: %s is a mean latency, such as “3.1 ms” */
  { "latency_mean_ms", N_ ("%s on average") },
};

/* Returns the index of it, or -1. */
static int
find_rate (DynoResult *result)
{
  for (guint i = 0; i < G_N_ELEMENTS (rate_values); i++)
    if (isfinite (dyno_result_get_number (result, rate_values[i].value)))
      return (int)i;
  return -1;
}

/* Imported case without rate or latency: use energy, else the first number in the file. */
static const char *
find_other (DynoResult *result)
{
  DynoValue *value = dyno_result_get_value (result, "energy_joules");
  GPtrArray *values = dyno_result_get_values (result);

  for (guint i = 0; (value == NULL || !dyno_value_is_number (value)) && i < values->len; i++)
    value = values->pdata[i];
  return value != NULL && dyno_value_is_number (value) ? dyno_value_get_name (value) : NULL;
}

/* Returns the name of the value that describes a case; NULL if there is none. */
static const char *
find_value (DynoResult *result)
{
  int rate = find_rate (result);

  return rate >= 0 ? rate_values[rate].value : find_other (result);
}

static char *
dup_format (DynoResult *result)
{
  int rate = find_rate (result);
  g_autofree char *title = rate < 0 ? dyno_metric_title_dup (find_other (result)) : NULL;
  guint n_tokens = dyno_case_get_generate_tokens (dyno_result_get_case (result));
  const char *unit;

  if (title != NULL)
    return g_strdup_printf ("%s %%s", title);
  /* Writing fewer tokens takes less time, so their number belongs to the factor. */
  if (n_tokens > 0 && g_str_equal (rate_values[rate].value, "audio_seconds_per_sec"))
    return g_strdup_printf (
        /* Translators: %%s stays as it is and becomes a number of seconds; the other is a number of tokens */
        ngettext ("%%s seconds of audio per second, written in %u token",
                  "%%s seconds of audio per second, written in %u tokens", n_tokens),
        n_tokens);
  if (rate_values[rate].format != NULL)
    return g_strdup (_ (rate_values[rate].format));
  unit = dyno_item_unit_get (result, "items/s");
  if (g_str_equal (unit, "images/s"))
    return g_strdup (_ ("%s images/s"));
  if (g_str_equal (unit, "prompts/s"))
    return g_strdup (_ ("%s prompts/s"));
  if (g_str_equal (unit, "texts/s"))
    return g_strdup (_ ("%s texts/s"));
  return g_strdup (_ ("%s items/s"));
}

/* Items and audio per second at the median, which agree with the median latency; NAN where there is none. */
static double
get_rate_at_median (DynoResult *result)
{
  const char *name = find_value (result);

  if (g_strcmp0 (name, "throughput_items_per_sec") == 0)
    return dyno_result_get_rate_at_median (result);
  if (g_strcmp0 (name, "audio_seconds_per_sec") == 0)
    return dyno_result_get_rate_at_median (result) * dyno_result_get_number (result, "audio_seconds");
  return NAN;
}

static double
get_number (DynoResult *result)
{
  double at_median = get_rate_at_median (result);

  return isfinite (at_median) ? at_median : dyno_result_get_number (result, find_value (result));
}

double
dyno_run_summary_get_rate (DynoResult *result)
{
  const char *name = find_value (result);

  return name != NULL && g_str_has_suffix (name, "_per_sec") ? get_number (result) : NAN;
}

/* A rate's format includes its unit. */
static char *
dup_number (DynoResult *result)
{
  const char *name = find_value (result);
  double number = get_number (result);

  return find_rate (result) >= 0 && !g_str_has_suffix (name, "_ms")
             ? dyno_unit_format_significant (number)
             : dyno_unit_format (number, dyno_value_get_unit (dyno_result_get_value (result, name)));
}

char *
dyno_range_dup (const char *least, const char *most)
{
  /* Translators: the ends of a range */
  return g_str_equal (least, most) ? g_strdup (most) : g_strdup_printf (_ ("%s to %s"), least, most);
}

/* Returns the range of cases that are described by the same value. */
static char *
dup_rate (GPtrArray *same)
{
  DynoResult *least = same->pdata[0];
  DynoResult *most = same->pdata[0];
  const char *value = find_value (least);
  g_autoptr (GString) text = NULL;
  g_autofree char *format = NULL;
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;
  g_autofree char *extent = NULL;

  if (value == NULL)
    {
      guint n = dyno_result_get_operators (least)->len;

      if (n == 0)
        return NULL;
      return g_strdup_printf (ngettext ("the time of %u operator", "the times of %u operators", n), n);
    }
  format = dup_format (least);
  for (guint i = 1; i < same->len; i++)
    {
      double number = get_number (same->pdata[i]);

      least = number < get_number (least) ? same->pdata[i] : least;
      most = number > get_number (most) ? same->pdata[i] : most;
    }
  from = dup_number (least);
  to = dup_number (most);
  extent = dyno_range_dup (from, to);
  text = g_string_new (format);
  g_string_replace (text, "%s", extent, 1);
  return g_strdup (text->str);
}

/* Returns the rate of cases that have the same sizes. */
static char *
dup_point (GPtrArray *same, const char *size)
{
  g_autofree char *rate = dup_rate (same);
  gboolean is_unsteady = FALSE;

  if (rate == NULL || *size == '\0')
    return g_steal_pointer (&rate);
  for (guint i = 0; i < same->len && !is_unsteady; i++)
    is_unsteady = dyno_result_get_state (same->pdata[i]) == DYNO_CASE_STATE_UNSTEADY;
  if (is_unsteady)
    /* Translators: a rate that never became steady, and the size of the case, such as “batch 4” */
    return g_strdup_printf (_ ("%s (unsteady) at %s"), rate, size);
  /* Translators: a rate, and the size of the case, such as “batch 4” */
  return g_strdup_printf (_ ("%s at %s"), rate, size);
}

/* The distance of a group from its roof */

typedef struct
{
  double least;
  double most;
  guint n_compute;
  guint n_memory;
  guint n_far;
} Reach;

static void
widen (Reach *reach, double percent)
{
  reach->least = fmin (reach->least, percent);
  reach->most = fmax (reach->most, percent);
}

static void
add_reach (Reach *reach, DynoResult *result)
{
  double percent = dyno_result_get_number (result, "roof_distance_percent");
  double compute = dyno_result_get_number (result, "compute_bound");
  double memory = dyno_result_get_number (result, "memory_bound");

  if (!isfinite (percent) || !isfinite (compute))
    return;
  widen (reach, percent);
  reach->n_compute += compute > 0.5;
  reach->n_memory += memory > 0.5;
  reach->n_far += !(compute > 0.5 || memory > 0.5);
}

static char *
dup_percent (const Reach *reach)
{
  g_autofree char *least = dyno_unit_format_percent (reach->least);
  g_autofree char *most = dyno_unit_format_percent (reach->most);

  return dyno_range_dup (least, most);
}

/* The decoding steps of a generation have their own roof. */
static char *
dup_decode_reach (const Group *group)
{
  Reach reach = { INFINITY, -INFINITY };
  g_autofree char *percent = NULL;

  for (guint i = 0; i < group->results->len; i++)
    {
      double of_roof = dyno_result_get_number (group->results->pdata[i], "decode_read_percent");

      if (isfinite (of_roof))
        widen (&reach, of_roof);
    }
  if (!(reach.least <= reach.most))
    return NULL;
  percent = dup_percent (&reach);
  /* Translators: a percentage */
  return g_strdup_printf (_ ("Decoding reads at %s %% of the measured bandwidth of reading."), percent);
}

static char *
dup_reach (const Group *group)
{
  Reach reach = { INFINITY, -INFINITY };
  DynoResult *first = group->results->pdata[0];
  const char *precision = dyno_case_get_computed_precision (dyno_result_get_case (first));
  g_autofree char *percent = NULL;

  for (guint i = 0; i < group->results->len; i++)
    add_reach (&reach, group->results->pdata[i]);
  if (reach.n_compute + reach.n_memory + reach.n_far == 0)
    return dup_decode_reach (group);
  percent = dup_percent (&reach);
  if (reach.n_compute + reach.n_memory == 0)
    {
      g_autofree char *cause = NULL;
      g_autofree char *sentence =
          /* Translators: a percentage */
          g_strdup_printf (_ ("It is far below both roofs, at %s %% of the nearer one."), percent);

      /* The first case that has a probable cause gives it for all. */
      for (guint i = 0; cause == NULL && i < group->results->len; i++)
        cause = dyno_roof_cause_dup (group->results->pdata[i]);
      return cause != NULL ? g_strdup_printf ("%s %s", sentence, cause) : g_steal_pointer (&sentence);
    }
  if (reach.n_far > 0)
    return g_strdup_printf (_ ("It reaches %s %% of its roof."), percent);
  if (reach.n_memory == 0)
    /* Translators: a percentage, and a precision such as fp32 */
    return g_strdup_printf (_ ("It is compute-bound, at %s %% of the %s roof."), percent, precision);
  if (reach.n_compute == 0)
    return g_strdup_printf (_ ("It is memory-bound, at %s %% of the roof."), percent);
  return g_strdup_printf (
      _ ("It is compute-bound in some cases and memory-bound in others, at %s %% of the roof."), percent);
}

/* A group in words */

/* Lists the cases that are described by the same value and have the same sizes. */
static GPtrArray *
list_same (GPtrArray *results, DynoResult *result, DynoCaseParts axes)
{
  GPtrArray *same = g_ptr_array_new ();
  g_autofree char *size = dyno_case_parts_dup_text (result, axes);

  for (guint i = 0; i < results->len; i++)
    {
      g_autofree char *other = dyno_case_parts_dup_text (results->pdata[i], axes);

      if (g_str_equal (size, other) && g_strcmp0 (find_value (results->pdata[i]), find_value (result)) == 0)
        g_ptr_array_add (same, results->pdata[i]);
    }
  return same;
}

/* A rate has no meaning without the batch, unless a load of requests makes it. */
static DynoCaseParts
get_named (DynoResult *result)
{
  DynoCase *kase = dyno_result_get_case (result);

  return dyno_case_get_batch_size (kase) > 1 || g_str_equal (dyno_case_get_load (kase), "single")
             ? DYNO_CASE_BATCH
             : 0;
}

static char *
dup_rates (const Group *group, GPtrArray *results)
{
  DynoCaseParts axes = get_named (results->pdata[0]) | (dyno_case_parts_find_varying_in (results) & AXES);
  DynoResult *end = results->pdata[results->len - 1];
  g_autoptr (GPtrArray) ends = g_ptr_array_new ();
  g_autoptr (GPtrArray) of_first = list_same (results, results->pdata[0], axes);
  g_autoptr (GPtrArray) of_last = list_same (results, end, axes);
  g_autofree char *size = dyno_case_parts_dup_text (results->pdata[0], axes);
  g_autofree char *full_size = dyno_case_parts_dup_text (end, axes);
  g_autofree char *own_size = NULL;
  g_autofree char *first = dup_point (of_first, size);
  g_autofree char *last = NULL;

  /* Sizes that the last case shares with the first are not repeated. */
  g_ptr_array_add (ends, results->pdata[0]);
  g_ptr_array_add (ends, end);
  own_size = dyno_case_parts_dup_text (end, dyno_case_parts_find_varying_in (ends) & AXES);
  if (!g_ptr_array_find (of_first, end, NULL))
    last = dup_point (of_last, *own_size != '\0' ? own_size : full_size);
  if (first == NULL)
    return NULL;
  /* Translators: a model, and its rate in one case or in two */
  return last == NULL ? g_strdup_printf (_ ("%s: %s."), group->name, first)
                      : g_strdup_printf (_ ("%s: %s, %s."), group->name, first, last);
}

static char *
describe_group (const Group *group)
{
  g_autoptr (GPtrArray) results = g_ptr_array_new ();
  g_autofree char *rates = NULL;
  g_autofree char *reach = NULL;
  g_autofree char *idle = NULL;
  g_autofree char *next = NULL;
  g_autoptr (GString) text = NULL;

  for (guint i = 0; i < group->results->len; i++)
    if (dyno_case_state_has_numbers (dyno_result_get_state (group->results->pdata[i])))
      g_ptr_array_add (results, group->results->pdata[i]);
  rates = results->len > 0 ? dup_rates (group, results) : NULL;
  reach = dup_reach (group);
  idle = dyno_device_idle_dup (results);
  next = dyno_next_step_dup (results);
  text = g_string_new (rates);
  if (rates == NULL)
    {
      DynoResult *first = group->results->pdata[0];
      const char *reason = dyno_result_get_reason (first);

      if (reason == NULL || *reason == '\0')
        /* Translators: %s is a model */
        return g_strdup_printf (_ ("%s was not measured."), group->name);
      /* Translators: a model, and a sentence with the reason */
      return g_strdup_printf (_ ("%s was not measured. %s"), group->name, reason);
    }
  if (reach != NULL)
    g_string_append_printf (text, " %s", reach);
  if (idle != NULL)
    g_string_append_printf (text, " %s", idle);
  if (next != NULL)
    g_string_append_printf (text, " %s", next);
  return g_strdup (text->str);
}

/* Returns whether no case of the model is over. */
static gboolean
is_to_come (const Group *group)
{
  for (guint i = 0; i < group->results->len; i++)
    if (dyno_result_get_state (group->results->pdata[i]) > DYNO_CASE_STATE_RUNNING)
      return FALSE;
  return TRUE;
}

/* Findings that concern no single model */

static void
take_finding (GPtrArray *findings, char *sentence, guint most)
{
  if (sentence != NULL && findings->len < most)
    g_ptr_array_add (findings, sentence);
  else
    g_free (sentence);
}

/* The groups that are not shown are counted in the last finding. */
static void
add_groups (GPtrArray *findings, DynoRun *run, guint most)
{
  g_autoptr (GPtrArray) groups = collect_groups (run);
  guint n_shown;

  for (guint i = groups->len; i > 0 && dyno_run_is_running (run); i--)
    if (is_to_come (groups->pdata[i - 1]))
      g_ptr_array_remove_index (groups, i - 1);
  n_shown = MIN (groups->len, most - findings->len);

  for (guint i = 0; i < n_shown; i++)
    {
      char *sentence = describe_group (groups->pdata[i]);

      if (i + 1 == n_shown && groups->len > n_shown)
        {
          guint n = groups->len - n_shown;
          g_autofree char *first = sentence;
          g_autofree char *rest =
              g_strdup_printf (ngettext ("%u more is in the table.", "%u more are in the table.", n), n);

          sentence = g_strdup_printf ("%s %s", first, rest);
        }
      g_ptr_array_add (findings, sentence);
    }
}

char *
dyno_run_summary_dup_longest (DynoRun *run)
{
  g_autoptr (GPtrArray) sorted = NULL;
  DynoResult *longest = NULL;
  g_autofree char *stage = NULL;
  g_autofree char *type = NULL;
  g_autofree char *operator_text = NULL;
  double share = 0;

  g_return_val_if_fail (DYNO_IS_RUN (run), NULL);

  sorted = dyno_case_order_sort (run);
  for (guint i = 0; i < sorted->len; i++)
    if (dyno_case_state_has_numbers (dyno_result_get_state (sorted->pdata[i])) &&
        (longest == NULL || dyno_result_get_number (sorted->pdata[i], "latency_p50_ms") >
                                dyno_result_get_number (longest, "latency_p50_ms")))
      longest = sorted->pdata[i];
  if (longest == NULL)
    return NULL;
  stage = dyno_stage_summary_dup (longest);
  type = dyno_next_step_dup_operator (longest, &share);
  if (type != NULL && share >= MOST_TIME)
    {
      g_autofree char *label = dyno_case_parts_dup_label (longest);
      g_autofree char *percent = dyno_unit_format_percent (100 * share);

      operator_text = g_strdup_printf (
          /* Translators: a type of operator such as MatMul, its share of the time in per cent, and a case */
          _ ("%s takes %s %% of the operators’ time in %s."), type, percent, label);
    }
  if (stage != NULL && operator_text != NULL)
    return g_strdup_printf ("%s %s", stage, operator_text);
  return stage != NULL ? g_steal_pointer (&stage) : g_steal_pointer (&operator_text);
}

gboolean
dyno_run_summary_has_alternatives (DynoRun *run)
{
  g_return_val_if_fail (DYNO_IS_RUN (run), FALSE);
  return (dyno_case_parts_find_varying (dyno_run_get_results (run)) & DYNO_CASE_ALTERNATIVES) != 0;
}

char *
dyno_run_summary_dup_winner (DynoRun *run)
{
  const DynoComparisonOptions options = { NULL };
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autoptr (DynoComparison) comparison = NULL;

  g_return_val_if_fail (DYNO_IS_RUN (run), NULL);

  if (!dyno_run_summary_has_alternatives (run))
    return NULL;
  g_ptr_array_add (runs, run);
  comparison = dyno_comparison_new (runs, &options, NULL);
  return comparison != NULL && comparison->cases->len > 0 ? dyno_comparison_dup_answer (comparison) : NULL;
}

GStrv
dyno_run_summary_dup_findings (DynoRun *run)
{
  g_autoptr (GPtrArray) findings = g_ptr_array_new ();
  g_autoptr (GPtrArray) sorted = NULL;
  guint most;
  g_autofree char *by_default = NULL;

  g_return_val_if_fail (DYNO_IS_RUN (run), NULL);

  most = MAX_FINDINGS - dyno_run_summary_has_alternatives (run);
  /* The engine's default is described once, as it is the same for every case. */
  sorted = dyno_case_order_sort (run);
  for (guint i = 0; i < sorted->len && by_default == NULL; i++)
    {
      const char *message = dyno_result_find_message (sorted->pdata[i], "engine-default");
      g_autofree char *label = dyno_case_parts_dup_label (sorted->pdata[i]);

      if (message != NULL)
        /* Translators: a case, and a sentence about it */
        by_default = g_strdup_printf (_ ("%s: %s"), label, message);
    }
  add_groups (findings, run, by_default != NULL ? most - 1 : most);
  take_finding (findings, g_steal_pointer (&by_default), most);
  take_finding (findings, dyno_run_summary_dup_longest (run), most);
  g_ptr_array_add (findings, NULL);
  return (GStrv)g_ptr_array_free (g_steal_pointer (&findings), FALSE);
}

/* Tiles */

static void
tile_free (DynoRunTile *tile)
{
  g_object_unref (tile->result);
  g_free (tile->title);
  g_free (tile->number);
  g_free (tile->unit);
  g_free (tile->facts);
  g_free (tile->text);
  g_free (tile);
}

/* Below the median no interval reaches farther than to zero: beyond 100 % the end above it is meant. */
static char *
dup_spread (double reach)
{
  g_autofree char *number =
      reach > 1 ? dyno_unit_format_number (1 + reach, 1) : dyno_unit_format_percent (100 * reach);

  /* Translators: how far the interval around a median reaches, such as “±3 %” or “up to 8.2×” */
  return g_strdup_printf (reach > 1 ? _ ("up to %s×") : _ ("±%s %%"), number);
}

/* One process alone vouches for no reach. */
char *
dyno_run_summary_dup_median (DynoResult *result)
{
  g_autofree char *latency = NULL;
  g_autofree char *reach = NULL;
  double median;

  g_return_val_if_fail (DYNO_IS_RESULT (result), NULL);

  median = dyno_result_get_number (result, "latency_p50_ms");
  latency = isfinite (median) ? dyno_unit_format (median, "ms") : NULL;
  if (latency == NULL || dyno_result_get_grade (result) == DYNO_GRADE_NONE ||
      !dyno_case_state_is_clean (dyno_result_get_state (result)))
    return g_steal_pointer (&latency);
  reach = dup_spread (dyno_result_get_reach (result));
  return g_strdup_printf (dyno_result_get_reach (result) > 1 ? "%s, %s" : "%s %s", latency, reach);
}

static DynoRunTile *
create_tile (GPtrArray *results, DynoCaseParts varying)
{
  DynoResult *result = results->pdata[0];
  const char *value = find_value (result);

  /* The best of those that are described by the same value as the first has the highest rate, or the shortest
   * latency. */
  for (guint i = 1; value != NULL && find_rate (result) >= 0 && i < results->len; i++)
    {
      double ratio;

      if (g_strcmp0 (find_value (results->pdata[i]), value) != 0)
        continue;
      ratio = get_number (results->pdata[i]) / get_number (result);
      if (g_str_has_suffix (value, "_ms") ? ratio < 1 : ratio > 1)
        result = results->pdata[i];
    }

  g_autofree char *model = dyno_case_parts_dup_model (result);
  g_autofree char *setting = dyno_case_parts_dup_text (result, get_named (result) | varying);
  g_autofree char *format = dup_format (result);
  g_autofree char *number = dup_number (result);
  g_autoptr (GString) unit = g_string_new (format);
  g_autoptr (GString) rate = g_string_new (format);
  DynoRunTile *tile = g_new0 (DynoRunTile, 1);

  g_string_replace (unit, "%s", "", 1);
  g_string_replace (rate, "%s", number, 1);
  tile->result = g_object_ref (result);
  tile->title = *setting != '\0' ? g_strdup_printf ("%s · %s", model, setting) : g_steal_pointer (&model);
  tile->number = g_steal_pointer (&number);
  tile->unit = g_strdup (g_strstrip (unit->str));
  tile->facts = dyno_run_summary_dup_median (result);
  /* A median that is the headline is not repeated. */
  if (g_strcmp0 (tile->facts, rate->str) == 0)
    g_clear_pointer (&tile->facts, g_free);
  if (!dyno_case_state_is_clean (dyno_result_get_state (result)))
    {
      g_autofree char *median = tile->facts;
      const char *state = dyno_result_get_status_label (result);

      tile->facts = median != NULL ? g_strdup_printf ("%s · %s", median, state) : g_strdup (state);
    }
  /* Slow steps lower the rate that charts show, but not the one at the median: worth a word beyond its interval. */
  double sustained = value != NULL ? dyno_result_get_number (result, value) : NAN;
  double loss = 1 - sustained / get_rate_at_median (result);
  if (tile->facts != NULL && fabs (loss) > fmax (dyno_result_get_reach (result), DYNO_GRADE_MOST_GOOD))
    {
      g_autofree char *facts = g_steal_pointer (&tile->facts);
      g_autofree char *text = dyno_unit_format_significant (sustained);

      /* Translators: a latency, and a rate such as “104” */
      tile->facts = g_strdup_printf (_ ("%s · sustained %s/s"), facts, text);
    }
  /* Translators: a case, its rate, and its latency or state */
  tile->text = tile->facts != NULL ? g_strdup_printf (_ ("%s: %s, %s"), tile->title, rate->str, tile->facts)
                                   : g_strdup_printf (_ ("%s: %s"), tile->title, rate->str);
  return tile;
}

GPtrArray *
dyno_run_summary_list_tiles (DynoRun *run)
{
  GPtrArray *tiles = g_ptr_array_new_with_free_func ((GDestroyNotify)tile_free);
  g_autoptr (GPtrArray) models = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
  g_autoptr (GHashTable) index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) sorted = NULL;
  DynoCaseParts varying;

  g_return_val_if_fail (DYNO_IS_RUN (run), tiles);

  sorted = dyno_case_order_sort (run);
  varying = dyno_case_parts_find_varying (dyno_run_get_results (run));
  for (guint i = 0; i < sorted->len; i++)
    {
      g_autofree char *name = dyno_case_parts_dup_model (sorted->pdata[i]);
      GPtrArray *model = g_hash_table_lookup (index, name);

      if (!dyno_case_state_has_numbers (dyno_result_get_state (sorted->pdata[i])) ||
          find_value (sorted->pdata[i]) == NULL || (model == NULL && models->len == MAX_TILES))
        continue;
      if (model == NULL)
        {
          model = g_ptr_array_new ();
          g_ptr_array_add (models, model);
          g_hash_table_insert (index, g_steal_pointer (&name), model);
        }
      g_ptr_array_add (model, sorted->pdata[i]);
    }
  for (guint i = 0; i < models->len; i++)
    g_ptr_array_add (tiles, create_tile (models->pdata[i], varying));
  return tiles;
}

/* Doubt */

static const struct
{
  const char *code;
  const char *reason;
} reasons[] = {
  { "machine-load", N_ ("the machine was busy") },
  { "load-during", N_ ("other programs were busy during the measurement") },
  { "throttled-window", N_ ("the CPU limit of the control group throttled it") },
  { "steal-time", N_ ("the hypervisor took CPU time") },
  { "memory-pressure", N_ ("memory ran short") },
  { "io-pressure", N_ ("programs waited for storage") },
  { "on-battery", N_ ("the machine ran on battery power") },
  { "shared-node", N_ ("other jobs may have run on the node") },
  { "swap", N_ ("memory was swapped out") },
  { "threads-limited", N_ ("there were fewer processors than threads") },
  { "not-pinned", N_ ("threads could not be pinned") },
  { "thermal-throttling", N_ ("the hardware was throttled by heat") },
  { "hardware-throttling", N_ ("the hardware was throttled") },
  { "slow-down", N_ ("latency rose during the measurement") },
  { "interval-not-reached", N_ ("the target precision was not reached") },
  { "short-samples", N_ ("steps are too short for the timer") },
  { "fallback", N_ ("some work ran on another device") },
  { "software-device", N_ ("the device is emulated in software") },
  { "unknown-operators", N_ ("FLOPs are incomplete") },
  { "energy-quantised", N_ ("the energy counter is coarse") },
  { "power-meter-quantised", N_ ("the power meter was read too seldom") },
  { "power-columns-guessed", N_ ("the power log does not name its columns") },
  { "energy-counter", N_ ("the energy counter contradicts the power sensor") },
};

/* The interval of every rough case is wider than its target, which explains nothing. */
static gboolean
is_cause (DynoDiagnostic *diagnostic)
{
  return dyno_diagnostic_is_noise (diagnostic) &&
         !g_str_equal (dyno_diagnostic_get_code (diagnostic), "interval-not-reached");
}

static gboolean
is_doubtful (DynoResult *result)
{
  return dyno_result_get_state (result) == DYNO_CASE_STATE_DOUBTFUL;
}

static gboolean
is_rough (DynoResult *result)
{
  return dyno_result_get_state (result) == DYNO_CASE_STATE_MEASURED &&
         dyno_result_get_grade (result) == DYNO_GRADE_ROUGH;
}

/* Returns the most frequent reason among some cases, and the number of cases that have it. */
static const char *
find_main_reason (GListModel *results,
                  gboolean (*is_counted) (DynoResult *result),
                  gboolean (*is_wanted) (DynoDiagnostic *diagnostic),
                  guint *most)
{
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const char *reason = NULL;

  *most = 0;
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      GPtrArray *diagnostics = dyno_result_get_diagnostics (result);

      for (guint k = 0; is_counted (result) && k < diagnostics->len; k++)
        {
          const char *code = dyno_diagnostic_get_code (diagnostics->pdata[k]);
          guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, code));

          if (is_wanted (diagnostics->pdata[k]))
            g_hash_table_insert (counts, g_strdup (code), GUINT_TO_POINTER (n + 1));
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    {
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, reasons[i].code));

      if (n > *most)
        reason = _ (reasons[i].reason);
      *most = MAX (*most, n);
    }
  return reason;
}

/* Returns the most common message of the doubtful cases, and how many cases have it. */
static char *
dup_main_doubt (GListModel *results, guint *most)
{
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autofree char *main_key = NULL;

  *most = 0;
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      g_auto (GStrv) doubts = dyno_result_dup_doubts (result);

      for (guint k = 0; is_doubtful (result) && doubts[k] != NULL; k++)
        {
          g_autofree char *key = dyno_similar_text_dup_key (doubts[k]);
          guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, key)) + 1;
          const char *known = g_hash_table_lookup (texts, key);

          /* Texts that differ only in their numbers count as one, with ranges. */
          g_hash_table_insert (texts, g_strdup (key),
                               known != NULL ? dyno_similar_text_merge (known, doubts[k])
                                             : g_strdup (doubts[k]));
          g_hash_table_insert (counts, g_strdup (key), GUINT_TO_POINTER (n));
          if (n <= *most)
            continue;
          *most = n;
          g_free (main_key);
          main_key = g_steal_pointer (&key);
        }
    }
  return main_key != NULL ? g_strdup (g_hash_table_lookup (texts, main_key)) : NULL;
}

static char *
describe_doubtful (guint n, guint n_cases, GListModel *results)
{
  guint most;
  const char *reason = find_main_reason (results, is_doubtful, dyno_diagnostic_is_doubt, &most);

  if (reason == NULL)
    {
      /* Codes without a short reason, such as those of imported results, are described with the case's own
       * sentence. */
      g_autofree char *doubt = dup_main_doubt (results, &most);
      g_autofree char *doubtful =
          n_cases == 1
              ? g_strdup (_ ("This case is doubtful."))
              : g_strdup_printf (ngettext ("%u of %u cases is doubtful.", "%u of %u cases are doubtful.", n),
                                 n, n_cases);
      g_autofree char *frequent = NULL;

      if (doubt == NULL)
        return g_steal_pointer (&doubtful);
      /* Translators: %s is a sentence about cases */
      frequent = most < n ? g_strdup_printf (_ ("The most frequent reason: %s"), doubt) : NULL;
      return g_strjoin (" ", doubtful, frequent != NULL ? frequent : doubt, NULL);
    }
  if (n_cases == 1)
    /* Translators: a reason such as “the machine was busy” */
    return g_strdup_printf (_ ("This case is doubtful: %s."), reason);
  if (most < n)
    /* Translators: a number of cases, the number of all cases, and a reason such as “the machine was busy” */
    return g_strdup_printf (ngettext ("%u of %u cases is doubtful, most often because %s.",
                                      "%u of %u cases are doubtful, most often because %s.", n),
                            n, n_cases, reason);
  /* Translators: a number of cases, the number of all cases, and a reason such as “the machine was busy” */
  return g_strdup_printf (ngettext ("%u of %u cases is doubtful: %s.", "%u of %u cases are doubtful: %s.", n),
                          n, n_cases, reason);
}

char *
dyno_run_summary_dup_doubt (DynoRun *run)
{
  DynoCaseCounts counts = { 0 };
  g_autofree char *doubtful = NULL;
  g_autofree char *unsteady = NULL;
  guint n_unsteady;

  g_return_val_if_fail (DYNO_IS_RUN (run), NULL);

  dyno_run_count_cases (run, &counts);
  n_unsteady = counts.of[DYNO_CASE_STATE_UNSTEADY];
  if (counts.of[DYNO_CASE_STATE_DOUBTFUL] > 0)
    doubtful =
        describe_doubtful (counts.of[DYNO_CASE_STATE_DOUBTFUL], counts.n_cases, dyno_run_get_results (run));
  if (n_unsteady > 0)
    unsteady = counts.n_cases == 1
                   ? g_strdup (_ ("This case never reached a steady latency."))
                   : g_strdup_printf (ngettext ("%u of %u cases never reached a steady latency.",
                                                "%u of %u cases never reached a steady latency.", n_unsteady),
                                      n_unsteady, counts.n_cases);
  if (doubtful != NULL && unsteady != NULL)
    return g_strjoin (" ", doubtful, unsteady, NULL);
  return doubtful != NULL ? g_steal_pointer (&doubtful) : g_steal_pointer (&unsteady);
}

char *
dyno_run_summary_dup_doubtful (GListModel *results)
{
  guint n_doubtful = 0;

  g_return_val_if_fail (G_IS_LIST_MODEL (results), NULL);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      n_doubtful += is_doubtful (result);
    }
  return n_doubtful > 0 ? describe_doubtful (n_doubtful, g_list_model_get_n_items (results), results) : NULL;
}

char *
dyno_run_summary_dup_rough (DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);
  guint n_cases = g_list_model_get_n_items (results), n = 0, most;
  const char *reason;
  double farthest = 0;
  g_autofree char *reach = NULL;
  g_autofree char *rough = NULL;

  g_return_val_if_fail (DYNO_IS_RUN (run), NULL);

  for (guint i = 0; i < n_cases; i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      n += is_rough (result);
      farthest = is_rough (result) ? fmax (farthest, dyno_result_get_reach (result)) : farthest;
    }
  if (n == 0)
    return NULL;
  reason = find_main_reason (results, is_rough, is_cause, &most);
  reach = dup_spread (farthest);
  if (n == n_cases)
    /* Translators: a grade, and the farthest reach of the intervals around medians, such as “±12 %” */
    rough = g_strdup_printf (_ ("Rough (%s)"), reach);
  else
    rough = g_strdup_printf (ngettext ("%u of %u cases is rough (%s)", "%u of %u cases are rough (%s)", n), n,
                             n_cases, reach);
  /* Translators: how rough cases are, and a reason such as “the machine was busy” */
  return reason != NULL ? g_strdup_printf (_ ("%s: %s."), rough, reason) : g_strdup_printf ("%s.", rough);
}

char *
dyno_run_summary_dup_failed (DynoRun *run)
{
  DynoCaseCounts counts = { 0 };
  guint n;

  g_return_val_if_fail (DYNO_IS_RUN (run), NULL);

  dyno_run_count_cases (run, &counts);
  n = counts.of[DYNO_CASE_STATE_FAILED];
  return n > 0 ? g_strdup_printf (ngettext ("%u of %u cases failed.", "%u of %u cases failed.", n), n,
                                  counts.n_cases)
               : NULL;
}

char *
dyno_run_summary_dup_interruption (DynoRun *run)
{
  DynoCaseCounts counts = { 0 };
  GListModel *results;
  guint n, n_incomplete = 0, n_unanalysed = 0;

  g_return_val_if_fail (DYNO_IS_RUN (run), NULL);

  if (!dyno_run_is_interrupted (run))
    return NULL;
  dyno_run_count_cases (run, &counts);
  n = counts.of[DYNO_CASE_STATE_NOT_RUN];
  results = dyno_run_get_results (run);
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      /* This works only on loaded results. */
      n_incomplete += !dyno_result_is_complete (result);
      n_unanalysed += dyno_result_lacks_analysis (result);
    }
  if (n == 0 && n_incomplete == 0 && n_unanalysed > 0 && counts.n_cases == 1)
    return g_strdup (_ ("This run was interrupted, so its case was not analysed."));
  if (n == 0 && n_incomplete == 0 && n_unanalysed > 0)
    return g_strdup_printf (ngettext ("This run was interrupted: %u of %u cases was not analysed.",
                                      "This run was interrupted: %u of %u cases were not analysed.",
                                      n_unanalysed),
                            n_unanalysed, counts.n_cases);
  if (counts.n_cases == 1)
    return g_strdup (n == 0 ? _ ("This run was interrupted, so its case lacks some of its processes.")
                            : _ ("This run was interrupted, so its case was not run."));
  if (n == 0)
    return g_strdup_printf (
        ngettext ("This run was interrupted: %u of %u cases lacks some of its processes.",
                  "This run was interrupted: %u of %u cases lack some of their processes.", n_incomplete),
        n_incomplete, counts.n_cases);
  return g_strdup_printf (ngettext ("This run was interrupted: %u of %u cases was not run.",
                                    "This run was interrupted: %u of %u cases were not run.", n),
                          n, counts.n_cases);
}
