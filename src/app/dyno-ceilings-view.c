/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "dyno-ceilings-view"

#include "config.h"

#include <glib/gi18n.h>

#include "dyno-application.h"
#include "dyno-ceiling-row.h"
#include "dyno-ceilings-view.h"
#include "dyno-format.h"
#include "dyno-window.h"

struct _DynoCeilingsView
{
  AdwBin parent_instance;

  DynoCeilingsKeeper *keeper;
  GSignalGroup *keeper_signals;
  GSignalGroup *list_signals;
  guint n_threads;
  gboolean filling;

  GtkStack *stack;
  GtkProgressBar *progress_bar;
  GtkLabel *step_label;
  GtkDropDown *threads_drop_down;
  GtkLabel *date_label;
  GtkLabel *disturbed_label;
  GtkWidget *groups[DYNO_CEILING_LATENCY + 1];
  GtkListBox *lists[DYNO_CEILING_LATENCY + 1];
};

enum
{
  PROP_0,
  PROP_KEEPER,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoCeilingsView, dyno_ceilings_view, ADW_TYPE_BIN)

static GParamSpec *properties[N_PROPS];

static DynoCeiling *
get_ceiling (DynoCeilingsView *self, guint index)
{
  GListModel *ceilings = dyno_ceilings_keeper_get_ceilings (self->keeper);
  g_autoptr (DynoCeiling) ceiling = g_list_model_get_item (ceilings, index);

  return ceiling;
}

static guint
count_ceilings (DynoCeilingsView *self)
{
  return self->keeper != NULL ? g_list_model_get_n_items (dyno_ceilings_keeper_get_ceilings (self->keeper))
                              : 0;
}

static void
name_threshold (DynoCeilingsView *self)
{
  g_autofree char *text = g_strdup_printf (_ ("Some vary by more than %d %%: something else ran meanwhile. "
                                              "Let the machine rest and measure again."),
                                           DYNO_CEILING_DISTURBED_PERCENT);

  gtk_label_set_label (self->disturbed_label, text);
}

static void
clear_lists (DynoCeilingsView *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->lists); i++)
    {
      GtkWidget *row;

      while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->lists[i]))) != NULL)
        gtk_list_box_remove (self->lists[i], row);
      gtk_widget_set_visible (self->groups[i], FALSE);
    }
}

static void
show_rows (DynoCeilingsView *self)
{
  guint n_disturbed = 0;

  clear_lists (self);
  for (guint i = 0; i < count_ceilings (self); i++)
    {
      DynoCeiling *ceiling = get_ceiling (self, i);
      DynoCeilingKind kind = dyno_ceiling_get_kind (ceiling);

      if (dyno_ceiling_get_threads (ceiling) != self->n_threads)
        continue;
      gtk_list_box_append (self->lists[kind], dyno_ceiling_row_new (ceiling));
      gtk_widget_set_visible (self->groups[kind], TRUE);
      n_disturbed += dyno_ceiling_is_disturbed (ceiling) ? 1 : 0;
    }
  gtk_widget_set_visible (GTK_WIDGET (self->disturbed_label), n_disturbed > 0);
}

/* Thread counts */

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint number_a = *(const guint *)a;
  guint number_b = *(const guint *)b;

  return number_a < number_b ? -1 : number_a > number_b;
}

static GArray *
list_thread_counts (DynoCeilingsView *self)
{
  GArray *counts = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < count_ceilings (self); i++)
    {
      guint n_threads = dyno_ceiling_get_threads (get_ceiling (self, i));
      gboolean known = FALSE;

      for (guint k = 0; k < counts->len; k++)
        known = known || g_array_index (counts, guint, k) == n_threads;
      if (!known)
        g_array_append_val (counts, n_threads);
    }
  g_array_sort (counts, compare_numbers);
  return counts;
}

static void
fill_thread_counts (DynoCeilingsView *self)
{
  g_autoptr (GArray) counts = list_thread_counts (self);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  self->filling = TRUE;
  for (guint i = 0; i < counts->len; i++)
    {
      guint n_threads = g_array_index (counts, guint, i);

      gtk_string_list_take (names,
                            g_strdup_printf (ngettext ("%u thread", "%u threads", n_threads), n_threads));
    }
  gtk_drop_down_set_model (self->threads_drop_down, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->threads_drop_down, counts->len - 1);
  self->n_threads = counts->len > 0 ? g_array_index (counts, guint, counts->len - 1) : 0;
  self->filling = FALSE;
}

static void
threads_selected_cb (DynoCeilingsView *self)
{
  g_autoptr (GArray) counts = NULL;
  guint selected = gtk_drop_down_get_selected (self->threads_drop_down);

  if (self->filling || self->keeper == NULL)
    return;
  counts = list_thread_counts (self);
  if (selected >= counts->len)
    return;
  self->n_threads = g_array_index (counts, guint, selected);
  show_rows (self);
}

/* What is shown */

static void
show_date (DynoCeilingsView *self)
{
  gint64 newest = 0;
  g_autofree char *date = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; i < count_ceilings (self); i++)
    newest = MAX (newest, dyno_ceiling_get_measured_at (get_ceiling (self, i)));
  date = dyno_format_date (newest);
  /* Translators: %s is a date, such as “Today, 10:15” */
  text = g_strdup_printf (_ ("Measured: %s"), date);
  gtk_label_set_label (self->date_label, text);
}

static void
update_page (DynoCeilingsView *self)
{
  gboolean measuring = self->keeper != NULL && dyno_ceilings_keeper_get_measuring (self->keeper);

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "ceilings.measure", self->keeper != NULL && !measuring);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "ceilings.cancel", measuring);
  gtk_stack_set_visible_child_name (self->stack, measuring                    ? "measuring"
                                                 : count_ceilings (self) == 0 ? "empty"
                                                                              : "content");
}

static void
ceilings_changed_cb (DynoCeilingsView *self)
{
  fill_thread_counts (self);
  show_rows (self);
  show_date (self);
  update_page (self);
}

static void
progress_cb (DynoCeilingsView *self)
{
  const char *step = dyno_ceilings_keeper_get_step (self->keeper);

  gtk_progress_bar_set_fraction (self->progress_bar, dyno_ceilings_keeper_get_fraction (self->keeper));
  gtk_label_set_label (self->step_label, step != NULL ? step : _ ("Getting ready…"));
}

static void
failed_cb (DynoCeilingsView *self, const GError *error)
{
  dyno_window_report_error (GTK_WIDGET (self), _ ("The ceilings are not known"), error);
}

static void
measure_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoCeilingsView *self = DYNO_CEILINGS_VIEW (widget);
  GApplication *application = g_application_get_default ();

  if (DYNO_IS_APPLICATION (application) &&
      dyno_application_get_runner (DYNO_APPLICATION (application)) != NULL)
    dyno_window_toast (widget, _ ("Wait until the run is over: the two would disturb each other"));
  else
    dyno_ceilings_keeper_measure (self->keeper, DYNO_CEILINGS_SECONDS);
}

static void
cancel_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  dyno_ceilings_keeper_cancel (DYNO_CEILINGS_VIEW (widget)->keeper);
}

static void
dyno_ceilings_view_dispose (GObject *object)
{
  DynoCeilingsView *self = DYNO_CEILINGS_VIEW (object);

  g_clear_object (&self->keeper_signals);
  g_clear_object (&self->list_signals);
  g_clear_object (&self->keeper);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_CEILINGS_VIEW);

  G_OBJECT_CLASS (dyno_ceilings_view_parent_class)->dispose (object);
}

static void
dyno_ceilings_view_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_KEEPER:
      g_value_set_object (value, DYNO_CEILINGS_VIEW (object)->keeper);
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
    case PROP_KEEPER:
      dyno_ceilings_view_set_keeper (DYNO_CEILINGS_VIEW (object), g_value_get_object (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
bind_kinds (GtkWidgetClass *widget_class)
{
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
}

static void
dyno_ceilings_view_class_init (DynoCeilingsViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = dyno_ceilings_view_dispose;
  object_class->get_property = dyno_ceilings_view_get_property;
  object_class->set_property = dyno_ceilings_view_set_property;

  properties[PROP_KEEPER] =
      g_param_spec_object ("keeper", NULL, NULL, DYNO_TYPE_CEILINGS_KEEPER,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-ceilings-view.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoCeilingsView, stack);
  gtk_widget_class_bind_template_child (widget_class, DynoCeilingsView, progress_bar);
  gtk_widget_class_bind_template_child (widget_class, DynoCeilingsView, step_label);
  gtk_widget_class_bind_template_child (widget_class, DynoCeilingsView, threads_drop_down);
  gtk_widget_class_bind_template_child (widget_class, DynoCeilingsView, date_label);
  gtk_widget_class_bind_template_child (widget_class, DynoCeilingsView, disturbed_label);
  gtk_widget_class_bind_template_callback (widget_class, threads_selected_cb);
  bind_kinds (widget_class);
  gtk_widget_class_install_action (widget_class, "ceilings.measure", NULL, measure_action);
  gtk_widget_class_install_action (widget_class, "ceilings.cancel", NULL, cancel_action);
}

static void
dyno_ceilings_view_init (DynoCeilingsView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  name_threshold (self);
  self->keeper_signals = g_signal_group_new (DYNO_TYPE_CEILINGS_KEEPER);
  g_signal_group_connect_swapped (self->keeper_signals, "notify::measuring", G_CALLBACK (update_page), self);
  g_signal_group_connect_swapped (self->keeper_signals, "notify::fraction", G_CALLBACK (progress_cb), self);
  g_signal_group_connect_swapped (self->keeper_signals, "failed", G_CALLBACK (failed_cb), self);
  self->list_signals = g_signal_group_new (G_TYPE_LIST_MODEL);
  g_signal_group_connect_swapped (self->list_signals, "items-changed", G_CALLBACK (ceilings_changed_cb),
                                  self);
  update_page (self);
}

/**
 * dyno_ceilings_view_set_keeper:
 * @self: a view
 * @keeper: (nullable): whose ceilings to show
 */
void
dyno_ceilings_view_set_keeper (DynoCeilingsView *self, DynoCeilingsKeeper *keeper)
{
  g_return_if_fail (DYNO_IS_CEILINGS_VIEW (self));
  g_return_if_fail (keeper == NULL || DYNO_IS_CEILINGS_KEEPER (keeper));

  if (!g_set_object (&self->keeper, keeper))
    return;
  g_signal_group_set_target (self->keeper_signals, keeper);
  g_signal_group_set_target (self->list_signals,
                             keeper != NULL ? dyno_ceilings_keeper_get_ceilings (keeper) : NULL);
  ceilings_changed_cb (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_KEEPER]);
}
