/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <sqlite3.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-importer.h"
#include "dyno-phase.h"
#include "dyno-power-meter.h"
#include "import-fixture.h"
#include "suite.h"

#define ID "11111111-2222-4333-8444-555555555555"

/* 2026-03-01T12:00:00Z */
#define NOON G_GINT64_CONSTANT (1772366400)

#define NS_PER_SECOND G_GINT64_CONSTANT (1000000000)

/* Twenty steps of half a second, of which the first two belong to the warm-up; a pause of four seconds in the middle. */
#define N_STEPS      20
#define N_STEADY     18
#define STEP_SECONDS 0.5

static gint64
get_step_start (guint step)
{
  return (gint64)((step * STEP_SECONDS + (step >= N_STEPS / 2 ? 4 : 0)) * (double)NS_PER_SECOND);
}

/* An invocation that begins @seconds after noon. */
static void
add_invocation (DynoResult *result, guint number, double seconds, gboolean has_clock)
{
  DynoInvocation *invocation = dyno_invocation_new (number, NULL);
  DynoTrace *latency = dyno_trace_new ("latency", "ms", 1000);
  DynoTrace *clock = dyno_trace_new (DYNO_TRACE_WALL_CLOCK, "s", 1000);
  gint64 end = get_step_start (N_STEPS) + NS_PER_SECOND;

  for (guint i = 0; i < N_STEPS; i++)
    dyno_trace_add (latency, get_step_start (i), STEP_SECONDS * 1000);
  dyno_trace_add (clock, 0, (double)NOON + seconds);
  dyno_trace_add (clock, end, (double)NOON + seconds + (double)end / (double)NS_PER_SECOND);
  g_ptr_array_add (invocation->values,
                   dyno_value_new ("latency_samples", N_STEADY, "", DYNO_QUALITY_MEASURED, "clock"));
  dyno_trace_set_invocation (latency, number);
  dyno_trace_set_invocation (clock, number);
  dyno_result_take_invocation (result, invocation);
  dyno_result_take_trace (result, latency);
  if (has_clock)
    dyno_result_take_trace (result, clock);
  else
    g_object_unref (clock);
}

static void
add_run_on (Fixture *fixture, gboolean has_clock, gboolean has_sensor, const char *kind)
{
  g_autoptr (DynoRun) run = dyno_run_new (ID);
  g_autoptr (DynoCase) kase = dyno_case_new ("model", "cpu");
  g_autoptr (DynoResult) result = NULL;
  g_autoptr (GError) error = NULL;
  gboolean is_new = FALSE;

  g_object_set (run, "title", "Measured", "source", "dyno", "started-at", NOON * G_USEC_PER_SEC,
                "finished-at", (NOON + 60) * G_USEC_PER_SEC, "n-cases", 1, NULL);
  g_object_set (kase, "batch-size", 2, NULL);
  result = dyno_result_new (kase, 0);
  g_object_set (result, "device-kind", kind, NULL);
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  add_invocation (result, 0, 1, has_clock);
  add_invocation (result, 1, 21, has_clock);
  if (has_sensor)
    dyno_result_add_measured (result, "power_avg_watts", 7, "W", "the package");
  else
    dyno_result_take_value (result, dyno_value_new_unsupported ("power_avg_watts", "W", "No sensor."));
  dyno_run_add_result (run, result);
  g_assert_true (dyno_store_add_run (fixture->store, run, &is_new, &error));
  g_assert_no_error (error);
}

static void
add_run (Fixture *fixture, gboolean has_clock, gboolean has_sensor)
{
  add_run_on (fixture, has_clock, has_sensor, "cpu");
}

/* 100 W from @hours after noon for a minute, 40 W while the first invocation pauses. */
static char *
write_log (Fixture *fixture, double period, int hours, const char *zone)
{
  g_autoptr (GString) text = g_string_new ("time,power_w\n");
  char *path = g_build_filename (fixture->folder, "meter.csv", NULL);

  for (double seconds = -5; seconds < 60; seconds += period)
    {
      g_autoptr (GDateTime) start = g_date_time_new_from_unix_utc (NOON - 10);
      g_autoptr (GDateTime) time = g_date_time_add_seconds (start, 10 + seconds + hours * 3600);
      g_autofree char *second = g_date_time_format (time, "%FT%T");

      g_string_append_printf (text, "%s.%03d%s,%d\n", second, g_date_time_get_microsecond (time) / 1000, zone,
                              seconds >= 6.1 && seconds <= 9.9 ? 40 : 100);
    }
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  return path;
}

static DynoImported *
import (Fixture *fixture, const char *path, const char *zone_name, const char *run_id, GError **error)
{
  g_autoptr (GTimeZone) zone = zone_name != NULL ? g_time_zone_new_identifier (zone_name) : NULL;
  const DynoImportSettings settings = { zone, run_id };

  return dyno_importer_import (fixture->store, path, &settings, NULL, NULL, NULL, error);
}

static DynoImported *
import_well (Fixture *fixture, const char *path)
{
  g_autoptr (GError) error = NULL;
  DynoImported *imported = import (fixture, path, NULL, NULL, &error);

  g_assert_no_error (error);
  return imported;
}

static void
take (Fixture *fixture, const char *path)
{
  dyno_imported_free (import_well (fixture, path));
}

static DynoResult *
load_result (Fixture *fixture)
{
  g_autoptr (DynoRun) run = load_run (fixture, ID);

  return g_list_model_get_item (dyno_run_get_results (run), 0);
}

static void
assert_near (DynoResult *result, const char *name, double expected)
{
  g_test_message ("%s: %.10g", name, dyno_result_get_number (result, name));
  g_assert_cmpfloat_with_epsilon (dyno_result_get_number (result, name), expected, expected * 1e-3);
  g_assert_cmpint (dyno_value_get_quality (dyno_result_get_value (result, name)), ==, DYNO_QUALITY_IMPORTED);
}

static guint
count_diagnostics (DynoResult *result, const char *code)
{
  GPtrArray *diagnostics = dyno_result_get_diagnostics (result);
  guint n = 0;

  for (guint i = 0; i < diagnostics->len; i++)
    n += g_str_equal (dyno_diagnostic_get_code (diagnostics->pdata[i]), code);
  return n;
}

/* Only the steady stretches count: the pause with its 40 W does not, nor does the warm-up. */
static void
test_aligned (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_log (fixture, 0.05, 0, "Z");
  g_autoptr (DynoImported) imported = NULL;
  g_autoptr (DynoResult) result = NULL;

  add_run (fixture, TRUE, FALSE);
  imported = import_well (fixture, path);
  g_assert_cmpuint (imported->added->len, ==, 1);
  g_assert_cmpuint (GPOINTER_TO_UINT (g_hash_table_lookup (imported->n_cases, imported->added->pdata[0])), ==,
                    1);
  result = load_result (fixture);
  assert_near (result, "power_meter_watts", 100);
  assert_near (result, "energy_meter_joules", 100 * N_STEADY * STEP_SECONDS);
  assert_near (result, "power_avg_watts", 100);
  assert_near (result, "energy_per_item_joules", 100 * STEP_SECONDS / 2);
  assert_near (result, "throughput_per_watt", 2 / (100 * STEP_SECONDS));
  g_assert_nonnull (strstr (dyno_value_get_source (dyno_result_get_value (result, "power_avg_watts")),
                            "meter.csv, column “power_w”"));
  g_assert_nonnull (dyno_result_get_invocation_trace (result, DYNO_POWER_METER_TRACE, 1));
  g_assert_cmpint (dyno_result_get_state (result), !=, DYNO_CASE_STATE_IMPORTED);
}

static char *
write_gpus (Fixture *fixture, const char *header)
{
  g_autoptr (GString) text = g_string_new (header);
  char *path = g_build_filename (fixture->folder, "meter.csv", NULL);

  for (guint i = 0; i < 1300; i++)
    g_string_append_printf (text, "%" G_GINT64_FORMAT ".%02u,60.5,20.25\n", NOON - 5 + i / 20, i % 20 * 5);
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  return path;
}

/* The log of GPUs is summed up, and a case that ran on one is charged with it; one of the processor is not. */
static void
test_gpus (Fixture *fixture, gconstpointer kind)
{
  g_autofree char *path = write_gpus (fixture, "Time,0,1\n");
  g_autoptr (DynoResult) result = NULL;

  add_run_on (fixture, TRUE, FALSE, kind);
  take (fixture, path);
  result = load_result (fixture);
  assert_near (result, "power_meter_watts", 80.75);
  g_assert_nonnull (strstr (dyno_value_get_source (dyno_result_get_value (result, "power_meter_watts")),
                            "power log of 2 GPUs: meter.csv"));
  if (g_str_equal (kind, "cpu"))
    g_assert_true (isnan (dyno_result_get_number (result, "power_avg_watts")));
  else
    assert_near (result, "power_avg_watts", 80.75);
}

/* Without names it may be the log of anything, so nothing is charged with it; with names, that is made up for. */
static void
test_unnamed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_gpus (fixture, "");
  g_autofree char *same = NULL;
  g_autoptr (DynoImported) guessed = NULL;
  g_autoptr (DynoImported) named = NULL;
  g_autoptr (DynoResult) before = NULL;
  g_autoptr (DynoResult) after = NULL;

  add_run_on (fixture, TRUE, FALSE, "discrete-gpu");
  guessed = import_well (fixture, path);
  before = load_result (fixture);
  assert_near (before, "power_meter_watts", 80.75);
  g_assert_nonnull (strstr (dyno_value_get_source (dyno_result_get_value (before, "power_meter_watts")),
                            "columns without names"));
  g_assert_true (isnan (dyno_result_get_number (before, "power_avg_watts")));
  g_assert_cmpuint (count_diagnostics (before, "power-columns-guessed"), ==, 1);
  same = write_gpus (fixture, "time,0,power_w\n");
  named = import_well (fixture, same);
  g_assert_cmpuint (named->added->len, ==, 1);
  after = load_result (fixture);
  assert_near (after, "power_avg_watts", 20.25);
  g_assert_cmpuint (count_diagnostics (after, "power-columns-guessed"), ==, 0);
  g_assert_cmpuint (dyno_result_get_traces (after)->len, ==, dyno_result_get_traces (before)->len);
}

static void
assert_kept (DynoStore *store, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) original = dyno_store_load_original (store, "latest", &error);
  g_autofree char *text = NULL;
  gsize size;

  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, &size, NULL));
  g_assert_cmpmem (g_bytes_get_data (original, NULL), g_bytes_get_size (original), text, size);
}

/* The meter's file stays with the run: in the store, in a document of it, and in a report in JSON. */
static void
test_original (Fixture *fixture, gconstpointer data)
{
  static const char *const ids[] = { "latest", NULL };
  g_autofree char *path = NULL;
  g_autofree char *saved = g_build_filename (fixture->folder, "run.dyno", NULL);
  g_autoptr (DynoStore) document = NULL;
  g_autoptr (GError) error = NULL;

  add_run (fixture, TRUE, FALSE);
  path = write_log (fixture, 0.05, 0, "Z");
  take (fixture, path);
  assert_kept (fixture->store, path);
  dyno_store_save_document (fixture->store, ids, saved, &error);
  g_assert_no_error (error);
  document = dyno_store_open_document (saved, &error);
  g_assert_no_error (error);
  assert_kept (document, path);
}

/* Where only the readings came, their file fills in what is missing. */
static void
test_content_later (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_log (fixture, 0.05, 0, "Z");
  g_autofree char *stored = g_build_filename (fixture->folder, "store.sqlite", NULL);
  g_autoptr (DynoImported) second = NULL;
  sqlite3 *db = NULL;

  add_run (fixture, TRUE, FALSE);
  take (fixture, path);
  g_assert_cmpint (sqlite3_open (stored, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "UPDATE meters SET content = NULL", NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
  g_assert_null (dyno_store_load_original (fixture->store, "latest", NULL));
  second = import_well (fixture, path);
  g_assert_cmpuint (second->present->len, ==, 1);
  assert_kept (fixture->store, path);
}

/* What a sensor of the machine has measured stays what the case is charged with. */
static void
test_beside_sensor (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_log (fixture, 0.05, 0, "Z");
  g_autoptr (DynoResult) result = NULL;

  add_run (fixture, TRUE, TRUE);
  take (fixture, path);
  result = load_result (fixture);
  g_assert_cmpfloat (dyno_result_get_number (result, "power_avg_watts"), ==, 7);
  assert_near (result, "power_meter_watts", 100);
}

/* A wrong log can be put right by the right one; what it charged goes with it. */
static void
test_another_log (Fixture *fixture, gconstpointer data)
{
  g_autofree char *wall = write_log (fixture, 0.05, 0, "Z");
  g_autofree char *gpus = NULL;
  g_autoptr (DynoImported) second = NULL;
  g_autoptr (DynoImported) again = NULL;
  g_autoptr (DynoResult) before = NULL;
  g_autoptr (DynoResult) after = NULL;

  add_run (fixture, TRUE, FALSE);
  take (fixture, wall);
  before = load_result (fixture);
  assert_near (before, "power_avg_watts", 100);
  gpus = write_gpus (fixture, "time,0,1\n");
  second = import_well (fixture, gpus);
  g_assert_cmpuint (second->added->len, ==, 1);
  after = load_result (fixture);
  assert_near (after, "power_meter_watts", 80.75);
  g_assert_true (isnan (dyno_result_get_number (after, "power_avg_watts")));
  g_assert_true (isnan (dyno_result_get_number (after, "energy_per_item_joules")));
  g_assert_cmpuint (dyno_result_get_traces (after)->len, ==, dyno_result_get_traces (before)->len);
  again = import_well (fixture, gpus);
  g_assert_cmpuint (again->present->len, ==, 1);
}

static char *
write_stretch (Fixture *fixture, double from, double to, double period, double watts)
{
  g_autoptr (GString) text = g_string_new ("time,power_w\n");
  char *path = g_build_filename (fixture->folder, "meter.csv", NULL);

  for (double seconds = from; seconds < to; seconds += period)
    g_string_append_printf (text, "%.2f,%g\n", (double)NOON + seconds, watts);
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  return path;
}

/* A meter that begins a new file now and then: each process keeps the readings of its time. */
static void
test_rotated (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (DynoResult) result = NULL;

  add_run (fixture, TRUE, FALSE);
  before = write_stretch (fixture, 0, 19, 0.05, 50);
  take (fixture, before);
  after = write_stretch (fixture, 19, 40, 0.05, 90);
  take (fixture, after);
  result = load_result (fixture);
  assert_near (result, "power_meter_watts", 70);
  assert_near (result, "power_avg_watts", 70);
  for (guint i = 0; i < 2; i++)
    g_assert_nonnull (dyno_result_get_invocation_trace (result, DYNO_POWER_METER_TRACE, i));
}

/* What says nothing of a process takes nothing from it. */
static void
test_useless_log (Fixture *fixture, gconstpointer data)
{
  g_autofree char *good = NULL;
  g_autofree char *useless = NULL;
  g_autoptr (DynoResult) result = NULL;
  g_autoptr (GError) error = NULL;

  add_run (fixture, TRUE, FALSE);
  good = write_stretch (fixture, 0, 40, 0.05, 75);
  take (fixture, good);
  useless = write_stretch (fixture, 3, 5, 1, 60);
  g_assert_null (import (fixture, useless, NULL, NULL, &error));
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, "do not cover the measurement"));
  result = load_result (fixture);
  assert_near (result, "power_meter_watts", 75);
  assert_near (result, "power_avg_watts", 75);
}

/* Alone, it says why there is no number, in all that would follow from it. */
static void
test_useless_alone (Fixture *fixture, gconstpointer data)
{
  g_autofree char *useless = NULL;
  g_autoptr (DynoResult) result = NULL;

  add_run (fixture, TRUE, FALSE);
  useless = write_stretch (fixture, 3, 5, 1, 60);
  take (fixture, useless);
  result = load_result (fixture);
  g_assert_nonnull (strstr (dyno_value_get_source (dyno_result_get_value (result, "power_meter_watts")),
                            "do not cover the measurement"));
  g_assert_cmpstr (dyno_value_get_source (dyno_result_get_value (result, "power_avg_watts")), ==,
                   "No sensor.");
}

/* Names for the log of another time are none for this one. */
static void
test_named_elsewhere (Fixture *fixture, gconstpointer data)
{
  g_autofree char *guess = NULL;
  g_autofree char *named = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoResult) result = NULL;

  add_run (fixture, TRUE, FALSE);
  guess = write_gpus (fixture, "");
  take (fixture, guess);
  named = write_stretch (fixture, 40, 60, 0.05, 10);
  g_assert_null (import (fixture, named, NULL, NULL, &error));
  result = load_result (fixture);
  assert_near (result, "power_meter_watts", 80.75);
  g_assert_cmpuint (count_diagnostics (result, "power-columns-guessed"), ==, 1);
}

/* A log that may be of anything takes no place of one that is known. */
static void
test_guess_later (Fixture *fixture, gconstpointer data)
{
  g_autofree char *wall = write_log (fixture, 0.05, 0, "Z");
  g_autofree char *guess = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoResult) result = NULL;

  add_run (fixture, TRUE, FALSE);
  take (fixture, wall);
  guess = write_gpus (fixture, "");
  g_assert_null (import (fixture, guess, NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "may be of anything"));
  result = load_result (fixture);
  assert_near (result, "power_meter_watts", 100);
  assert_near (result, "power_avg_watts", 100);
}

static void
test_twice (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_log (fixture, 0.05, 0, "Z");
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoImported) imported = NULL;
  g_autoptr (DynoResult) result = NULL;

  add_run (fixture, TRUE, FALSE);
  imported = import (fixture, path, NULL, NULL, &error);
  g_clear_pointer (&imported, dyno_imported_free);
  imported = import_well (fixture, path);
  g_assert_cmpuint (imported->added->len, ==, 0);
  g_assert_cmpuint (imported->present->len, ==, 1);
  result = load_result (fixture);
  g_assert_cmpuint (dyno_result_get_traces (result)->len, ==, 6);
}

/* A meter three hours ahead: its times say nothing of a zone, so they count only where that is named. */
static void
test_zone (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_log (fixture, 0.05, 3, "");
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoImported) imported = NULL;

  add_run (fixture, TRUE, FALSE);
  imported = import (fixture, path, "UTC", NULL, &error);
  g_assert_null (imported);
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, "nothing was measured"));
  g_assert_nonnull (strstr (error->message, "--time-zone"));
  g_clear_error (&error);
  imported = import (fixture, path, "+03:00", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (imported->added->len, ==, 1);
}

/* A reading every fourteen seconds says nothing of nine seconds. */
static void
test_too_seldom (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_log (fixture, 14, 0, "Z");
  g_autoptr (DynoResult) result = NULL;
  DynoValue *value;

  add_run (fixture, TRUE, FALSE);
  take (fixture, path);
  result = load_result (fixture);
  value = dyno_result_get_value (result, "power_meter_watts");
  g_test_message ("%s", dyno_value_get_source (value));
  g_assert_cmpint (dyno_value_get_quality (value), ==, DYNO_QUALITY_UNSUPPORTED);
  g_assert_cmpint (dyno_value_get_quality (dyno_result_get_value (result, "power_avg_watts")), ==,
                   DYNO_QUALITY_UNSUPPORTED);
}

/* As for the sensors of the machine, energy is that of a steady state. */
static void
test_unsteady (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_log (fixture, 0.05, 0, "Z");
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoResult) result = NULL;
  g_autoptr (DynoImportFile) file = dyno_import_file_open (path, NULL, NULL, NULL, &error);
  g_autoptr (DynoPowerLog) log =
      dyno_dialect_find (dyno_import_file_get_head (file))->read_power (file, &error);
  g_auto (DynoPowerReceipt) receipt = { 0 };
  DynoInvocation *invocation;

  g_assert_no_error (error);
  add_run (fixture, TRUE, FALSE);
  result = load_result (fixture);
  for (guint i = 0; i < 2; i++)
    {
      invocation = dyno_result_get_invocations (result)->pdata[i];
      g_ptr_array_add (invocation->values,
                       dyno_value_new ("latency_p50_ms", 500, "ms", DYNO_QUALITY_UNSTEADY, "clock"));
    }
  dyno_power_meter_add_to_result (result, log, "meter.csv", &receipt);
  g_assert_cmpuint (receipt.n_added, ==, 1);
  g_assert_cmpint (dyno_value_get_quality (dyno_result_get_value (result, "power_meter_watts")), ==,
                   DYNO_QUALITY_UNSUPPORTED);
}

static void
test_without_clock (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_log (fixture, 0.05, 0, "Z");
  g_autoptr (GError) error = NULL;

  add_run (fixture, FALSE, FALSE);
  g_assert_null (import (fixture, path, NULL, NULL, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "cannot be aligned"));
}

static void
test_no_run (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_log (fixture, 0.05, 0, "Z");
  g_autoptr (GError) error = NULL;

  g_assert_null (import (fixture, path, NULL, NULL, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "none was measured here"));
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *text;
    const char *reason;
  } cases[] = {
    { "time,watts\n0.5,1\n1.0,2\n", "Line 2: “0.5” is not a date and time" },
    { "time,watts\n1.3.2026 12:00,1\n", "Line 2: “1.3.2026 12:00” is not a date and time" },
    { "time,watts\n2026-03-01T12:00:00Z,1\n2026-03-01T11:00:00Z,1\n", "Line 3: Its time is before" },
    { "time,watts\n2026-03-01T12:00:00Z,lots\n", "Line 2: “lots” is not a power reading" },
    { "time,watts\n2026-03-01T12:00:00Z,NaN\n", "Line 2: “NaN” is not a power reading" },
    { "time,watts\n2026-03-01T12:00:00Z,1\n", "two readings" },
    { "1772366400,70250\n1772366401,71250\n", "Line 1: The columns have no names, and “70250” is no power" },
    { "time,0,1\n1772366400,60000,20\n", "Line 2: “60000” is no power of a GPU in W" },
    { "time,power,active power\n2026-03-01T12:00:00Z,1,2\n", "are both power" },
  };
  g_autofree char *path = g_build_filename (fixture->folder, "meter.csv", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (path, cases[i].text, -1, NULL));
      g_assert_null (import (fixture, path, NULL, NULL, &error));
      suite_assert_error (error, DYNO_ERROR_INVALID_DATA, cases[i].reason);
    }
}

static void
add_tests (void)
{
  static const SuiteFixtureTest (Fixture) tests[] = {
    { "/import/power-meter/aligned", test_aligned },
    { "/import/power-meter/unnamed", test_unnamed },
    { "/import/power-meter/original", test_original },
    { "/import/power-meter/content-later", test_content_later },
    { "/import/power-meter/beside-sensor", test_beside_sensor },
    { "/import/power-meter/another-log", test_another_log },
    { "/import/power-meter/rotated", test_rotated },
    { "/import/power-meter/useless-log", test_useless_log },
    { "/import/power-meter/useless-alone", test_useless_alone },
    { "/import/power-meter/named-elsewhere", test_named_elsewhere },
    { "/import/power-meter/guess-later", test_guess_later },
    { "/import/power-meter/twice", test_twice },
    { "/import/power-meter/zone", test_zone },
    { "/import/power-meter/too-seldom", test_too_seldom },
    { "/import/power-meter/unsteady", test_unsteady },
    { "/import/power-meter/without-clock", test_without_clock },
    { "/import/power-meter/no-run", test_no_run },
    { "/import/power-meter/refused", test_refused },
  };

  g_test_add ("/import/power-meter/gpus", Fixture, "discrete-gpu", set_up, test_gpus, tear_down);
  g_test_add ("/import/power-meter/gpus-beside", Fixture, "cpu", set_up, test_gpus, tear_down);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].run, tear_down);
}

SUITE_ADD (add_tests)
