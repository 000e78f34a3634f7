/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-history-private.h"
#include "dyno-app-widgets-private.h"

/* The number of runs listed at first, and the number added on each request. The chart shows all. */
#define N_FIRST 25
#define N_MORE  100

struct _DynoHistoryRuns
{
  AdwBin parent_instance;

  DynoHistory *history;
  const DynoHistoryTrend *trend;
  GHashTable *chosen; /* ids */

  GtkListBox *list;
  GtkWidget *compare_button;
  GtkButton *more_button;
};

G_DEFINE_FINAL_TYPE (DynoHistoryRuns, dyno_history_runs, ADW_TYPE_BIN)

static const DynoHistoryPoint *
get_point (GObject *object)
{
  return g_object_get_data (object, "point");
}

/* Choosing */

static void
update_compare_button (DynoHistoryRuns *self)
{
  gtk_widget_set_sensitive (self->compare_button, g_hash_table_size (self->chosen) >= 2);
}

static void
chosen_cb (DynoHistoryRuns *self, GtkCheckButton *check)
{
  char *run_id = get_point (G_OBJECT (check))->run_id;

  if (gtk_check_button_get_active (check))
    g_hash_table_add (self->chosen, g_strdup (run_id));
  else
    g_hash_table_remove (self->chosen, run_id);
  update_compare_button (self);
}

/* In the order of time: the earliest run is the baseline. */
static void
compare_cb (DynoHistoryRuns *self)
{
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;

  for (guint i = 0; i < self->trend->points->len; i++)
    {
      const DynoHistoryPoint *point = self->trend->points->pdata[i];

      if (g_hash_table_contains (self->chosen, point->run_id))
        g_strv_builder_add (ids, point->run_id);
    }
  all = g_strv_builder_end (ids);
  gtk_widget_activate_action (GTK_WIDGET (self), "history.compare", "^as", all);
}

/* The menu of a run */

static void
add_item (GMenu *menu, const char *label, const char *action, GVariant *target)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target_value (item, action, target);
  g_menu_append_item (menu, item);
}

/* The menu is created when it is first opened. */
static void
create_popup_cb (GtkMenuButton *button, gpointer data)
{
  DynoHistoryRuns *self = data;
  const DynoHistoryPoint *point = get_point (G_OBJECT (button));
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) baselines = g_menu_new ();
  guint index;

  add_item (menu, _ ("_Open"), "history.open-run", g_variant_new_string (point->run_id));
  if (g_ptr_array_find (self->trend->points, point, &index) && index > 0)
    {
      const DynoHistoryPoint *before = self->trend->points->pdata[index - 1];

      add_item (menu, _ ("_Compare With the Run Before"), "history.compare",
                g_variant_new_strv ((const char *const[]){ before->run_id, point->run_id }, 2));
    }
  add_item (baselines, _ ("_Name as Baseline…"), "history.name-baseline",
            g_variant_new_string (point->run_id));
  for (guint i = 0; i < self->history->baselines->len; i++)
    {
      const DynoBaseline *baseline = self->history->baselines->pdata[i];
      g_autofree char *label = g_strdup_printf (_ ("Remove Baseline “%s”"), baseline->name);

      if (g_str_equal (baseline->run_id, point->run_id))
        add_item (baselines, label, "history.remove-baseline", g_variant_new_string (baseline->name));
    }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (baselines));
  gtk_menu_button_set_popover (button, gtk_popover_menu_new_from_model (G_MENU_MODEL (menu)));
}

/* Rows. They may use the points, because the history outlives them. */

static GtkWidget *
create_check (DynoHistoryRuns *self, const DynoHistoryPoint *point)
{
  GtkWidget *check = g_object_new (GTK_TYPE_CHECK_BUTTON, "valign", GTK_ALIGN_CENTER, "tooltip-text",
                                   _ ("Choose to Compare"), "active",
                                   g_hash_table_contains (self->chosen, point->run_id), NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Choose to Compare"), -1);
  g_object_set_data (G_OBJECT (check), "point", (gpointer)point);
  g_signal_connect_object (check, "toggled", G_CALLBACK (chosen_cb), self, G_CONNECT_SWAPPED);
  return check;
}

static GtkWidget *
create_row (DynoHistoryRuns *self, const DynoHistoryPoint *point)
{
  g_autofree char *title = dyno_history_words_dup_title (point);
  g_autofree char *details = dyno_history_words_dup_details (point);
  g_autofree char *value = dyno_format_quantity (point->value, self->trend->unit);
  GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", title, "subtitle",
                                 details, "activatable", TRUE, "action-name", "history.open-run", NULL);
  GtkWidget *label = gtk_label_new (value);
  GtkWidget *button = g_object_new (GTK_TYPE_MENU_BUTTON, "icon-name", "view-more-symbolic", "valign",
                                    GTK_ALIGN_CENTER, "tooltip-text", _ ("Run Menu"), NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Run Menu"), -1);
  gtk_widget_add_css_class (button, "flat");
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (button), create_popup_cb, self, NULL);

  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", point->run_id);
  gtk_widget_add_css_class (label, "numeric");
  if (!point->is_steady)
    gtk_widget_add_css_class (label, "dim-label");
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), create_check (self, point));
  for (guint i = 0; i < self->history->baselines->len; i++)
    {
      const DynoBaseline *baseline = self->history->baselines->pdata[i];
      GtkWidget *chip;

      if (!g_str_equal (baseline->run_id, point->run_id))
        continue;
      chip = g_object_new (GTK_TYPE_LABEL, "label", baseline->name, "valign", GTK_ALIGN_CENTER, "ellipsize",
                           PANGO_ELLIPSIZE_END, "tooltip-text", _ ("Baseline"), NULL);
      gtk_widget_add_css_class (chip, "dyno-chip");
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), chip);
    }
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  g_object_set_data (G_OBJECT (button), "point", (gpointer)point);
  g_object_set_data (G_OBJECT (row), "point", (gpointer)point);
  return row;
}

/* The list */

static guint
count_rows (DynoHistoryRuns *self)
{
  guint n = 0;

  while (gtk_list_box_get_row_at_index (self->list, (int)n) != NULL)
    n++;
  return n;
}

static void
add_rows (DynoHistoryRuns *self, guint n)
{
  guint n_points = self->trend->points->len;
  guint first = count_rows (self);

  for (guint i = first; i < MIN (first + n, n_points); i++)
    gtk_list_box_append (self->list, create_row (self, self->trend->points->pdata[n_points - 1 - i]));

  guint n_left = self->trend->points->len - count_rows (self);
  guint n_next = MIN (n_left, N_MORE);
  g_autofree char *label =
      g_strdup_printf (ngettext ("_Show %u Older Run", "_Show %u Older Runs", n_next), n_next);
  gtk_button_set_label (self->more_button, label);
  gtk_widget_set_visible (GTK_WIDGET (self->more_button), n_left > 0);
}

/* The focus goes to the first new row. */
static void
more_cb (DynoHistoryRuns *self)
{
  int first_new = (int)count_rows (self);

  add_rows (self, N_MORE);
  gtk_widget_grab_focus (GTK_WIDGET (gtk_list_box_get_row_at_index (self->list, first_new)));
}

static void
focus_run (DynoHistoryRuns *self, const char *run_id)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i++)
    if (g_str_equal (get_point (G_OBJECT (row))->run_id, run_id))
      {
        gtk_widget_grab_focus (GTK_WIDGET (row));
        return;
      }
}

static void
dyno_history_runs_dispose (GObject *object)
{
  DynoHistoryRuns *self = DYNO_HISTORY_RUNS (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_HISTORY_RUNS);
  g_clear_pointer (&self->history, dyno_history_unref);
  g_clear_pointer (&self->chosen, g_hash_table_unref);

  G_OBJECT_CLASS (dyno_history_runs_parent_class)->dispose (object);
}

static void
dyno_history_runs_class_init (DynoHistoryRunsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_history_runs_dispose;

  g_type_ensure (DYNO_TYPE_TAB_STOP);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-history-runs.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoHistoryRuns, list);
  gtk_widget_class_bind_template_child (widget_class, DynoHistoryRuns, compare_button);
  gtk_widget_class_bind_template_child (widget_class, DynoHistoryRuns, more_button);
  gtk_widget_class_bind_template_callback (widget_class, compare_cb);
  gtk_widget_class_bind_template_callback (widget_class, more_cb);
}

static void
dyno_history_runs_init (DynoHistoryRuns *self)
{
  self->chosen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
dyno_history_runs_set_trend (DynoHistoryRuns *self, DynoHistory *history, const DynoHistoryTrend *trend)
{
  g_autofree char *focused = NULL;
  g_autoptr (DynoHistory) before = NULL;
  guint n_rows;

  g_return_if_fail (DYNO_IS_HISTORY_RUNS (self));
  g_return_if_fail (history != NULL && trend != NULL);

  before = g_steal_pointer (&self->history);
  GtkWidget *focus = dyno_focus_find_within (GTK_WIDGET (self->list));
  GtkWidget *row = focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_LIST_BOX_ROW) : NULL;
  focused = row != NULL ? g_strdup (get_point (G_OBJECT (row))->run_id) : NULL;
  n_rows = MAX (count_rows (self), N_FIRST);
  dyno_list_box_clear (self->list);
  self->history = dyno_history_ref (history);
  self->trend = trend;

  /* Forget chosen runs that are no longer listed. */
  GHashTableIter iter;
  gpointer run_id;
  g_hash_table_iter_init (&iter, self->chosen);
  while (g_hash_table_iter_next (&iter, &run_id, NULL))
    if (dyno_history_find_point (self->trend, run_id) == NULL)
      g_hash_table_iter_remove (&iter);
  update_compare_button (self);

  add_rows (self, n_rows);
  if (focused != NULL)
    focus_run (self, focused);
}
