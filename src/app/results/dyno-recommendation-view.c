/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-charts-private.h"
#include "dyno-app-reports-private.h"
#include "dyno-app-results-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-recommendation.h"
#include "dyno-subject-charts.h"
#include "dyno-unit.h"
#include "dyno-task.h"

struct _DynoRecommendationView
{
  AdwBin parent_instance;

  DynoStore *store;
  GPtrArray *runs;
  GCancellable *cancellable;

  GtkStack *stack;
  GtkBox *controls;
  GtkDropDown *goal_drop_down;
  DynoReportButton *report_button;
  GtkDropDown *rows_drop_down;
  GtkDropDown *columns_drop_down;
  GtkListBox *limits_list;
  DynoLimitRow *limit_rows[DYNO_N_LIMITS];
  GtkBox *chips;
  DynoChartView *chart_view;
  GtkLabel *basis_label;
  GtkListBox *cells_list;
  GtkWidget *missing_group;
  GtkListBox *missing_list;
};

G_DEFINE_FINAL_TYPE (DynoRecommendationView, dyno_recommendation_view, ADW_TYPE_BIN)

/* The request, passed to a thread. */
typedef struct
{
  GPtrArray *runs;
  DynoGoal goal;
  const char *row_axis;
  const char *column_axis;
} Request;

static void
request_free (Request *request)
{
  g_ptr_array_unref (request->runs);
  g_free (request);
}

static const char *
get_axis (GtkDropDown *drop_down)
{
  return dyno_recommendation_axis_list ()[gtk_drop_down_get_selected (drop_down)];
}

/* Cells without data */

static void
measure_cb (GtkButton *button, GtkWidget *self)
{
  gtk_widget_activate_action (self, "win.show-plan", "s", gtk_widget_get_name (GTK_WIDGET (button)));
}

static void
add_missing (DynoRecommendationView *self, DynoRecommendation *recommendation, guint row, guint column)
{
  g_autoptr (DynoPlan) plan = dyno_recommendation_plan_new (recommendation, row, column);
  g_autofree char *json = plan != NULL ? dyno_plan_to_json (plan) : NULL;
  GtkWidget *widget =
      g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", recommendation->rows->pdata[row],
                    "subtitle", recommendation->columns->pdata[column], NULL);
  GtkWidget *button;

  gtk_list_box_append (self->missing_list, widget);
  if (json == NULL)
    return;
  button = g_object_new (GTK_TYPE_BUTTON, "label", _ ("_Measure…"), "use-underline", TRUE, "valign",
                         GTK_ALIGN_CENTER, "name", json, NULL);
  g_signal_connect_object (button, "clicked", G_CALLBACK (measure_cb), self, 0);
  adw_action_row_add_suffix (ADW_ACTION_ROW (widget), button);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (widget), button);
}

/* Returns the number of the best candidate; NULL if there is none, or it is a part of the answer. */
static char *
dup_value (DynoRecommendation *recommendation, const DynoRecommendationCell *cell)
{
  const char *metric = dyno_objective_get_metric (dyno_goal_get_main (&recommendation->goal));
  const DynoCandidate *best = cell->candidates->len > 0 ? cell->candidates->pdata[0] : NULL;
  DynoValue *value = best != NULL ? dyno_result_get_value (best->result, metric) : NULL;
  g_autofree char *number = NULL;
  g_autofree char *cost = NULL;

  if (value == NULL)
    return NULL;
  number = dyno_unit_format (dyno_value_get_number (value), dyno_value_get_unit (value));
  cost = dyno_price_dup_cost (&recommendation->goal.price, best->result);
  /* Translators: a number, and a cost such as “0.42 USD per million images” */
  return cost != NULL ? g_strdup_printf (_ ("%s · %s (estimated)"), number, cost) : g_steal_pointer (&number);
}

static void
list_cells (DynoRecommendationView *self, DynoRecommendation *recommendation)
{
  dyno_list_box_clear (self->missing_list);
  dyno_list_box_clear (self->cells_list);
  for (guint row = 0; row < recommendation->rows->len; row++)
    for (guint column = 0; column < recommendation->columns->len; column++)
      {
        DynoRecommendationState state = dyno_recommendation_get_cell (recommendation, row, column)->state;

        if (state == DYNO_RECOMMENDATION_NO_DATA)
          add_missing (self, recommendation, row, column);
        else if (state != DYNO_RECOMMENDATION_NO_SUCH_SIZE)
          {
            /* A list of cells replaces the matrix if there is no room for it. */
            const DynoRecommendationCell *cell = dyno_recommendation_get_cell (recommendation, row, column);
            g_autofree char *title = g_strdup_printf ("%s · %s", (char *)recommendation->rows->pdata[row],
                                                      (char *)recommendation->columns->pdata[column]);
            g_autofree char *answer = dyno_recommendation_dup_answer (cell);
            g_autofree char *margin = dyno_recommendation_dup_margin (recommendation, cell);
            g_autofree char *value = dup_value (recommendation, cell);
            g_autofree char *subtitle = g_strdup_printf ("%s%s%s\n%s", answer, value != NULL ? " · " : "",
                                                         value != NULL ? value : "", margin);

            gtk_list_box_append (self->cells_list,
                                 g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", title,
                                               "subtitle", subtitle, "title-lines", 0, "subtitle-lines", 0,
                                               NULL));
          }
      }
  gtk_widget_set_visible (self->missing_group,
                          gtk_widget_get_first_child (GTK_WIDGET (self->missing_list)) != NULL);
}

/* Recommendation */

static void
recommend (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Request *request = data;
  GError *error = NULL;
  DynoRecommendation *recommendation = dyno_recommendation_new (
      request->runs, &request->goal, request->row_axis, request->column_axis, &error);

  if (recommendation != NULL)
    g_task_return_pointer (task, recommendation, (GDestroyNotify)dyno_recommendation_unref);
  else
    g_task_return_error (task, error);
}

static void
recommended_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  DynoRecommendationView *self = DYNO_RECOMMENDATION_VIEW (object);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoRecommendation) recommendation = g_task_propagate_pointer (G_TASK (result), &error);
  g_autoptr (DynoChart) chart = NULL;
  g_autofree char *basis = NULL;
  g_autofree char *noise = NULL;
  g_autofree char *beside = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (recommendation == NULL)
    {
      dyno_toast_report_error (GTK_WIDGET (self), _ ("There is no such matrix"), error);
      return;
    }
  basis = dyno_recommendation_dup_basis (recommendation);
  noise = dyno_recommendation_dup_noise (recommendation);
  beside = noise != NULL ? g_strdup_printf ("%s %s", basis, noise) : g_strdup (basis);
  gtk_label_set_label (self->basis_label, beside);
  chart = dyno_matrix_chart_new (recommendation);
  dyno_chart_view_set_chart (self->chart_view, chart);
  list_cells (self, recommendation);

  /* A report reads the runs again. */
  g_autofree char *goal = dyno_goal_dup_label (&recommendation->goal);
  DynoReportSubject *subject = dyno_report_subject_new (&dyno_report_hardware_template, goal);
  for (guint i = 0; i < self->runs->len; i++)
    dyno_report_subject_add_run (subject, self->store, dyno_run_get_id (self->runs->pdata[i]));
  dyno_report_subject_set_goal (subject, &recommendation->goal, recommendation->row_axis,
                                recommendation->column_axis);
  dyno_report_button_take_subject (self->report_button, subject);

  gtk_stack_set_visible_child_name (self->stack, "matrix");
}

static void
start_over (DynoRecommendationView *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
}

static void
update (DynoRecommendationView *self)
{
  g_autoptr (GTask) task = NULL;
  Request *request;

  if (self->runs == NULL || self->runs->len == 0)
    return;
  /* Active limits are shown as chips, which remove them. */
  dyno_box_clear (self->chips);
  for (guint i = 0; i < DYNO_N_LIMITS; i++)
    if (dyno_limit_row_get_most (self->limit_rows[i]) > 0)
      {
        g_autofree char *text = dyno_limit_dup_text (i, dyno_limit_row_get_most (self->limit_rows[i]));
        g_autofree char *label = g_strdup_printf ("%s ✕", text);
        g_autofree char *tooltip = g_strdup_printf (_ ("Remove the Limit “%s”"), text);

        GtkWidget *child = g_object_new (GTK_TYPE_BUTTON, "label", label, "tooltip-text", tooltip, NULL);
        gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip, -1);
        g_signal_connect_object (child, "clicked", G_CALLBACK (dyno_limit_row_reset), self->limit_rows[i],
                                 G_CONNECT_SWAPPED);
        gtk_box_append (self->chips, child);
      }
  gtk_widget_set_visible (GTK_WIDGET (self->chips),
                          gtk_widget_get_first_child (GTK_WIDGET (self->chips)) != NULL);
  start_over (self);
  task = dyno_owned_task_new (self, self->cancellable, recommended_cb, NULL);
  g_task_set_return_on_cancel (task, FALSE);
  request = g_new (Request, 1);
  request->runs = g_ptr_array_ref (self->runs);
  dyno_goal_init (&request->goal, (DynoObjective)gtk_drop_down_get_selected (self->goal_drop_down));
  dyno_report_subject_read_price (&request->goal.price);
  for (guint i = 0; i < DYNO_N_LIMITS; i++)
    dyno_limit_row_apply (self->limit_rows[i], &request->goal);
  request->row_axis = get_axis (self->rows_drop_down);
  request->column_axis = get_axis (self->columns_drop_down);
  g_task_set_task_data (task, request, (GDestroyNotify)request_free);
  g_task_run_in_thread (task, recommend);
}

/* The runs */

static void
load_runs (GTask *task, gpointer source, gpointer store, GCancellable *cancellable)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) summaries = dyno_store_list_runs (store, NULL, 0, G_MAXINT32, &error);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; summaries != NULL && i < summaries->len && error == NULL; i++)
    {
      DynoRun *run = !g_cancellable_set_error_if_cancelled (cancellable, &error)
                         ? dyno_store_load_run (store, dyno_run_get_id (summaries->pdata[i]), &error)
                         : NULL;

      if (run != NULL)
        g_ptr_array_add (runs, run);
    }
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&runs), (GDestroyNotify)g_ptr_array_unref);
}

static void
loaded_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  DynoRecommendationView *self = DYNO_RECOMMENDATION_VIEW (object);
  g_autoptr (GError) error = NULL;
  GPtrArray *runs = g_task_propagate_pointer (G_TASK (result), &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (runs == NULL)
    {
      dyno_toast_report_error (GTK_WIDGET (self), _ ("The runs could not be read"), error);
      return;
    }
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  self->runs = runs;
  gtk_stack_set_visible_child_name (self->stack, runs->len > 0 ? "loading" : "empty");
  update (self);
}

/* Building the widgets */

static GtkStringList *
list_axes (void)
{
  GtkStringList *list = gtk_string_list_new (NULL);

  for (const char *const *axis = dyno_recommendation_axis_list (); *axis != NULL; axis++)
    gtk_string_list_take (list, dyno_recommendation_axis_dup_title (*axis));
  return list;
}

static void
fill_drop_down (DynoRecommendationView *self, GtkDropDown *drop_down, GtkStringList *list, guint selected)
{
  g_autoptr (GtkStringList) model = list;

  gtk_drop_down_set_model (drop_down, G_LIST_MODEL (model));
  gtk_drop_down_set_selected (drop_down, selected);
  /* Its label is made when it is shown. */
  g_signal_connect_after (drop_down, "map", G_CALLBACK (dyno_labels_shrink), NULL);
  g_signal_connect_object (drop_down, "notify::selected", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
}

/* Widgets side by side need more than 360 px. */
static void
narrow_changed_cb (DynoRecommendationView *self, GParamSpec *pspec, DynoNarrowBin *bin)
{
  GtkOrientation orientation =
      dyno_narrow_bin_get_narrow (bin) ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL;

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->controls), orientation);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->chips), orientation);
}

static void
dyno_recommendation_view_dispose (GObject *object)
{
  DynoRecommendationView *self = DYNO_RECOMMENDATION_VIEW (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->store);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_RECOMMENDATION_VIEW);

  G_OBJECT_CLASS (dyno_recommendation_view_parent_class)->dispose (object);
}

static void
dyno_recommendation_view_class_init (DynoRecommendationViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_recommendation_view_dispose;

  g_type_ensure (DYNO_TYPE_CHART_VIEW);
  g_type_ensure (DYNO_TYPE_NARROW_BIN);
  g_type_ensure (DYNO_TYPE_REPORT_BUTTON);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-recommendation-view.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoRecommendationView, stack);
  gtk_widget_class_bind_template_child (widget_class, DynoRecommendationView, controls);
  gtk_widget_class_bind_template_child (widget_class, DynoRecommendationView, goal_drop_down);
  gtk_widget_class_bind_template_child (widget_class, DynoRecommendationView, report_button);
  gtk_widget_class_bind_template_child (widget_class, DynoRecommendationView, rows_drop_down);
  gtk_widget_class_bind_template_child (widget_class, DynoRecommendationView, columns_drop_down);
  gtk_widget_class_bind_template_child (widget_class, DynoRecommendationView, chips);
  gtk_widget_class_bind_template_child (widget_class, DynoRecommendationView, chart_view);
  gtk_widget_class_bind_template_child (widget_class, DynoRecommendationView, basis_label);
  gtk_widget_class_bind_template_child (widget_class, DynoRecommendationView, cells_list);
  gtk_widget_class_bind_template_child (widget_class, DynoRecommendationView, missing_group);
  gtk_widget_class_bind_template_child (widget_class, DynoRecommendationView, missing_list);
  gtk_widget_class_bind_template_child (widget_class, DynoRecommendationView, limits_list);
  gtk_widget_class_bind_template_callback (widget_class, narrow_changed_cb);
}

static void
dyno_recommendation_view_init (DynoRecommendationView *self)
{
  GtkStringList *goals = gtk_string_list_new (NULL);

  gtk_widget_init_template (GTK_WIDGET (self));
  for (guint i = 0; i < DYNO_N_OBJECTIVES; i++)
    gtk_string_list_append (goals, dyno_objective_get_label (i));
  fill_drop_down (self, self->goal_drop_down, goals, DYNO_OBJECTIVE_LATENCY);
  fill_drop_down (self, self->rows_drop_down, list_axes (), 0);
  fill_drop_down (self, self->columns_drop_down, list_axes (), 1);
  for (guint i = 0; i < DYNO_N_LIMITS; i++)
    {
      self->limit_rows[i] = dyno_limit_row_new (i);
      g_signal_connect_object (self->limit_rows[i], "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
      gtk_list_box_append (self->limits_list, GTK_WIDGET (self->limit_rows[i]));
    }
}

void
dyno_recommendation_view_show_store (DynoRecommendationView *self, DynoStore *store)
{
  g_return_if_fail (DYNO_IS_RECOMMENDATION_VIEW (self));
  g_return_if_fail (DYNO_IS_STORE (store));

  g_set_object (&self->store, store);
  dyno_report_button_take_subject (self->report_button, NULL);
  gtk_stack_set_visible_child_name (self->stack, "loading");
  start_over (self);
  dyno_thread_task_run (self, self->cancellable, load_runs, g_object_ref (store), g_object_unref, loaded_cb);
}

void
dyno_recommendation_view_clear (DynoRecommendationView *self)
{
  g_return_if_fail (DYNO_IS_RECOMMENDATION_VIEW (self));

  start_over (self);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
}
