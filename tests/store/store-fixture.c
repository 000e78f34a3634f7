/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>

#include "dyno-json.h"
#include "dyno-latency-interval.h"
#include "dyno-result-samples.h"
#include "dyno-roofline.h"
#include "store-fixture.h"

void
store_fixture_set_up (StoreFixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  self->folder = g_dir_make_tmp ("dyno-store-XXXXXX", &error);
  g_assert_no_error (error);
  self->path = g_build_filename (self->folder, "store.sqlite", NULL);
  self->store = store_fixture_open (self->path);
}

void
store_fixture_tear_down (StoreFixture *self, gconstpointer data)
{
  g_autoptr (GDir) folder = g_dir_open (self->folder, 0, NULL);
  const char *name;

  g_clear_object (&self->store);
  while ((name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *path = g_build_filename (self->folder, name, NULL);
      g_remove (path);
    }
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->path);
}

void
store_fixture_reopen (StoreFixture *self)
{

  g_clear_object (&self->store);
  self->store = store_fixture_open (self->path);
}

DynoStore *
store_fixture_open (const char *path)
{
  g_autoptr (GError) error = NULL;
  DynoStore *store = dyno_store_open (path, &error);

  g_assert_no_error (error);
  return store;
}

DynoStore *
store_fixture_open_document (const char *path)
{
  g_autoptr (GError) error = NULL;
  DynoStore *document = dyno_store_open_document (path, &error);

  g_assert_no_error (error);
  return document;
}

GStrv
store_fixture_import (DynoStore *store, const char *path)
{
  g_autoptr (GError) error = NULL;
  GStrv ids = dyno_store_import_document (store, path, &error);

  g_assert_no_error (error);
  return ids;
}

GPtrArray *
store_fixture_list (DynoStore *store, const char *search, guint offset, guint limit)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *runs = dyno_store_list_runs (store, search, offset, limit, &error);

  g_assert_no_error (error);
  return runs;
}

void
store_fixture_begin (DynoStore *store, DynoRun *run)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (dyno_result_sink_begin_run (DYNO_RESULT_SINK (store), run, &error));
  g_assert_no_error (error);
}

void
store_fixture_add (DynoStore *store, DynoRun *run, DynoResult *result)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (dyno_result_sink_add_result (DYNO_RESULT_SINK (store), run, result, &error));
  g_assert_no_error (error);
}

void
store_fixture_delete (DynoStore *store, const char *id)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (dyno_store_delete_run (store, id, &error));
  g_assert_no_error (error);
}

DynoRun *
store_fixture_load (DynoStore *store, const char *id)
{
  g_autoptr (GError) error = NULL;
  DynoRun *run = dyno_store_load_run (store, id, &error);

  g_assert_no_error (error);
  return run;
}

char *
store_fixture_build_path (StoreFixture *self, const char *name)
{
  return g_build_filename (self->folder, name, NULL);
}

DynoRun *
store_fixture_make_run (const char *id, gint64 started_at, const char *title)
{
  DynoRun *run = dyno_run_new (id);

  g_object_set (run, "started-at", started_at, "title", title, "plan", "{\"models\":[\"gpt2\"]}", "machine",
                "{\"cpu\":{\"name\":\"A CPU\",\"cores\":2},\"state\":{\"load_1m\":0.25}}", "source", "dyno",
                "app-version", "0.1.0", NULL);
  return run;
}

static DynoTrace *
make_trace (void)
{
  DynoTrace *trace = dyno_trace_new ("latency", "ms", 123456789);

  dyno_trace_add (trace, 0, 1.5);
  dyno_trace_add (trace, 1500000, 1.25);
  return trace;
}

static DynoOperator *
make_operator (void)
{
  DynoOperator *op = dyno_operator_new ("/encoder/matmul", "MatMul", "CPUExecutionProvider");

  dyno_operator_set_calls (op, 12);
  dyno_operator_set_time_ns (op, 34567);
  dyno_operator_set_flops (op, G_GINT64_CONSTANT (5000000000));
  dyno_operator_set_kernel (op, "brgemm_avx2_f32");
  return op;
}

/* One that was made part of another, so that its own time is not known. */
static DynoOperator *
make_inner_operator (void)
{
  DynoOperator *op = dyno_operator_new ("/encoder/add", "Add", "WebNNExecutionProvider");

  dyno_operator_set_calls (op, 12);
  dyno_operator_set_time_ns (op, -1);
  return op;
}

static void
add_invocation (DynoResult *result, guint number, double median)
{
  DynoInvocation *invocation = dyno_invocation_new (number, NULL);

  g_ptr_array_add (invocation->values,
                   dyno_value_new ("latency_p50_ms", median, "ms", DYNO_QUALITY_MEASURED, "steady state"));
  g_ptr_array_add (invocation->values,
                   dyno_value_new_unsupported ("latency_p99_ms", "ms", "Too few samples."));
  dyno_result_take_invocation (result, invocation);
}

/* Two processes that measured, and one that failed. */
static void
add_invocations (DynoResult *result)
{
  DynoTrace *trace = make_trace ();

  dyno_trace_set_invocation (trace, 1);
  dyno_result_take_trace (result, trace);
  add_invocation (result, 0, 1.25);
  add_invocation (result, 1, 1.5);
  dyno_result_take_invocation (result, dyno_invocation_new (2, "It crashed."));
  dyno_latency_interval_complete (result);
  dyno_result_judge_invocations (result, TRUE);
}

DynoResult *
store_fixture_make_result (const char *model, const char *backend, guint ordinal)
{
  g_autoptr (DynoCase) kase = dyno_case_new (model, backend);
  g_autoptr (DynoMethod) method = dyno_method_new ();
  DynoResult *result;

  g_object_set (method, "invocations", 3, NULL);
  g_object_set (kase, "method", method, "batch-size", 4, "sequence-length", 128, "threads", 2, "dimensions",
                "height=320", "seed", (guint64)77, NULL);
  result = dyno_result_new (kase, ordinal);
  g_object_set (result, "model-name", model, "architecture", "decoder", "device", "A CPU", "device-kind",
                "cpu", "weights", "random", "parameter-count", (gint64)124439808, NULL);
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_result_add_measured (result, "latency_p50_ms", 1.375, "ms", "steady state");
  dyno_result_take_value (result, dyno_value_new ("flops", 2.5e9, "FLOP", DYNO_QUALITY_ESTIMATED, "shapes"));
  dyno_result_take_value (
      result, dyno_value_new_unsupported ("power_avg_watts", "W", "This machine has no power meter."));
  dyno_result_take_trace (result, make_trace ());
  dyno_result_take_operator (result, make_operator ());
  dyno_result_take_operator (result, make_inner_operator ());
  dyno_result_take_diagnostic (
      result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "thermal-throttling", "It was hot."));
  add_invocations (result);
  return result;
}

/* As if it had been imported from a file that holds “original”. */
void
store_fixture_set_origin (DynoRun *run)
{
  static const guint8 packed[] = { 0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xff,
                                   0xcb, 0x2f, 0xca, 0x4c, 0xcf, 0xcc, 0x4b, 0xcc, 0x01, 0x00,
                                   0x85, 0x70, 0x72, 0x2f, 0x08, 0x00, 0x00, 0x00 };
  g_autoptr (DynoOrigin) origin = dyno_origin_new ();

  origin->dialect = g_strdup ("llama-bench");
  origin->tool = g_strdup ("llama-bench");
  origin->version = g_strdup ("6135 (c1a2b3d4)");
  origin->file_name = g_strdup ("results.json");
  origin->imported_at = G_GINT64_CONSTANT (1750000000000000);
  origin->hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, "original", -1);
  origin->size = 8;
  origin->extra = g_strdup ("{\"run\":{\"note\":\"kept\"},\"cases\":{}}");
  origin->content = g_bytes_new_static (packed, sizeof packed);
  dyno_run_set_origin (run, origin);
}

/* The file is the same as that of the origin. */
void
store_fixture_add_meter (DynoRun *run)
{
  DynoOrigin *meter = dyno_origin_new ();
  DynoOrigin *origin = dyno_run_get_origin (run);

  meter->file_name = g_strdup ("meter.csv");
  meter->imported_at = G_GINT64_CONSTANT (1750000000000001);
  meter->hash = g_strdup (origin->hash);
  meter->size = origin->size;
  meter->content = g_bytes_ref (origin->content);
  g_ptr_array_add (dyno_run_get_meters (run), meter);
}

/* Like a runner: begin, each result, end. */
void
store_fixture_keep (DynoStore *store, DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);
  g_autoptr (GError) error = NULL;

  store_fixture_begin (store, run);
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      store_fixture_add (store, run, result);
    }
  g_object_set (run, "finished-at", dyno_run_get_started_at (run) + 5000000, NULL);
  dyno_result_sink_end_run (DYNO_RESULT_SINK (store), run, &error);
  g_assert_no_error (error);
}

static char *
dup_json (DynoRun *run, guint index)
{
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), index);
  g_autoptr (JsonNode) node = dyno_result_to_json (result, TRUE);

  return dyno_json_text_write (node, TRUE);
}

static void
assert_same_json (const char *one, const char *other)
{
  g_autoptr (JsonNode) a = json_from_string (one, NULL);
  g_autoptr (JsonNode) b = json_from_string (other, NULL);

  g_assert_true (json_node_equal (a, b));
}

void
store_fixture_assert_same_run (DynoRun *one, DynoRun *other)
{
  guint n_results = g_list_model_get_n_items (dyno_run_get_results (one));

  /* Values derived from roofs are not stored, but computed when a run is loaded. */
  dyno_roofline_complete_run (one, NULL);
  dyno_roofline_complete_run (other, NULL);
  g_assert_cmpstr (dyno_run_get_id (one), ==, dyno_run_get_id (other));
  g_assert_cmpstr (dyno_run_get_title (one), ==, dyno_run_get_title (other));
  g_assert_cmpstr (dyno_run_get_notes (one), ==, dyno_run_get_notes (other));
  g_assert_cmpint (dyno_run_get_started_at (one), ==, dyno_run_get_started_at (other));
  g_assert_cmpint (dyno_run_get_finished_at (one), ==, dyno_run_get_finished_at (other));
  g_assert_cmpstr (dyno_run_get_plan (one), ==, dyno_run_get_plan (other));
  g_assert_cmpstr (dyno_run_get_app_version (one), ==, dyno_run_get_app_version (other));
  assert_same_json (dyno_run_get_machine (one), dyno_run_get_machine (other));

  g_assert_cmpuint (n_results, ==, g_list_model_get_n_items (dyno_run_get_results (other)));
  for (guint i = 0; i < n_results; i++)
    {
      g_autofree char *a = dup_json (one, i);
      g_autofree char *b = dup_json (other, i);
      g_assert_cmpstr (a, ==, b);
    }
}

void
store_fixture_run_sql (const char *path, const char *sql)
{
  g_autoptr (sqlite3) db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  if (sqlite3_exec (db, sql, NULL, NULL, NULL) != SQLITE_OK)
    g_error ("%s: %s", sql, sqlite3_errmsg (db));
}

gint64
store_fixture_read_int (const char *path, const char *sql)
{
  g_autoptr (sqlite3) db = NULL;
  g_autoptr (GError) error = NULL;
  gint64 number = -1;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  dyno_store_statement_read_int (db, sql, &number, &error);
  g_assert_no_error (error);
  return number;
}

void
store_fixture_assert_int (const char *path, const char *sql, gint64 expected)
{
  g_test_message ("%s", sql);
  g_assert_cmpint (store_fixture_read_int (path, sql), ==, expected);
}

void
store_fixture_on_ready (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **)user_data = g_object_ref (result);
}

GAsyncResult *
store_fixture_wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *result;
}
