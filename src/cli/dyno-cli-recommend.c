/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-cases.h"
#include "dyno-chart-export.h"
#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-error.h"
#include "dyno-matrix-chart.h"
#include "dyno-recommendation.h"
#include "dyno-report.h"

typedef struct
{
  DynoCliGoal goal;
  char *axes;
  char *chart;
  gboolean as_json;
} Options;

static void
options_clear (Options *self)
{
  dyno_cli_goal_clear (&self->goal);
  g_free (self->axes);
  g_free (self->chart);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* Loads the named runs, or all measured ones. */
static GPtrArray *
load_runs (char **names, GError **error)
{
  g_autoptr (DynoStore) store = NULL;
  g_autoptr (GPtrArray) runs = NULL;

  if (*names != NULL)
    return dyno_cli_runs_load (names, error);
  store = dyno_cli_runs_open_store (error);
  runs = store != NULL ? dyno_cli_runs_load_all (store, error) : NULL;
  if (runs == NULL || runs->len > 0)
    return g_steal_pointer (&runs);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
               _ ("There are no runs yet. Measure with “dyno-cli run --suite quick”."));
  return NULL;
}

static char **
read_axes (const Options *options, GError **error)
{
  g_auto (GStrv) axes = g_strsplit (options->axes != NULL ? options->axes : "model,size", ",", -1);

  if (g_strv_length (axes) != 2)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("--axes takes two axes, such as “model,size”."));
      return NULL;
    }
  g_strstrip (axes[0]);
  g_strstrip (axes[1]);
  return g_steal_pointer (&axes);
}

/* Checks the command line before reading any run. */
static DynoRecommendation *
recommend (const Options *options, char **names, GError **error)
{
  DynoGoal goal;
  g_auto (GStrv) axes = dyno_cli_goal_read (&options->goal, &goal, error) ? read_axes (options, error) : NULL;
  g_autoptr (GPtrArray) runs = axes != NULL ? load_runs (names, error) : NULL;

  return runs != NULL ? dyno_recommendation_new (runs, &goal, axes[0], axes[1], error) : NULL;
}

/* For people */

/* Prints the basis of the recommendation. */
static void
print_basis (const DynoRecommendation *self)
{
  g_autofree char *basis = dyno_recommendation_dup_basis (self);
  g_autofree char *noise = dyno_recommendation_dup_noise (self);

  g_print ("\n");
  dyno_cli_say ("%s\n", basis);
  if (noise != NULL)
    dyno_cli_say ("%s\n", noise);
}

static const DynoCandidate *
get_best (const DynoRecommendationCell *cell)
{
  return cell->candidates->len > 0 ? cell->candidates->pdata[0] : NULL;
}

static char *
dup_evidence (const DynoRecommendationCell *cell, guint place)
{
  return place < cell->candidates->len ? dyno_candidate_dup_evidence (cell->candidates->pdata[place])
                                       : g_strdup ("");
}

static char *
dup_doubtful_mark (const DynoRecommendationCell *cell)
{
  const DynoCandidate *best = get_best (cell);

  return g_strdup (best != NULL && best->doubt != NULL ? _ ("doubtful") : "");
}

/* The values of the goal's metric for the best case of each cell. */
static GStrv
format_values (const DynoRecommendation *self)
{
  const char *metric = dyno_objective_get_metric (dyno_goal_get_main (&self->goal));
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));
  const char *unit = "";

  for (guint i = 0; i < self->cells->len; i++)
    {
      const DynoCandidate *best = get_best (self->cells->pdata[i]);
      DynoValue *value = best != NULL ? dyno_result_get_value (best->result, metric) : NULL;
      double number = value != NULL ? dyno_value_get_number (value) : NAN;

      if (value != NULL)
        unit = dyno_value_get_unit (value);
      g_array_append_val (numbers, number);
    }
  return dyno_cli_format_column (numbers, unit);
}

static void
print_table (const DynoRecommendation *self)
{
  g_autofree char *row_title = dyno_recommendation_axis_dup_title (self->row_axis);
  g_autofree char *column_title = dyno_recommendation_axis_dup_title (self->column_axis);
  g_autoptr (DynoCliTable) table =
      dyno_cli_table_new ("LPwrwl5l7l3", row_title, column_title, _ ("Best"), _ ("Value"), _ ("Margin"),
                          _ ("Measured in"), _ ("Next best in"), _ ("Remark"), NULL);
  g_auto (GStrv) values = format_values (self);

  for (guint i = 0; i < self->cells->len; i++)
    {
      const DynoRecommendationCell *cell = self->cells->pdata[i];

      if (cell->state == DYNO_RECOMMENDATION_NO_SUCH_SIZE)
        continue;
      dyno_cli_table_take_row (table, g_strdup (self->rows->pdata[i / self->columns->len]),
                               g_strdup (self->columns->pdata[i % self->columns->len]),
                               dyno_recommendation_dup_answer (cell), g_strdup (values[i]),
                               dyno_recommendation_dup_margin (self, cell), dup_evidence (cell, 0),
                               dup_evidence (cell, 1), dup_doubtful_mark (cell), NULL);
    }
  dyno_cli_table_print (table);
}

static void
add_doubt (GHashTable *printed, const DynoCandidate *best)
{
  g_autofree char *name = dyno_case_parts_dup_label (best->result);
  char *line = g_strdup_printf ("%s: %s", name, best->doubt);

  if (g_hash_table_add (printed, line))
    dyno_cli_say ("%s\n", line);
}

/* Lists doubtful recommended cases with the reason. */
static void
print_doubts (const DynoRecommendation *self)
{
  g_autoptr (GHashTable) printed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gboolean any = FALSE;

  for (guint i = 0; i < self->cells->len; i++)
    {
      const DynoCandidate *best = get_best (self->cells->pdata[i]);

      if (best == NULL || best->doubt == NULL)
        continue;
      if (!any)
        dyno_cli_say ("\n%s\n", _ ("Best, but doubtful:"));
      any = TRUE;
      add_doubt (printed, best);
    }
}

/* Collects the cases of each reason, in the order of the matrix. */
static GPtrArray *
collect_refusals (const DynoRecommendation *self, GHashTable *cases)
{
  GPtrArray *reasons = g_ptr_array_new ();

  for (guint i = 0; i < self->cells->len; i++)
    {
      const DynoRecommendationCell *cell = self->cells->pdata[i];

      for (guint k = 0; k < cell->refused->len; k++)
        {
          const DynoCandidate *refused = cell->refused->pdata[k];
          GString *names = g_hash_table_lookup (cases, refused->reason);
          g_autofree char *name = dyno_case_parts_dup_label (refused->result);

          if (names == NULL)
            {
              names = g_string_new (NULL);
              g_hash_table_insert (cases, refused->reason, names);
              g_ptr_array_add (reasons, refused->reason);
            }
          g_string_append_printf (names, "\n  %s", name);
        }
    }
  return reasons;
}

static void
free_names (gpointer names)
{
  g_string_free (names, TRUE);
}

static void
print_refusals (const DynoRecommendation *self)
{
  g_autoptr (GHashTable) cases = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_names);
  g_autoptr (GPtrArray) reasons = collect_refusals (self, cases);

  if (reasons->len > 0)
    dyno_cli_say ("\n%s\n", _ ("Not recommended:"));
  for (guint i = 0; i < reasons->len; i++)
    {
      dyno_cli_say ("%s\n", (const char *)reasons->pdata[i]);
      g_print ("%s\n", ((GString *)g_hash_table_lookup (cases, reasons->pdata[i]))->str + 1);
    }
}

/* Sums up the lists of notes in one line. */
static void
print_folded (const DynoRecommendation *self)
{
  guint n_doubtful = 0, n_refused = 0;
  g_autofree char *doubtful = NULL;
  g_autofree char *refused = NULL;
  g_autofree char *line = NULL;

  for (guint i = 0; i < self->cells->len; i++)
    {
      const DynoRecommendationCell *cell = self->cells->pdata[i];

      n_doubtful += get_best (cell) != NULL && get_best (cell)->doubt != NULL;
      n_refused += cell->refused->len;
    }
  doubtful = g_strdup_printf (
      ngettext ("%u recommendation is doubtful", "%u recommendations are doubtful", n_doubtful), n_doubtful);
  refused =
      g_strdup_printf (ngettext ("%u case was ruled out", "%u cases were ruled out", n_refused), n_refused);
  if (n_doubtful > 0 && n_refused > 0)
    line = g_strdup_printf (_ ("%s; %s: --notes says why."), doubtful, refused);
  else if (n_doubtful + n_refused > 0)
    line = g_strdup_printf (_ ("%s: --notes says why."), n_doubtful > 0 ? doubtful : refused);
  if (line != NULL)
    dyno_cli_say ("%s\n", line);
}

static void
print_text (const DynoRecommendation *self)
{
  dyno_cli_goal_print (&self->goal);
  g_print ("\n");
  print_table (self);
  print_basis (self);
  if (!dyno_cli_notes_are_wanted ())
    {
      print_folded (self);
      return;
    }
  print_doubts (self);
  print_refusals (self);
}

/* For machines */

static void
add_setting (JsonBuilder *builder, DynoResult *result)
{
  DynoCase *kase = dyno_result_get_case (result);

  dyno_report_member_add_text (builder, "model", dyno_case_get_model (kase));
  dyno_report_member_add_text (builder, "backend", dyno_case_get_backend (kase));
  dyno_report_member_add_text (builder, "device", dyno_case_get_device (kase));
  dyno_report_member_add_text (builder, "precision", dyno_case_get_precision (kase));
  dyno_report_member_add_text (builder, "options", dyno_case_get_options (kase));
  dyno_report_member_add_text (builder, "pinning", dyno_case_get_pinning (kase));
  dyno_report_member_add_number (builder, "threads", dyno_case_get_threads (kase));
  dyno_report_member_add_number (builder, "batch_size", dyno_case_get_batch_size (kase));
  dyno_report_member_add_number (builder, "sequence_length", dyno_case_get_sequence_length (kase));
}

static void
add_margin (JsonBuilder *builder, const DynoRecommendation *self, const DynoComparedCase *margin)
{
  const char *metric = dyno_objective_get_metric (dyno_goal_get_main (&self->goal));

  dyno_report_member_add_number (builder, "best_over_this", margin->ratio);
  dyno_report_member_add_number (builder, "low", margin->low);
  dyno_report_member_add_number (builder, "high", margin->high);
  dyno_report_member_add_text (builder, "verdict", dyno_verdict_to_string (margin->verdict, metric));
  dyno_report_member_add_text (builder, "verdict_reason", margin->reason);
}

static void
add_candidate (JsonBuilder *builder, const DynoRecommendation *self, const DynoCandidate *candidate)
{
  json_builder_begin_object (builder);
  dyno_report_member_add_text (builder, "choice", candidate->label);
  dyno_report_member_add_text (builder, "run", dyno_run_get_id (candidate->run));
  dyno_report_member_add_number (builder, "ordinal", dyno_result_get_ordinal (candidate->result));
  add_setting (builder, candidate->result);
  for (guint i = 0; i < DYNO_N_OBJECTIVES; i++)
    dyno_report_member_add_number (builder, dyno_objective_get_metric (i),
                                   dyno_result_get_number (candidate->result, dyno_objective_get_metric (i)));
  dyno_report_member_add_text (builder, "doubt", candidate->doubt);
  dyno_report_member_add_text (builder, "reason", candidate->reason);
  if (candidate->margin != NULL)
    add_margin (builder, self, candidate->margin);
  json_builder_end_object (builder);
}

static void
add_candidates (JsonBuilder *builder, const char *name, const DynoRecommendation *self, GPtrArray *candidates)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < candidates->len; i++)
    add_candidate (builder, self, candidates->pdata[i]);
  json_builder_end_array (builder);
}

static void
add_cells (JsonBuilder *builder, const DynoRecommendation *self)
{
  json_builder_set_member_name (builder, "cells");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->cells->len; i++)
    {
      const DynoRecommendationCell *cell = self->cells->pdata[i];

      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "row", self->rows->pdata[i / self->columns->len]);
      dyno_report_member_add_text (builder, "column", self->columns->pdata[i % self->columns->len]);
      dyno_report_member_add_text (builder, "state", dyno_recommendation_state_to_string (cell->state));
      add_candidates (builder, "candidates", self, cell->candidates);
      add_candidates (builder, "refused", self, cell->refused);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
print_json (const DynoRecommendation *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *goal = dyno_goal_to_string (&self->goal);

  json_builder_begin_object (builder);
  dyno_report_member_add_text (builder, "goal", goal);
  json_builder_set_member_name (builder, "limits");
  json_builder_begin_object (builder);
  for (guint i = 0; i < DYNO_N_LIMITS; i++)
    dyno_report_member_add_number (builder, dyno_limit_to_string (i), self->goal.limits[i]);
  json_builder_end_object (builder);
  dyno_report_member_add_text (builder, "row_axis", self->row_axis);
  dyno_report_member_add_text (builder, "column_axis", self->column_axis);
  dyno_report_member_add_number (builder, "measured_cases", self->n_cases);
  dyno_report_member_add_number (builder, "runs", self->runs->len);
  dyno_report_member_add_number (builder, "runs_of_other_machines", self->other_runs->len);
  dyno_report_member_add_number (builder, "runs_of_other_tools", self->imported_runs->len);
  add_cells (builder, self);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  dyno_cli_print_json (root);
}

static gboolean
write_chart (DynoRecommendation *self, const char *path, GError **error)
{
  g_autoptr (DynoChart) chart = dyno_matrix_chart_new (self);

  return dyno_chart_export_by_name (chart, path, DYNO_CHART_EXPORT_WIDTH,
                                    dyno_chart_get_export_height (chart, DYNO_CHART_EXPORT_WIDTH),
                                    dyno_chart_style_get_light (), error);
}

static char **
parse (const DynoCliCommand *command, Options *options, char **arguments, GError **error)
{
  const GOptionEntry own[] = {
    { "axes", 'a', 0, G_OPTION_ARG_STRING, &options->axes,
      "Rows and columns, such as threads,batch or an engine option (model,size)", "ROWS,COLUMNS" },
    { "chart", 'c', 0, G_OPTION_ARG_FILENAME, &options->chart, "Also draw the matrix, as SVG, PNG or PDF",
      "FILE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options->as_json, "Print JSON with every candidate", NULL },
  };
  g_autoptr (GArray) entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));

  dyno_cli_goal_add_entries (&options->goal, entries);
  g_array_append_vals (entries, own, G_N_ELEMENTS (own));
  return dyno_cli_parse (command, (const GOptionEntry *)entries->data, arguments, error);
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  g_auto (Options) options = { { NULL } };
  g_auto (GStrv) rest = parse (command, &options, arguments, error);
  g_autoptr (DynoRecommendation) recommendation = rest != NULL ? recommend (&options, rest, error) : NULL;

  if (recommendation == NULL ||
      (options.chart != NULL && !write_chart (recommendation, options.chart, error)))
    return DYNO_CLI_FAILED;
  (options.as_json ? print_json : print_text) (recommendation);
  return DYNO_CLI_OK;
}

const DynoCliCommand dyno_cli_recommend_command = {
  .name = "recommend",
  .parameters = "[RUN…]",
  .summary = "Say what to use, from measured results",
  .description =
      "Names the engine, precision and threads that serve the goal best for each model and size, how "
      "far they are ahead of the next, and in which runs that was measured. Dyno recommends only what "
      "was measured, and calls a tie within the noise a tie. RUN is an id, the beginning of one, "
      "“last” or a .dyno document. The default is all runs.\n\n"
      "Examples:\n"
      "  dyno-cli recommend\n"
      "  dyno-cli recommend --goal throughput --max-latency 20\n"
      "  dyno-cli recommend --axes streams,batch --json last\n",
  .prints_notes = TRUE,
  .prints_tables = TRUE,
  .run = run,
};
