/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gio/gunixinputstream.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-error.h"
#include "dyno-importer.h"
#include "dyno-report.h"

/* A folder may have thousands of other files, whose names nobody would read. */
#define MAX_LISTED 20

/* The path of standard input, and the name of its run. */
#define INPUT      "-"
#define INPUT_NAME "stdin"

/* The results of the import. */
typedef struct
{
  DynoStore *store;
  const DynoImportSettings *settings;
  GCancellable *cancellable;
  GBytes *input; /* nullable: data from standard input */
  JsonBuilder *json;
  DynoReportTable *table;
  GPtrArray *foreign;
  guint n_imported;
  guint n_runs;
  guint n_failed;
} Outcome;

/* The file that is being read. */
typedef struct
{
  const char *name;
  gboolean is_followed;
  int percent; /* last percentage shown; -1 for none */
} Following;

/* Text is printed at once, because a folder may take long; other formats get a document at the end. */
static void
report_run (Outcome *outcome, const DynoImported *imported, const char *name, DynoRun *run, gboolean is_new)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (imported->n_cases, run));
  gboolean is_power = imported->dialect->read_power != NULL;
  g_autofree char *tool = dyno_run_dup_tool (run);
  const char *present = is_new ? "" : _ (" (already there)");

  if (dyno_cli_answer_is_text ())
    {
      if (is_power)
        dyno_cli_say (ngettext ("%.8s  %s: power of %u case%s\n", "%.8s  %s: power of %u cases%s\n", n),
                      dyno_run_get_id (run), name, n, present);
      else
        dyno_cli_say (ngettext ("%.8s  %s: %u case of %s%s\n", "%.8s  %s: %u cases of %s%s\n", n),
                      dyno_run_get_id (run), name, n, tool, present);
    }
  dyno_report_table_take_row (
      outcome->table, g_strdup (name),
      g_strdup (is_new ? /* Translators: the state of an imported run */ _ ("new") : _ ("already there")),
      g_strdup_printf ("%.8s", dyno_run_get_id (run)), g_strdup (imported->dialect->name),
      g_strdup (is_power ? "" : tool), g_strdup_printf ("%u", n), g_strdup (""), NULL);
  json_builder_begin_object (outcome->json);
  dyno_report_member_add_text (outcome->json, "file", name);
  dyno_report_member_add_text (outcome->json, "id", dyno_run_get_id (run));
  dyno_report_member_add_text (outcome->json, "format", imported->dialect->name);
  dyno_report_member_add_text (outcome->json, "tool", is_power ? NULL : tool);
  dyno_report_member_add_count (outcome->json, "cases", n);
  dyno_report_member_add_flag (outcome->json, "new", is_new);
  json_builder_end_object (outcome->json);
}

static char *
dup_name (const char *path)
{
  return g_str_equal (path, INPUT) ? g_strdup (INPUT_NAME) : g_filename_display_name (path);
}

/* Adds an entry without a run, so that documents contain the same information as the messages. */
static void
report_reason (Outcome *outcome, const char *path, const char *member, const char *state, const char *reason)
{
  g_autofree char *name = dup_name (path);

  dyno_report_table_take_row (outcome->table, g_strdup (name), g_strdup (state), g_strdup (""), g_strdup (""),
                              g_strdup (""), g_strdup (""), g_strdup (reason), NULL);
  json_builder_begin_object (outcome->json);
  dyno_report_member_add_text (outcome->json, "file", name);
  dyno_report_member_add_text (outcome->json, member, reason);
  json_builder_end_object (outcome->json);
}

static void
report_failure (Outcome *outcome, const char *path, const char *reason)
{
  outcome->n_failed++;
  dyno_cli_warn ("%s", reason);
  report_reason (outcome, path, "error", _ ("failed"), reason);
}

/* Reading runs no main loop, but signals need one, so iterate it here. */
static void
progress_cb (double fraction, gpointer data)
{
  Following *following = data;
  int percent = (int)(100 * fraction);
  g_autofree char *line = NULL;

  g_main_context_iteration (NULL, FALSE);
  if (!following->is_followed || percent == following->percent || (percent == 100 && following->percent < 0))
    return;
  following->percent = percent;
  line = g_strdup_printf ("%3d %% · %s", percent, following->name);
  dyno_cli_show_progress (line);
}

static void
import_path (Outcome *outcome, const char *path)
{
  gboolean is_folder = g_file_test (path, G_FILE_TEST_IS_DIR);
  g_autoptr (GPtrArray) failures = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) files = dyno_importer_list_files (path, failures);

  for (guint i = 0; i < failures->len; i++)
    report_failure (outcome, path, failures->pdata[i]);
  for (guint i = 0; i < files->len && !g_cancellable_is_cancelled (outcome->cancellable); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *file = g_filename_display_basename (files->pdata[i]);
      Following following = { file, isatty (STDERR_FILENO), -1 };
      g_autoptr (DynoImported) imported =
          g_str_equal (files->pdata[i], INPUT)
              ? dyno_importer_import_text (outcome->store, INPUT_NAME, outcome->input, outcome->settings,
                                           &error)
              : dyno_importer_import (outcome->store, files->pdata[i], outcome->settings,
                                      outcome->cancellable, progress_cb, &following, &error);

      if (following.percent >= 0)
        dyno_cli_show_progress (NULL);
      if (imported != NULL)
        {
          g_autofree char *name = dup_name (files->pdata[i]);

          outcome->n_imported++;
          outcome->n_runs += imported->added->len;
          for (guint k = 0; k < imported->added->len; k++)
            report_run (outcome, imported, name, imported->added->pdata[k], TRUE);
          for (guint k = 0; k < imported->present->len; k++)
            report_run (outcome, imported, name, imported->present->pdata[k], FALSE);
        }
      else if (is_folder && dyno_importer_is_foreign (error))
        {
          /* A folder may contain other files; a named file must be a result. */
          g_ptr_array_add (outcome->foreign, g_strdup (files->pdata[i]));
          report_reason (outcome, files->pdata[i], "skipped",
                         /* Translators: the state of a file */ _ ("skipped"), error->message);
        }
      else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        report_failure (outcome, files->pdata[i], error->message);
    }
}

static void
list_foreign (const GPtrArray *foreign)
{
  if (foreign->len == 0)
    return;
  dyno_cli_say (ngettext ("%u file with an unknown format was skipped.\n",
                          "%u files with an unknown format were skipped.\n", foreign->len),
                foreign->len);
  for (guint i = 0; i < MIN (foreign->len, MAX_LISTED); i++)
    {
      g_autofree char *name = g_filename_display_name (foreign->pdata[i]);

      g_print ("  %s\n", name);
    }
  if (foreign->len > MAX_LISTED)
    /* Translators: below a list of files */
    dyno_cli_say (ngettext ("  and %u more\n", "  and %u more\n", foreign->len - MAX_LISTED),
                  foreign->len - MAX_LISTED);
}

static gboolean
interrupted_cb (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return G_SOURCE_CONTINUE;
}

static DynoCliStatus
import_into (
    DynoStore *store, char **paths, GBytes *input, const DynoImportSettings *settings, GError **error)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GPtrArray) foreign = g_ptr_array_new_with_free_func (g_free);
  Outcome outcome = { .store = store,
                      .settings = settings,
                      .cancellable = cancellable,
                      .input = input,
                      .json = json,
                      .foreign = foreign };
  gboolean is_printed = TRUE;
  guint interrupt = g_unix_signal_add (SIGINT, interrupted_cb, cancellable);
  guint terminate = g_unix_signal_add (SIGTERM, interrupted_cb, cancellable);

  outcome.table = dyno_report_table_new ("wllllrw", _ ("File"), _ ("State"), _ ("Run"), _ ("Format"),
                                         _ ("Tool"), _ ("Cases"), _ ("Reason"), NULL);
  json_builder_begin_array (json);
  for (char **path = paths; *path != NULL && !g_cancellable_is_cancelled (cancellable); path++)
    import_path (&outcome, *path);
  g_source_remove (interrupt);
  g_source_remove (terminate);

  json_builder_end_array (json);
  if (dyno_cli_answer_is_text ())
    {
      list_foreign (foreign);
      dyno_report_table_free (outcome.table);
    }
  else
    is_printed =
        dyno_cli_answer_print_list (outcome.table, NULL, json_builder_get_root (json), error) == DYNO_CLI_OK;
  if (!g_cancellable_is_cancelled (cancellable))
    return !is_printed || outcome.n_failed > 0 || outcome.n_imported == 0 ? DYNO_CLI_FAILED : DYNO_CLI_OK;
  dyno_cli_warn (ngettext ("The import was stopped. %u new run is in the store.",
                           "The import was stopped. %u new runs are in the store.", outcome.n_runs),
                 outcome.n_runs);
  return DYNO_CLI_FAILED;
}

static DynoCliStatus
import_all (char **paths, const char *run, const char *zone_name, GError **error)
{
  g_autoptr (GTimeZone) zone = zone_name != NULL ? g_time_zone_new_identifier (zone_name) : NULL;
  g_autoptr (DynoStore) store = NULL;
  g_autoptr (GBytes) input = NULL;
  g_autofree char *id = NULL;
  DynoImportSettings settings = { .zone = zone };

  if (zone_name != NULL && zone == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("Unknown time zone “%s”: name it as Europe/Berlin, or as +01:00."), zone_name);
      return DYNO_CLI_USAGE;
    }
  store = dyno_cli_runs_open_writable_store (error);
  if (store != NULL && run != NULL)
    settings.run_id = id = dyno_cli_runs_resolve (store, run, error);
  if (store == NULL || (run != NULL && id == NULL))
    return DYNO_CLI_FAILED;
  if (g_strv_contains ((const char *const *)paths, INPUT))
    {
      /* Read before signals are handled, so that Ctrl+C ends the process. One byte above the limit is enough
       * to refuse the input. */
      g_autoptr (GInputStream) stream = g_unix_input_stream_new (STDIN_FILENO, FALSE);
      g_autoptr (GByteArray) text = g_byte_array_new ();
      guint8 piece[64 * 1024];
      gssize n;

      while ((n = g_input_stream_read (stream, piece, sizeof piece, NULL, error)) > 0 &&
             text->len <= DYNO_IMPORT_MAX_FILE)
        g_byte_array_append (text, piece, (guint)n);
      if (n < 0)
        return DYNO_CLI_FAILED;
      input = g_byte_array_free_to_bytes (g_steal_pointer (&text));
    }
  return import_into (store, paths, input, &settings, error);
}

static DynoCliStatus
write_original (const char *id, const char *output, GError **error)
{
  g_autoptr (DynoStore) store = dyno_cli_runs_open_store (error);
  g_autofree char *whole_id = store != NULL ? dyno_cli_runs_resolve (store, id, error) : NULL;
  g_autoptr (GBytes) original = whole_id != NULL ? dyno_store_load_original (store, whole_id, error) : NULL;

  return original != NULL && dyno_cli_write_bytes (output, original, error) ? DYNO_CLI_OK : DYNO_CLI_FAILED;
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  gboolean formats = FALSE;
  g_autofree char *original = NULL;
  g_autofree char *output = NULL;
  g_autofree char *of = NULL;
  g_autofree char *zone = NULL;
  const GOptionEntry entries[] = {
    { "formats", 0, 0, G_OPTION_ARG_NONE, &formats, "List the known formats", NULL },
    { "original", 0, 0, G_OPTION_ARG_STRING, &original, "Write the file that a run was imported from",
      "RUN" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Where to write it, instead of standard output",
      "FILE" },
    { "run", 0, 0, G_OPTION_ARG_STRING, &of,
      "Add the readings of a power meter to this run (to the runs of their time)", "RUN" },
    { "time-zone", 0, 0, G_OPTION_ARG_STRING, &zone,
      "Time zone of a power meter whose times name none (this computer’s)", "ZONE" },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);
  guint n_paths = formats || original != NULL ? 0 : G_MAXUINT;

  if (rest == NULL || !dyno_cli_expect_arguments (rest, MIN (n_paths, 1), n_paths, error))
    return DYNO_CLI_USAGE;
  if (formats)
    {
      DynoReportTable *table = dyno_report_table_new ("lw", _ ("Format"), _ ("Tool"), NULL);
      g_autoptr (JsonBuilder) builder = json_builder_new ();

      json_builder_begin_array (builder);
      for (const DynoDialect *const *dialect = dyno_dialect_list (); *dialect != NULL; dialect++)
        {
          dyno_report_table_take_row (table, g_strdup ((*dialect)->name),
                                      g_strdup_printf ("%s. %s", (*dialect)->title, _ ((*dialect)->method)),
                                      NULL);
          json_builder_begin_object (builder);
          dyno_report_member_add_text (builder, "format", (*dialect)->name);
          dyno_report_member_add_text (builder, "tool", (*dialect)->title);
          dyno_report_member_add_text (builder, "method", _ ((*dialect)->method));
          json_builder_end_object (builder);
        }
      json_builder_end_array (builder);
      return dyno_cli_answer_print_list (table, NULL, json_builder_get_root (builder), error);
    }
  return original != NULL ? write_original (original, output, error) : import_all (rest, of, zone, error);
}

const DynoCliCommand dyno_cli_import_command = {
  .name = "import",
  .parameters = "FILE|FOLDER|-…",
  .summary = "Import results of other tools",
  .description =
      "Examples:\n"
      "  dyno-cli import llama-bench.json\n"
      "  dyno-cli import old-results/\n"
      "  dyno-cli import report.json\n"
      "  vllm bench serve … | dyno-cli import -\n"
      "  dyno-cli import --time-zone Europe/Berlin meter.csv\n"
      "  dyno-cli import --formats\n"
      "\n"
      "Dyno recognises formats by their content; --formats lists them, among them its own reports in JSON; "
      "what a tool prints is as good as its file, and “-” reads it from standard input. Each file becomes a "
      "run and is kept with it; importing a "
      "file again changes nothing. A file that cannot be imported is reported with the line and the "
      "reason, the others are imported, and the exit status is 1. Ctrl+C stops the import; complete files "
      "stay imported. With --json, failed and skipped files are listed with the reason.\n"
      "\n"
      "The readings of a power meter (a table with a time and a power) are added to the runs that were "
      "measured here at that time. The clock of the meter has to be right: if it is off by the length of a "
      "case, the power belongs to another case.\n",
  .prints_answer = TRUE,
  .prints_tables = TRUE,
  .run = run,
};
