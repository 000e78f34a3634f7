/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-tune-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"
#include "dyno-run-summary.h"
#include "dyno-unit.h"

struct _DynoRaceView
{
  AdwBin parent_instance;

  DynoRace *race;
  DynoRunner *runner;
  GSignalGroup *race_signals;
  GSignalGroup *runner_signals;
  DynoRun *run;
  GHashTable *rows; /* of AdwActionRow, by ordinal */
  GCancellable *concluding;
  gboolean stopping;

  GtkWidget *progress_box;
  GtkLabel *state_label;
  GtkLabel *left_label;
  GtkProgressBar *progress_bar;
  GtkWidget *answer_box;
  GtkLabel *answer_label;
  GtkLabel *stored_label;
  AdwPreferencesGroup *settings_group;
  GtkListBox *settings_list;
  GtkBox *lines_box;
};

G_DEFINE_FINAL_TYPE (DynoRaceView, dyno_race_view, ADW_TYPE_BIN)

/* The settings */

static const struct
{
  const char *icon;
  const char *css_class;
} marks[] = {
  [DYNO_RACE_BEST] = { "starred-symbolic", "accent" },
  [DYNO_RACE_TIED] = { "media-playlist-shuffle-symbolic", "accent" },
  [DYNO_RACE_OPEN] = { "dialog-question-symbolic", "dim-label" },
  [DYNO_RACE_BEATEN] = { "media-playback-stop-symbolic", "dim-label" },
  [DYNO_RACE_BEHIND] = { "media-playback-stop-symbolic", "dim-label" },
  [DYNO_RACE_REFUSED] = { "action-unavailable-symbolic", "dim-label" },
  [DYNO_RACE_UNMEASURED] = { "content-loading-symbolic", "dim-label" },
  [DYNO_RACE_RACING] = { "media-playback-start-symbolic", "accent" },
};

static int
compare_rows (GtkListBoxRow *a, GtkListBoxRow *b, gpointer data)
{
  return GPOINTER_TO_INT (g_object_get_data (G_OBJECT (a), "place")) -
         GPOINTER_TO_INT (g_object_get_data (G_OBJECT (b), "place"));
}

static GtkWidget *
ensure_row (DynoRaceView *self, DynoResult *result)
{
  gpointer key = GUINT_TO_POINTER (dyno_result_get_ordinal (result));
  GtkWidget *row = g_hash_table_lookup (self->rows, key);

  if (row != NULL)
    return row;
  row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title-lines", 0, "subtitle-lines", 0, NULL);
  GtkWidget *icon = g_object_new (GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);
  GtkWidget *box =
      g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "valign", GTK_ALIGN_CENTER, NULL);
  GtkWidget *value = g_object_new (GTK_TYPE_LABEL, "xalign", 1.0, NULL);
  GtkWidget *processes = g_object_new (GTK_TYPE_LABEL, "xalign", 1.0, NULL);

  gtk_widget_add_css_class (value, "numeric");
  gtk_widget_add_css_class (processes, "numeric");
  gtk_widget_add_css_class (processes, "dim-label");
  gtk_widget_add_css_class (processes, "caption");
  gtk_box_append (GTK_BOX (box), value);
  gtk_box_append (GTK_BOX (box), processes);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), box);
  g_object_set_data (G_OBJECT (row), "icon", icon);
  g_object_set_data (G_OBJECT (row), "value", value);
  g_object_set_data (G_OBJECT (row), "processes", processes);
  gtk_list_box_append (self->settings_list, row);
  g_hash_table_insert (self->rows, key, row);
  return row;
}

/* A remark on a setting that is still in the race would change all the time, so it is left out. */
static char *
dup_standing (DynoRaceView *self, const DynoRaceEntry *entry)
{
  const char *standing = dyno_race_standing_get_label (entry->standing);
  g_autofree char *remark = dyno_race_entry_dup_remark (entry, dyno_race_get_goal (self->race));

  if (entry->standing == DYNO_RACE_RACING || *remark == '\0')
    return g_strdup (standing);
  if (entry->standing == DYNO_RACE_BEATEN || entry->standing == DYNO_RACE_BEHIND ||
      entry->standing == DYNO_RACE_OPEN)
    /* Translators: how a setting stands (Beaten), and how the best one compares with it (−47 % against …) */
    return g_strdup_printf (_ ("%s · the best one: %s"), standing, remark);
  return g_strdup_printf ("%s · %s", standing, remark);
}

static void
refresh (DynoRaceView *self)
{
  g_autoptr (GPtrArray) entries = NULL;

  if (self->race == NULL || self->run == NULL)
    return;
  entries = dyno_race_list (self->race, self->run);
  for (guint i = 0; i < entries->len; i++)
    {
      const DynoRaceEntry *entry = entries->pdata[i];
      GtkWidget *row = ensure_row (self, entry->result);
      GtkWidget *icon = g_object_get_data (G_OBJECT (row), "icon");
      guint n = dyno_result_get_n_invocations (entry->result);
      g_autofree char *standing = dup_standing (self, entry);
      g_autofree char *value = dyno_race_entry_dup_value (entry, dyno_race_get_goal (self->race));
      g_autofree char *processes = g_strdup_printf (ngettext ("%u process", "%u processes", n), n);

      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), entry->label);
      adw_action_row_set_subtitle (ADW_ACTION_ROW (row), standing);
      gtk_image_set_from_icon_name (GTK_IMAGE (icon), marks[entry->standing].icon);
      gtk_widget_set_css_classes (icon, (const char *[]){ marks[entry->standing].css_class, NULL });
      gtk_label_set_label (g_object_get_data (G_OBJECT (row), "value"), value);
      gtk_label_set_label (g_object_get_data (G_OBJECT (row), "processes"), processes);
      g_object_set_data (G_OBJECT (row), "place", GUINT_TO_POINTER (i));
    }
  gtk_list_box_invalidate_sort (self->settings_list);
}

/* During the race */

static void
update_state (DynoRaceView *self)
{
  DynoResult *current = dyno_runner_get_current (self->runner);
  g_autofree char *state = NULL;

  if (self->stopping)
    state = g_strdup (_ ("Stopping. What was measured so far is kept."));
  else if (current == NULL)
    state = g_strdup (_ ("Starting"));
  else
    {
      GtkWidget *row = ensure_row (self, current);

      /* Translators: the number of a round, and the setting that is measured in it */
      state = g_strdup_printf (_ ("Round %u: %s"), dyno_runner_get_invocation (self->runner) + 1,
                               adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)));
    }

  gtk_label_set_label (self->state_label, state);
}

/* Between two settings there is nothing to show. */
static void
current_changed_cb (DynoRaceView *self)
{
  if (dyno_runner_get_current (self->runner) != NULL)
    update_state (self);
}

static void
update_progress (DynoRaceView *self)
{
  double seconds = dyno_runner_get_seconds_left (self->runner);
  g_autofree char *span = seconds >= 0 ? dyno_unit_format_duration (seconds) : NULL;
  g_autofree char *left = span != NULL ? g_strdup_printf (_ ("At most %s left"), span) : g_strdup ("");

  gtk_progress_bar_set_fraction (self->progress_bar, CLAMP (dyno_runner_get_progress (self->runner), 0, 1));
  gtk_label_set_label (self->left_label, self->stopping ? "" : left);
}

static void
run_changed_cb (DynoRaceView *self)
{
  GListModel *results;

  if (!g_set_object (&self->run, dyno_runner_get_run (self->runner)) || self->run == NULL)
    return;
  results = dyno_run_get_results (self->run);
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      g_signal_connect_object (result, "notify::status", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED);
    }
  refresh (self);
  update_state (self);
}

void
dyno_race_view_follow (DynoRaceView *self, DynoRace *race, DynoRunner *runner)
{
  g_autofree char *goal = NULL;

  g_return_if_fail (DYNO_IS_RACE_VIEW (self));
  g_return_if_fail (DYNO_IS_RACE (race));
  g_return_if_fail (DYNO_IS_RUNNER (runner));

  dyno_list_box_clear (self->settings_list);
  dyno_box_clear (self->lines_box);
  g_hash_table_remove_all (self->rows);
  if (self->concluding != NULL)
    g_cancellable_cancel (self->concluding);
  g_clear_object (&self->concluding);
  g_clear_object (&self->run);
  self->stopping = FALSE;

  g_set_object (&self->race, race);
  g_set_object (&self->runner, runner);
  g_signal_group_set_target (self->race_signals, race);
  g_signal_group_set_target (self->runner_signals, runner);
  gtk_widget_set_visible (self->answer_box, FALSE);
  gtk_widget_set_visible (self->progress_box, TRUE);
  run_changed_cb (self);
  update_progress (self);
  update_state (self);
  goal = dyno_goal_dup_label (dyno_race_get_goal (race));
  adw_preferences_group_set_description (self->settings_group, goal);
}

void
dyno_race_view_set_stopping (DynoRaceView *self)
{
  g_return_if_fail (DYNO_IS_RACE_VIEW (self));

  self->stopping = TRUE;
  update_state (self);
  update_progress (self);
}

/* The answer */

static void
copy_cb (GtkButton *button, const char *text)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (button)), text);
  dyno_toast_say (GTK_WIDGET (button), _ ("Copied"));
}

static void
add_lines (DynoRaceView *self, const DynoEngineLines *lines)
{
  GtkWidget *group = g_object_new (ADW_TYPE_PREFERENCES_GROUP, "title", lines->title, NULL);
  GtkWidget *button = g_object_new (GTK_TYPE_BUTTON, "label", _ ("Copy"), "valign", GTK_ALIGN_CENTER, NULL);
  /* Translators: %s is an engine and a language, such as “ONNX Runtime, Python” */
  g_autofree char *name = g_strdup_printf (_ ("Copy the Lines for %s"), lines->title);
  g_autofree char *text = g_strchomp (g_strdup (lines->text));
  GtkWidget *label =
      g_object_new (GTK_TYPE_LABEL, "label", text, "selectable", TRUE, "xalign", 0.0, "margin-top", 12,
                    "margin-bottom", 12, "margin-start", 12, "margin-end", 12, NULL);
  GtkWidget *window =
      g_object_new (GTK_TYPE_SCROLLED_WINDOW, "vscrollbar-policy", GTK_POLICY_NEVER, "child", label, NULL);

  gtk_widget_set_tooltip_text (button, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_data (button, "clicked", G_CALLBACK (copy_cb), g_strdup (lines->text),
                         (GClosureNotify)(void (*) (void))g_free, 0);
  gtk_widget_add_css_class (label, "monospace");
  gtk_widget_add_css_class (window, "card");
  dyno_compat_scroll_where_needed (GTK_SCROLLED_WINDOW (window));
  adw_preferences_group_set_header_suffix (ADW_PREFERENCES_GROUP (group), button);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), window);
  gtk_box_append (self->lines_box, group);
}

static void
concluded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoRaceView *self = user_data;

  if (!g_task_propagate_boolean (G_TASK (result), NULL))
    return;

  g_autoptr (GPtrArray) entries = dyno_race_list (self->race, self->run);
  const DynoRaceEntry *best = dyno_race_find_best (entries);
  g_autofree char *answer = dyno_race_dup_answer (entries, dyno_race_get_goal (self->race));
  g_autoptr (GPtrArray) stored = dyno_race_list_stored (self->race, self->run);
  g_autofree char *earlier = dyno_stored_settings_dup_text (stored, dyno_race_get_goal (self->race));

  gtk_label_set_label (self->stored_label, earlier != NULL ? earlier : "");
  gtk_widget_set_visible (GTK_WIDGET (self->stored_label), earlier != NULL);
  gtk_label_set_label (self->answer_label, answer);
  gtk_widget_set_visible (self->answer_box, TRUE);
  gtk_widget_set_visible (self->progress_box, FALSE);
  refresh (self);
  if (best == NULL)
    return;

  g_autoptr (GPtrArray) lines =
      dyno_engine_lines_list (dyno_result_get_case (best->result), g_get_num_processors ());
  for (guint i = 0; i < lines->len; i++)
    add_lines (self, lines->pdata[i]);
}

void
dyno_race_view_conclude (DynoRaceView *self, DynoRun *run)
{
  g_return_if_fail (DYNO_IS_RACE_VIEW (self));
  g_return_if_fail (DYNO_IS_RUN (run));
  g_return_if_fail (self->race != NULL);

  g_signal_group_set_target (self->runner_signals, NULL);
  g_set_object (&self->run, run);
  gtk_label_set_label (self->state_label, _ ("Judging what was measured"));
  gtk_label_set_label (self->left_label, "");
  self->concluding = g_cancellable_new ();
  dyno_race_finish_async (self->race, run, self->concluding, concluded_cb, self);
}

DynoRun *
dyno_race_view_get_run (DynoRaceView *self)
{
  g_return_val_if_fail (DYNO_IS_RACE_VIEW (self), NULL);
  return self->run;
}

/* The class */

static void
dyno_race_view_dispose (GObject *object)
{
  DynoRaceView *self = DYNO_RACE_VIEW (object);

  if (self->concluding != NULL)
    g_cancellable_cancel (self->concluding);
  g_clear_object (&self->concluding);
  g_clear_object (&self->race_signals);
  g_clear_object (&self->runner_signals);
  g_clear_object (&self->race);
  g_clear_object (&self->runner);
  g_clear_object (&self->run);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_RACE_VIEW);

  G_OBJECT_CLASS (dyno_race_view_parent_class)->dispose (object);
}

static void
dyno_race_view_finalize (GObject *object)
{
  g_hash_table_unref (DYNO_RACE_VIEW (object)->rows);

  G_OBJECT_CLASS (dyno_race_view_parent_class)->finalize (object);
}

static void
dyno_race_view_class_init (DynoRaceViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_race_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = dyno_race_view_finalize;

  g_type_ensure (DYNO_TYPE_TAB_STOP);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-race-view.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoRaceView, progress_box);
  gtk_widget_class_bind_template_child (widget_class, DynoRaceView, state_label);
  gtk_widget_class_bind_template_child (widget_class, DynoRaceView, left_label);
  gtk_widget_class_bind_template_child (widget_class, DynoRaceView, progress_bar);
  gtk_widget_class_bind_template_child (widget_class, DynoRaceView, answer_box);
  gtk_widget_class_bind_template_child (widget_class, DynoRaceView, answer_label);
  gtk_widget_class_bind_template_child (widget_class, DynoRaceView, stored_label);
  gtk_widget_class_bind_template_child (widget_class, DynoRaceView, settings_group);
  gtk_widget_class_bind_template_child (widget_class, DynoRaceView, settings_list);
  gtk_widget_class_bind_template_child (widget_class, DynoRaceView, lines_box);
}

static void
dyno_race_view_init (DynoRaceView *self)
{
  self->rows = g_hash_table_new (NULL, NULL);
  self->race_signals = g_signal_group_new (DYNO_TYPE_RACE);
  g_signal_group_connect_swapped (self->race_signals, "judged", G_CALLBACK (refresh), self);
  self->runner_signals = g_signal_group_new (DYNO_TYPE_RUNNER);
  g_signal_group_connect_swapped (self->runner_signals, "notify::run", G_CALLBACK (run_changed_cb), self);
  g_signal_group_connect_swapped (self->runner_signals, "notify::current", G_CALLBACK (current_changed_cb),
                                  self);
  g_signal_group_connect_swapped (self->runner_signals, "notify::progress", G_CALLBACK (update_progress),
                                  self);
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_list_box_set_sort_func (self->settings_list, compare_rows, NULL, NULL);
}
