/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-runs-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-error.h"
#include "dyno-unit.h"

/* Drawing takes time from the case that is timed, so the page is then drawn this often at most. */
#define US_BETWEEN_FRAMES G_USEC_PER_SEC

/* The rows of latency and memory. */
#define FIXED_ROWS 2

struct _DynoLivePage
{
  AdwBin parent_instance;

  DynoStore *store;
  DynoRunner *runner;
  GSignalGroup *runner_signals;
  DynoRunEntry *entry;
  DynoResult *present;
  gboolean stopping;
  gint64 drawn;         /* when readings were shown last, in µs */
  gint64 results_drawn; /* when results were shown last, in µs */
  GtkWidget *pad;       /* shown in place of the window */
  gboolean has_news;    /* results came since */

  DynoNarrowBin *narrow_bin;
  GtkOrientable *halves;
  GtkWidget *column;
  DynoRunView *run_view;
  GtkLabel *case_label;
  GtkLabel *phase_label;
  GtkProgressBar *progress_bar;
  GtkLabel *progress_label;
  GtkLabel *counts_label;
  GtkGrid *readings;
  GPtrArray *usage_rows; /* below those of latency and memory in the grid */
  DynoSparkline *latency_line;
  GtkLabel *latency_label;
  DynoSparkline *memory_line;
  GtkLabel *memory_label;
  DynoCaseGrid *case_grid;
  GtkWidget *warning_box;
  GtkLabel *warning_label;
  GtkWidget *controls;
  GtkButton *pause_button;
  GtkWidget *skip_button;
  GtkWidget *stop_button;
  GtkWidget *another_button;
  GtkWidget *another_icon;
  GtkWidget *another_label;
  GtkBox *heading;
  GtkOrientable *numbers;
  GtkBox *actions;
  GtkWidget *pad_button;
  GtkWidget *ended_buttons;
  GtkWidget *results_button;
  GtkWidget *new_button;
};

/* How busy a processor or a device is; the grid owns the widgets. */
typedef struct
{
  GtkWidget *name_label;
  DynoSparkline *line;
  GtkWidget *label;
} UsageRow;

G_DEFINE_FINAL_TYPE (DynoLivePage, dyno_live_page, ADW_TYPE_BIN)

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

static void
show_reading (DynoSparkline *line, GtkLabel *label, DynoTrace *trace)
{
  gsize length = trace != NULL ? dyno_trace_get_length (trace) : 0;
  g_autofree char *text = NULL;

  if (length > 0)
    text = dyno_format_quantity (dyno_trace_get_values (trace)[length - 1], dyno_trace_get_unit (trace));
  gtk_label_set_label (label, text != NULL ? text : "");
  dyno_sparkline_set_trace (line, trace);
}

static UsageRow *
add_usage_row (DynoLivePage *self)
{
  UsageRow *row = g_new (UsageRow, 1);
  int place = FIXED_ROWS + (int)self->usage_rows->len;

  row->name_label = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "max-width-chars", 12, "ellipsize",
                                  PANGO_ELLIPSIZE_END, NULL);
  row->line = DYNO_SPARKLINE (dyno_sparkline_new ());
  row->label = g_object_new (GTK_TYPE_LABEL, "xalign", 1.0, "width-chars", 9, "tooltip-text",
                             _ ("How busy it is"), NULL);
  gtk_widget_add_css_class (row->name_label, "dim-label");
  gtk_widget_add_css_class (row->label, "numeric");
  gtk_widget_set_hexpand (GTK_WIDGET (row->line), TRUE);
  gtk_grid_attach (self->readings, row->name_label, 0, place, 1, 1);
  gtk_grid_attach (self->readings, GTK_WIDGET (row->line), 1, place, 1, 1);
  gtk_grid_attach (self->readings, row->label, 2, place, 1, 1);
  g_ptr_array_add (self->usage_rows, row);
  return row;
}

static gboolean
measures_ceilings (DynoLivePage *self)
{
  return g_str_equal (dyno_runner_get_phase (self->runner), "ceilings");
}

/* Ceilings have no latency and no memory samples, and a case that is analysed was measured before. */
static void
update_readings (DynoLivePage *self)
{
  gboolean measures =
      !dyno_runner_is_analysing (self->runner) && dyno_runner_get_current (self->runner) != NULL;
  DynoTrace *latency = measures ? dyno_runner_get_live_latency (self->runner) : NULL;

  if (self->pad != NULL)
    {
      dyno_pad_window_show_latency (DYNO_PAD_WINDOW (self->pad), latency);
      return;
    }
  gtk_widget_set_visible (GTK_WIDGET (self->readings),
                          !measures_ceilings (self) && !dyno_narrow_bin_get_narrow (self->narrow_bin));
  show_reading (self->latency_line, self->latency_label, latency);
  show_reading (self->memory_line, self->memory_label,
                measures ? dyno_runner_get_live_memory (self->runner) : NULL);

  /* Rows stay between two cases, so that the page does not jump. A device has the name of its driver. */
  GPtrArray *usage = dyno_runner_get_live_usage (self->runner);
  for (guint i = 0; i < MAX (usage->len, self->usage_rows->len); i++)
    {
      UsageRow *row = i < self->usage_rows->len ? self->usage_rows->pdata[i] : add_usage_row (self);
      DynoTrace *trace = i < usage->len ? usage->pdata[i] : NULL;
      const char *sensor = trace != NULL ? dyno_trace_get_name (trace) : "";

      if (trace != NULL)
        gtk_label_set_label (GTK_LABEL (row->name_label), g_str_equal (sensor, "cpu")   ? _ ("Processor")
                                                          : g_str_equal (sensor, "npu") ? _ ("NPU")
                                                                                        : sensor);
      show_reading (row->line, GTK_LABEL (row->label), trace);
    }
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
  return g_strdup_printf (_ ("%s, process %u of %u"), phase, dyno_runner_get_invocation (self->runner) + 1,
                          n);
}

static char *
describe_work (DynoLivePage *self)
{
  g_autofree char *phase = dup_phase (self);

  if (self->stopping)
    return g_strdup (_ ("Stopping. Finished cases are kept."));
  if (g_str_equal (dyno_runner_get_phase (self->runner), "roofs-again"))
    return g_strdup (_ ("Cases exceeded some roofs, which are measured again. Skip ends the run."));
  if (measures_ceilings (self) && dyno_runner_get_paused (self->runner))
    return g_strdup (_ ("Measuring the roofs of CPU and memory. The run pauses after them."));
  if (measures_ceilings (self))
    return g_strdup (
        _ ("Measuring the roofs of CPU and memory, once per machine. Skip starts the first case."));
  if (!dyno_runner_get_paused (self->runner))
    return g_steal_pointer (&phase);
  if (dyno_runner_get_current (self->runner) == NULL)
    return g_strdup (_ ("Paused"));
  /* Translators: %s says what is being done, such as “Measuring” */
  return g_strdup_printf (_ ("%s. The run pauses after it."), phase);
}

static void
update_headline (DynoLivePage *self)
{
  g_autofree char *work = describe_work (self);
  g_autofree char *label = NULL;

  if (self->present != NULL)
    label = dyno_case_dup_label (dyno_result_get_case (self->present));
  else
    label = g_strdup (measures_ceilings (self) ? _ ("Measuring the roofs of this machine") : _ ("Starting"));
  gtk_label_set_label (self->case_label, label);
  dyno_tooltip_set (GTK_WIDGET (self->case_label), label);
  gtk_label_set_label (self->phase_label, work);
}

static void
update_counts (DynoLivePage *self, DynoRun *run)
{
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

  /* The small window has no other line for it. */
  if (self->stopping)
    return g_strdup (self->pad != NULL ? _ ("Stopping. Finished cases are kept.") : "");
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

/* Results are drawn between the cases, and not where nobody sees them. In a pause, no later signal makes up for one that
 * came too soon. */
static void
show_results (DynoLivePage *self)
{
  gboolean is_first = self->results_drawn == 0;

  if (!self->has_news || !gtk_widget_get_mapped (GTK_WIDGET (self)) || (!is_first && is_timed (self)))
    return;
  if (!is_first && !dyno_runner_get_paused (self->runner) &&
      g_get_monotonic_time () < self->results_drawn + US_BETWEEN_FRAMES)
    return;
  self->has_news = FALSE;
  dyno_run_view_show_live (self->run_view, self->entry);
  self->results_drawn = g_get_monotonic_time ();
}

static void
live_cb (DynoLivePage *self)
{
  gint64 now = g_get_monotonic_time ();

  if (is_timed (self) && now < self->drawn + US_BETWEEN_FRAMES)
    return;
  self->drawn = now;
  update_readings (self);
  update_progress (self);
  show_results (self);
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
  update_headline (self);
  update_readings (self);
  show_results (self);
}

static void
current_changed_cb (DynoLivePage *self)
{
  DynoResult *current = dyno_runner_get_current (self->runner);

  if (current != NULL)
    g_set_object (&self->present, current);
  update_shown (self);
}

static void
status_changed_cb (DynoLivePage *self, GParamSpec *pspec, DynoResult *result)
{
  /* Announce each case once, although each of its processes ends, and it may be analysed after that. */
  DynoStatus status = dyno_result_get_status (result);
  guint n = dyno_method_get_invocations (dyno_case_get_method (dyno_result_get_case (result)));
  gboolean ended_by_itself =
      status == DYNO_STATUS_OK || status == DYNO_STATUS_FAILED || status == DYNO_STATUS_SKIPPED;
  gboolean comes_again = status == DYNO_STATUS_OK && (dyno_runner_is_analysing (self->runner) ||
                                                      dyno_runner_get_invocation (self->runner) + 1 < n);
  g_autofree char *description = dyno_case_grid_describe (result);

  if (ended_by_itself && !comes_again)
    dyno_announce (GTK_WIDGET (self), description);

  self->has_news = TRUE;
  update_counts (self, dyno_runner_get_run (self->runner));
  update_shown (self);
}

static void
ignore_results (DynoLivePage *self)
{
  GListModel *before = dyno_case_grid_get_results (self->case_grid);

  for (guint i = 0; before != NULL && i < g_list_model_get_n_items (before); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (before, i);

      g_signal_handlers_disconnect_by_func (result, status_changed_cb, self);
    }
}

static void
read_again_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoLivePage) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoRun) run = dyno_store_load_run_finish (DYNO_STORE (object), result, &error);
  const char *shown =
      self->entry != NULL && self->runner == NULL ? dyno_run_entry_get_id (self->entry) : NULL;

  if (shown == NULL)
    return;
  if (run != NULL && g_str_equal (dyno_run_get_id (run), shown))
    dyno_run_entry_set_run (self->entry, run);
  else if (g_error_matches (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND))
    gtk_widget_activate_action (GTK_WIDGET (self), "benchmark.back", NULL);
}

/* A run that has ended may be renamed or deleted on another page. */
static void
store_changed_cb (DynoLivePage *self)
{
  dyno_store_load_run_async (self->store, dyno_run_entry_get_id (self->entry), NULL, read_again_cb,
                             g_object_ref (self));
}

static void
set_run (DynoLivePage *self, DynoRun *run)
{
  GListModel *results = run != NULL ? dyno_run_get_results (run) : NULL;

  ignore_results (self);
  dyno_case_grid_set_results (self->case_grid, results);
  for (guint i = 0; results != NULL && i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      g_signal_connect_object (result, "notify::status", G_CALLBACK (status_changed_cb), self,
                               G_CONNECT_SWAPPED);
    }
  if (self->store != NULL)
    g_signal_handlers_disconnect_by_func (self->store, store_changed_cb, self);
  /* An analysis does not set the end of its run, which would stop it from running. */
  if (self->entry != NULL)
    dyno_run_set_running (dyno_run_entry_get_run (self->entry), FALSE);
  g_clear_object (&self->entry);
  self->has_news = run != NULL;
  self->results_drawn = 0;
  gtk_widget_set_visible (GTK_WIDGET (self->run_view), run != NULL);
  if (run == NULL)
    {
      dyno_run_view_set_entry (self->run_view, NULL);
      return;
    }
  /* Until the run ends, its unmeasured cases are waiting, not missing. */
  dyno_run_set_running (run, TRUE);
  self->entry = dyno_run_entry_new (self->store, run, FALSE);
}

static void
run_changed_cb (DynoLivePage *self)
{
  set_run (self, dyno_runner_get_run (self->runner));
  update_counts (self, dyno_runner_get_run (self->runner));
  current_changed_cb (self);
}

static void
case_activated_cb (DynoLivePage *self, DynoResult *result)
{
  dyno_run_view_open_case (self->run_view, result);
}

/* The column of a run that has ended says so, and leads on. */
static void
update_column (DynoLivePage *self)
{
  gboolean is_live = self->runner != NULL;
  gboolean narrow = dyno_narrow_bin_get_narrow (self->narrow_bin);
  gboolean moves_focus =
      !is_live && (dyno_focus_find_within (self->controls) != NULL ||
                   gtk_widget_is_focus (self->another_button) || gtk_widget_is_focus (self->pad_button));

  gtk_widget_set_visible (GTK_WIDGET (self->phase_label), is_live);
  gtk_widget_set_visible (GTK_WIDGET (self->progress_bar), is_live);
  gtk_widget_set_visible (GTK_WIDGET (self->progress_label), is_live);
  gtk_widget_set_visible (self->controls, is_live);
  gtk_widget_set_visible (self->another_button, is_live);
  gtk_widget_set_visible (self->pad_button, is_live && !narrow);
  gtk_widget_set_visible (self->ended_buttons, !is_live);
  if (!is_live)
    gtk_widget_set_visible (GTK_WIDGET (self->readings), FALSE);
  if (moves_focus)
    gtk_widget_grab_focus (self->results_button);
}

static void
narrow_changed_cb (DynoLivePage *self)
{
  gboolean narrow = dyno_narrow_bin_get_narrow (self->narrow_bin);
  GtkBox *home = narrow ? self->heading : self->actions;

  dyno_benchmark_column_place (self->column, self->halves, narrow);
  gtk_orientable_set_orientation (self->numbers,
                                  narrow ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->ended_buttons),
                                  narrow ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
  gtk_label_set_wrap (self->case_label, !narrow);
  gtk_label_set_ellipsize (self->case_label, narrow ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
  gtk_label_set_xalign (self->counts_label, narrow ? 1 : 0);
  gtk_widget_set_visible (self->another_icon, narrow);
  gtk_widget_set_visible (self->another_label, !narrow);
  if (gtk_widget_get_parent (self->another_button) != GTK_WIDGET (home))
    {
      g_autoptr (GtkWidget) button = g_object_ref (self->another_button);

      gtk_box_remove (GTK_BOX (gtk_widget_get_parent (button)), button);
      gtk_box_append (home, button);
    }
  update_column (self);
  if (self->runner != NULL)
    update_readings (self);
}

static void
close_pad (DynoLivePage *self)
{
  GtkRoot *window = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *pad = g_steal_pointer (&self->pad);

  if (pad == NULL)
    return;
  gtk_window_destroy (GTK_WINDOW (pad));
  if (window == NULL)
    return;
  g_signal_handlers_disconnect_by_func (window, close_pad, self);
  gtk_window_present (GTK_WINDOW (window));
}

/* The handler closes the pad itself. */
static gboolean
pad_closed_cb (DynoLivePage *self)
{
  close_pad (self);
  return TRUE;
}

static void
pad_clicked_cb (DynoLivePage *self)
{
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));

  self->pad = dyno_pad_window_new (GTK_WIDGET (self), self->case_label, self->progress_label);
  /* The keys of the application work in its own windows only. */
  gtk_window_set_application (GTK_WINDOW (self->pad), gtk_window_get_application (window));
  g_signal_connect_object (self->pad, "close-request", G_CALLBACK (pad_closed_cb), self, G_CONNECT_SWAPPED);
  update_readings (self);
  gtk_window_present (GTK_WINDOW (self->pad));
  gtk_widget_set_visible (GTK_WIDGET (window), FALSE);
  /* A second start of the program or a file that is opened brings the window back, on any page. */
  g_signal_connect_object (window, "map", G_CALLBACK (close_pad), self, G_CONNECT_SWAPPED);
}

static void
dyno_live_page_dispose (GObject *object)
{
  DynoLivePage *self = DYNO_LIVE_PAGE (object);

  if (self->pad != NULL)
    gtk_window_destroy (GTK_WINDOW (g_steal_pointer (&self->pad)));
  g_clear_object (&self->runner_signals);
  g_clear_object (&self->runner);
  g_clear_object (&self->store);
  g_clear_object (&self->entry);
  g_clear_object (&self->present);
  g_ptr_array_set_size (self->usage_rows, 0);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_LIVE_PAGE);

  G_OBJECT_CLASS (dyno_live_page_parent_class)->dispose (object);
}

static void
dyno_live_page_finalize (GObject *object)
{
  g_ptr_array_unref (DYNO_LIVE_PAGE (object)->usage_rows);

  G_OBJECT_CLASS (dyno_live_page_parent_class)->finalize (object);
}

static void
dyno_live_page_class_init (DynoLivePageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dyno_live_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = dyno_live_page_finalize;

  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  g_type_ensure (DYNO_TYPE_CASE_GRID);
  g_type_ensure (DYNO_TYPE_COLUMNS);
  g_type_ensure (DYNO_TYPE_NARROW_BIN);
  g_type_ensure (DYNO_TYPE_RUN_VIEW);
  g_type_ensure (DYNO_TYPE_SPARKLINE);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-live-page.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, narrow_bin);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, halves);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, column);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, run_view);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, case_label);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, phase_label);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, progress_bar);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, progress_label);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, case_grid);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, counts_label);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, warning_box);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, warning_label);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, readings);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, latency_line);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, latency_label);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, memory_line);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, memory_label);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, pause_button);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, skip_button);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, stop_button);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, controls);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, another_button);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, another_icon);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, another_label);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, heading);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, numbers);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, actions);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, pad_button);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, ended_buttons);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, results_button);
  gtk_widget_class_bind_template_child (widget_class, DynoLivePage, new_button);
  gtk_widget_class_bind_template_callback (widget_class, case_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, pad_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, narrow_changed_cb);
}

static void
dyno_live_page_init (DynoLivePage *self)
{
  GSignalGroup *group = g_signal_group_new (DYNO_TYPE_RUNNER);

  self->usage_rows = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect (self, "map", G_CALLBACK (show_results), NULL);
  narrow_changed_cb (self);
  dyno_labels_shrink (GTK_WIDGET (self->pause_button));
  dyno_double_click_guard (self->skip_button);
  dyno_double_click_guard (self->stop_button);
  dyno_double_click_guard (self->results_button);
  dyno_double_click_guard (self->new_button);
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
dyno_live_page_set_runner (DynoLivePage *self, DynoRunner *runner, DynoStore *store)
{
  g_return_if_fail (DYNO_IS_LIVE_PAGE (self));
  g_return_if_fail (runner == NULL || DYNO_IS_RUNNER (runner));
  g_return_if_fail (runner == NULL || DYNO_IS_STORE (store));

  if (runner != NULL && self->runner == runner)
    return;
  set_run (self, NULL);
  g_set_object (&self->runner, runner);
  g_set_object (&self->store, store);
  self->stopping = FALSE;
  g_clear_object (&self->present);
  g_signal_group_set_target (self->runner_signals, runner);
  if (runner == NULL)
    {
      close_pad (self);
      return;
    }
  run_changed_cb (self);
  update_column (self);
  update_progress (self);
  update_paused (self);
  update_warning (self);
}

void
dyno_live_page_end (DynoLivePage *self)
{
  DynoRun *run;

  g_return_if_fail (DYNO_IS_LIVE_PAGE (self));
  g_return_if_fail (self->runner != NULL);

  g_signal_group_set_target (self->runner_signals, NULL);
  g_clear_object (&self->runner);
  ignore_results (self);
  self->has_news = FALSE; /* all is shown now, also to a window that comes back */
  if (self->entry != NULL)
    {
      run = dyno_run_entry_get_run (self->entry);
      dyno_run_set_running (run, FALSE);
      dyno_run_view_show_live (self->run_view, self->entry);
      dyno_run_view_end_live (self->run_view);
      gtk_label_set_label (self->case_label, dyno_run_is_interrupted (run) ? _ ("The run was stopped")
                                                                           : _ ("The run has ended"));
      dyno_tooltip_set (GTK_WIDGET (self->case_label), NULL);
      update_counts (self, run);
      gtk_actionable_set_action_target (GTK_ACTIONABLE (self->results_button), "s", dyno_run_get_id (run));
      g_signal_connect_object (self->store, "changed", G_CALLBACK (store_changed_cb), self,
                               G_CONNECT_SWAPPED);
    }
  update_column (self);
  close_pad (self);
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
