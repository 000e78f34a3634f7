/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-result-samples.h"
#include "race-field.h"

void
race_field_init (RaceField *field, const double *times, guint n, double noise, guint32 seed)
{
  *field = (RaceField){ dyno_run_new (NULL), g_rand_new_with_seed (seed), noise, times, n, 0 };
  g_object_set (field->run, "machine", "{\"cpu\": {\"name\": \"fast\", \"cores\": 2}}", "started-at",
                (gint64)1, NULL);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (DynoCase) kase = dyno_case_new ("bert", "cpu");
      g_autoptr (DynoResult) result = dyno_result_new (kase, i);

      g_object_set (kase, "threads", i + 1, NULL);
      dyno_run_add_result (field->run, result);
    }
}

void
race_field_clear (RaceField *field)
{
  g_object_unref (field->run);
  g_rand_free (field->random);
}

/* Uniform, with that standard deviation. */
static double
draw (RaceField *field, double deviation)
{
  return exp (g_rand_double_range (field->random, -1, 1) * sqrt (3) * deviation);
}

static void
add_samples (DynoResult *part, double time, guint n)
{
  DynoTrace *trace = dyno_trace_new ("latency", "ms", 0);

  for (guint i = 0; i < n; i++)
    dyno_trace_add (trace, i * 1000000, time * (1 + 0.001 * i));
  dyno_result_take_trace (part, trace);
  dyno_result_add_measured (part, "latency_samples", n, "1", "clock");
  dyno_result_add_measured (part, "latency_p50_ms", time, "ms", "clock");
  dyno_result_take_value (part, dyno_value_new_unsupported ("latency_p90_ms", "ms", "Too few."));
}

void
race_field_measure (const RaceField *field, DynoResult *result, guint round, double time)
{
  g_autoptr (DynoResult) part = dyno_result_new (dyno_result_get_case (result), 0);
  g_autoptr (DynoResult) joined = NULL;

  dyno_result_set_status (part, DYNO_STATUS_OK, NULL);
  if (field->n_samples > 0)
    add_samples (part, time, field->n_samples);
  else
    {
      dyno_result_add_measured (part, "latency_p50_ms", time, "ms", "clock");
      dyno_result_add_measured (part, "latency_p90_ms", time, "ms", "clock");
    }
  joined = dyno_result_join (result, round, part);
  dyno_result_become (result, joined);
}

/* Walks the race as a runner does. @drift is what each round adds to the time of all. Returns the measurements it took. */
guint
race_field_walk (DynoRace *race, RaceField *field, guint n_rounds, double drift)
{
  g_autoptr (GHashTable) gone = g_hash_table_new (NULL, NULL);
  guint n_measured = 0;

  for (guint round = 0; round < n_rounds && g_hash_table_size (gone) < field->n; round++)
    {
      g_autoptr (GPtrArray) leaving = NULL;

      for (guint i = 0; i < field->n; i++)
        {
          g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (field->run), i);

          if (g_hash_table_contains (gone, result))
            continue;
          race_field_measure (field, result, round,
                              field->times[i] * (1 + drift * round) * draw (field, field->noise));
          n_measured++;
        }
      if (!dyno_race_is_look (round + 1))
        continue;
      leaving = dyno_race_look (race, field->run, round + 1);
      for (guint i = 0; i < leaving->len; i++)
        g_hash_table_add (gone, leaving->pdata[i]);
    }
  dyno_race_finish (race, field->run);
  return n_measured;
}
