/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-grade.h"
#include "dyno-insight-private.h"
#include "dyno-unit.h"

/* A gain below the first counts as none; a gain above the second makes a further step worth trying. */
#define NO_GAIN   1.03
#define REAL_GAIN 1.10

/* From this share of the bytes of a step on, smaller weights are worth trying. */
#define MOST_BYTES 0.5

/* Two numbers of a setting, and how many times as fast the larger one is; no other setting differs. */
typedef struct
{
  guint less;
  guint more;
  double gain;
} Ends;

/* A doubtful or rough case has to be measured again first. */
static gboolean
is_reliable (DynoResult *result)
{
  return dyno_result_get_state (result) == DYNO_CASE_STATE_MEASURED &&
         dyno_result_get_grade (result) != DYNO_GRADE_ROUGH;
}

/* Finds the last two steps of a sweep, if both have a case. A setting of 0 is the default, whose number is
 * unknown. */
static gboolean
find_ends (GPtrArray *results, guint (*get) (DynoCase *kase), Ends *ends)
{
  const DynoCaseSize *sizes = dyno_case_list_sizes ();
  DynoResult *less = NULL, *more = NULL;

  for (guint i = 0; i < results->len; i++)
    {
      guint size = get (dyno_result_get_case (results->pdata[i]));

      if (is_reliable (results->pdata[i]) && size > 0 &&
          (more == NULL || size > get (dyno_result_get_case (more))))
        more = results->pdata[i];
    }
  for (guint i = 0; i < results->len && more != NULL; i++)
    {
      guint size = get (dyno_result_get_case (results->pdata[i]));
      gboolean is_like = TRUE;

      for (guint k = 0; k < DYNO_CASE_N_SIZES && is_like; k++)
        is_like = sizes[k].get == get || sizes[k].get (dyno_result_get_case (results->pdata[i])) ==
                                             sizes[k].get (dyno_result_get_case (more));
      if (is_reliable (results->pdata[i]) && is_like && size > 0 &&
          size < get (dyno_result_get_case (more)) &&
          (less == NULL || size > get (dyno_result_get_case (less))))
        less = results->pdata[i];
    }
  if (less == NULL)
    return FALSE;
  *ends = (Ends){ get (dyno_result_get_case (less)), get (dyno_result_get_case (more)),
                  dyno_run_summary_get_rate (more) / dyno_run_summary_get_rate (less) };
  return TRUE;
}

static char *
dup_batch (GPtrArray *results)
{
  Ends ends;
  g_autofree char *percent = NULL;

  if (!find_ends (results, dyno_case_get_batch_size, &ends) || !(ends.gain >= REAL_GAIN))
    return NULL;
  percent = dyno_unit_format_percent (100 * (ends.gain - 1));
  return g_strdup_printf (
      _ ("Next: more than batch %u, since from batch %u to %u the throughput still rose by %s %%."),
      ends.more, ends.less, ends.more, percent);
}

static char *
dup_threads (GPtrArray *results)
{
  Ends ends;
  g_autofree char *ratio = NULL;

  if (!find_ends (results, dyno_case_get_threads, &ends) || !(ends.gain < NO_GAIN))
    return NULL;
  ratio = dyno_unit_format_number (ends.gain, 2);
  return g_strdup_printf (ngettext ("Next: %u thread, since %u are only %s times as fast.",
                                    "Next: %u threads, since %u are only %s times as fast.", ends.less),
                          ends.less, ends.more, ratio);
}

/* Returns the bits of a weight; 0 for a precision that has no smaller one to try. */
static guint
get_width (const char *precision)
{
  if (g_str_equal (precision, "fp32"))
    return 32;
  return g_str_equal (precision, "fp16") || g_str_equal (precision, "bf16") ? 16 : 0;
}

/* The time of memory-bound work is proportional to its bytes: a case that reads at more than half of the memory's
 * bandwidth gains from fewer of them. */
static char *
dup_precision (GPtrArray *results)
{
  DynoResult *result = results->pdata[0];
  const char *precision = dyno_case_get_precision (dyno_result_get_case (result));
  double decode = dyno_result_get_number (result, "decode_bytes");
  double bytes = isfinite (decode) ? decode : dyno_result_get_number (result, "bytes_per_step");
  double weights = dyno_result_get_number (result, "memory_weights_mb") * 1e6;
  double share = weights / bytes;
  gboolean is_memory_bound = dyno_result_get_number (result, "memory_bound") > 0.5 ||
                             dyno_result_get_number (result, "decode_read_percent") > 50;
  g_autofree char *percent = NULL;

  if (!is_reliable (result) || get_width (precision) == 0 || !is_memory_bound ||
      !(share >= MOST_BYTES && share <= 1))
    return NULL;
  percent = dyno_unit_format_percent (50 * share);
  return g_strdup_printf (
      /* Translators: a precision, and a share in per cent */
      _ ("Next: %s weights, which would move %s %% fewer bytes (estimated from the sizes of the operands)."),
      get_width (precision) == 32 ? "fp16" : "int8", percent);
}

char *
dyno_next_step_dup (GPtrArray *results)
{
  static char *(*const steps[]) (GPtrArray * results) = { dup_batch, dup_threads, dup_precision };
  char *sentence = NULL;

  g_return_val_if_fail (results != NULL, NULL);

  for (guint i = 0; results->len > 0 && sentence == NULL && i < G_N_ELEMENTS (steps); i++)
    sentence = steps[i](results);
  return sentence;
}

char *
dyno_next_step_dup_operator (DynoResult *result, double *share)
{
  GPtrArray *operators;
  g_autoptr (GHashTable) times = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  const char *found = NULL;
  double all = 0, most = 0;

  g_return_val_if_fail (DYNO_IS_RESULT (result), NULL);

  operators = dyno_result_get_operators (result);
  for (guint i = 0; i < operators->len; i++)
    {
      double time = (double)MAX (dyno_operator_get_time_ns (operators->pdata[i]), 0);
      const char *type = dyno_operator_get_op_type (operators->pdata[i]);
      double *sum = g_hash_table_lookup (times, type);

      if (sum == NULL)
        {
          sum = g_new0 (double, 1);
          g_hash_table_insert (times, (gpointer)type, sum);
        }
      *sum += time;
      all += time;
      if (*sum > most)
        {
          most = *sum;
          found = type;
        }
    }
  *share = most / all;
  return g_strdup (found);
}
