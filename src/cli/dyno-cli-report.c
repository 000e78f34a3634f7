/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-error.h"
#include "dyno-report.h"
#include "dyno-report-gallery.h"

typedef struct
{
  DynoCliGoal goal;
  char *format;
  char *template;
  char *path;
  gboolean as_json;
} Options;

static void
options_clear (Options *self)
{
  dyno_cli_goal_clear (&self->goal);
  g_free (self->format);
  g_free (self->template);
  g_free (self->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static DynoCliStatus
write_report (char **names, const Options *options, GError **error)
{
  DynoGoal goal;
  DynoReportSource source = { .goal = &goal };
  const DynoReportFormat *of_file =
      options->path != NULL ? dyno_report_format_find_for_file (options->path) : NULL;
  const DynoReportFormat *format = dyno_report_format_find (options->as_json ? "json" : options->format);
  const DynoReportTemplate *of =
      dyno_report_template_find (options->template != NULL ? options->template : "run");
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GHashTable) ceilings = NULL;
  g_autoptr (GBytes) report = NULL;

  if (format == NULL && options->format == NULL)
    format = of_file != NULL ? of_file : dyno_report_format_find ("markdown");
  if (format == NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("Unknown report format “%s”: choose from %s."), options->format,
                 dyno_report_format_get_names ());
  else if (of == NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("Unknown report template “%s”: choose from %s."), options->template,
                 dyno_report_template_get_names ());
  if (format == NULL || of == NULL || !dyno_cli_goal_read (&options->goal, &goal, error))
    return DYNO_CLI_USAGE;
  runs = dyno_cli_runs_load (names, error);
  if (runs == NULL || (format->holds_originals && !dyno_cli_runs_add_originals (runs, error)))
    return DYNO_CLI_FAILED;
  ceilings = dyno_cli_runs_collect_ceilings (runs);
  source.runs = runs;
  source.ceilings = ceilings;
  report = dyno_report_write (format, of, &source, error);
  return report != NULL && dyno_cli_write_bytes (options->path, report, error) ? DYNO_CLI_OK
                                                                               : DYNO_CLI_FAILED;
}

static char **
parse (const DynoCliCommand *command, Options *options, char **arguments, GError **error)
{
  g_auto (GStrv) names = g_strsplit (dyno_report_format_get_names (), "|", -1);
  g_auto (GStrv) template_names = g_strsplit (dyno_report_template_get_names (), "|", -1);
  g_autofree char *list = g_strjoinv (", ", names);
  g_autofree char *template_list = g_strjoinv (", ", template_names);
  g_autofree char *formats = g_strdup_printf ("Format: %s (from the file name, else markdown)", list);
  g_autofree char *templates = g_strdup_printf ("What the report says: %s (run)", template_list);
  const GOptionEntry own[] = {
    { "format", 'f', 0, G_OPTION_ARG_STRING, &options->format, formats, "FORMAT" },
    { "template", 't', 0, G_OPTION_ARG_STRING, &options->template, templates, "TEMPLATE" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options->path,
      "File to write to (standard output); a folder for a gallery", "FILE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options->as_json, "The same as --format json", NULL },
  };
  g_autoptr (GArray) entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));

  g_array_append_vals (entries, own, G_N_ELEMENTS (own));
  dyno_cli_goal_add_entries (&options->goal, entries);
  dyno_cli_goal_add_price (&options->goal, entries);
  return dyno_cli_parse (command, (const GOptionEntry *)entries->data, arguments, error);
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  g_auto (Options) options = { { NULL } };
  g_auto (GStrv) rest = parse (command, &options, arguments, error);

  if (rest == NULL)
    return DYNO_CLI_USAGE;
  if (g_strcmp0 (options.template, DYNO_REPORT_GALLERY) == 0)
    {
      const char *format = options.as_json ? "json" : options.format;
      DynoReportSource source = { NULL };
      g_autoptr (GPtrArray) runs = NULL;
      g_autoptr (GHashTable) ceilings = NULL;
      g_auto (GStrv) removed = NULL;

      if (options.path == NULL)
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                       _ ("A gallery is a folder of pages: say where with --output."));
          return DYNO_CLI_USAGE;
        }
      if (format != NULL && !g_str_equal (format, "html"))
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                       _ ("A gallery is a folder of HTML pages, and cannot be written as “%s”: leave out the "
                          "format, or choose another template."),
                       format);
          return DYNO_CLI_USAGE;
        }
      runs = dyno_cli_runs_load (rest, error);
      if (runs == NULL || !dyno_cli_runs_add_originals (runs, error))
        return DYNO_CLI_FAILED;
      ceilings = dyno_cli_runs_collect_ceilings (runs);
      source.runs = runs;
      source.ceilings = ceilings;
      if (!dyno_report_gallery_write (&source, options.path, &removed, error))
        return DYNO_CLI_FAILED;

      g_autofree char *list = g_strjoinv (", ", removed);

      if (*removed != NULL)
        /* Translators: a folder, and the names of files */
        dyno_cli_say (_ ("Removed from “%s”, because they are no longer part of the gallery: %s.\n"),
                      options.path, list);
      return DYNO_CLI_OK;
    }
  return write_report (rest, &options, error);
}

const DynoCliCommand dyno_cli_report_command = {
  .name = "report",
  .parameters = "[RUN…]",
  .summary = "Write a report about runs",
  .description =
      "RUN is an id, the beginning of one, “last” or a .dyno document. The default is the last run. "
      "The template “run” has sections for the kind of models where all are of one kind; “language”, "
      "“vision”, “speech” and “multimodal” take the cases of their kind out of a run of several. "
      "The template “comparison” compares all runs with the first, or the engines of one run. "
      "“hardware” says what to use for each model and size, by --goal. “engines” names the fastest engine "
      "for the model of a run, precisions with equally many bits among themselves. “gallery” makes a folder "
      "of web pages of many runs and machines, with their documents. Markdown, HTML and PDF are for people; "
      "the other formats hold the data.\n\n"
      "Examples:\n"
      "  dyno-cli report -o report.html\n"
      "  dyno-cli report last 3f2a --format csv\n"
      "  dyno-cli report before.dyno last --template comparison -o comparison.md\n"
      "  dyno-cli report last --template hardware --goal throughput -o choice.html\n"
      "  dyno-cli report laptop.dyno server.dyno --template gallery -o site\n",
  .run = run,
};
