/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-app-charts-private.h"
#include "dyno-app-runs-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-case-check.h"
#include "dyno-cases.h"
#include "dyno-chart-kind-list.h"
#include "dyno-compatibility.h"
#include "dyno-engine-name.h"
#include "dyno-metric.h"
#include "dyno-plan.h"
#include "dyno-prediction.h"
#include "dyno-run-summary.h"

struct _DynoCaseView
{
  AdwBin parent_instance;

  GtkLabel *title_label;
  GtkLabel *facts_label;
  GtkLabel *details_label;
  GtkWidget *outcome;
  AdwActionRow *outcome_row;
  GtkImage *outcome_icon;
  GtkWidget *instead_row;
  GtkButton *instead_button;
  GCancellable *instead_search; /* (nullable) */
  DynoCase *kase;
  char *instead; /* (nullable): where it may run */
  DynoChartGroups *charts;
  GtkWidget *diagnostics;
  AdwExpanderRow *diagnostics_row;
  GPtrArray *diagnostic_rows;
  GtkWidget *records;
  AdwExpanderRow *records_row;
  GPtrArray *record_rows;
  GtkWidget *modules;
  DynoModuleTable *module_table;
  GtkWidget *values;
  AdwExpanderRow *values_row;
  DynoMissingView *missing_view;
  GtkWidget *processes;
  AdwExpanderRow *processes_row;
  GPtrArray *process_rows;
  GPtrArray *value_rows;
};

G_DEFINE_FINAL_TYPE (DynoCaseView, dyno_case_view, ADW_TYPE_BIN)

/* Rows */

static void
fill_diagnostic (DynoCaseView *self, guint index, DynoDiagnostic *diagnostic)
{
  DynoSeverity severity = dyno_diagnostic_get_shown_severity (diagnostic);
  gboolean is_note = severity == DYNO_SEVERITY_INFO;
  gboolean is_warning = severity == DYNO_SEVERITY_WARNING;
  const char *css_class = is_note ? NULL : is_warning ? "warning" : "error";
  gboolean is_new = index == self->diagnostic_rows->len;
  GtkWidget *icon;

  dyno_expander_row_fill (self->diagnostics_row, self->diagnostic_rows, index,
                          dyno_diagnostic_get_message (diagnostic), "", "");
  icon = is_new ? gtk_image_new () : g_object_get_data (self->diagnostic_rows->pdata[index], "icon");
  if (is_new)
    {
      adw_action_row_add_prefix (self->diagnostic_rows->pdata[index], icon);
      g_object_set_data (self->diagnostic_rows->pdata[index], "icon", icon);
    }
  gtk_image_set_from_icon_name (GTK_IMAGE (icon), is_note      ? "dialog-information-symbolic"
                                                  : is_warning ? "dialog-warning-symbolic"
                                                               : "dialog-error-symbolic");
  gtk_widget_set_css_classes (icon, (const char *[]){ css_class, NULL });
  gtk_accessible_update_property (GTK_ACCESSIBLE (icon), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  is_note      ? _ ("Note")
                                  : is_warning ? _ ("Warning")
                                               : _ ("Error"),
                                  -1);
}

/* Contents */

static void
append_part (GString *text, const char *part)
{
  if (part == NULL || *part == '\0')
    return;
  if (text->len > 0)
    g_string_append (text, " · ");
  g_string_append (text, part);
}

static void
show_details (DynoCaseView *self, DynoResult *result)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const char *name = dyno_result_get_model_name (result);
  gint64 n_parameters = dyno_result_get_parameter_count (result);
  g_autofree char *device = dyno_result_dup_device_label (result);
  g_autofree char *prediction = dyno_prediction_dup_outcome (result);

  /* The title begins with the model, mostly by this name. */
  if (name != NULL && !g_str_has_prefix (gtk_label_get_label (self->title_label), name))
    append_part (text, name);
  append_part (text, dyno_result_get_architecture (result));
  if (n_parameters > 0)
    {
      g_autofree char *count = dyno_format_count (n_parameters);
      g_autofree char *parameters = g_strdup_printf (_ ("%s parameters"), count);
      append_part (text, parameters);
    }
  append_part (text, device);
  if (prediction != NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", prediction);
  gtk_label_set_label (self->details_label, text->str);
  gtk_widget_set_visible (GTK_WIDGET (self->details_label), text->len > 0);
}

static char *
describe_count (DynoQuality quality, guint n)
{
  switch (quality)
    {
    case DYNO_QUALITY_UNSTEADY:
      return g_strdup_printf (ngettext ("%u unsteady", "%u unsteady", n), n);
    case DYNO_QUALITY_ESTIMATED:
      return g_strdup_printf (ngettext ("%u estimated", "%u estimated", n), n);
    case DYNO_QUALITY_IMPORTED:
      return g_strdup_printf (ngettext ("%u imported", "%u imported", n), n);
    case DYNO_QUALITY_UNSUPPORTED:
      return g_strdup_printf (ngettext ("%u not measured", "%u not measured", n), n);
    case DYNO_QUALITY_MEASURED:
    default:
      return g_strdup_printf (ngettext ("%u measured", "%u measured", n), n);
    }
}

static char *
dup_value_counts (GPtrArray *values)
{
  const DynoQuality qualities[] = { DYNO_QUALITY_MEASURED, DYNO_QUALITY_UNSTEADY, DYNO_QUALITY_ESTIMATED,
                                    DYNO_QUALITY_IMPORTED, DYNO_QUALITY_UNSUPPORTED };
  guint counts[DYNO_QUALITY_UNSUPPORTED + 1] = { 0 };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < values->len; i++)
    counts[dyno_value_get_quality (g_ptr_array_index (values, i))]++;
  for (guint i = 0; i < G_N_ELEMENTS (qualities); i++)
    {
      g_autofree char *count = describe_count (qualities[i], counts[qualities[i]]);

      if (counts[qualities[i]] > 0)
        g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", count);
    }
  return g_string_free (text, FALSE);
}

static void
show_values (DynoCaseView *self, DynoResult *result)
{
  GPtrArray *values = dyno_result_get_values (result);
  g_autoptr (GListStore) results = g_list_store_new (DYNO_TYPE_RESULT);
  g_autofree char *counts = dup_value_counts (values);
  guint n_rows = 0;

  for (guint i = 0; i < values->len; i++)
    if (dyno_value_get_quality (values->pdata[i]) != DYNO_QUALITY_UNSUPPORTED)
      {
        DynoValue *value = values->pdata[i];
        const char *note = dyno_format_quality (dyno_value_get_quality (value));
        const char *source = dyno_value_get_source (value);
        g_autofree char *number = dyno_format_value (result, value);
        g_autofree char *title = dyno_metric_title_dup (dyno_value_get_name (value));
        g_autofree char *text = note != NULL ? g_strdup_printf ("%s (%s)", number, note) : g_strdup (number);
        GtkLabel *label = dyno_expander_row_fill (self->values_row, self->value_rows, n_rows++, title,
                                                  source != NULL ? source : "", text);

        gtk_widget_set_css_classes (GTK_WIDGET (label),
                                    (const char *[]){ "numeric", note != NULL ? "dim-label" : NULL, NULL });
      }
  dyno_expander_row_cut (self->values_row, self->value_rows, n_rows);
  adw_expander_row_set_subtitle (self->values_row, counts);
  gtk_widget_set_visible (self->values, n_rows > 0);
  g_list_store_append (results, result);
  dyno_missing_view_set_results (self->missing_view, G_LIST_MODEL (results));
}

/* Shows the median and the number of samples of one process, or the reason of its failure. */
static void
fill_process (DynoCaseView *self, guint index, const DynoInvocation *invocation)
{
  double median = dyno_invocation_get_number (invocation, "latency_p50_ms");
  guint n_samples = (guint)fmax (dyno_invocation_get_number (invocation, "latency_samples"), 0);
  g_autofree char *title = g_strdup_printf (_ ("Process %u"), invocation->number + 1);
  g_autofree char *samples = g_strdup_printf (ngettext ("%u sample", "%u samples", n_samples), n_samples);
  g_autofree char *text = isfinite (median) ? dyno_format_latency (median) : g_strdup (_ ("Failed"));
  const char *subtitle = invocation->failure != NULL ? invocation->failure : samples;
  GtkLabel *label =
      dyno_expander_row_fill (self->processes_row, self->process_rows, index, title, subtitle, text);

  gtk_widget_add_css_class (GTK_WIDGET (label), "numeric");
}

static void
show_processes (DynoCaseView *self, DynoResult *result)
{
  GPtrArray *invocations = dyno_result_get_invocations (result);
  g_auto (GStrv) findings = dyno_processes_dup_findings (result);
  g_autofree char *text = g_strjoinv (" ", findings);
  g_autofree char *title =
      g_strdup_printf (ngettext ("%u Process", "%u Processes", invocations->len), invocations->len);

  for (guint i = 0; i < invocations->len; i++)
    fill_process (self, i, invocations->pdata[i]);
  dyno_expander_row_cut (self->processes_row, self->process_rows, invocations->len);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->processes_row), title);
  adw_expander_row_set_subtitle (self->processes_row, text);
  gtk_widget_set_visible (self->processes, invocations->len > 1);
}

static void
show_diagnostics (DynoCaseView *self, DynoResult *result)
{
  g_autoptr (GPtrArray) diagnostics = dyno_result_list_diagnostics (result, FALSE);
  g_autoptr (GPtrArray) records = dyno_result_list_diagnostics (result, TRUE);
  g_autofree char *title =
      g_strdup_printf (ngettext ("%u Note", "%u Notes", diagnostics->len), diagnostics->len);

  for (guint i = 0; i < diagnostics->len; i++)
    fill_diagnostic (self, i, diagnostics->pdata[i]);
  dyno_expander_row_cut (self->diagnostics_row, self->diagnostic_rows, diagnostics->len);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->diagnostics_row), title);
  gtk_widget_set_visible (self->diagnostics, diagnostics->len > 0);
  for (guint i = 0; i < records->len; i++)
    dyno_expander_row_fill (self->records_row, self->record_rows, i,
                            dyno_diagnostic_get_message (records->pdata[i]), "", "");
  dyno_expander_row_cut (self->records_row, self->record_rows, records->len);
  gtk_widget_set_visible (self->records, records->len > 0);
}

/* The table of operators has a row for each kind of operator. */
static void
chart_activated_cb (DynoCaseView *self, GObject *subject)
{
  DynoChartView *view;

  if (!DYNO_IS_OPERATOR (subject))
    return;
  view = dyno_chart_groups_show (self->charts, DYNO_CHART_OPERATORS);
  dyno_chart_view_show_row (view, dyno_operator_get_op_type (DYNO_OPERATOR (subject)));
  gtk_widget_child_focus (GTK_WIDGET (view), GTK_DIR_TAB_FORWARD);
}

/* Another place */

static void
instead_clicked_cb (DynoCaseView *self)
{
  g_autoptr (DynoPlan) plan = dyno_plan_new_for_case (self->kase, self->instead);
  g_autofree char *json = dyno_plan_to_json (plan);

  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-plan", "s", json);
}

static void
find_instead_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GPtrArray *tried = data;
  const DynoTriedCase *first = tried->pdata[0];
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (NULL);

  g_task_return_pointer (task, machine != NULL ? dyno_case_find_nearest (first->kase, machine, tried) : NULL,
                         g_free);
}

static void
instead_found_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoCaseView *self = DYNO_CASE_VIEW (object);
  g_autoptr (GError) error = NULL;
  g_autofree char *spec = g_task_propagate_pointer (G_TASK (result), &error);
  const char *const specs[] = { spec, NULL };
  g_autofree char *name = NULL;
  g_autofree char *label = NULL;

  if (spec == NULL)
    return;
  name = dyno_engine_name_dup_list (specs);
  /* Translators: an engine and its device, as in “Run on OpenVINO (CPU) Instead” */
  label = g_strdup_printf (_ ("Run on %s Instead"), name);
  gtk_button_set_label (self->instead_button, label);
  gtk_widget_set_visible (self->instead_row, TRUE);
  self->instead = g_steal_pointer (&spec);
}

/* An engine that the run has tried is no news. */
static void
find_instead (DynoCaseView *self, DynoRun *run, DynoResult *result)
{
  g_autoptr (GPtrArray) tried = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tried_case_free);
  GListModel *results = dyno_run_get_results (run);
  DynoCaseState state = dyno_result_get_state (result);

  g_cancellable_cancel (self->instead_search);
  g_clear_object (&self->instead_search);
  g_clear_pointer (&self->instead, g_free);
  g_set_object (&self->kase, dyno_result_get_case (result));
  gtk_widget_set_visible (self->instead_row, FALSE);
  if (state != DYNO_CASE_STATE_SKIPPED && state != DYNO_CASE_STATE_FAILED)
    return;
  g_ptr_array_add (tried, dyno_tried_case_new (self->kase, FALSE));
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) other = g_list_model_get_item (results, i);

      g_ptr_array_add (tried, dyno_tried_case_new (dyno_result_get_case (other), FALSE));
    }
  self->instead_search = g_cancellable_new ();
  dyno_thread_task_run (self, self->instead_search, find_instead_thread, g_steal_pointer (&tried),
                        (GDestroyNotify)g_ptr_array_unref, instead_found_cb);
}

static void
dyno_case_view_dispose (GObject *object)
{
  DynoCaseView *self = DYNO_CASE_VIEW (object);

  g_cancellable_cancel (self->instead_search);
  g_clear_object (&self->instead_search);
  g_clear_object (&self->kase);
  g_clear_pointer (&self->instead, g_free);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_CASE_VIEW);
  g_clear_pointer (&self->value_rows, g_ptr_array_unref);
  g_clear_pointer (&self->process_rows, g_ptr_array_unref);
  g_clear_pointer (&self->diagnostic_rows, g_ptr_array_unref);
  g_clear_pointer (&self->record_rows, g_ptr_array_unref);

  G_OBJECT_CLASS (dyno_case_view_parent_class)->dispose (object);
}

static void
dyno_case_view_class_init (DynoCaseViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_case_view_dispose;

  g_type_ensure (DYNO_TYPE_CHART_GROUPS);
  g_type_ensure (DYNO_TYPE_COLUMNS);
  g_type_ensure (DYNO_TYPE_MISSING_VIEW);
  g_type_ensure (DYNO_TYPE_MODULE_TABLE);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-case-view.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoCaseView, title_label);
  gtk_widget_class_bind_template_child (widget_class, DynoCaseView, facts_label);
  gtk_widget_class_bind_template_child (widget_class, DynoCaseView, details_label);
  gtk_widget_class_bind_template_child (widget_class, DynoCaseView, outcome);
  gtk_widget_class_bind_template_child (widget_class, DynoCaseView, outcome_row);
  gtk_widget_class_bind_template_child (widget_class, DynoCaseView, outcome_icon);
  gtk_widget_class_bind_template_child (widget_class, DynoCaseView, instead_row);
  gtk_widget_class_bind_template_child (widget_class, DynoCaseView, instead_button);
  gtk_widget_class_bind_template_callback (widget_class, instead_clicked_cb);
  gtk_widget_class_bind_template_child (widget_class, DynoCaseView, charts);
  gtk_widget_class_bind_template_callback (widget_class, chart_activated_cb);
  gtk_widget_class_bind_template_child (widget_class, DynoCaseView, diagnostics);
  gtk_widget_class_bind_template_child (widget_class, DynoCaseView, diagnostics_row);
  gtk_widget_class_bind_template_child (widget_class, DynoCaseView, records);
  gtk_widget_class_bind_template_child (widget_class, DynoCaseView, records_row);
  gtk_widget_class_bind_template_child (widget_class, DynoCaseView, modules);
  gtk_widget_class_bind_template_child (widget_class, DynoCaseView, module_table);
  gtk_widget_class_bind_template_child (widget_class, DynoCaseView, processes);
  gtk_widget_class_bind_template_child (widget_class, DynoCaseView, processes_row);
  gtk_widget_class_bind_template_child (widget_class, DynoCaseView, values);
  gtk_widget_class_bind_template_child (widget_class, DynoCaseView, values_row);
  gtk_widget_class_bind_template_child (widget_class, DynoCaseView, missing_view);
}

static void
dyno_case_view_init (DynoCaseView *self)
{
  self->value_rows = g_ptr_array_new ();
  self->process_rows = g_ptr_array_new ();
  self->diagnostic_rows = g_ptr_array_new ();
  self->record_rows = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
dyno_case_view_new (void)
{
  return g_object_new (DYNO_TYPE_CASE_VIEW, NULL);
}

void
dyno_case_view_set_result (DynoCaseView *self, DynoRun *run, DynoResult *result)
{
  g_autofree char *title = NULL;
  g_autofree char *facts = NULL;

  g_return_if_fail (DYNO_IS_CASE_VIEW (self));
  g_return_if_fail (DYNO_IS_RUN (run));
  g_return_if_fail (DYNO_IS_RESULT (result));

  title = dyno_case_parts_dup_label (result);
  gtk_label_set_label (self->title_label, title);
  facts = dyno_run_summary_dup_median (result);
  gtk_label_set_label (self->facts_label, facts != NULL ? facts : "");
  gtk_widget_set_visible (GTK_WIDGET (self->facts_label), facts != NULL);
  show_details (self, result);

  DynoCaseState state = dyno_result_get_state (result);
  const char *reason = dyno_result_get_reason (result);
  g_autofree char *escaped = g_markup_escape_text (reason != NULL ? reason : "", -1);
  gtk_widget_set_visible (self->outcome, !dyno_case_state_is_clean (state));
  gtk_image_set_from_icon_name (self->outcome_icon, dyno_format_state_icon (state));
  gtk_widget_set_css_classes (GTK_WIDGET (self->outcome_icon),
                              (const char *[]){ dyno_format_state_css_class (state), NULL });
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->outcome_row), dyno_case_state_get_label (state));
  adw_action_row_set_subtitle (self->outcome_row, escaped);
  find_instead (self, run, result);

  gboolean has_traces = dyno_result_get_traces (result)->len > 0;
  gtk_widget_set_visible (GTK_WIDGET (self->charts), has_traces);
  if (has_traces)
    dyno_chart_groups_set_run (self->charts, run, result);

  show_diagnostics (self, result);
  gtk_widget_set_visible (self->modules, dyno_module_table_set_result (self->module_table, result));
  show_processes (self, result);
  show_values (self, result);
}

void
dyno_case_view_set_ceilings (DynoCaseView *self, GHashTable *ceilings)
{
  g_return_if_fail (DYNO_IS_CASE_VIEW (self));
  dyno_chart_groups_set_ceilings (self->charts, ceilings);
}
