/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>

#include "store-fixture.h"

/* Writes the document that stands for this version of the schema from its release on:
 * `make-fixture tests/store/fixtures/v11.dyno`. */
int
main (int argc, char *argv[])
{
  static const char *const ids[] = { "latest", NULL };
  StoreFixture fixture;
  g_autoptr (DynoRun) run =
      store_fixture_make_run ("5e2f8f0e-4f0c-4a63-9a57-0c1d5a6a7b13", 1700000000000000, "Version 11");
  g_autoptr (GError) error = NULL;

  g_return_val_if_fail (argc == 2, 2);
  store_fixture_set_up (&fixture, NULL);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (DynoResult) result = store_fixture_make_result ("gpt2", i == 0 ? "cpu" : "fake", i);
      dyno_run_add_result (run, result);
    }
  store_fixture_set_origin (run);
  store_fixture_add_meter (run);
  store_fixture_keep (fixture.store, run);
  dyno_store_save_document (fixture.store, ids, argv[1], &error);
  g_assert_no_error (error);
  store_fixture_tear_down (&fixture, NULL);
  return 0;
}
