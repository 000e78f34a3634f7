/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <stdio.h>

#include "dyno-cli-runs.h"
#include "dyno-cli.h"
#include "dyno-error.h"
#include "dyno-importer.h"

/* What became of the files. */
typedef struct
{
  DynoStore *store;
  JsonBuilder *json; /* nothing where people read */
  guint n_imported;
  guint n_failed;
  guint n_foreign;
} Outcome;

static void
report_run (Outcome *outcome, const char *path, DynoRun *run, gboolean is_new)
{
  g_autofree char *tool = dyno_origin_dup_tool (dyno_run_get_origin (run));
  g_autofree char *name = g_filename_display_name (path);
  guint n = dyno_run_get_n_cases (run);

  if (outcome->json == NULL)
    {
      g_print (ngettext ("%.8s  %s: %u case of %s%s\n", "%.8s  %s: %u cases of %s%s\n", n),
               dyno_run_get_id (run), name, n, tool, is_new ? "" : _ (" (already there)"));
      return;
    }
  json_builder_begin_object (outcome->json);
  json_builder_set_member_name (outcome->json, "file");
  json_builder_add_string_value (outcome->json, name);
  json_builder_set_member_name (outcome->json, "id");
  json_builder_add_string_value (outcome->json, dyno_run_get_id (run));
  json_builder_set_member_name (outcome->json, "format");
  json_builder_add_string_value (outcome->json, dyno_run_get_origin (run)->dialect);
  json_builder_set_member_name (outcome->json, "tool");
  json_builder_add_string_value (outcome->json, tool);
  json_builder_set_member_name (outcome->json, "cases");
  json_builder_add_int_value (outcome->json, n);
  json_builder_set_member_name (outcome->json, "new");
  json_builder_add_boolean_value (outcome->json, is_new);
  json_builder_end_object (outcome->json);
}

/* In a folder other files may lie; a file that was named is to be one. */
static void
import_file (Outcome *outcome, const char *path, gboolean was_named)
{
  g_autoptr (GError) error = NULL;
  gboolean is_new = FALSE;
  g_autoptr (DynoRun) run = dyno_importer_import (outcome->store, path, NULL, NULL, NULL, &is_new, &error);

  if (run != NULL)
    {
      outcome->n_imported++;
      report_run (outcome, path, run, is_new);
    }
  else if (!was_named && dyno_importer_is_foreign (error))
    outcome->n_foreign++;
  else
    {
      outcome->n_failed++;
      dyno_cli_warn ("%s", error->message);
    }
}

static void
import_path (Outcome *outcome, const char *path)
{
  gboolean is_folder = g_file_test (path, G_FILE_TEST_IS_DIR);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) files = dyno_importer_list_files (path, &error);

  if (files == NULL)
    {
      outcome->n_failed++;
      dyno_cli_warn ("%s", error->message);
    }
  for (guint i = 0; files != NULL && i < files->len; i++)
    import_file (outcome, files->pdata[i], !is_folder);
}

static DynoCliStatus
import_all (char **paths, gboolean as_json, GError **error)
{
  g_autoptr (DynoStore) store = dyno_cli_runs_open_writable_store (error);
  g_autoptr (JsonBuilder) json = as_json ? json_builder_new () : NULL;
  g_autoptr (JsonNode) root = NULL;
  Outcome outcome = { store, json, 0, 0, 0 };

  if (store == NULL)
    return DYNO_CLI_FAILED;
  if (json != NULL)
    json_builder_begin_array (json);
  for (char **path = paths; *path != NULL; path++)
    import_path (&outcome, *path);
  if (json != NULL)
    {
      json_builder_end_array (json);
      root = json_builder_get_root (json);
      dyno_cli_print_json (root);
    }
  else if (outcome.n_foreign > 0)
    g_print (ngettext ("%u file with an unknown format was skipped.\n",
                       "%u files with an unknown format were skipped.\n", outcome.n_foreign),
             outcome.n_foreign);
  return outcome.n_failed > 0 || outcome.n_imported == 0 ? DYNO_CLI_FAILED : DYNO_CLI_OK;
}

static DynoCliStatus
print_formats (void)
{
  for (const DynoDialect *const *dialect = dyno_dialect_list (); *dialect != NULL; dialect++)
    g_print ("%-24s %s. %s\n", (*dialect)->name, (*dialect)->title, _ ((*dialect)->method));
  return DYNO_CLI_OK;
}

static DynoCliStatus
write_original (const char *id, const char *output, GError **error)
{
  g_autoptr (DynoStore) store = dyno_cli_runs_open_store (error);
  g_autoptr (GBytes) original = store != NULL ? dyno_store_load_original (store, id, error) : NULL;
  gsize size = 0;
  const char *text = original != NULL ? g_bytes_get_data (original, &size) : NULL;

  if (original == NULL)
    return DYNO_CLI_FAILED;
  if (output != NULL)
    return g_file_set_contents (output, text != NULL ? text : "", (gssize)size, error) ? DYNO_CLI_OK
                                                                                       : DYNO_CLI_FAILED;
  return fwrite (text, 1, size, stdout) == size ? DYNO_CLI_OK : DYNO_CLI_FAILED;
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  gboolean as_json = FALSE, formats = FALSE;
  g_autofree char *original = NULL;
  g_autofree char *output = NULL;
  const GOptionEntry entries[] = {
    { "formats", 0, 0, G_OPTION_ARG_NONE, &formats, "List the known formats", NULL },
    { "original", 0, 0, G_OPTION_ARG_STRING, &original, "Write the file that a run was imported from",
      "RUN" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Where to write it, instead of standard output",
      "FILE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, "Print JSON", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);
  guint n_paths = formats || original != NULL ? 0 : G_MAXUINT;

  if (rest == NULL || !dyno_cli_expect_arguments (rest, MIN (n_paths, 1), n_paths, error))
    return DYNO_CLI_USAGE;
  if (formats)
    return print_formats ();
  return original != NULL ? write_original (original, output, error) : import_all (rest, as_json, error);
}

const DynoCliCommand dyno_cli_import_command = {
  .name = "import",
  .parameters = "FILE|FOLDER…",
  .summary = "Import results of other tools",
  .description =
      "Examples:\n"
      "  dyno-cli import llama-bench.json\n"
      "  dyno-cli import old-results/\n"
      "  dyno-cli import --formats\n"
      "\n"
      "Formats are recognised by their content. Each file becomes a run, and is kept with it; importing a\n"
      "file again changes nothing. A file that cannot be imported is reported with the line and the\n"
      "reason, and the others are imported; the exit status is then 1.\n",
  .run = run,
};
