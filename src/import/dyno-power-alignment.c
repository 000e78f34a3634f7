/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-import-private.h"
#include "dyno-power-meter.h"

/* Returns the distance between the readings and the run, in µs; 0 if they overlap. */
static gint64
find_distance (DynoRun *run, const DynoPowerLog *log)
{
  const gint64 *times = dyno_trace_get_times (log->power);
  gint64 first = times[0] / 1000;
  gint64 last = times[dyno_trace_get_length (log->power) - 1] / 1000;
  gint64 end = MAX (dyno_run_get_finished_at (run), dyno_run_get_started_at (run));

  if (last < dyno_run_get_started_at (run))
    return dyno_run_get_started_at (run) - last;
  return MAX (first - end, 0);
}

/* The time includes its zone, because the zone may be wrong. */
static char *
format_time (gint64 microseconds)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (microseconds / G_USEC_PER_SEC);

  return time != NULL ? g_date_time_format (time, "%F %T %:z") : g_strdup ("?");
}

static void
refuse (DynoRun *nearest, const DynoPowerLog *log, GError **error)
{
  const gint64 *times = dyno_trace_get_times (log->power);
  g_autofree char *first = format_time (times[0] / 1000);
  g_autofree char *last = format_time (times[dyno_trace_get_length (log->power) - 1] / 1000);
  const char *zone = log->is_local ? _ ("The readings name no time zone, so they were read as times in this "
                                        "computer’s zone, or in the one that “dyno-cli import --time-zone” "
                                        "names. If the meter’s clock is in another zone, name that.")
                                   : _ ("Check whether the meter’s clock is right.");
  g_autofree char *start = NULL;

  if (nearest == NULL)
    {
      g_set_error_literal (
          error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
          _ ("The readings of a power meter belong to a run of Dyno, and none was measured here."));
      return;
    }
  start = format_time (dyno_run_get_started_at (nearest));
  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
      _ ("At the time of its readings, from %s to %s, nothing was measured. The nearest run began at %s. %s"),
      first, last, start, zone);
}

static gboolean
check_candidate (DynoRun *run, GError **error)
{
  GListModel *results = dyno_run_get_results (run);
  gboolean has_clock = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (results) && !has_clock; i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      has_clock = dyno_result_get_trace (result, DYNO_TRACE_WALL_CLOCK) != NULL;
    }

  if (dyno_run_is_running (run))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                 _ ("The run “%s” is still being measured. Import the readings when it is over."),
                 dyno_run_get_title (run));
  else if (!has_clock)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                 _ ("The run “%s” was measured by a Dyno that did not keep the time of day of its processes, "
                    "so the readings cannot be aligned. Measure again."),
                 dyno_run_get_title (run));
  else
    return TRUE;
  return FALSE;
}

static void
count (GPtrArray *runs, GHashTable *n_cases, DynoRun *run, guint n)
{
  g_ptr_array_add (runs, g_object_ref (run));
  g_hash_table_insert (n_cases, run, GUINT_TO_POINTER (n));
}

static gboolean
add_to_candidate (DynoPowerAlignment *self, DynoRun *listed, char **reason, GError **error)
{
  g_autoptr (DynoRun) run = dyno_store_load_run (self->store, dyno_run_get_id (listed), error);
  g_auto (DynoPowerReceipt) receipt = { 0 };

  if (run == NULL || !check_candidate (run, error))
    return FALSE;
  dyno_power_meter_add_to_run (run, self->log, self->file->file_name, &receipt);
  if (*reason == NULL)
    *reason = g_steal_pointer (&receipt.reason);
  if (receipt.n_added == 0)
    {
      GPtrArray *meters = dyno_run_get_meters (run);
      gboolean is_new;

      if (receipt.n_present > 0)
        count (self->present, self->n_cases, run, receipt.n_present);

      /* A report in JSON may have imported the readings without their file. */
      for (guint i = 0; i < meters->len; i++)
        if (g_strcmp0 (((const DynoOrigin *)meters->pdata[i])->hash, self->file->hash) == 0)
          {
            g_ptr_array_add (meters, dyno_origin_ref (self->file));
            return dyno_store_add_run (self->store, run, &is_new, error);
          }
      return TRUE;
    }
  g_ptr_array_add (dyno_run_get_meters (run), dyno_origin_ref (self->file));
  count (self->added, self->n_cases, run, receipt.n_added);
  return dyno_store_replace_results (self->store, run, error);
}

gboolean
dyno_power_alignment_run (DynoPowerAlignment *self, GError **error)
{
  g_autoptr (GPtrArray) runs = dyno_store_list_runs (self->store, NULL, 0, G_MAXUINT, error);
  g_autofree char *reason = NULL;
  DynoRun *nearest = NULL;

  if (runs == NULL)
    return FALSE;
  for (guint i = 0; i < runs->len; i++)
    {
      DynoRun *run = runs->pdata[i];
      gboolean is_meant = self->run_id != NULL ? g_str_equal (dyno_run_get_id (run), self->run_id)
                                               : g_strcmp0 (dyno_run_get_source (run), "dyno") == 0;

      if (!is_meant)
        continue;
      if (nearest == NULL || find_distance (run, self->log) < find_distance (nearest, self->log))
        nearest = run;
      if (find_distance (run, self->log) == 0 && !add_to_candidate (self, run, &reason, error))
        return FALSE;
    }
  if (self->added->len + self->present->len > 0)
    return TRUE;
  if (reason != NULL)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, reason);
  else
    refuse (nearest, self->log, error);
  return FALSE;
}
