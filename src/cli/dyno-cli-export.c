/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-error.h"

typedef struct
{
  char *charts;
  char *formats;
  char *folder;
  char *size;
  char *document;
  int case_number;
  gboolean dark;
  gboolean as_json;
} Options;

static void
options_clear (Options *self)
{
  g_free (self->charts);
  g_free (self->formats);
  g_free (self->folder);
  g_free (self->size);
  g_free (self->document);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static gboolean
set_up_charts (DynoCliCharts *charts, const Options *options, GError **error)
{
  dyno_cli_charts_init (charts, options->folder != NULL ? options->folder : ".");
  if (options->dark)
    charts->style = dyno_chart_style_get_dark ();
  if (options->case_number < 0)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT, _ ("Cases are numbered from 1."));
      return FALSE;
    }
  charts->case_number = (guint)options->case_number;
  return (options->charts == NULL || dyno_cli_charts_set_kinds (charts, options->charts, error)) &&
         (options->formats == NULL || dyno_cli_charts_set_formats (charts, options->formats, error)) &&
         (options->size == NULL || dyno_cli_charts_set_size (charts, options->size, error));
}

static DynoCliStatus
export_runs (char **names, const Options *options, GError **error)
{
  g_autoptr (GPtrArray) runs = NULL;
  DynoCliCharts charts;
  gboolean draws = options->document == NULL || options->charts != NULL;

  if (!set_up_charts (&charts, options, error))
    return DYNO_CLI_USAGE;
  runs = dyno_cli_runs_load (names, error);
  if (runs == NULL || (draws && !dyno_cli_charts_write (&charts, runs, error)))
    return DYNO_CLI_FAILED;
  if (options->document != NULL)
    {
      g_autoptr (DynoStore) store = dyno_cli_runs_open_store (error);
      g_auto (GStrv) ids = dyno_cli_runs_get_ids (runs);

      if (store == NULL ||
          !dyno_store_save_document (store, (const char *const *)ids, options->document, error))
        return DYNO_CLI_FAILED;
    }

  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "folder");
  json_builder_add_string_value (builder, charts.folder);
  json_builder_set_member_name (builder, "charts");
  json_builder_add_int_value (builder, charts.n_written);
  json_builder_set_member_name (builder, "document");
  json_builder_add_string_value (builder, options->document != NULL ? options->document : "");
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  if (options->as_json)
    dyno_cli_print_json (root);
  else if (charts.n_written > 0)
    dyno_cli_say (
        ngettext ("%u file was written to “%s”.\n", "%u files were written to “%s”.\n", charts.n_written),
        charts.n_written, charts.folder);
  if (!options->as_json && options->document != NULL)
    dyno_cli_say (_ ("The runs were saved to “%s”.\n"), options->document);
  return DYNO_CLI_OK;
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  g_auto (Options) options = { NULL };
  g_autofree char *names = dyno_cli_charts_dup_kind_names ();
  /* Translators: %s is a list of names separated by commas; “all” is a name, too */
  g_autofree char *kinds = g_strdup_printf (_ ("%s (separated by commas), or all"), names);
  const GOptionEntry entries[] = {
    { "chart", 'c', 0, G_OPTION_ARG_STRING, &options.charts, kinds, "CHARTS" },
    { "case", 0, 0, G_OPTION_ARG_INT, &options.case_number,
      "Draw the charts of one case only for this case (for the first 100)", "NUMBER" },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &options.formats, "Formats, separated by commas (svg,png)",
      "svg|png|pdf|csv|json|vega-lite" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.folder, "Folder for the images (current folder)",
      "FOLDER" },
    { "size", 0, 0, G_OPTION_ARG_STRING, &options.size,
      "Size of an image (960 wide and as high as the chart needs)", "WxH" },
    { "dark", 0, 0, G_OPTION_ARG_NONE, &options.dark, "Draw on a dark background", NULL },
    { "document", 'd', 0, G_OPTION_ARG_FILENAME, &options.document,
      "Save the runs as a document; charts are then drawn only with --chart", "FILE.dyno" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.as_json, "Print JSON", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);

  return rest != NULL ? export_runs (rest, &options, error) : DYNO_CLI_USAGE;
}

const DynoCliCommand dyno_cli_export_command = {
  .name = "export",
  .parameters = "[RUN…]",
  .summary = "Draw charts of runs, or save runs as a document",
  .description =
      "RUN is an id, the beginning of one, “last” or a .dyno document. The default is the last run.\n\n"
      "Examples:\n"
      "  dyno-cli export --chart all -o charts\n"
      "  dyno-cli export 3f2a --chart memory,operators --format pdf -o charts\n"
      "  dyno-cli export 3f2a 77b0 --document both.dyno\n",
  .run = run,
};
