/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-store-writer.h"
#include "large-store.h"
#include "store-fixture.h"

#define N_VALUES 30

static DynoResult *
make_result (guint run, guint ordinal)
{
  static const char *const models[] = { "gpt2", "bert-base-uncased", "resnet50", "vit-base-patch16-224" };
  DynoResult *result = store_fixture_make_result (models[(run + ordinal) % G_N_ELEMENTS (models)],
                                                  ordinal % 2 == 0 ? "cpu" : "cuda", ordinal);

  for (guint i = 0; i < N_VALUES; i++)
    {
      g_autofree char *name = g_strdup_printf ("metric_%u", i);
      dyno_result_add_measured (result, name, run + i, "ms", "steady state");
    }
  return result;
}

static void
add_run (sqlite3 *db, guint number, GError **error)
{
  g_autofree char *title = g_strdup_printf ("Run %u of the benchmark", number);
  g_autoptr (DynoRun) run = store_fixture_make_run (NULL, number + 1, title);

  for (guint ordinal = 0; ordinal < LARGE_STORE_CASES; ordinal++)
    {
      g_autoptr (DynoResult) result = make_result (number, ordinal);
      dyno_run_add_result (run, result);
    }
  dyno_store_writer_copy_run (db, run, error);
}

/* Fills a store that exists as years of use would, in one transaction. */
void
large_store_fill (const char *path, guint n_runs)
{
  g_autoptr (sqlite3) db = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  dyno_store_statement_run (db, "BEGIN", &error);
  for (guint i = 0; i < n_runs && error == NULL; i++)
    add_run (db, i, &error);
  g_assert_no_error (error);
  dyno_store_statement_run (db, "COMMIT", &error);
  g_assert_no_error (error);
}
