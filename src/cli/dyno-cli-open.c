/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  gboolean import = FALSE;
  const GOptionEntry entries[] = {
    { "import", 'i', 0, G_OPTION_ARG_NONE, &import, "Import its runs and print their ids", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);

  if (rest == NULL || !dyno_cli_expect_arguments (rest, 1, 1, error))
    return DYNO_CLI_USAGE;
  if (!import)
    {
      g_autoptr (DynoStore) document = dyno_store_open_document (rest[0], error);
      g_autoptr (GPtrArray) runs = document != NULL ? dyno_cli_runs_load_all (document, error) : NULL;

      if (runs == NULL)
        return DYNO_CLI_FAILED;
      if (!dyno_cli_answer_is_text ())
        return dyno_cli_answer_print_runs (runs, error) ? DYNO_CLI_OK : DYNO_CLI_FAILED;
      dyno_cli_say (ngettext ("“%s” contains %u run.\n", "“%s” contains %u runs.\n", runs->len), rest[0],
                    runs->len);
      for (guint i = 0; i < runs->len; i++)
        {
          g_print ("\n");
          dyno_cli_cases_print (runs->pdata[i]);
        }
      return DYNO_CLI_OK;
    }

  g_autoptr (DynoStore) store = dyno_cli_runs_open_writable_store (error);
  g_auto (GStrv) ids = store != NULL ? dyno_store_import_document (store, rest[0], error) : NULL;
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GString) lines = g_string_new (NULL);

  if (ids == NULL)
    return DYNO_CLI_FAILED;
  json_builder_begin_array (builder);
  for (char **id = ids; *id != NULL; id++)
    {
      json_builder_add_string_value (builder, *id);
      g_string_append_printf (lines, "%s\n", *id);
    }
  json_builder_end_array (builder);
  return dyno_cli_answer_print_lines (lines->str, json_builder_get_root (builder), error);
}

const DynoCliCommand dyno_cli_open_command = {
  .name = "open",
  .parameters = "FILE.dyno",
  .summary = "Show the runs in a document, or import them",
  .description = "Examples:\n"
                 "  dyno-cli open results.dyno\n"
                 "  dyno-cli open results.dyno --import\n",
  .prints_answer = TRUE,
  .prints_notes = TRUE,
  .prints_tables = TRUE,
  .run = run,
};
