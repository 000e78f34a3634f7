/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "dyno-chart-export.h"
#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-comparison-builder.h"
#include "dyno-error.h"
#include "dyno-forest-chart.h"
#include "dyno-report.h"
#include "dyno-report-locale.h"
#include "dyno-unit.h"

typedef struct
{
  char *baseline;
  char *by;
  char *metric;
  char *threshold;
  char *fail_above;
  char *chart;
  gboolean measures;
  gboolean as_json;
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
};

static gboolean
parse_by (const char *word, DynoCaseParts *parts, GError **error)
{
  for (guint i = 0; word != NULL && i < G_N_ELEMENTS (alternatives); i++)
    if (g_str_equal (alternatives[i].word, word))
      *parts = alternatives[i].parts;
  if (word == NULL || *parts != 0)
    return TRUE;
  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
      _ ("Cases cannot be compared by “%s”. Choose backend, precision, options, threads or pinning."), word);
  return FALSE;
}

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

/* Printing */

static char *
format_count (double count)
{
  return isfinite (count) ? g_strdup_printf ("%.0f", count) : g_strdup ("");
}

static char *
format_processes (const DynoComparedCase *kase)
{
  return kase->n == kase->n_baseline ? g_strdup_printf ("%u", kase->n)
                                     : g_strdup_printf ("%u, %u", kase->n_baseline, kase->n);
}

static char *
format_effective (const DynoComparedCase *kase)
{
  g_autofree char *before = format_count (kase->effective_baseline);
  g_autofree char *after = format_count (kase->effective);

  return g_strdup_printf ("%s, %s", before, after);
}

static char *
format_noise_floor (const DynoComparedCase *kase)
{
  g_autofree char *percent = NULL;

  if (!isfinite (kase->noise_floor))
    return g_strdup ("");
  percent = dyno_unit_format_percent (kase->noise_floor * 100);
  return g_strdup_printf ("%s\u00a0%%", percent);
}

/* The values of both sides in the same unit, those of the baseline first. */
static GStrv
format_values (const DynoComparison *comparison)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < comparison->cases->len; i++)
    g_array_append_val (numbers, ((const DynoComparedCase *)comparison->cases->pdata[i])->baseline_value);
  for (guint i = 0; i < comparison->cases->len; i++)
    g_array_append_val (numbers, ((const DynoComparedCase *)comparison->cases->pdata[i])->value);
  return dyno_cli_format_column (numbers, comparison->unit);
}

static void
print_cases (const DynoComparison *comparison)
{
  g_autoptr (DynoCliTable) table = dyno_cli_table_new (
      "pLr4r2rwr7r6r8r5", _ ("Case"), comparison->sides->len > 2 ? _ ("Compared") : "", _ ("Baseline"),
      _ ("Value"), dyno_comparison_get_ratio_title (comparison), _ ("Verdict"), _ ("Effect"), _ ("Processes"),
      _ ("Effective samples"), _ ("Noise floor"), NULL);
  g_auto (GStrv) values = format_values (comparison);

  for (guint i = 0; i < comparison->cases->len; i++)
    {
      const DynoComparedCase *kase = comparison->cases->pdata[i];

      dyno_cli_table_take_row (
          table, g_strdup (kase->label),
          g_strdup (comparison->sides->len > 2 ? dyno_comparison_get_side_title (comparison, kase->side)
                                               : ""),
          g_strdup (values[i]), g_strdup (values[comparison->cases->len + i]),
          dyno_comparison_dup_ratio (comparison, kase),
          g_strdup (dyno_verdict_get_label (kase->verdict, comparison->metric)),
          isfinite (kase->effect) ? dyno_unit_format_number (kase->effect, 2) : g_strdup (""),
          format_processes (kase), format_effective (kase), format_noise_floor (kase), NULL);
    }
  if (comparison->cases->len > 0)
    {
      g_print ("\n");
      dyno_cli_table_print (table);
    }
}

static gboolean
has_reason (const DynoComparedCase *kase, const char *answer)
{
  return kase->reason != NULL && strstr (answer, kase->reason) == NULL;
}

/* Prints the reasons that the answer does not contain. */
static void
print_reasons (const DynoComparison *comparison, const char *answer)
{
  g_autoptr (GPtrArray) subjects = g_ptr_array_new ();
  g_autoptr (GPtrArray) sentences = g_ptr_array_new ();

  for (guint i = 0; i < comparison->cases->len; i++)
    {
      const DynoComparedCase *kase = comparison->cases->pdata[i];

      if (!has_reason (kase, answer))
        continue;
      g_ptr_array_add (subjects, kase->label);
      g_ptr_array_add (sentences, kase->reason);
    }
  dyno_cli_notes_print_grouped (subjects, sentences, _ ("Case"), _ ("Reason"));
}

static void
print_left_out (const DynoComparison *comparison)
{
  g_autoptr (GPtrArray) subjects = g_ptr_array_new ();
  g_autoptr (GPtrArray) sentences = g_ptr_array_new ();

  for (guint i = 0; i < comparison->left_out->len; i++)
    {
      const DynoLeftOutCase *kase = comparison->left_out->pdata[i];

      g_ptr_array_add (subjects, kase->label);
      g_ptr_array_add (sentences, kase->reason);
    }
  dyno_cli_notes_print_grouped (subjects, sentences, _ ("Not compared"), _ ("Reason"));
}

static void
print_differences (const DynoComparison *comparison)
{
  g_autoptr (DynoCliTable) table =
      dyno_cli_table_new ("llww", _ ("What differs"), comparison->sides->len > 2 ? _ ("Compared") : "",
                          _ ("Baseline"), _ ("Value"), NULL);

  for (guint i = 0; i < comparison->differences->len; i++)
    {
      const DynoSideDifference *difference = comparison->differences->pdata[i];

      dyno_cli_table_take_row (table, g_strdup (difference->name),
                               g_strdup (comparison->sides->len > 2
                                             ? dyno_comparison_get_side_title (comparison, difference->side)
                                             : ""),
                               g_strdup (difference->baseline), g_strdup (difference->value), NULL);
    }
  if (comparison->differences->len == 0)
    return;
  g_print ("\n");
  dyno_cli_table_print (table);
}

/* Sums up the tables of notes in one line. */
static void
print_folded (const DynoComparison *comparison, const char *answer)
{
  g_autoptr (GPtrArray) clauses = g_ptr_array_new_null_terminated (3, g_free, TRUE);
  g_autofree char *joined = NULL;
  g_autofree char *line = NULL;
  guint n_left_out = comparison->left_out->len;
  guint n_differences = comparison->differences->len;
  guint n_reasons = 0;

  for (guint i = 0; i < comparison->cases->len; i++)
    n_reasons += has_reason (comparison->cases->pdata[i], answer);
  if (n_reasons > 0)
    g_ptr_array_add (
        clauses, g_strdup_printf (ngettext ("%u case is not certain", "%u cases are not certain", n_reasons),
                                  n_reasons));
  if (n_left_out > 0)
    g_ptr_array_add (clauses, g_strdup_printf (ngettext ("%u case was not compared",
                                                         "%u cases were not compared", n_left_out),
                                               n_left_out));
  if (n_differences > 0)
    g_ptr_array_add (clauses, g_strdup_printf (ngettext ("%u other thing differs", "%u other things differ",
                                                         n_differences),
                                               n_differences));
  if (clauses->len == 0)
    return;
  joined = g_strjoinv ("; ", (char **)clauses->pdata);
  /* Translators: %s is a list such as “2 cases were not compared; 3 other things differ”, “--notes” an option */
  line = g_strdup_printf (_ ("%s: --notes shows more."), joined);
  dyno_cli_say ("%s\n", line);
}

static void
print (const DynoComparison *comparison)
{
  g_autofree char *answer = dyno_comparison_dup_answer (comparison);
  g_autofree char *remark = dyno_comparison_dup_remark (comparison);
  g_autofree char *noise = dyno_comparison_dup_noise (comparison);
  g_autofree char *cost = dyno_comparison_dup_cost (comparison);

  dyno_cli_say ("%s\n", answer);
  print_cases (comparison);
  g_print ("\n");
  dyno_cli_say ("%s\n", remark);
  if (noise != NULL)
    dyno_cli_say ("%s\n", noise);
  if (cost != NULL)
    dyno_cli_say ("%s\n", cost);
  if (!dyno_cli_notes_are_wanted ())
    {
      print_folded (comparison, answer);
      return;
    }
  print_reasons (comparison, answer);
  print_left_out (comparison);
  print_differences (comparison);
}

/* Returns whether a case is shown to be worse by more than the allowed share: the ratio alone is not enough. */
static gboolean
is_failed (const DynoComparison *comparison, double fail_above)
{
  for (guint i = 0; isfinite (fail_above) && i < comparison->cases->len; i++)
    {
      const DynoComparedCase *kase = comparison->cases->pdata[i];
      double factor = kase->ratio > 1 ? kase->ratio : 1 / kase->ratio;

      if (kase->verdict == DYNO_VERDICT_WORSE && factor > 1 + fail_above)
        return TRUE;
    }
  return FALSE;
}

static gboolean
write_chart (DynoComparison *comparison, const char *path, GError **error)
{
  g_autoptr (DynoChart) chart = dyno_forest_chart_new (comparison);

  return dyno_chart_export_by_name (chart, path, DYNO_CHART_EXPORT_WIDTH,
                                    dyno_chart_get_export_height (chart, DYNO_CHART_EXPORT_WIDTH),
                                    dyno_chart_style_get_light (), error);
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
dyno_cli_compare_print (DynoRun *run, gboolean as_json, GError **error)
{
  const DynoComparisonOptions what = { NULL };
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autoptr (DynoComparison) comparison = NULL;
  g_autoptr (JsonNode) json = NULL;

  g_ptr_array_add (runs, run);
  comparison = dyno_comparison_new (runs, &what, error);
  if (comparison == NULL)
    return FALSE;
  json = as_json ? dyno_report_comparison_to_json (comparison) : NULL;
  if (as_json)
    dyno_cli_print_json (json);
  else
    print (comparison);
  return TRUE;
}

static DynoCliStatus
compare_runs (char **names, const Options *options, GError **error)
{
  DynoComparisonOptions what = { .metric = options->metric, .baseline = options->baseline };
  double fail_above = NAN;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (DynoComparison) comparison = NULL;
  g_autoptr (JsonNode) json = NULL;

  if (!dyno_cli_percent_read (options->threshold, "threshold", &what.threshold, error) ||
      !dyno_cli_percent_read (options->fail_above, "fail-above", &fail_above, error) ||
      !parse_by (options->by, &what.by, error))
    return DYNO_CLI_USAGE;
  runs = dyno_cli_runs_load (names, error);
  comparison = runs != NULL ? compare (runs, &what, error) : NULL;
  if (comparison != NULL && options->measures && !dyno_comparison_is_settled (comparison))
    {
      g_autoptr (DynoComparison) first = g_steal_pointer (&comparison);

      comparison = measure (first, &what, error);
    }
  if (comparison == NULL || (options->chart != NULL && !write_chart (comparison, options->chart, error)))
    return DYNO_CLI_FAILED;
  json = options->as_json ? dyno_report_comparison_to_json (comparison) : NULL;
  if (options->as_json)
    dyno_cli_print_json (json);
  else
    print (comparison);
  return is_failed (comparison, fail_above) ? DYNO_CLI_WORSE : DYNO_CLI_OK;
}

/* Programs read the same text in every locale. */
static DynoCliStatus
compare_for_programs (char **names, const Options *options, GError **error)
{
  g_auto (DynoReportLocale) before = dyno_report_locale_begin ();

  return compare_runs (names, options, error);
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  g_auto (Options) options = { NULL };
  const GOptionEntry entries[] = {
    { "baseline", 'b', 0, G_OPTION_ARG_STRING, &options.baseline,
      "Compare with this run, or with this engine of one run (the first)", "RUN" },
    { "by", 0, 0, G_OPTION_ARG_STRING, &options.by, "Compare the cases of one run by what they differ in",
      "backend|precision|options|threads|pinning" },
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
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.as_json, "Print JSON", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);

  if (rest == NULL)
    return DYNO_CLI_USAGE;
  return options.as_json ? compare_for_programs (rest, &options, error)
                         : compare_runs (rest, &options, error);
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
  .prints_notes = TRUE,
  .prints_tables = TRUE,
  .run = run,
};
