/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-importer.h"
#include "fuzz-corpus.h"

/* Whatever is in a file, reading it ends with a run or with a reason. The corpus are the fixtures of all dialects. */

/* What a run must be that goes to the store. */
static void
check (const DynoDialect *dialect, DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);

  g_assert_true (dialect->read_runs != NULL || g_list_model_get_n_items (results) > 0);
  g_assert_cmpuint (strlen (dyno_run_get_id (run)), ==, 36);
  g_assert_true (g_uuid_string_is_valid (dyno_run_get_id (run)));
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      GPtrArray *values = dyno_result_get_values (result);

      for (guint k = 0; k < values->len && dialect->read_runs == NULL; k++)
        g_assert_cmpint (dyno_value_get_quality (values->pdata[k]), ==, DYNO_QUALITY_IMPORTED);
    }
}

static gboolean
read_as (const DynoDialect *dialect, DynoImportFile *file, GError **error)
{
  g_autoptr (DynoPowerLog) log = NULL;
  g_autoptr (GPtrArray) runs = NULL;

  if (dialect->read_power != NULL)
    {
      log = dialect->read_power (file, error);
      g_assert_true (log == NULL || dyno_trace_get_length (log->power) > 1);
      return log != NULL;
    }
  runs = dyno_importer_read (file, dialect, error);
  g_assert_true (runs == NULL || runs->len > 0);
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    check (dialect, runs->pdata[i]);
  return runs != NULL;
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

      (*dialect)->recognise (dyno_import_file_get_head (file));
      g_assert_true (read_as (*dialect, file, &error) == (error == NULL));
    }
  return 0;
}
