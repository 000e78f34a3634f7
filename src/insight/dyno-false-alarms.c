/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-comparison-builder.h"
#include "dyno-false-alarms.h"
#include "dyno-insight-private.h"
#include "dyno-random.h"

/* A verdict takes some milliseconds. */
#define N_COMPARISONS 100
#define SEED          1

static void
take_trace (DynoResult *part, DynoResult *whole, const char *name, guint number)
{
  DynoTrace *trace = dyno_result_get_invocation_trace (whole, name, number);

  if (trace != NULL)
    dyno_result_take_trace (part, g_object_ref (trace));
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint first = (*(DynoInvocation *const *)a)->number;
  guint second = (*(DynoInvocation *const *)b)->number;

  return (first > second) - (first < second);
}

/* Returns a copy of the case with only some of its processes. */
static DynoResult *
create_part (DynoResult *whole, GPtrArray *processes, guint from)
{
  DynoResult *part = dyno_result_new (dyno_result_get_case (whole), 0);
  g_autoptr (GPtrArray) chosen = g_ptr_array_new ();

  for (guint i = 0; i < DYNO_COMPARISON_MIN_PROCESSES; i++)
    g_ptr_array_add (chosen, processes->pdata[from + i]);
  g_ptr_array_sort (chosen, compare_numbers);
  for (guint i = 0; i < chosen->len; i++)
    {
      DynoInvocation *process = chosen->pdata[i];

      dyno_result_take_invocation (part, dyno_invocation_ref (process));
      take_trace (part, whole, "latency", process->number);
      take_trace (part, whole, "phases", process->number);
    }
  return part;
}

void
dyno_false_alarms_count (DynoResult *result, DynoFalseAlarms *alarms)
{
  g_autoptr (GPtrArray) processes = g_ptr_array_new ();
  GPtrArray *invocations = dyno_result_get_invocations (result);
  DynoRandom random;

  *alarms = (DynoFalseAlarms){ 0 };
  for (guint i = 0; i < invocations->len; i++)
    if (((DynoInvocation *)invocations->pdata[i])->failure == NULL)
      g_ptr_array_add (processes, invocations->pdata[i]);
  dyno_random_init (&random, SEED);
  while (processes->len >= 2 * DYNO_COMPARISON_MIN_PROCESSES && alarms->n_comparisons < N_COMPARISONS)
    {
      for (guint i = processes->len; i > 1; i--)
        {
          guint j = dyno_random_below (&random, i);
          gpointer swapped = processes->pdata[i - 1];

          processes->pdata[i - 1] = processes->pdata[j];
          processes->pdata[j] = swapped;
        }
      alarms->n_comparisons++;

      g_autoptr (DynoResult) before = create_part (result, processes, 0);
      g_autoptr (DynoResult) after = create_part (result, processes, DYNO_COMPARISON_MIN_PROCESSES);
      g_autoptr (DynoComparison) comparison =
          dyno_comparison_new_empty (DYNO_COMPARISON_METRIC, "ms", DYNO_COMPARISON_THRESHOLD);
      g_autoptr (DynoRun) first = dyno_run_new (NULL);
      g_autoptr (DynoRun) second = dyno_run_new (NULL);
      const DynoComparedCase *kase;
      dyno_comparison_add_side (comparison, first, "");
      kase = dyno_comparison_add_case (comparison, dyno_comparison_add_side (comparison, second, ""), before,
                                       after);
      dyno_comparison_judge (comparison);
      alarms->n_alarms += kase->verdict == DYNO_VERDICT_BETTER || kase->verdict == DYNO_VERDICT_WORSE;
    }
}
