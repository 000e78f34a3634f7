/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-hypothesis-tests.h"
#include "dyno-result-samples.h"
#include "dyno-self-test.h"

/* Guards the computed floors: runs of the same machine share a self-test, and threads use them. */
static GMutex mutex;

G_DEFINE_BOXED_TYPE (DynoSelfTest, dyno_self_test, dyno_self_test_ref, dyno_self_test_unref)

DynoSelfTest *
dyno_self_test_new (const char *run_id, gint64 measured_at)
{
  DynoSelfTest *self = g_new0 (DynoSelfTest, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->run_id = g_strdup (run_id);
  self->measured_at = measured_at;
  self->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_array_unref);
  self->floors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

DynoSelfTest *
dyno_self_test_new_from_result (const char *run_id, gint64 measured_at, DynoResult *result)
{
  DynoSelfTest *self = dyno_self_test_new (run_id, measured_at);
  GPtrArray *processes = dyno_result_get_invocations (result);

  self->is_doubtful = dyno_result_get_state (result) != DYNO_CASE_STATE_MEASURED;
  for (guint i = 0; i < processes->len; i++)
    {
      const DynoInvocation *process = processes->pdata[i];

      for (guint j = 0; process->failure == NULL && j < process->values->len; j++)
        {
          /* One process may have too few samples to state a percentile; comparisons then use the percentile
           * of its steady samples. */
          const char *name = dyno_value_get_name (process->values->pdata[j]);
          double number = dyno_value_is_number (process->values->pdata[j])
                              ? dyno_value_get_number (process->values->pdata[j])
                              : dyno_result_get_process_percentile (result, process->number,
                                                                    dyno_result_get_percentile (name));

          if (isfinite (number))
            dyno_self_test_add (self, name, number);
        }
    }
  return self;
}

DynoSelfTest *
dyno_self_test_ref (DynoSelfTest *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
dyno_self_test_unref (DynoSelfTest *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->run_id);
  g_hash_table_unref (self->values);
  g_hash_table_unref (self->floors);
  g_free (self);
}

void
dyno_self_test_add (DynoSelfTest *self, const char *metric, double value)
{
  GArray *values = g_hash_table_lookup (self->values, metric);

  if (values == NULL)
    {
      values = g_array_new (FALSE, FALSE, sizeof (double));
      g_hash_table_insert (self->values, g_strdup (metric), values);
    }
  g_array_append_val (values, value);
}

guint
dyno_self_test_count (const DynoSelfTest *self, const char *metric)
{
  const GArray *values = g_hash_table_lookup (self->values, metric);

  return values != NULL ? values->len : 0;
}

double
dyno_self_test_get_floor (const DynoSelfTest *self, const char *metric)
{
  const GArray *values = self != NULL ? g_hash_table_lookup (self->values, metric) : NULL;
  g_autoptr (GMutexLocker) locker = NULL;
  double *known;

  if (values == NULL)
    return NAN;
  locker = g_mutex_locker_new (&mutex);
  known = g_hash_table_lookup (self->floors, metric);
  if (known == NULL)
    {
      known = g_new (double, 1);
      *known =
          dyno_stats_noise_floor ((const double *)(gpointer)values->data, values->len, DYNO_SELF_TEST_GROUP);
      g_hash_table_insert (self->floors, g_strdup (metric), known);
    }
  return *known;
}

double
dyno_self_test_get_floor_of_few (const DynoSelfTest *self, const char *metric, guint n_processes)
{
  const GArray *values = self != NULL ? g_hash_table_lookup (self->values, metric) : NULL;

  return values != NULL && values->len >= DYNO_SELF_TEST_MIN_PROCESSES
             ? dyno_stats_noise_floor ((const double *)(gpointer)values->data, values->len, n_processes)
             : NAN;
}
