/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include <string.h>

#include "dyno-backend.h"
#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-comparison-builder.h"
#include "dyno-engine-options.h"
#include "dyno-error.h"
#include "dyno-report.h"
#include "dyno-report-locale.h"

typedef struct
{
  char *baseline;
  char *library; /* which the baseline is measured with, now */
  char *metric;
  char *threshold;
  char *document;
  char *report;
  char *junit;
} Options;

static void
options_clear (Options *self)
{
  g_free (self->baseline);
  g_free (self->library);
  g_free (self->metric);
  g_free (self->threshold);
  g_free (self->document);
  g_free (self->report);
  g_free (self->junit);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* The run to judge: a named one, or one measured now */

static DynoRun *
load_run (const char *name, GError **error)
{
  char *names[] = { (char *)name, NULL };
  g_autoptr (GPtrArray) runs = dyno_cli_runs_load (names, error);

  if (runs == NULL)
    return NULL;
  if (runs->len == 1)
    return g_object_ref (runs->pdata[0]);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT, _ ("“%s” holds %u runs. Name a single one."),
               name, runs->len);
  return NULL;
}

/* Returns whether all cases run on engines of that one library. */
static gboolean
check_engines (DynoPlan *plan, GError **error)
{
  const char *variable = NULL;

  for (const char *const *spec = dyno_plan_get_backends (plan); *spec != NULL; spec++)
    {
      DynoBackend *backend = dyno_backend_lookup_spec (*spec, NULL, error);
      const char *own = backend != NULL ? dyno_backend_get_library_variable (backend) : NULL;

      if (backend == NULL)
        return FALSE;
      if (own == NULL || (variable != NULL && !g_str_equal (own, variable)))
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                       own == NULL
                           ? _ ("“%s” has no library that --baseline-library could replace. Choose an "
                                "engine that has one, with -b.")
                           : _ ("“%s” is of another engine than the cases before, and "
                                "--baseline-library is of one engine. Choose one, with -b."),
                       *spec);
          return FALSE;
        }
      variable = own;
    }
  return TRUE;
}

/* Doubles the cases: each is measured with the library of the baseline, too, in turns. */
static gboolean
add_baseline (DynoPlan *plan, const char *path, GError **error)
{
  g_autofree char *library = g_canonicalize_filename (path, NULL);
  g_autoptr (GStrvBuilder) alternatives = g_strv_builder_new ();
  const char *const *options = dyno_plan_get_options (plan);
  g_auto (GStrv) list = NULL;

  if (!g_file_test (library, G_FILE_TEST_EXISTS) || strchr (library, ',') != NULL)
    {
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
          strchr (library, ',') != NULL
              ? _ ("The path “%s” has a comma, which options of engines cannot have. Link to it from "
                   "another place.")
              : _ ("There is no file “%s”. Name the library of the engine in the build that is the "
                   "baseline."),
          library);
      return FALSE;
    }
  if (!check_engines (plan, error))
    return FALSE;
  if (*dyno_plan_get_cases (plan) != NULL)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                           _ ("--baseline-library adds cases, so their numbers change: leave out --cases."));
      return FALSE;
    }
  for (guint i = 0; options[i] != NULL; i++)
    {
      g_autoptr (GHashTable) own = dyno_engine_options_parse (options[i], error);
      g_autofree char *text = NULL;

      if (own == NULL)
        return FALSE;
      g_hash_table_replace (own, g_strdup (DYNO_BACKEND_LIBRARY), g_strdup (library));
      text = dyno_engine_options_to_string (own);
      g_strv_builder_add (alternatives, text);
    }
  g_strv_builder_addv (alternatives, (const char **)options);
  list = g_strv_builder_end (alternatives);
  g_object_set (plan, "options", list, "turns", TRUE, NULL);
  return TRUE;
}

static DynoRun *
measure (DynoCliPlan *plan_options, const Options *options, GError **error)
{
  const char *document = options->document;
  g_autoptr (DynoPlan) given = dyno_cli_plan_build (plan_options, error);
  DynoPlan *plan =
      given != NULL && (options->library == NULL || add_baseline (given, options->library, error)) ? given
                                                                                                   : NULL;
  g_autoptr (GPtrArray) cases = plan != NULL ? dyno_plan_expand_for_run (plan, error) : NULL;
  g_autoptr (DynoStore) store = cases != NULL ? dyno_cli_runs_open_writable_store (error) : NULL;
  g_autoptr (DynoRunner) runner = store != NULL ? dyno_runner_new (plan, DYNO_RESULT_SINK (store)) : NULL;
  g_autoptr (DynoRun) run = NULL;
  gboolean is_kept = FALSE;

  if (runner == NULL)
    return NULL;
  run = dyno_cli_measure (runner, store, &is_kept, error);
  if (run == NULL)
    return NULL;

  const char *ids[] = { dyno_run_get_id (run), NULL };

  return document == NULL || dyno_store_save_document (store, ids, document, error) ? load_run (*ids, error)
                                                                                    : NULL;
}

/* Output */

/* Returns the format that the file name asks for, or Markdown. */
static const DynoReportFormat *
find_format (const char *path)
{
  const DynoReportFormat *format = path != NULL ? dyno_report_format_find_for_file (path) : NULL;

  return format != NULL ? format : dyno_report_format_find ("markdown");
}

/* The comparison creates the labels of the cases, so their numbers have the same format in every file from
 * then on. */
static DynoCliStatus
judge (DynoRun *run, const Options *options, DynoComparisonOptions *how, GError **error)
{
  g_auto (DynoReportLocale) before = dyno_report_locale_begin ();
  g_autoptr (DynoRun) baseline = options->baseline != NULL ? load_run (options->baseline, error) : NULL;
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autoptr (DynoComparison) comparison = NULL;
  g_autoptr (DynoReportDocument) document = NULL;

  if (baseline != NULL)
    g_ptr_array_add (runs, baseline);
  else if (options->library == NULL)
    return DYNO_CLI_FAILED;
  g_ptr_array_add (runs, run);
  comparison = dyno_comparison_new (runs, how, error);
  document = comparison != NULL ? dyno_report_comparison_document_new (comparison) : NULL;
  if (document == NULL || !dyno_cli_answer_print (document, error))
    return DYNO_CLI_FAILED;
  if (options->report != NULL)
    {
      g_autoptr (GBytes) bytes = find_format (options->report)->write_document (document, error);

      if (bytes == NULL || !dyno_cli_write_bytes (options->report, bytes, error))
        return DYNO_CLI_FAILED;
    }
  if (options->junit != NULL)
    {
      g_autofree char *xml = dyno_report_junit_write (comparison);

      if (!dyno_cli_write (options->junit, xml, error))
        return DYNO_CLI_FAILED;
    }
  if (comparison->cases->len == 0)
    g_printerr ("%s\n", _ ("Nothing was compared: the run and the baseline have no case in common."));
  for (guint i = 0; i < comparison->cases->len; i++)
    if (((const DynoComparedCase *)comparison->cases->pdata[i])->verdict == DYNO_VERDICT_WORSE)
      return DYNO_CLI_WORSE;
  return DYNO_CLI_OK;
}

static gboolean
check (char **names, DynoCliPlan *plan, const Options *options, GError **error)
{
  g_autofree char *endings = dyno_report_format_dup_document_names (TRUE);

  if ((options->baseline == NULL) == (options->library == NULL))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("Either --baseline is needed, the run to compare with, such as main.dyno, or "
                    "--baseline-library, the library of the engine to compare with."));
  else if (*names != NULL && options->library != NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("--baseline-library measures both sides now: leave out the run “%s”."), *names);
  else if (find_format (options->report)->write_document == NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 /* Translators: a file, and a list of the endings of file names */
                 _ ("A comparison cannot be written to “%s”: files of that name hold runs as they were "
                    "measured. Name a file that ends with one of: %s."),
                 options->report, endings);
  else if (*names != NULL && (!dyno_cli_plan_is_empty (plan) || options->document != NULL))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("A named run is not measured again: leave out the options of a plan, and --output."));
  else
    return TRUE;
  return FALSE;
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  g_autoptr (DynoCliPlan) plan = dyno_cli_plan_new ();
  g_auto (Options) options = { NULL };
  const GOptionEntry own[] = {
    DYNO_CLI_GROUP ("Comparison"),
    { "baseline", 0, 0, G_OPTION_ARG_STRING, &options.baseline,
      "Compare with this run, which was measured before", "RUN" },
    { "baseline-library", 0, 0, G_OPTION_ARG_FILENAME, &options.library,
      "Measure this library of the engine as the baseline, in turns with the usual one", "PATH" },
    { "metric", 0, 0, G_OPTION_ARG_STRING, &options.metric, "The value to compare (latency_p50_ms)",
      "VALUE" },
    { "threshold", 0, 0, G_OPTION_ARG_STRING, &options.threshold, "Ignore smaller differences (2%)",
      "PERCENT" },
    DYNO_CLI_GROUP ("Output"),
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.document, "Save the measured run as a document",
      "FILE.dyno" },
    { "report", 0, 0, G_OPTION_ARG_FILENAME, &options.report,
      "Write the comparison to a file (.md, .html, .pdf, .txt, .json or .csv)", "FILE" },
    { "junit", 0, 0, G_OPTION_ARG_FILENAME, &options.junit, "Write the verdicts as JUnit XML", "FILE" },
  };
  g_autoptr (GArray) entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));

  for (const GOptionEntry *entry = dyno_cli_plan_get_entries (plan); entry->long_name != NULL; entry++)
    g_array_append_val (entries, *entry);
  g_array_append_vals (entries, own, G_N_ELEMENTS (own));
  dyno_cli_answer_set_usual ("markdown");
  g_auto (GStrv) rest = dyno_cli_parse (command, (const GOptionEntry *)entries->data, arguments, error);

  DynoComparisonOptions how = { .metric = options.metric,
                                .by = options.library != NULL ? DYNO_CASE_LIBRARY : 0 };
  g_autoptr (DynoRun) judged = NULL;

  if (rest == NULL || !dyno_cli_expect_arguments (rest, 0, 1, error) ||
      !check (rest, plan, &options, error) ||
      !dyno_cli_percent_read (options.threshold, "threshold", &how.threshold, error))
    return DYNO_CLI_USAGE;
  if (!dyno_cli_check_output_file (options.document, error) ||
      !dyno_cli_check_output_file (options.report, error) ||
      !dyno_cli_check_output_file (options.junit, error))
    return DYNO_CLI_FAILED;
  judged = *rest != NULL ? load_run (*rest, error) : measure (plan, &options, error);
  return judged != NULL ? judge (judged, &options, &how, error) : DYNO_CLI_FAILED;
}

const DynoCliCommand dyno_cli_ci_command = {
  .name = "ci",
  .parameters = "[RUN]",
  .summary = "Measure, compare with a baseline, and fail if a case is slower",
  .description =
      "Measures what the options describe, or takes RUN as it is, compares it with the baseline case "
      "by case, and prints Markdown for the comment of a pull request. The exit status is 3 only where "
      "a case was shown to be worse; where nothing could be compared, the report says so.\n\n"
      "A verdict needs five processes per case on each side (--invocations 5) and a difference above "
      "the threshold and the noise of the machine. “dyno-cli selftest” on the same machine says how "
      "small a difference can be found there. RUN and the baseline are an id, the beginning of one, "
      "“last” or a .dyno document.\n\n"
      "A stored baseline was measured at another time, so drift between the sides is not excluded. With "
      "--baseline-library, the same cases run with two builds of an engine, alive together, which take turns "
      "of about 50 ms: far smaller differences show in the same time.\n\n"
      "Examples:\n"
      "  dyno-cli ci --suite quick --baseline main.dyno --junit dyno.xml\n"
      "  dyno-cli ci --suite quick --baseline main.dyno --report comment.md\n"
      "  dyno-cli ci --baseline main.dyno branch.dyno --json\n"
      "  dyno-cli ci -m resnet-50 --baseline-library /opt/before/libonnxruntime.so\n",
  .prints_answer = TRUE,
  .prints_notes = TRUE,
  .prints_tables = TRUE,
  .run = run,
};
