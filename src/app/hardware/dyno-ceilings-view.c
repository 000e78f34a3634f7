/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-charts-private.h"
#include "dyno-app-hardware-private.h"
#include "dyno-app-session-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-device-ceilings.h"
#include "dyno-subject-charts.h"

struct _DynoCeilingsView
{
  AdwBin parent_instance;

  DynoAppSession *session;
  DynoCeilingsModel *model;
  GSignalGroup *model_signals;
  GSignalGroup *list_signals;
  DynoCeilingsSubjects *subjects;
  DynoCeilingsSubject *subject;
  guint n_threads;
  gboolean filling;

  AdwComboRow *subject_row;
  GtkWidget *subject_group;
  GtkStack *stack;
  AdwStatusPage *empty_page;
  GtkProgressBar *progress_bar;
  GtkWidget *spinner;
  GtkLabel *step_label;
  GtkDropDown *threads_drop_down;
  GtkWidget *first_button; /* measures a subject that has no ceilings yet */
  GtkWidget *cancel_button;
  GtkWidget *measure_button;
  GtkWidget *forget_button;
  GtkLabel *remedy_label;
  GtkLabel *date_label;
  GtkLabel *disturbed_label;
  DynoChartView *roofline;
  GtkWidget *groups[DYNO_CEILING_LATENCY + 1];
  GtkListBox *lists[DYNO_CEILING_LATENCY + 1];
};

enum
{
  PROP_0,
  PROP_MODEL,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoCeilingsView, dyno_ceilings_view, ADW_TYPE_BIN)

static GParamSpec *properties[N_PROPS];

/* Returns the ceilings of the shown subject. */
static GPtrArray *
list_ceilings (DynoCeilingsView *self)
{
  GPtrArray *shown = g_ptr_array_new_with_free_func (g_object_unref);
  GListModel *all = self->model != NULL ? dyno_ceilings_model_get_ceilings (self->model) : NULL;

  for (guint i = 0; all != NULL && i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (DynoCeiling) ceiling = g_list_model_get_item (all, i);

      if (dyno_ceilings_subject_has (self->subject, ceiling))
        g_ptr_array_add (shown, g_steal_pointer (&ceiling));
    }
  return shown;
}

static void
show_ceilings (DynoCeilingsView *self)
{
  g_autoptr (GPtrArray) ceilings = list_ceilings (self);
  guint n_disturbed = 0;

  for (guint i = 0; i < G_N_ELEMENTS (self->lists); i++)
    {
      dyno_list_box_clear (self->lists[i]);
      gtk_widget_set_visible (self->groups[i], FALSE);
    }
  for (guint i = 0; i < ceilings->len; i++)
    {
      DynoCeiling *ceiling = ceilings->pdata[i];
      DynoCeilingKind kind = dyno_ceiling_get_kind (ceiling);

      if (dyno_ceiling_get_threads (ceiling) != self->n_threads)
        continue;
      gtk_list_box_append (self->lists[kind], dyno_ceiling_row_new (ceiling));
      gtk_widget_set_visible (self->groups[kind], TRUE);
      n_disturbed += dyno_ceiling_is_disturbed (ceiling) ? 1 : 0;
    }

  g_autoptr (DynoChart) chart = dyno_roofs_chart_new (ceilings, self->n_threads);
  dyno_chart_view_set_chart (self->roofline, chart);
  gtk_widget_set_visible (GTK_WIDGET (self->roofline), dyno_chart_get_empty_message (chart) == NULL);

  /* Some vary, or contradict each other. */
  g_autofree char *breaks = dyno_ceilings_describe_breaks (ceilings);
  g_autofree char *varying = g_strdup_printf (_ ("Some roofs vary by more than %d %% because other programs "
                                                 "were running. Close them and measure again."),
                                              DYNO_CEILING_DISTURBED_PERCENT);
  const char *parts[] = { n_disturbed > 0 ? varying : breaks, n_disturbed > 0 ? breaks : NULL, NULL };
  g_autofree char *text = g_strjoinv ("\n", (char **)parts);
  gtk_label_set_label (self->disturbed_label, text);
  gtk_widget_set_visible (GTK_WIDGET (self->disturbed_label), *text != '\0');
}

/* Thread counts */

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint number_a = *(const guint *)a;
  guint number_b = *(const guint *)b;

  return number_a < number_b ? -1 : number_a > number_b;
}

static gboolean
has_number (const GArray *numbers, guint number)
{
  for (guint i = 0; i < numbers->len; i++)
    if (g_array_index (numbers, guint, i) == number)
      return TRUE;
  return FALSE;
}

static GArray *
list_thread_counts (DynoCeilingsView *self)
{
  g_autoptr (GPtrArray) ceilings = list_ceilings (self);
  GArray *counts = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < ceilings->len; i++)
    {
      guint n_threads = dyno_ceiling_get_threads (ceilings->pdata[i]);

      if (!has_number (counts, n_threads))
        g_array_append_val (counts, n_threads);
    }
  g_array_sort (counts, compare_numbers);
  return counts;
}

static void
threads_selected_cb (DynoCeilingsView *self)
{
  g_autoptr (GArray) counts = NULL;
  guint selected = gtk_drop_down_get_selected (self->threads_drop_down);

  if (self->filling || self->model == NULL)
    return;
  counts = list_thread_counts (self);
  if (selected >= counts->len)
    return;
  self->n_threads = g_array_index (counts, guint, selected);
  show_ceilings (self);
}

/* Subjects */

static void
describe_subject (DynoCeilingsView *self)
{
  gboolean is_processor = dyno_ceilings_subject_is_processor (self->subject);
  g_autofree char *remedy = NULL;

  if (!dyno_ceilings_subject_can_measure (self->subject))
    remedy = is_processor
                 ? g_strdup_printf (
                       _ ("To measure this pinning again, run “dyno-cli ceilings --measure --pinning %s”."),
                       dyno_ceilings_subject_get_pinning (self->subject))
                 : g_strdup (_ ("No engine finds this device."));

  gtk_widget_set_visible (self->measure_button, remedy == NULL);
  gtk_widget_set_visible (self->forget_button, remedy == NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->remedy_label), remedy != NULL);
  gtk_label_set_label (self->remedy_label, remedy != NULL ? remedy : "");
  adw_status_page_set_description (
      self->empty_page,
      is_processor ? _ ("The highest compute throughput and memory bandwidth of this machine, for every "
                        "instruction set and memory level. Charts show these roofs above your "
                        "results. Measuring takes about 20 seconds; close other programs first.")
                   : _ ("The highest compute throughput and copy bandwidth of this device through its "
                        "runtime. Charts show these roofs above your results. Measuring takes "
                        "about 20 seconds; close other programs first."));
  adw_preferences_group_set_description (
      ADW_PREFERENCES_GROUP (self->groups[DYNO_CEILING_BANDWIDTH]),
      is_processor ? _ ("By memory level and access pattern; reads limit inference")
                   : _ ("Bytes read and written by a copy; this limits inference on the device"));
}

/* The row gets a copy of the list, because it would change its selection while the list changes. */
static void
fill_subjects (DynoCeilingsView *self)
{
  GListModel *subjects = dyno_ceilings_subjects_get_list (self->subjects);
  g_autoptr (GListStore) copy = g_list_store_new (DYNO_TYPE_CEILINGS_SUBJECT);
  guint n_subjects = g_list_model_get_n_items (subjects);
  guint selected = 0;

  for (guint i = 0; i < n_subjects; i++)
    {
      g_autoptr (DynoCeilingsSubject) subject = g_list_model_get_item (subjects, i);

      g_list_store_append (copy, subject);
      if (self->subject != NULL && dyno_ceilings_subject_is_same (subject, self->subject))
        selected = i;
    }
  self->filling = TRUE;
  adw_combo_row_set_model (self->subject_row, G_LIST_MODEL (copy));
  adw_combo_row_set_selected (self->subject_row, selected);
  self->filling = FALSE;
  g_set_object (&self->subject, adw_combo_row_get_selected_item (self->subject_row));
  gtk_widget_set_visible (self->subject_group, n_subjects > 1);
  describe_subject (self);
}

/* Contents */

static void
update_page (DynoCeilingsView *self)
{
  gboolean measuring = self->model != NULL && dyno_ceilings_model_get_measuring (self->model);
  g_autoptr (GPtrArray) ceilings = list_ceilings (self);

  /* A device does not report its progress. */
  const char *device = self->model != NULL ? dyno_ceilings_model_get_device (self->model) : NULL;
  gboolean tells = device == NULL || g_str_equal (device, "cpu");
  gtk_widget_set_visible (GTK_WIDGET (self->progress_bar), tells);
  gtk_widget_set_visible (self->spinner, !tells);

  gtk_widget_set_sensitive (self->subject_group, !measuring);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "ceilings.measure",
                                 self->model != NULL && !measuring &&
                                     dyno_ceilings_subject_can_measure (self->subject));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "ceilings.forget",
                                 self->model != NULL && !measuring &&
                                     dyno_ceilings_subject_can_measure (self->subject));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "ceilings.cancel", measuring);
  gtk_stack_set_visible_child_name (self->stack, measuring            ? "measuring"
                                                 : ceilings->len == 0 ? "empty"
                                                                      : "content");
}

static void
ceilings_changed_cb (DynoCeilingsView *self)
{
  g_autoptr (GArray) counts = list_thread_counts (self);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint selected = counts->len - 1;
  self->filling = TRUE;
  for (guint i = 0; i < counts->len; i++)
    {
      guint n_threads = g_array_index (counts, guint, i);

      if (n_threads == self->n_threads)
        selected = i;
      gtk_string_list_take (names,
                            g_strdup_printf (ngettext ("%u thread", "%u threads", n_threads), n_threads));
    }
  gtk_drop_down_set_model (self->threads_drop_down, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->threads_drop_down, selected);
  self->n_threads = counts->len > 0 ? g_array_index (counts, guint, selected) : 0;
  gtk_widget_set_visible (GTK_WIDGET (self->threads_drop_down),
                          dyno_ceilings_subject_is_processor (self->subject));
  self->filling = FALSE;

  show_ceilings (self);

  g_autoptr (GPtrArray) ceilings = list_ceilings (self);
  gint64 newest = 0;
  g_autofree char *date = NULL;
  g_autofree char *text = NULL;
  for (guint i = 0; i < ceilings->len; i++)
    newest = MAX (newest, dyno_ceiling_get_measured_at (ceilings->pdata[i]));
  date = dyno_format_date (newest);
  /* Translators: %s is a date, such as “Today, 10:15” */
  text = g_strdup_printf (_ ("Measured: %s"), date);
  gtk_label_set_label (self->date_label, text);

  update_page (self);
}

static void
subjects_changed_cb (DynoCeilingsView *self)
{
  fill_subjects (self);
  ceilings_changed_cb (self);
}

static void
subject_selected_cb (DynoCeilingsView *self)
{
  DynoCeilingsSubject *selected = adw_combo_row_get_selected_item (self->subject_row);

  if (self->filling || selected == NULL || !g_set_object (&self->subject, selected))
    return;
  describe_subject (self);
  ceilings_changed_cb (self);
}

static void
progress_cb (DynoCeilingsView *self)
{
  const char *step = dyno_ceilings_model_get_step (self->model);

  gtk_progress_bar_set_fraction (self->progress_bar, dyno_ceilings_model_get_fraction (self->model));
  gtk_label_set_label (self->step_label, step != NULL ? step : _ ("Preparing…"));
}

static void
failed_cb (DynoCeilingsView *self, const GError *error)
{
  dyno_toast_report_error (GTK_WIDGET (self), _ ("The roofs could not be loaded or measured"), error);
}

static void
measure_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoCeilingsView *self = DYNO_CEILINGS_VIEW (widget);

  if (self->session != NULL && dyno_app_session_get_runner (self->session) != NULL)
    dyno_toast_say (widget, _ ("Wait until the run has ended: the measurements would disturb each other"));
  else if (dyno_ceilings_subject_is_processor (self->subject))
    dyno_ceilings_model_measure (self->model, DYNO_CEILINGS_SECONDS);
  else
    dyno_ceilings_model_measure_device (self->model, dyno_ceilings_subject_get_device (self->subject),
                                        DYNO_DEVICE_CEILINGS_SECONDS);
}

static void
forget_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoCeilingsView *self = DYNO_CEILINGS_VIEW (widget);

  measure_action (widget, action_name, parameter);
  if (dyno_ceilings_model_get_measuring (self->model))
    dyno_ceilings_model_forget (self->model);
}

static void
cancel_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  dyno_ceilings_model_cancel (DYNO_CEILINGS_VIEW (widget)->model);
}

/* On every map: backends may have been probed again since. */
static void
dyno_ceilings_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (dyno_ceilings_view_parent_class)->map (widget);

  dyno_ceilings_subjects_find_devices (DYNO_CEILINGS_VIEW (widget)->subjects);
}

static void
dyno_ceilings_view_dispose (GObject *object)
{
  DynoCeilingsView *self = DYNO_CEILINGS_VIEW (object);

  g_clear_object (&self->model_signals);
  g_clear_object (&self->list_signals);
  g_clear_object (&self->model);
  g_clear_object (&self->session);
  if (self->subjects != NULL)
    g_object_run_dispose (G_OBJECT (self->subjects));
  g_clear_object (&self->subjects);
  g_clear_object (&self->subject);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_CEILINGS_VIEW);

  G_OBJECT_CLASS (dyno_ceilings_view_parent_class)->dispose (object);
}

static void
dyno_ceilings_view_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_MODEL:
      g_value_set_object (value, DYNO_CEILINGS_VIEW (object)->model);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_ceilings_view_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_MODEL:
      dyno_ceilings_view_set_model (DYNO_CEILINGS_VIEW (object), g_value_get_object (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_ceilings_view_class_init (DynoCeilingsViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = dyno_ceilings_view_dispose;
  object_class->get_property = dyno_ceilings_view_get_property;
  object_class->set_property = dyno_ceilings_view_set_property;
  widget_class->map = dyno_ceilings_view_map;

  properties[PROP_MODEL] =
      g_param_spec_object ("model", NULL, NULL, DYNO_TYPE_CEILINGS_MODEL,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  g_type_ensure (DYNO_TYPE_CEILINGS_SUBJECT);
  g_type_ensure (DYNO_TYPE_CHART_VIEW);
  g_type_ensure (DYNO_TYPE_TAB_STOP);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-ceilings-view.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoCeilingsView, subject_group);
  gtk_widget_class_bind_template_child (widget_class, DynoCeilingsView, subject_row);
  gtk_widget_class_bind_template_child (widget_class, DynoCeilingsView, stack);
  gtk_widget_class_bind_template_child (widget_class, DynoCeilingsView, empty_page);
  gtk_widget_class_bind_template_child (widget_class, DynoCeilingsView, spinner);
  gtk_widget_class_bind_template_child (widget_class, DynoCeilingsView, first_button);
  gtk_widget_class_bind_template_child (widget_class, DynoCeilingsView, cancel_button);
  gtk_widget_class_bind_template_child (widget_class, DynoCeilingsView, measure_button);
  gtk_widget_class_bind_template_child (widget_class, DynoCeilingsView, forget_button);
  gtk_widget_class_bind_template_child (widget_class, DynoCeilingsView, remedy_label);
  gtk_widget_class_bind_template_child (widget_class, DynoCeilingsView, progress_bar);
  gtk_widget_class_bind_template_child (widget_class, DynoCeilingsView, step_label);
  gtk_widget_class_bind_template_child (widget_class, DynoCeilingsView, threads_drop_down);
  gtk_widget_class_bind_template_child (widget_class, DynoCeilingsView, date_label);
  gtk_widget_class_bind_template_child (widget_class, DynoCeilingsView, disturbed_label);
  gtk_widget_class_bind_template_child (widget_class, DynoCeilingsView, roofline);
  gtk_widget_class_bind_template_callback (widget_class, subject_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, threads_selected_cb);

  static const char *const kinds[] = { "compute", "bandwidth", "latency" };
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *group = g_strconcat (kinds[i], "_group", NULL);
      g_autofree char *list = g_strconcat (kinds[i], "_list", NULL);
      gssize offset = i * sizeof (gpointer);

      gtk_widget_class_bind_template_child_full (widget_class, group, FALSE,
                                                 G_STRUCT_OFFSET (DynoCeilingsView, groups) + offset);
      gtk_widget_class_bind_template_child_full (widget_class, list, FALSE,
                                                 G_STRUCT_OFFSET (DynoCeilingsView, lists) + offset);
    }

  gtk_widget_class_install_action (widget_class, "ceilings.measure", NULL, measure_action);
  gtk_widget_class_install_action (widget_class, "ceilings.forget", NULL, forget_action);
  gtk_widget_class_install_action (widget_class, "ceilings.cancel", NULL, cancel_action);
}

static void
dyno_ceilings_view_init (DynoCeilingsView *self)
{
  self->subjects = dyno_ceilings_subjects_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  dyno_double_click_guard (self->first_button);
  dyno_double_click_guard (self->cancel_button);
  dyno_double_click_guard (self->measure_button);
  dyno_double_click_guard (self->forget_button);

  g_signal_connect_object (dyno_ceilings_subjects_get_list (self->subjects), "items-changed",
                           G_CALLBACK (subjects_changed_cb), self, G_CONNECT_SWAPPED);
  fill_subjects (self);
  self->model_signals = g_signal_group_new (DYNO_TYPE_CEILINGS_MODEL);
  g_signal_group_connect_swapped (self->model_signals, "notify::measuring", G_CALLBACK (update_page), self);
  g_signal_group_connect_swapped (self->model_signals, "notify::fraction", G_CALLBACK (progress_cb), self);
  g_signal_group_connect_swapped (self->model_signals, "failed", G_CALLBACK (failed_cb), self);
  self->list_signals = g_signal_group_new (G_TYPE_LIST_MODEL);
  g_signal_group_connect_swapped (self->list_signals, "items-changed", G_CALLBACK (ceilings_changed_cb),
                                  self);
  update_page (self);
}

void
dyno_ceilings_view_set_model (DynoCeilingsView *self, DynoCeilingsModel *model)
{
  g_return_if_fail (DYNO_IS_CEILINGS_VIEW (self));
  g_return_if_fail (model == NULL || DYNO_IS_CEILINGS_MODEL (model));

  if (!g_set_object (&self->model, model))
    return;
  dyno_ceilings_subjects_set_ceilings (self->subjects,
                                       model != NULL ? dyno_ceilings_model_get_ceilings (model) : NULL);
  g_signal_group_set_target (self->model_signals, model);
  g_signal_group_set_target (self->list_signals,
                             model != NULL ? dyno_ceilings_model_get_ceilings (model) : NULL);
  ceilings_changed_cb (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MODEL]);
}

void
dyno_ceilings_view_set_session (DynoCeilingsView *self, DynoAppSession *session)
{
  g_return_if_fail (DYNO_IS_CEILINGS_VIEW (self));
  g_return_if_fail (DYNO_IS_APP_SESSION (session));

  g_set_object (&self->session, session);
  dyno_ceilings_view_set_model (self, dyno_app_session_get_ceilings (session));
}
