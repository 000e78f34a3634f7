/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-result-samples.h"
#include "dyno-roofline.h"
#include "dyno-unit.h"

/* The overhead of a call is a few microseconds, a large part of shorter operators; that of a step is some ten, a large
 * part of shorter steps. */
#define SHORT_CALL_MS 20e-3
#define SHORT_STEP_MS 100e-3

char *
dyno_roof_cause_dup (DynoResult *result)
{
  static const char *const loads[] = { "load-during", "machine-load", "steal-time" };
  GPtrArray *operators = dyno_result_get_operators (result);
  double spent = 0, calls = 0;
  for (guint i = 0; i < operators->len; i++)
    {
      spent += MAX (dyno_operator_get_time_ns (operators->pdata[i]), 0);
      calls += MAX (dyno_operator_get_calls (operators->pdata[i]), 0);
    }
  double call = spent > 0 && calls > 0 ? spent / calls / 1e6 : NAN;
  double step = dyno_result_get_number (result, "latency_p50_ms");
  g_autofree char *time = dyno_unit_format (call < SHORT_CALL_MS ? call : step, "ms");

  if (dyno_result_find_message (result, "throttled-window") != NULL)
    return g_strdup (_ ("Probable cause: the CPU limit of the control group stopped it at times."));
  /* A median of undisturbed steps has nothing to do with other programs. */
  for (guint i = 0; !dyno_result_is_undisturbed (result) && i < G_N_ELEMENTS (loads); i++)
    if (dyno_result_find_message (result, loads[i]) != NULL)
      return g_strdup (_ ("Probable cause: other programs took a part of the CPU time."));
  if (dyno_result_find_message (result, "oversubscribed") != NULL)
    return g_strdup (_ ("Probable cause: it has more threads than the CPU runs at once."));
  if (call < SHORT_CALL_MS)
    /* Translators: %s is a time */
    return g_strdup_printf (_ ("Probable cause: its operators take %s on average, so their overhead counts."),
                            time);
  if (step < SHORT_STEP_MS)
    /* Translators: %s is a time */
    return g_strdup_printf (_ ("Probable cause: a step takes only %s, so the engine’s overhead counts."),
                            time);
  return NULL;
}
