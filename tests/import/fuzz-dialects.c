/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-importer.h"
#include "fuzz-corpus.h"

/* Whatever is in a file, reading it ends with a run or with a reason. The corpus are the fixtures of all dialects. */

/* What a run must be that goes to the store. */
static void
check (DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);

  g_assert_cmpuint (g_list_model_get_n_items (results), >, 0);
  g_assert_cmpuint (strlen (dyno_run_get_id (run)), ==, 36);
  g_assert_true (g_uuid_string_is_valid (dyno_run_get_id (run)));
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      GPtrArray *values = dyno_result_get_values (result);

      for (guint k = 0; k < values->len; k++)
        g_assert_cmpint (dyno_value_get_quality (values->pdata[k]), ==, DYNO_QUALITY_IMPORTED);
    }
}

/* Each dialect must bear every file, whatever it is recognised as. */
int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);

  for (const DynoDialect *const *dialect = dyno_dialect_list (); *dialect != NULL; dialect++)
    {
      g_autoptr (DynoImportFile) file = dyno_import_file_new_for_bytes ("file", bytes);
      g_autoptr (GError) error = NULL;
      g_autoptr (DynoRun) run = NULL;

      (*dialect)->recognise (dyno_import_file_get_head (file));
      run = dyno_importer_read (file, *dialect, &error);
      g_assert_true ((run != NULL) == (error == NULL));
      if (run != NULL)
        check (run);
    }
  return 0;
}
