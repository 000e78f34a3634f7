/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-charts-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-subject-charts.h"
#include "dyno-unit.h"

/* Drawing takes time from the case that is timed, so the page is then drawn this often at most. */
#define US_BETWEEN_FRAMES G_USEC_PER_SEC

struct _DynoLivePage
{
  AdwBin parent_instance;

  DynoRunner *runner;
  GSignalGroup *runner_signals;
  GListModel *results;
  DynoResult *present;
  DynoTrace *latency;
  DynoTrace *memory;
  gboolean stopping;
  gint64 drawn; /* when readings were shown last, in µs */

  DynoNarrowBin *narrow_bin;
  GtkOrientable *halves;
  GtkWidget *column;
  GtkLabel *case_label;
  GtkLabel *phase_label;
  GtkProgressBar *progress_bar;
  GtkLabel *progress_label;
  DynoCaseGrid *case_grid;
  GtkLabel *counts_label;
  GtkWidget *follow_button;
  GtkWidget *warning_box;
  GtkLabel *warning_label;
  DynoChartCanvas *latency_canvas;
  GtkLabel *latency_label;
  DynoChartCanvas *memory_canvas;
  GtkLabel *memory_label;
  GtkWidget *finished_group;
  GtkListBox *finished_list;
  GtkWidget *charts;
  GtkButton *pause_button;
  GtkWidget *skip_button;
  GtkWidget *stop_button;
};

enum
{
  PROP_0,
  PROP_RUNNER,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoLivePage, dyno_live_page, ADW_TYPE_BIN)

static GParamSpec *properties[N_PROPS];

static const char *
phase_to_words (const char *phase)
{
  static const struct
  {
    const char *phase;
    const char *words;
  } phases[] = {
    { "wait", N_ ("Waiting until the machine is idle") },
    { "load", N_ ("Loading the model") },
    { "first-run", N_ ("First run") },
    { "warm-up", N_ ("Warming up") },
    { "measure", N_ ("Measuring") },
    { "analyse", N_ ("Analysing the result") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (phases); i++)
    {
      if (g_strcmp0 (phases[i].phase, phase) == 0)
        return _ (phases[i].words);
    }
  return _ ("Preparing");
}

/* Returns whether the case ended by itself rather than being stopped. */
static gboolean
is_finished (DynoStatus status)
{
  return status == DYNO_STATUS_OK || status == DYNO_STATUS_FAILED || status == DYNO_STATUS_SKIPPED;
}

/* The charts show the selected case, else the current one, else the last one. */
static DynoResult *
get_shown (DynoLivePage *self)
{
  DynoResult *selected = dyno_case_grid_get_selected (self->case_grid);

  return selected != NULL ? selected : self->present;
}

static void
set_trace (DynoChartCanvas *canvas, DynoTrace **shown, DynoTrace *trace, const char *title)
{
  g_autoptr (DynoChart) chart = NULL;

  if (!g_set_object (shown, trace))
    {
      if (trace != NULL)
        dyno_chart_refresh (dyno_chart_canvas_get_chart (canvas));
      return;
    }
  if (trace != NULL)
    chart = dyno_chart_new_for_trace (trace, title);
  dyno_chart_canvas_set_chart (canvas, chart);
}

/* Shows the newest sample in figures, which are more exact than the chart. */
static void
set_newest (GtkLabel *label, DynoTrace *trace)
{
  gsize length = trace != NULL ? dyno_trace_get_length (trace) : 0;
  g_autofree char *text = NULL;

  if (length > 0)
    text = dyno_format_quantity (dyno_trace_get_values (trace)[length - 1], dyno_trace_get_unit (trace));
  gtk_label_set_label (label, text != NULL ? text : "");
}

static gboolean
measures_ceilings (DynoLivePage *self)
{
  return g_str_equal (dyno_runner_get_phase (self->runner), "ceilings");
}

static void
update_charts (DynoLivePage *self)
{
  DynoResult *shown = get_shown (self);
  DynoTrace *latency = NULL;
  DynoTrace *memory = NULL;

  /* A case that is analysed was measured before. */
  if (shown != NULL && shown == dyno_runner_get_current (self->runner) &&
      !dyno_runner_is_analysing (self->runner))
    {
      latency = dyno_runner_get_live_latency (self->runner);
      memory = dyno_runner_get_live_memory (self->runner);
    }
  else if (shown != NULL)
    {
      latency = dyno_result_get_trace (shown, "latency");
      memory = dyno_result_get_trace (shown, "memory_rss");
    }
  /* Ceilings have no latency and no memory samples. */
  gtk_widget_set_visible (self->charts, shown != NULL || !measures_ceilings (self));
  set_trace (self->latency_canvas, &self->latency, latency, _ ("Latency"));
  set_trace (self->memory_canvas, &self->memory, memory, _ ("Memory"));
  set_newest (self->latency_label, latency);
  set_newest (self->memory_label, memory);
}

/* Returns the current phase, with the number of the process if the case has several. */
static char *
dup_phase (DynoLivePage *self)
{
  const char *phase = phase_to_words (dyno_runner_get_phase (self->runner));
  DynoResult *current = dyno_runner_get_current (self->runner);
  guint n = current != NULL
                ? dyno_method_get_invocations (dyno_case_get_method (dyno_result_get_case (current)))
                : 1;

  if (n == 1 || dyno_runner_is_analysing (self->runner))
    return g_strdup (phase);
  /* Translators: %s says what is being done, such as “Measuring” */
  return g_strdup_printf (_ ("%s, invocation %u of %u"), phase, dyno_runner_get_invocation (self->runner) + 1,
                          n);
}

static char *
describe_work (DynoLivePage *self)
{
  g_autofree char *phase = dup_phase (self);

  if (self->stopping)
    return g_strdup (_ ("Stopping. Finished cases are kept."));
  if (g_str_equal (dyno_runner_get_phase (self->runner), "roofs-again"))
    return g_strdup (_ ("Measuring the roofs again that cases exceeded. Skip ends the run."));
  if (measures_ceilings (self) && dyno_runner_get_paused (self->runner))
    return g_strdup (_ ("Measuring the ceilings of CPU and memory. The run pauses after them."));
  if (measures_ceilings (self))
    return g_strdup (
        _ ("Measuring the ceilings of CPU and memory, once per machine. Skip starts the first case."));
  if (!dyno_runner_get_paused (self->runner))
    return g_steal_pointer (&phase);
  if (dyno_runner_get_current (self->runner) == NULL)
    return g_strdup (_ ("Paused"));
  /* Translators: %s says what is being done, such as “Measuring” */
  return g_strdup_printf (_ ("%s. The run pauses after it."), phase);
}

static char *
describe_shown (DynoLivePage *self, DynoResult *shown)
{
  g_autofree char *description = NULL;

  if (shown == self->present)
    return describe_work (self);
  description = dyno_case_grid_describe (shown);
  return g_strdup (strchr (description, '\n') + 1);
}

static char *
dup_headline (DynoLivePage *self, DynoResult *shown)
{
  if (shown != NULL)
    return dyno_case_dup_label (dyno_result_get_case (shown));
  return g_strdup (measures_ceilings (self) ? _ ("Measuring the ceilings of this machine") : _ ("Starting"));
}

static void
update_headline (DynoLivePage *self)
{
  DynoResult *shown = get_shown (self);
  g_autofree char *label = NULL;
  g_autofree char *phase = NULL;

  label = dup_headline (self, shown);
  phase = describe_shown (self, shown);
  gtk_label_set_label (self->case_label, label);
  gtk_label_set_label (self->phase_label, phase);
  gtk_widget_set_visible (self->follow_button, dyno_case_grid_get_selected (self->case_grid) != NULL);
}

static void
update_counts (DynoLivePage *self)
{
  DynoRun *run = dyno_runner_get_run (self->runner);
  DynoCaseCounts counts = { 0 };
  g_autofree char *text = NULL;

  if (run != NULL)
    dyno_run_count_cases (run, &counts);
  text = dyno_case_counts_dup_text (&counts);
  gtk_label_set_label (self->counts_label, text);
}

static char *
dup_remaining (DynoLivePage *self)
{
  double seconds = dyno_runner_get_seconds_left (self->runner);
  g_autofree char *span = NULL;

  if (self->stopping)
    return g_strdup ("");
  if (seconds < 0)
    {
      if (dyno_runner_get_current (self->runner) == NULL)
        return g_strdup ("");
      span = dyno_unit_format_duration (dyno_runner_get_seconds_elapsed (self->runner));
      /* Translators: %s is a time span such as “1 min 20 s” */
      return g_strdup_printf (_ ("%s elapsed, longer than expected"), span);
    }
  if (seconds < 1)
    return g_strdup (_ ("Almost done"));
  span = dyno_unit_format_duration (seconds);
  /* Translators: %s is a time span such as “1 min 20 s” */
  return g_strdup_printf (_ ("About %s left"), span);
}

static void
update_progress (DynoLivePage *self)
{
  g_autofree char *remaining = dup_remaining (self);

  gtk_progress_bar_set_fraction (self->progress_bar, CLAMP (dyno_runner_get_progress (self->runner), 0, 1));
  gtk_label_set_label (self->progress_label, remaining);
}

static gboolean
is_timed (DynoLivePage *self)
{
  return g_str_equal (dyno_runner_get_phase (self->runner), "measure");
}

static void
progress_cb (DynoLivePage *self)
{
  if (!is_timed (self))
    update_progress (self);
}

static void
live_cb (DynoLivePage *self)
{
  gint64 now = g_get_monotonic_time ();

  if (is_timed (self) && now < self->drawn + US_BETWEEN_FRAMES)
    return;
  self->drawn = now;
  update_charts (self);
  update_progress (self);
}

static void
update_paused (DynoLivePage *self)
{
  gboolean paused = dyno_runner_get_paused (self->runner);

  gtk_button_set_label (self->pause_button, paused ? _ ("_Resume") : _ ("_Pause"));
  update_headline (self);
}

static void
paused_cb (DynoLivePage *self)
{
  g_autofree char *work = describe_work (self);

  update_paused (self);
  dyno_announce (GTK_WIDGET (self), work);
}

static void
update_warning (DynoLivePage *self)
{
  const char *warning = dyno_runner_get_warning (self->runner);

  gtk_label_set_label (self->warning_label, warning != NULL ? warning : "");
  gtk_widget_set_visible (self->warning_box, warning != NULL);
  if (warning != NULL)
    dyno_announce (GTK_WIDGET (self), warning);
}

static void
update_shown (DynoLivePage *self)
{
  if (self->runner == NULL)
    return;
  update_headline (self);
  update_charts (self);
}

static void
current_changed_cb (DynoLivePage *self)
{
  DynoResult *current = dyno_runner_get_current (self->runner);

  if (current != NULL)
    g_set_object (&self->present, current);
  update_shown (self);
}

/* Returns the number of processes of a case; NULL if there is only one. */
static char *
dup_invocations (DynoResult *result)
{
  guint n = dyno_method_get_invocations (dyno_case_get_method (dyno_result_get_case (result)));

  if (n == 1 || dyno_result_get_invocations (result)->len == 0)
    return NULL;
  return g_strdup_printf (_ ("%u of %u invocations"), dyno_result_get_n_invocations (result), n);
}

static GtkWidget *
create_finished_row (DynoResult *result)
{
  DynoCaseState state = dyno_result_get_state (result);
  DynoValue *median = dyno_result_get_value (result, "latency_p50_ms");
  g_autofree char *label = dyno_case_dup_label (dyno_result_get_case (result));
  const char *reason = dyno_result_get_reason (result);
  GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "title", label, "subtitle",
                                 reason != NULL ? reason : "", "use-markup", FALSE, NULL);
  GtkWidget *image = gtk_image_new_from_icon_name (dyno_format_state_icon (state));
  g_autofree char *invocations = dup_invocations (result);

  g_object_set_data (G_OBJECT (row), "result", result);
  if (reason == NULL && invocations != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), invocations);
  gtk_widget_add_css_class (image, dyno_format_state_css_class (state));
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), image);
  if (dyno_case_state_has_numbers (state) && median != NULL && dyno_value_is_number (median))
    {
      g_autofree char *latency = dyno_format_latency (dyno_value_get_number (median));
      GtkWidget *number = gtk_label_new (latency);

      gtk_widget_add_css_class (number, "numeric");
      gtk_widget_set_tooltip_text (number, _ ("Median latency"));
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), number);
    }
  return row;
}

static void
unlist (DynoLivePage *self, DynoResult *result)
{
  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->finished_list)); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    if (g_object_get_data (G_OBJECT (row), "result") == result)
      {
        gtk_list_box_remove (self->finished_list, row);
        return;
      }
}

/* The newest case is on top; a case moves up again with each of its processes. */
static void
list_finished (DynoLivePage *self, DynoResult *result)
{
  if (!is_finished (dyno_result_get_status (result)))
    return;
  unlist (self, result);
  gtk_list_box_prepend (self->finished_list, create_finished_row (result));
  gtk_widget_set_visible (self->finished_group, TRUE);
}

static void
status_changed_cb (DynoLivePage *self, GParamSpec *pspec, DynoResult *result)
{
  /* Announce each case once, although each of its processes ends, and it may be analysed after that. */
  DynoStatus status = dyno_result_get_status (result);
  guint n = dyno_method_get_invocations (dyno_case_get_method (dyno_result_get_case (result)));
  gboolean comes_again = status == DYNO_STATUS_OK && (dyno_runner_is_analysing (self->runner) ||
                                                      dyno_runner_get_invocation (self->runner) + 1 < n);
  g_autofree char *description = dyno_case_grid_describe (result);

  if (is_finished (status) && !comes_again)
    dyno_announce (GTK_WIDGET (self), description);

  list_finished (self, result);
  update_counts (self);
  update_shown (self);
}

static void
set_results (DynoLivePage *self, GListModel *results)
{
  for (guint i = 0; self->results != NULL && i < g_list_model_get_n_items (self->results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (self->results, i);

      g_signal_handlers_disconnect_by_func (result, status_changed_cb, self);
    }
  dyno_list_box_clear (self->finished_list);
  gtk_widget_set_visible (self->finished_group, FALSE);

  g_set_object (&self->results, results);
  dyno_case_grid_set_results (self->case_grid, results);
  for (guint i = 0; results != NULL && i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      g_signal_connect_object (result, "notify::status", G_CALLBACK (status_changed_cb), self,
                               G_CONNECT_SWAPPED);
      /* A window opened during a run also shows the cases finished before. */
      list_finished (self, result);
    }
}

static void
run_changed_cb (DynoLivePage *self)
{
  DynoRun *run = dyno_runner_get_run (self->runner);

  set_results (self, run != NULL ? dyno_run_get_results (run) : NULL);
  update_counts (self);
  current_changed_cb (self);
}

static void
narrow_changed_cb (DynoLivePage *self)
{
  dyno_benchmark_column_place (self->column, self->halves, dyno_narrow_bin_get_narrow (self->narrow_bin));
}

static void
follow_clicked_cb (DynoLivePage *self)
{
  dyno_case_grid_set_selected (self->case_grid, NULL);
}

static void
dyno_live_page_dispose (GObject *object)
{
  DynoLivePage *self = DYNO_LIVE_PAGE (object);

  g_clear_object (&self->runner_signals);
  g_clear_object (&self->runner);
  g_clear_object (&self->results);
  g_clear_object (&self->present);
  g_clear_object (&self->latency);
  g_clear_object (&self->memory);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_LIVE_PAGE);

  G_OBJECT_CLASS (dyno_live_page_parent_class)->dispose (object);
}

static void
dyno_live_page_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoLivePage *self = DYNO_LIVE_PAGE (object);

  switch (prop_id)
    {
    case PROP_RUNNER:
      g_value_set_object (value, self->runner);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_live_page_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoLivePage *self = DYNO_LIVE_PAGE (object);

  switch (prop_id)
    {
    case PROP_RUNNER:
      dyno_live_page_set_runner (self, g_value_get_object (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  g_type_ensure (DYNO_TYPE_CASE_GRID);
  g_type_ensure (DYNO_TYPE_TAB_STOP);
  g_type_ensure (DYNO_TYPE_CHART_CANVAS);
  g_type_ensure (DYNO_TYPE_COLUMNS);
  g_type_ensure (DYNO_TYPE_NARROW_BIN);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-live-page.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, narrow_bin);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, halves);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, column);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, case_label);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, phase_label);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, progress_bar);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, progress_label);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, case_grid);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, counts_label);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, follow_button);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, warning_box);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, warning_label);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, latency_canvas);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, latency_label);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, memory_canvas);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, memory_label);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, finished_group);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, finished_list);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, charts);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, pause_button);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, skip_button);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, stop_button);
  gtk_widget_class_bind_template_callback (widget_class, update_shown);
  gtk_widget_class_bind_template_callback (widget_class, follow_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, narrow_changed_cb);
}

static void
dyno_live_page_class_init (DynoLivePageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = dyno_live_page_dispose;
  object_class->get_property = dyno_live_page_get_property;
  object_class->set_property = dyno_live_page_set_property;

  properties[PROP_RUNNER] =
      g_param_spec_object ("runner", NULL, NULL, DYNO_TYPE_RUNNER,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  bind_template (GTK_WIDGET_CLASS (klass));
}

static void
dyno_live_page_init (DynoLivePage *self)
{
  GSignalGroup *group = g_signal_group_new (DYNO_TYPE_RUNNER);

  gtk_widget_init_template (GTK_WIDGET (self));
  narrow_changed_cb (self);
  dyno_double_click_guard (self->skip_button);
  dyno_double_click_guard (self->stop_button);
  g_signal_group_connect_swapped (group, "notify::run", G_CALLBACK (run_changed_cb), self);
  g_signal_group_connect_swapped (group, "notify::current", G_CALLBACK (current_changed_cb), self);
  g_signal_group_connect_swapped (group, "notify::phase", G_CALLBACK (update_shown), self);
  g_signal_group_connect_swapped (group, "notify::progress", G_CALLBACK (progress_cb), self);
  g_signal_group_connect_swapped (group, "notify::seconds-left", G_CALLBACK (progress_cb), self);
  g_signal_group_connect_swapped (group, "notify::paused", G_CALLBACK (paused_cb), self);
  g_signal_group_connect_swapped (group, "notify::warning", G_CALLBACK (update_warning), self);
  g_signal_group_connect_swapped (group, "live", G_CALLBACK (live_cb), self);
  self->runner_signals = group;
}

void
dyno_live_page_set_runner (DynoLivePage *self, DynoRunner *runner)
{
  g_return_if_fail (DYNO_IS_LIVE_PAGE (self));
  g_return_if_fail (runner == NULL || DYNO_IS_RUNNER (runner));

  if (!g_set_object (&self->runner, runner))
    return;
  self->stopping = FALSE;
  g_clear_object (&self->present);
  g_signal_group_set_target (self->runner_signals, runner);
  if (runner != NULL)
    {
      run_changed_cb (self);
      update_progress (self);
      update_paused (self);
      update_warning (self);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RUNNER]);
}

void
dyno_live_page_set_stopping (DynoLivePage *self, gboolean stopping)
{
  g_return_if_fail (DYNO_IS_LIVE_PAGE (self));

  if (self->stopping == stopping)
    return;
  self->stopping = stopping;
  if (self->runner != NULL)
    {
      update_headline (self);
      update_progress (self);
    }
}
