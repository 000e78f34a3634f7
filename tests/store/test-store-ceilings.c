/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "dyno-ceiling.h"
#include "store-fixture.h"

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

/* The last of each counts, whatever the machine was busy with, in the order in which they were measured. */
static void
test_latest (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) ceilings = NULL;

  save (fixture->store, MACHINE, make_ceiling ("fp32-avx2", 1, 1e9, 1000));
  save (fixture->store, MACHINE, make_ceiling ("fp32-avx2", 2, 2e9, 1001));
  save (fixture->store, MACHINE, make_ceiling ("fp64-avx2", 1, 3e9, 1002));
  save (fixture->store, MACHINE, make_ceiling ("fp32-avx2", 1, 4e9, 2000));
  store_fixture_reopen (fixture);
  ceilings = load (fixture->store, MACHINE_LATER);
  g_assert_cmpuint (ceilings->len, ==, 3);
  g_assert_cmpfloat (dyno_ceiling_get_value (ceilings->pdata[0]), ==, 2e9);
  g_assert_cmpfloat (dyno_ceiling_get_value (ceilings->pdata[1]), ==, 3e9);
  g_assert_cmpfloat (dyno_ceiling_get_value (ceilings->pdata[2]), ==, 4e9);
  g_assert_cmpfloat (dyno_ceiling_get_best (ceilings->pdata[2]), ==, 8e9);
  g_assert_cmpint (store_fixture_read_int (fixture->path, "SELECT count (*) FROM ceilings"), ==, 4);
}

static void
test_other_machine (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) ceilings = NULL;

  save (fixture->store, MACHINE, make_ceiling ("fp32-avx2", 1, 1e9, 1000));
  ceilings = load (fixture->store, OTHER_MACHINE);
  g_assert_cmpuint (ceilings->len, ==, 0);
}

/* A store with ceilings in it is a sound one. */
static void
test_sound (StoreFixture *fixture, gconstpointer data)
{
  save (fixture->store, MACHINE, make_ceiling ("fp32-avx2", 1, 1e9, 1000));
  g_assert_cmpint (store_fixture_read_int (
                       fixture->path, "SELECT count (*) FROM pragma_quick_check WHERE quick_check = 'ok'"),
                   ==, 1);
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

static void
add_test (const char *path, void (*test) (StoreFixture *fixture, gconstpointer data))
{
  g_test_add (path, StoreFixture, NULL, store_fixture_set_up, test, store_fixture_tear_down);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add_test ("/store-ceilings/none", test_none);
  add_test ("/store-ceilings/latest", test_latest);
  add_test ("/store-ceilings/other-machine", test_other_machine);
  add_test ("/store-ceilings/sound", test_sound);
  add_test ("/store-ceilings/strange", test_strange);
  return g_test_run ();
}
