/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "dyno-app-history-private.h"
#include "dyno-app-widgets-private.h"

/* The row leads to a run, if there is one. */
static AdwActionRow *
add_row (GtkListBox *list, const char *title, const char *subtitle, const DynoHistoryPoint *point)
{
  GtkWidget *row =
      g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", title, "subtitle", subtitle, NULL);

  if (point != NULL)
    {
      gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", point->run_id);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "history.open-run");
      gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
    }
  gtk_list_box_append (list, row);
  return ADW_ACTION_ROW (row);
}

static void
add_button (
    AdwActionRow *row, const char *icon_name, const char *tooltip, const char *action, GVariant *target)
{
  GtkWidget *button = dyno_icon_button_new (icon_name, tooltip);

  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (button), target);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  adw_action_row_add_suffix (row, button);
}

static void
add_comparison (AdwActionRow *row,
                const char *tooltip,
                const DynoHistoryPoint *first,
                const DynoHistoryPoint *second)
{
  if (first != NULL && !g_str_equal (first->run_id, second->run_id))
    add_button (row, "dyno-compare-symbolic", tooltip, "history.compare",
                g_variant_new_strv ((const char *const[]){ first->run_id, second->run_id }, 2));
}

/* Changes */

static void
add_change (GtkListBox *list, const DynoHistory *history, const DynoHistoryTrend *trend, guint segment_index)
{
  const DynoHistorySegment *segment = trend->segments->pdata[segment_index];
  const DynoHistoryPoint *first = trend->points->pdata[segment->first];
  g_autofree char *change = dyno_history_dup_change (history, segment);
  const DynoHistorySegment *before = trend->segments->pdata[segment_index - 1];
  g_autofree char *old_level = dyno_format_quantity (before->level, trend->unit);
  g_autofree char *new_level = dyno_format_quantity (segment->level, trend->unit);
  g_autofree char *title = dyno_history_words_dup_title (first);
  g_autofree char *changes = dyno_history_dup_changes (segment);
  g_autofree char *date = dyno_format_date (first->started_at);
  /* Translators: a date, a level before and after, the title of a run, and what changed there, such as “Kernel: 6.1 →
   * 6.2” */
  g_autofree char *reason = g_strdup_printf (_ ("%s · From %s to %s, first in “%s”. What changed there: %s"),
                                             date, old_level, new_level, title, changes);
  AdwActionRow *row = add_row (list, change, reason, first);

  add_comparison (row, _ ("Compare With the Run Before"),
                  dyno_history_find_steady_before (trend, segment->first), first);
}

void
dyno_history_rows_fill_changes (GtkListBox *list, const DynoHistory *history, const DynoHistoryTrend *trend)
{
  dyno_list_box_clear (list);
  for (guint i = trend->segments->len; i > 1; i--)
    add_change (list, history, trend, i - 1);
}

/* Baselines */

static void
add_baseline (GtkListBox *list,
              const DynoHistoryTrend *trend,
              const DynoBaseline *baseline,
              const DynoHistoryPoint *point)
{
  const DynoHistoryPoint *newest = trend->points->pdata[trend->points->len - 1];
  g_autofree char *name =
      point != NULL ? dyno_history_words_dup_name (point) : g_strdup (_ ("Its run is gone."));
  AdwActionRow *row = add_row (list, baseline->name, name, point);

  if (point != NULL)
    {
      g_autofree char *value = dyno_format_quantity (point->value, trend->unit);
      GtkWidget *label = gtk_label_new (value);

      gtk_widget_add_css_class (label, "numeric");
      adw_action_row_add_suffix (row, label);

      add_comparison (row, _ ("Compare the Newest Run With This Baseline"), point, newest);
    }
  add_button (row, "user-trash-symbolic", _ ("Remove Baseline"), "history.remove-baseline",
              g_variant_new_string (baseline->name));
}

void
dyno_history_rows_fill_baselines (GtkListBox *list, const DynoHistory *history, const DynoHistoryTrend *trend)
{
  dyno_list_box_clear (list);
  for (guint i = 0; i < history->baselines->len; i++)
    {
      const DynoBaseline *baseline = history->baselines->pdata[i];
      const DynoHistoryPoint *point = dyno_history_find_point (trend, baseline->run_id);

      if (point != NULL || !baseline->is_kept)
        add_baseline (list, trend, baseline, point);
    }
}
