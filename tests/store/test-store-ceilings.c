/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "dyno-ceiling.h"
#include "store-fixture.h"
#include "suite.h"

#define MACHINE       "{\"cpu\":{\"name\":\"One\"},\"state\":{\"load_1m\":0.1}}"
#define MACHINE_LATER "{\"state\":{\"load_1m\":3.5},\"cpu\":{\"name\":\"One\"}}"
#define OTHER_MACHINE "{\"cpu\":{\"name\":\"Other\"}}"

static DynoCeiling *
make_ceiling (const char *id, guint threads, double value, gint64 measured_at)
{
  return g_object_new (DYNO_TYPE_CEILING, "id", id, "threads", threads, "value", value, "best", 2 * value,
                       "unit", "FLOP/s", "method", "A loop.", "measured-at", measured_at, NULL);
}

static void
save (DynoStore *store, const char *machine, DynoCeiling *ceiling)
{
  g_autoptr (GPtrArray) ceilings = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (ceilings, ceiling);
  dyno_store_save_ceilings (store, machine, ceilings, &error);
  g_assert_no_error (error);
}

static GPtrArray *
load (DynoStore *store, const char *machine)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *ceilings = dyno_store_load_ceilings (store, machine, &error);

  g_assert_no_error (error);
  return ceilings;
}

static void
test_none (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) ceilings = load (fixture->store, MACHINE);

  g_assert_cmpuint (ceilings->len, ==, 0);
}

/* The best of each counts, whatever the machine was busy with, in the order of the first measurements. */
static void
test_best (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) ceilings = NULL;

  save (fixture->store, MACHINE, make_ceiling ("fp32-avx2", 1, 1e9, 1000));
  save (fixture->store, MACHINE, make_ceiling ("fp32-avx2", 2, 2e9, 1001));
  save (fixture->store, MACHINE, make_ceiling ("fp64-avx2", 1, 3e9, 1002));
  save (fixture->store, MACHINE, make_ceiling ("fp32-avx2", 1, 4e9, 2000));
  save (fixture->store, MACHINE, make_ceiling ("fp64-avx2", 1, 2.9e9, 2001));
  store_fixture_reopen (fixture);
  ceilings = load (fixture->store, MACHINE_LATER);
  g_assert_cmpuint (ceilings->len, ==, 3);
  g_assert_cmpfloat (dyno_ceiling_get_value (ceilings->pdata[0]), ==, 4e9);
  g_assert_cmpfloat (dyno_ceiling_get_best (ceilings->pdata[0]), ==, 8e9);
  g_assert_cmpfloat (dyno_ceiling_get_value (ceilings->pdata[1]), ==, 2e9);
  g_assert_cmpfloat (dyno_ceiling_get_value (ceilings->pdata[2]), ==, 3e9);
  store_fixture_assert_int (fixture->path, "SELECT count (*) FROM ceilings", 5);
}

static DynoCeiling *
make_memory (DynoCeilingKind kind, const char *id, double value, gboolean constrained, gint64 measured_at)
{
  return g_object_new (DYNO_TYPE_CEILING, "kind", kind, "id", id, "value", value, "unit",
                       kind == DYNO_CEILING_LATENCY ? "ns" : "B/s", "constrained", constrained, "measured-at",
                       measured_at, NULL);
}

/* The best latency is the lowest, and an array that was too small for main memory shows a cache. */
static void
test_best_memory (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) ceilings = NULL;

  save (fixture->store, MACHINE, make_memory (DYNO_CEILING_LATENCY, "l1-latency", 2, FALSE, 1000));
  save (fixture->store, MACHINE, make_memory (DYNO_CEILING_LATENCY, "l1-latency", 1, FALSE, 1001));
  save (fixture->store, MACHINE, make_memory (DYNO_CEILING_LATENCY, "l1-latency", 3, FALSE, 1002));
  save (fixture->store, MACHINE, make_memory (DYNO_CEILING_BANDWIDTH, "dram-read", 9e9, TRUE, 1003));
  save (fixture->store, MACHINE, make_memory (DYNO_CEILING_BANDWIDTH, "dram-read", 5e9, FALSE, 1004));
  ceilings = load (fixture->store, MACHINE);
  g_assert_cmpuint (ceilings->len, ==, 2);
  g_assert_cmpfloat (dyno_ceiling_get_value (ceilings->pdata[0]), ==, 1);
  g_assert_cmpfloat (dyno_ceiling_get_value (ceilings->pdata[1]), ==, 5e9);
}

static void
replace (DynoStore *store, const char *machine, DynoCeiling *ceiling)
{
  g_autoptr (GPtrArray) ceilings = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (ceilings, ceiling);
  dyno_store_replace_ceilings (store, machine, ceilings, &error);
  g_assert_no_error (error);
}

/* Forgetting makes room for worse ones, and forgets all ceilings of the same threads, but no others. */
static void
test_replace (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) ceilings = NULL;

  save (fixture->store, MACHINE, make_ceiling ("fp32-avx2", 1, 9e9, 1000));
  save (fixture->store, MACHINE, make_ceiling ("fp64-avx2", 1, 8e9, 1001));
  save (fixture->store, MACHINE, make_ceiling ("fp32-avx2", 12, 7e9, 1002));
  save (fixture->store, OTHER_MACHINE, make_ceiling ("fp32-avx2", 1, 6e9, 1003));
  replace (fixture->store, MACHINE, make_ceiling ("fp32-avx2", 1, 2e9, 2000));
  ceilings = load (fixture->store, MACHINE);
  g_assert_cmpuint (ceilings->len, ==, 2);
  g_assert_cmpfloat (dyno_ceiling_get_value (ceilings->pdata[0]), ==, 7e9);
  g_assert_cmpfloat (dyno_ceiling_get_value (ceilings->pdata[1]), ==, 2e9);
  store_fixture_assert_int (fixture->path, "SELECT count (*) FROM ceilings", 3);
}

#define GOVERNED(name) "{\"cpu\":{\"name\":\"One\"},\"state\":{\"governor\":\"" name "\"}}"

/* Clocks depend on the governor; without one, as in a virtual machine or from an older Dyno, a ceiling counts for all.
 */
static void
test_governor (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) fast = NULL;
  g_autoptr (GPtrArray) slow = NULL;
  g_autoptr (GPtrArray) unknown = NULL;

  save (fixture->store, GOVERNED ("performance"), make_ceiling ("fp32-avx2", 1, 9e9, 1000));
  save (fixture->store, GOVERNED ("powersave"), make_ceiling ("fp32-avx2", 1, 4e9, 1001));
  save (fixture->store, MACHINE, make_ceiling ("fp32-avx2", 1, 1e9, 1002));
  fast = load (fixture->store, GOVERNED ("performance"));
  slow = load (fixture->store, GOVERNED ("powersave"));
  unknown = load (fixture->store, MACHINE);
  g_assert_cmpfloat (dyno_ceiling_get_value (fast->pdata[0]), ==, 9e9);
  g_assert_cmpfloat (dyno_ceiling_get_value (slow->pdata[0]), ==, 4e9);
  g_assert_cmpfloat (dyno_ceiling_get_value (unknown->pdata[0]), ==, 9e9);
}

/* What was measured after the end of all calendars could not be saved in a document. */
static void
test_impossible (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) ceilings = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) kept = NULL;
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (ceilings, make_ceiling ("fp32-avx2", 1, 1e9, G_MAXINT64));
  g_assert_false (dyno_store_save_ceilings (fixture->store, MACHINE, ceilings, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
  kept = load (fixture->store, MACHINE);
  g_assert_cmpuint (kept->len, ==, 0);
}

static void
test_other_machine (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) ceilings = NULL;

  save (fixture->store, MACHINE, make_ceiling ("fp32-avx2", 1, 1e9, 1000));
  ceilings = load (fixture->store, OTHER_MACHINE);
  g_assert_cmpuint (ceilings->len, ==, 0);
}

/* A store with ceilings passes the integrity check. */
static void
test_sound (StoreFixture *fixture, gconstpointer data)
{
  save (fixture->store, MACHINE, make_ceiling ("fp32-avx2", 1, 1e9, 1000));
  store_fixture_assert_int (fixture->path,
                            "SELECT count (*) FROM pragma_quick_check WHERE quick_check = 'ok'", 1);
}

static void
test_strange (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) ceilings = NULL;
  g_autoptr (GError) error = NULL;

  save (fixture->store, MACHINE, make_ceiling ("fp32-avx2", 1, 1e9, 1000));
  store_fixture_run_sql (fixture->path, "UPDATE ceilings SET method = '{\"id\":3}'");
  ceilings = dyno_store_load_ceilings (fixture->store, MACHINE, &error);
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
  g_assert_null (ceilings);
}

#define WHOLE_MACHINE                                                                                        \
  "{\"cpu\":{\"name\":\"One\"},\"kernel\":{\"release\":\"6.1\"},\"memory\":{\"swap_bytes\":1},\"backends\":" \
  "[]}"

/* The machine record of a run contains more than the ceilings depend on. */
static void
test_of_run (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_autoptr (GPtrArray) ceilings = NULL;

  save (fixture->store, MACHINE, make_ceiling ("fp32-avx2", 1, 1e9, 1000));
  g_object_set (run, "machine", WHOLE_MACHINE, NULL);
  ceilings = dyno_result_sink_load_ceilings (DYNO_RESULT_SINK (fixture->store), run);
  g_assert_nonnull (ceilings);
  g_assert_cmpuint (ceilings->len, ==, 1);
}

/* Placements and devices have ceilings of their own. */
static void
test_apart (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) ceilings = NULL;

  save (fixture->store, MACHINE, make_ceiling ("fp32-avx2", 2, 1e9, 1000));
  save (fixture->store, MACHINE,
        g_object_new (DYNO_TYPE_CEILING, "id", "fp32-avx2", "threads", 2, "value", 2e9, "unit", "FLOP/s",
                      "pinning", "compact", "measured-at", (gint64)1001, NULL));
  save (fixture->store, MACHINE,
        g_object_new (DYNO_TYPE_CEILING, "id", "fp32-gemm", "device", "webgpu:0", "value", 3e9, "unit",
                      "FLOP/s", "measured-at", (gint64)1002, NULL));
  ceilings = load (fixture->store, MACHINE);
  g_assert_cmpuint (ceilings->len, ==, 3);
  g_assert_cmpstr (dyno_ceiling_get_pinning (ceilings->pdata[1]), ==, "compact");
  g_assert_cmpstr (dyno_ceiling_get_device (ceilings->pdata[2]), ==, "webgpu:0");
  store_fixture_assert_int (fixture->path,
                            "SELECT count (*) FROM ceilings WHERE kind = "
                            "'fp32-avx2/2/compact' AND device = 'cpu'",
                            1);
}

static void
loaded_cb (GObject *store, GAsyncResult *result, gpointer ceilings)
{
  g_autoptr (GError) error = NULL;

  *(GPtrArray **)ceilings = dyno_store_load_ceilings_finish (DYNO_STORE (store), result, &error);
  g_assert_no_error (error);
}

static void
test_async (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) ceilings = NULL;

  save (fixture->store, MACHINE, make_ceiling ("fp32-avx2", 1, 1e9, 1000));
  dyno_store_load_ceilings_async (fixture->store, MACHINE, NULL, loaded_cb, &ceilings);
  while (ceilings == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (ceilings->len, ==, 1);
}

static void
keep_run (DynoStore *store, const char *id)
{
  g_autoptr (DynoRun) run = store_fixture_make_run (id, 1000, "A run");

  g_object_set (run, "machine", WHOLE_MACHINE, NULL);
  store_fixture_keep (store, run);
}

/* Ceilings are exported and imported with a run, but never replace existing ones. */
static void
test_document (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *path = store_fixture_build_path (fixture, "run.dyno");
  g_autofree char *other_path = store_fixture_build_path (fixture, "other.db");
  g_autoptr (DynoStore) document = NULL;
  g_autoptr (DynoStore) other = NULL;
  g_autoptr (GPtrArray) in_document = NULL;
  g_autoptr (GPtrArray) in_other = NULL;
  g_autoptr (GPtrArray) still_there = NULL;
  g_auto (GStrv) imported = NULL;
  g_autoptr (GError) error = NULL;

  keep_run (fixture->store, "one");
  save (fixture->store, MACHINE, make_ceiling ("fp32-avx2", 1, 1e9, 1000));
  save (fixture->store, OTHER_MACHINE, make_ceiling ("fp64-avx2", 1, 7e9, 1000));
  g_assert_true (
      dyno_store_save_document (fixture->store, (const char *const[]){ "one", NULL }, path, &error));
  g_assert_no_error (error);
  document = store_fixture_open_document (path);
  in_document = load (document, WHOLE_MACHINE);
  g_assert_cmpuint (in_document->len, ==, 1);
  store_fixture_assert_int (path, "SELECT count (*) FROM ceilings", 1);

  other = store_fixture_open (other_path);
  imported = store_fixture_import (other, path);
  in_other = load (other, MACHINE);
  g_assert_cmpuint (in_other->len, ==, 1);
  g_assert_cmpfloat (dyno_ceiling_get_value (in_other->pdata[0]), ==, 1e9);

  save (fixture->store, MACHINE, make_ceiling ("fp32-avx2", 1, 5e9, 500));
  store_fixture_run_sql (fixture->path, "DELETE FROM ceilings WHERE measured_at = 1000; DELETE FROM runs");
  g_strfreev (g_steal_pointer (&imported));
  imported = store_fixture_import (fixture->store, path);
  g_assert_cmpstr (imported[0], ==, "one");
  still_there = load (fixture->store, MACHINE);
  g_assert_cmpuint (still_there->len, ==, 1);
  g_assert_cmpfloat (dyno_ceiling_get_value (still_there->pdata[0]), ==, 5e9);
}

static void
save_roof (StoreFixture *fixture, const char *machine, DynoCeilingKind kind, const char *id, double value)
{
  gboolean computes = kind == DYNO_CEILING_COMPUTE;

  save (fixture->store, machine,
        g_object_new (DYNO_TYPE_CEILING, "id", id, "device", "cpu", "threads", 2u, "kind", kind,
                      computes ? "precision" : "level", computes ? "fp32" : "dram",
                      computes ? "instruction-set" : "mix", computes ? "avx2" : "read", "value", value,
                      "best", value, "unit", computes ? "FLOP/s" : "B/s", "method", "A loop.", "measured-at",
                      (gint64)1, NULL));
}

static double
load_ridge (StoreFixture *fixture)
{
  g_autoptr (DynoRun) run = store_fixture_load (fixture->store, "before");
  g_autoptr (DynoResult) result = NULL;

  result = g_list_model_get_item (dyno_run_get_results (run), 0);
  return dyno_result_get_number (result, "ridge_point_flops_per_byte");
}

/* Roofs also judge earlier cases, and nothing of that is stored. */
static void
test_earlier_run (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) run = store_fixture_make_run ("before", 5, "Before the ceilings");
  g_autoptr (DynoResult) result = store_fixture_make_result ("gpt2", "cpu", 0);
  const char *machine = dyno_run_get_machine (run);

  dyno_result_add_measured (result, "flops_per_sec", 1e9, "FLOP/s", "test");
  dyno_result_add_measured (result, "bytes_per_step", 1e9, "B", "test");
  dyno_result_add_measured (result, "ridge_point_flops_per_byte", 77, "FLOP/B", "frozen by an older version");
  dyno_run_add_result (run, result);
  store_fixture_keep (fixture->store, run);
  g_assert_true (isnan (load_ridge (fixture)));
  save_roof (fixture, machine, DYNO_CEILING_COMPUTE, "fp32-avx2", 100e9);
  save_roof (fixture, machine, DYNO_CEILING_BANDWIDTH, "dram-read", 10e9);
  g_assert_cmpfloat (load_ridge (fixture), ==, 10);
  store_fixture_assert_int (fixture->path, "SELECT count (*) FROM metric_values WHERE name LIKE 'ridge%'", 0);
}

static const SuiteFixtureTest (StoreFixture) tests[] = {
  { "/store-ceilings/none", test_none },
  { "/store-ceilings/best", test_best },
  { "/store-ceilings/best-memory", test_best_memory },
  { "/store-ceilings/replace", test_replace },
  { "/store-ceilings/governor", test_governor },
  { "/store-ceilings/impossible", test_impossible },
  { "/store-ceilings/other-machine", test_other_machine },
  { "/store-ceilings/sound", test_sound },
  { "/store-ceilings/strange", test_strange },
  { "/store-ceilings/of-run", test_of_run },
  { "/store-ceilings/apart", test_apart },
  { "/store-ceilings/async", test_async },
  { "/store-ceilings/earlier-run", test_earlier_run },
  { "/store-ceilings/document", test_document },
};

SUITE_FIXTURE_TESTS (tests, StoreFixture, store_fixture_set_up, store_fixture_tear_down)
