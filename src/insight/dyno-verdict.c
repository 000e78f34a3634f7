/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-metric.h"
#include "dyno-verdict.h"

typedef struct
{
  const char *name;
  const char *label;
} Words;

static const Words words[DYNO_N_VERDICTS] = {
  [DYNO_VERDICT_BETTER] = { "better", N_ ("better") },
  [DYNO_VERDICT_WORSE] = { "worse", N_ ("worse") },
  [DYNO_VERDICT_PROBABLY_BETTER] = { "probably-better", N_ ("probably better") },
  [DYNO_VERDICT_PROBABLY_WORSE] = { "probably-worse", N_ ("probably worse") },
  [DYNO_VERDICT_SAME] = { "same", N_ ("the same") },
  [DYNO_VERDICT_WITHIN_NOISE] = { "within-noise", N_ ("no difference shown") },
  [DYNO_VERDICT_NOT_ENOUGH_DATA] = { "not-enough-data", N_ ("no difference shown") },
  [DYNO_VERDICT_CONFOUNDED] = { "confounded", N_ ("confounded") },
};

/* For metrics of time. */
static const Words words_of_speed[] = {
  [DYNO_VERDICT_BETTER] = { "faster", N_ ("faster") },
  [DYNO_VERDICT_WORSE] = { "slower", N_ ("slower") },
  [DYNO_VERDICT_PROBABLY_BETTER] = { "probably-faster", N_ ("probably faster") },
  [DYNO_VERDICT_PROBABLY_WORSE] = { "probably-slower", N_ ("probably slower") },
};

gboolean
dyno_verdict_is_of_speed (const char *metric)
{
  static const char *const names[] = { "load_time_ms", "first_run_ms", "warm_up_ms" };

  return strstr (metric, "latency") != NULL || g_str_has_suffix (metric, "_per_sec") ||
         g_strv_contains (names, metric);
}

gboolean
dyno_verdict_has_direction (DynoVerdict verdict)
{
  return verdict <= DYNO_VERDICT_PROBABLY_WORSE;
}

gboolean
dyno_verdict_is_open (DynoVerdict verdict)
{
  return verdict == DYNO_VERDICT_PROBABLY_BETTER || verdict == DYNO_VERDICT_PROBABLY_WORSE ||
         verdict == DYNO_VERDICT_NOT_ENOUGH_DATA || verdict == DYNO_VERDICT_CONFOUNDED;
}

static const Words *
get_words (DynoVerdict verdict, const char *metric)
{
  return dyno_verdict_has_direction (verdict) && dyno_verdict_is_of_speed (metric) ? &words_of_speed[verdict]
                                                                                   : &words[verdict];
}

const char *
dyno_verdict_to_string (DynoVerdict verdict, const char *metric)
{
  g_return_val_if_fail (verdict < DYNO_N_VERDICTS, NULL);
  g_return_val_if_fail (metric != NULL, NULL);
  return get_words (verdict, metric)->name;
}

const char *
dyno_verdict_get_label (DynoVerdict verdict, const char *metric)
{
  g_return_val_if_fail (verdict < DYNO_N_VERDICTS, NULL);
  g_return_val_if_fail (metric != NULL, NULL);
  return _ (get_words (verdict, metric)->label);
}

gboolean
dyno_verdict_more_is_better (const char *metric)
{
  const DynoMetricValue *value;

  g_return_val_if_fail (metric != NULL, FALSE);
  value = dyno_metric_find_value (metric);
  return value != NULL && value->more_is_better;
}
