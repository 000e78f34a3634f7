/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-comparison-builder.h"
#include "dyno-error.h"
#include "dyno-subject-charts.h"
#include "dyno-report.h"

typedef struct
{
  char *baseline;
  char *by;
  char *metric;
  char *threshold;
  char *fail_above;
  char *chart;
  gboolean measures;
} Options;

static void
options_clear (Options *self)
{
  g_free (self->baseline);
  g_free (self->by);
  g_free (self->metric);
  g_free (self->threshold);
  g_free (self->fail_above);
  g_free (self->chart);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* The arguments of --by. */
static const struct
{
  const char *word;
  DynoCaseParts parts;
} alternatives[] = {
  { "backend", DYNO_CASE_BACKEND | DYNO_CASE_DEVICE },
  { "precision", DYNO_CASE_PRECISION },
  { "options", DYNO_CASE_OPTIONS },
  { "threads", DYNO_CASE_THREADS },
  { "pinning", DYNO_CASE_PINNING },
  { "library", DYNO_CASE_LIBRARY },
};

/* A named baseline becomes the first run. */
static gboolean
add_baseline (GPtrArray *runs, const char *name, GError **error)
{
  char *names[] = { (char *)name, NULL };
  g_autoptr (GPtrArray) loaded = dyno_cli_runs_load (names, error);

  if (loaded == NULL || loaded->len != 1)
    return FALSE;
  for (guint i = 0; i < runs->len; i++)
    if (g_str_equal (dyno_run_get_id (runs->pdata[i]), dyno_run_get_id (loaded->pdata[0])))
      {
        g_ptr_array_insert (runs, 0, g_ptr_array_steal_index (runs, i));
        return TRUE;
      }
  g_ptr_array_insert (runs, 0, g_object_ref (loaded->pdata[0]));
  return TRUE;
}

static DynoComparison *
compare (GPtrArray *runs, DynoComparisonOptions *options, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GError) gone = NULL;
  DynoComparison *comparison = dyno_comparison_new (runs, options, &local_error);

  if (comparison != NULL)
    return comparison;
  if (options->baseline != NULL && options->by == 0 && add_baseline (runs, options->baseline, &gone))
    {
      options->baseline = NULL;
      return dyno_comparison_new (runs, options, error);
    }
  if (g_error_matches (gone, DYNO_ERROR, DYNO_ERROR_INVALID_DATA))
    g_propagate_error (error, g_steal_pointer (&gone));
  else
    g_propagate_error (error, g_steal_pointer (&local_error));
  return NULL;
}

static gboolean
print (DynoComparison *comparison, GError **error)
{
  g_autoptr (DynoReportDocument) document = dyno_report_comparison_document_new (comparison);

  return dyno_cli_answer_print (document, error);
}

/* Measures the cases that the comparison leaves open, side by side. Returns a comparison of that run. */
static DynoComparison *
measure (const DynoComparison *comparison, const DynoComparisonOptions *what, GError **error)
{
  const DynoComparisonOptions again = { .metric = what->metric,
                                        .threshold = what->threshold,
                                        .by = what->by };
  g_autoptr (DynoPlan) plan = dyno_comparison_plan_new (comparison, error);
  g_autoptr (DynoStore) store = plan != NULL ? dyno_cli_runs_open_writable_store (error) : NULL;
  g_autoptr (DynoRunner) runner = store != NULL ? dyno_runner_new (plan, DYNO_RESULT_SINK (store)) : NULL;
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  gboolean is_kept = FALSE;
  DynoRun *run = runner != NULL ? dyno_cli_measure (runner, store, &is_kept, error) : NULL;

  if (run == NULL)
    return NULL;
  g_ptr_array_add (runs, run);
  return dyno_comparison_new (runs, &again, error);
}

gboolean
dyno_cli_compare_print (DynoRun *run, GError **error)
{
  const DynoComparisonOptions what = { NULL };
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autoptr (DynoComparison) comparison = NULL;

  g_ptr_array_add (runs, run);
  comparison = dyno_comparison_new (runs, &what, error);
  return comparison != NULL && print (comparison, error);
}

static DynoCliStatus
compare_runs (char **names, const Options *options, GError **error)
{
  DynoComparisonOptions what = { .metric = options->metric, .baseline = options->baseline };
  double fail_above = NAN;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (DynoComparison) comparison = NULL;

  if (!dyno_cli_percent_read (options->threshold, "threshold", &what.threshold, error) ||
      !dyno_cli_percent_read (options->fail_above, "fail-above", &fail_above, error))
    return DYNO_CLI_USAGE;

  for (guint i = 0; options->by != NULL && i < G_N_ELEMENTS (alternatives); i++)
    if (g_str_equal (alternatives[i].word, options->by))
      what.by = alternatives[i].parts;
  if (options->by != NULL && what.by == 0)
    {
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
          _ ("Cases cannot be compared by “%s”. Choose backend, precision, options, threads, pinning or "
             "library."),
          options->by);
      return DYNO_CLI_USAGE;
    }
  runs = dyno_cli_runs_load (names, error);
  comparison = runs != NULL ? compare (runs, &what, error) : NULL;
  if (comparison != NULL && options->measures && !dyno_comparison_is_settled (comparison))
    {
      g_autoptr (DynoComparison) first = g_steal_pointer (&comparison);

      comparison = measure (first, &what, error);
    }
  if (comparison == NULL ||
      (options->chart != NULL &&
       !dyno_cli_charts_write_one (dyno_forest_chart_new (comparison), options->chart, error)) ||
      !print (comparison, error))
    return DYNO_CLI_FAILED;

  /* A ratio alone is not enough: the case must be shown to be worse. */
  for (guint i = 0; isfinite (fail_above) && i < comparison->cases->len; i++)
    {
      const DynoComparedCase *kase = comparison->cases->pdata[i];
      double factor = kase->ratio > 1 ? kase->ratio : 1 / kase->ratio;

      if (kase->verdict == DYNO_VERDICT_WORSE && factor > 1 + fail_above)
        return DYNO_CLI_WORSE;
    }
  return DYNO_CLI_OK;
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  g_auto (Options) options = { NULL };
  const GOptionEntry entries[] = {
    { "baseline", 'b', 0, G_OPTION_ARG_STRING, &options.baseline,
      "Compare with this run, or with this engine of one run (the first)", "RUN" },
    { "by", 0, 0, G_OPTION_ARG_STRING, &options.by, "Compare the cases of one run by what they differ in",
      "backend|precision|options|threads|pinning|library" },
    { "metric", 'm', 0, G_OPTION_ARG_STRING, &options.metric, "The value to compare (latency_p50_ms)",
      "VALUE" },
    { "threshold", 't', 0, G_OPTION_ARG_STRING, &options.threshold, "Ignore smaller differences (2%)",
      "PERCENT" },
    { "fail-above", 0, 0, G_OPTION_ARG_STRING, &options.fail_above,
      "Exit with status 3 if a case was shown to be worse by more than this", "PERCENT" },
    { "measure", 0, 0, G_OPTION_ARG_NONE, &options.measures,
      "Measure the open cases in turns, and show that comparison", NULL },
    { "chart", 'c', 0, G_OPTION_ARG_FILENAME, &options.chart, "Also draw the ratios, as SVG, PNG or PDF",
      "FILE" },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);

  return rest != NULL ? compare_runs (rest, &options, error) : DYNO_CLI_USAGE;
}

const DynoCliCommand dyno_cli_compare_command = {
  .name = "compare",
  .parameters = "[RUN…]",
  .summary = "Show which is faster: runs, or the engines of one run",
  .description =
      "RUN is an id, the beginning of one, “last” or a .dyno document. Several runs are compared with "
      "the first, case by case. One run (the last by default) is compared by what its cases differ in. "
      "Certainty needs five processes per case on each side; two already tell what is probable. With "
      "--measure, the cases that are not certain are measured once more in one run: the sides are alive "
      "together and take turns of about 50 ms, so that whatever else the machine does slows both of them.\n\n"
      "Examples:\n"
      "  dyno-cli compare\n"
      "  dyno-cli compare 3f2a last\n"
      "  dyno-cli compare 3f2a last --measure\n"
      "  dyno-cli compare last --by precision\n"
      "  dyno-cli compare last --baseline before.dyno --fail-above 3%\n",
  .prints_answer = TRUE,
  .prints_notes = TRUE,
  .prints_tables = TRUE,
  .run = run,
};
