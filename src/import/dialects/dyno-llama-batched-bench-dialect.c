/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-dialect.h"
#include "dyno-import-dialects-private.h"

/* llama-batched-bench of llama.cpp, as its table or as JSON Lines: prompts of @pp tokens for @pl sequences
 * at once, then @tg tokens of each. They are between other lines of the program's log, without the model
 * and the version. Documents that also have tables of llama-bench are read by its dialect. */

typedef struct
{
  DynoImportBuilder *builder;
  DynoBatchedTable table;
} Log;

/* Reads the table, and JSON Lines in a log. */
static gboolean
read_line (const char *text, guint line, gpointer data, GError **error)
{
  Log *log = data;
  g_autoptr (DynoRecord) record = NULL;

  if (*text == '{')
    record = dyno_json_reader_parse_line (text, line, error);
  else if (dyno_batched_table_take_line (&log->table, text, line, &record, error) && record == NULL)
    return TRUE;
  return record != NULL && dyno_batched_table_read_test (log->builder, record, error);
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  Log log = { .builder = builder };
  gboolean is_read = dyno_import_file_read_lines (file, read_line, &log, error);

  dyno_batched_table_clear (&log.table);
  return is_read;
}

static gboolean
recognise (const char *head)
{
  return (dyno_dialect_has_key (head, "n_kv_max") && dyno_dialect_has_key (head, "speed_pp") &&
          dyno_dialect_has_key (head, "speed_tg")) ||
         (dyno_dialect_has_line (head, dyno_batched_table_is_heading) &&
          !dyno_dialect_has_line (head, dyno_batched_table_is_of_llama_bench));
}

const DynoDialect dyno_llama_batched_bench_dialect = {
  .name = "llama-batched-bench",
  .title = "llama-batched-bench",
  .method = N_ ("It measures each test once, in one process, without tokenising and sampling."),
  .recognise = recognise,
  .read = read_file,
};
