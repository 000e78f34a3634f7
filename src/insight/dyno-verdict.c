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
  [DYNO_VERDICT_SAME] = { "same", N_ ("same") },
  [DYNO_VERDICT_WITHIN_NOISE] = { "within-noise", N_ ("within the noise") },
  [DYNO_VERDICT_NOT_ENOUGH_DATA] = { "not-enough-data", N_ ("not enough data") },
  [DYNO_VERDICT_CONFOUNDED] = { "confounded", N_ ("confounded") },
};

/* For metrics of time. */
static const Words words_of_speed[] = {
  [DYNO_VERDICT_BETTER] = { "faster", N_ ("faster") },
  [DYNO_VERDICT_WORSE] = { "slower", N_ ("slower") },
};

gboolean
dyno_verdict_is_of_speed (const char *metric)
{
  static const char *const names[] = { "load_time_ms", "first_run_ms", "warm_up_ms" };

  return strstr (metric, "latency") != NULL || g_str_has_suffix (metric, "_per_sec") ||
         g_strv_contains (names, metric);
}

static const Words *
get_words (DynoVerdict verdict, const char *metric)
{
  return verdict <= DYNO_VERDICT_WORSE && dyno_verdict_is_of_speed (metric) ? &words_of_speed[verdict]
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
