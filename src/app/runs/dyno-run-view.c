/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "dyno-app-charts-private.h"
#include "dyno-app-history-private.h"
#include "dyno-app-reports-private.h"
#include "dyno-app-runs-private.h"
#include "dyno-app-session-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-cases.h"
#include "dyno-compat.h"
#include "dyno-grade.h"
#include "dyno-machine.h"
#include "dyno-race.h"
#include "dyno-unit.h"

/* How long the previous run stays before a spinner replaces it. */
#define PATIENCE_MS 300

#define NOTES_HEIGHT 120

#define TABLE "table"

struct _DynoRunView
{
  AdwBin parent_instance;

  DynoAppSession *session;
  DynoRunEntry *entry;
  DynoRun *run;
  GCancellable *cancellable;
  GCancellable *loading_ceilings;
  guint patience_id;
  gboolean is_new;
  gboolean changed_while_loading;
  gboolean narrow;
  gboolean leads_back;
  gboolean is_live; /* a runner still changes the run */
  gboolean has_ceilings;
  gboolean has_numbers;             /* of some case */
  DynoResult *result;               /* the case on the open page */
  gboolean result_changed;          /* since that page was filled */
  GtkWidget *focus_before_renaming; /* weak reference */

  GtkStack *stack;
  AdwStatusPage *failed_page;
  GtkScrolledWindow *scrolled_window;
  GtkStack *title_stack;
  GtkLabel *title_label;
  GtkEditable *title_entry;
  GtkLabel *details_label;
  GtkWidget *document_bar;
  GtkLabel *document_label;
  GMenuModel *menu;
  GMenuModel *share_menu;
  GMenu *compare_menu;
  GtkWidget *buttons;
  GtkWidget *again_button;
  GtkMenuButton *compare_button;
  GtkMenuButton *menu_button;
  DynoRunTiles *tiles;
  DynoFindingsCard *findings_card;
  DynoChartGroups *charts;
  DynoCaseTable *case_table;

  GtkWidget *case_back_button;
  GtkLabel *case_position_label;
  GtkScrolledWindow *case_scrolled_window;
  DynoCaseView *case_view;
};

enum
{
  PROP_0,
  PROP_ENTRY,
  PROP_NARROW,
  PROP_LEADS_BACK,
  PROP_RUN,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoRunView, dyno_run_view, ADW_TYPE_BIN)

static GParamSpec *properties[N_PROPS];

/* Words */

static gboolean
has_diagnostic (DynoRun *run, const char *code)
{
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (dyno_result_find_message (result, code) != NULL)
        return TRUE;
    }
  return FALSE;
}

static void
show_details (DynoRunView *self)
{
  g_autofree char *date = dyno_format_date (dyno_run_get_started_at (self->run));
  const char *snapshot = dyno_run_get_machine (self->run);
  g_autofree char *machine = snapshot != NULL ? dyno_machine_dup_summary (snapshot) : NULL;
  g_autoptr (GString) text = g_string_new (date);

  if (dyno_run_is_running (self->run))
    g_string_append_printf (text, " · %s", _ ("Being measured"));
  if (dyno_run_is_imported (self->run))
    {
      g_autofree char *tool = dyno_run_dup_tool (self->run);
      g_string_append_printf (text, " · %s", tool);
    }
  if (machine != NULL)
    g_string_append_printf (text, " · %s", machine);
  if (has_diagnostic (self->run, "virtual-machine"))
    g_string_append_printf (text, " · %s", _ ("Virtual machine"));
  gtk_label_set_label (self->details_label, text->str);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->details_label), text->str);
}

static void
show_title (DynoRunView *self)
{
  g_autofree char *title = dyno_run_entry_dup_title (self->entry);

  gtk_label_set_label (self->title_label, title);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->title_label), title);
}

static void
show_document (DynoRunView *self)
{
  gboolean document = dyno_run_entry_is_document (self->entry);
  gboolean writable = dyno_run_entry_is_writable (self->entry) && !self->is_live;
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;

  gtk_widget_set_visible (self->document_bar, document);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.notes", writable);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.rename", writable);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.name-baseline", writable);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.import", document);
  if (!document)
    return;
  name = g_path_get_basename (dyno_store_get_path (dyno_run_entry_get_store (self->entry)));
  text = g_strdup_printf (_ ("This run is in the document “%s”."), name);
  gtk_label_set_label (self->document_label, text);
}

/* Only a run of the store can be repeated: the window reads its plan from there. */
static gboolean
is_repeatable (DynoRunView *self, DynoRun *run)
{
  return run != NULL && dyno_run_get_plan (run) != NULL && !dyno_run_entry_is_document (self->entry) &&
         !self->is_live;
}

/* Charts and cases */

static void
set_ceilings (DynoRunView *self, GHashTable *ceilings)
{
  dyno_chart_groups_set_ceilings (self->charts, ceilings);
  dyno_case_view_set_ceilings (self->case_view, ceilings);
}

/* The ceilings come with the run, which may be from another machine. */
static void
ceilings_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoRunView) self = DYNO_RUN_VIEW (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) ceilings = dyno_store_load_ceilings_finish (DYNO_STORE (object), result, &error);
  g_autoptr (GHashTable) of_run = NULL;

  if (ceilings == NULL)
    {
      g_debug ("No ceilings: %s", error->message);
      return;
    }
  self->has_ceilings = ceilings->len > 0;
  if (!self->has_ceilings)
    {
      set_ceilings (self, NULL);
      return;
    }
  of_run = g_hash_table_new_full (NULL, NULL, g_object_unref, (GDestroyNotify)g_ptr_array_unref);
  g_hash_table_insert (of_run, g_object_ref (self->run), g_steal_pointer (&ceilings));
  set_ceilings (self, of_run);
}

static void
forget_ceilings (DynoRunView *self)
{
  g_cancellable_cancel (self->loading_ceilings);
  g_clear_object (&self->loading_ceilings);
}

static void
load_ceilings (DynoRunView *self)
{
  const char *machine = dyno_run_get_machine (self->run);

  /* Until then, charts find none: those of an earlier run are not taken for this one's. */
  forget_ceilings (self);
  self->has_ceilings = FALSE;
  self->loading_ceilings = g_cancellable_new ();
  if (machine == NULL)
    set_ceilings (self, NULL);
  else
    dyno_store_load_ceilings_async (dyno_run_entry_get_store (self->entry), machine, self->loading_ceilings,
                                    ceilings_cb, g_object_ref (self));
}

/* The page of a case */

/* Returns the index of a case among the results in the table's order, and their number. */
static guint
find_case (DynoRunView *self, DynoResult *wanted, guint *n_cases)
{
  GListModel *rows = dyno_case_table_get_rows (self->case_table);
  guint place = 0;

  *n_cases = 0;
  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (GObject) row = g_list_model_get_item (rows, i);

      if (row == G_OBJECT (wanted))
        place = *n_cases;
      *n_cases += DYNO_IS_RESULT (row);
    }
  return place;
}

static void
update_case_actions (DynoRunView *self)
{
  guint n_cases = 0;
  guint place = self->result != NULL ? find_case (self, self->result, &n_cases) : 0;

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.close-case", self->result != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.show-history",
                                 self->result != NULL && !self->is_live &&
                                     !dyno_run_entry_is_document (self->entry));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.previous-case", place > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.next-case", place + 1 < n_cases);
}

static void
result_changed_cb (DynoRunView *self)
{
  self->result_changed = TRUE;
}

static void
set_result (DynoRunView *self, DynoResult *result)
{
  if (self->result != NULL)
    g_signal_handlers_disconnect_by_func (self->result, result_changed_cb, self);
  g_set_object (&self->result, result);
  if (result != NULL)
    g_signal_connect_object (result, "notify::status", G_CALLBACK (result_changed_cb), self,
                             G_CONNECT_SWAPPED);
}

static void
fill_case (DynoRunView *self)
{
  self->result_changed = FALSE;
  dyno_case_view_set_result (self->case_view, self->run, self->result);
}

static void
show_case (DynoRunView *self, DynoResult *result)
{
  guint n_cases;
  guint place = find_case (self, result, &n_cases);
  g_autofree char *title = dyno_run_entry_dup_title (self->entry);
  /* Translators: the title of a run, the number of a case, and how many there are */
  g_autofree char *position = g_strdup_printf (_ ("%s · case %u of %u"), title, place + 1, n_cases);

  set_result (self, result);
  gtk_label_set_label (self->case_position_label, position);
  fill_case (self);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->case_scrolled_window), 0);
  gtk_stack_set_visible_child_name (self->stack, "case");
  update_case_actions (self);
}

static void
open_case (DynoRunView *self, DynoResult *result)
{
  show_case (self, result);
  gtk_widget_grab_focus (self->case_back_button);
}

static void
case_activated_cb (DynoRunView *self, DynoResult *result)
{
  open_case (self, result);
}

static void
chart_activated_cb (DynoRunView *self, GObject *subject)
{
  if (DYNO_IS_RESULT (subject))
    open_case (self, DYNO_RESULT (subject));
}

static void
close_case (DynoRunView *self)
{
  set_result (self, NULL);
  update_case_actions (self);
}

static void
close_case_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoRunView *self = DYNO_RUN_VIEW (widget);

  close_case (self);
  gtk_stack_set_visible_child_name (self->stack, "run");
  gtk_widget_child_focus (gtk_widget_get_mapped (GTK_WIDGET (self->case_table))
                              ? GTK_WIDGET (self->case_table)
                              : GTK_WIDGET (self->tiles),
                          GTK_DIR_TAB_FORWARD);
}

static void
step_case (DynoRunView *self, int step)
{
  guint n_cases;
  guint place = (guint)((int)find_case (self, self->result, &n_cases) + step);
  GListModel *rows = dyno_case_table_get_rows (self->case_table);

  for (guint i = 0, n = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (GObject) row = g_list_model_get_item (rows, i);

      if (DYNO_IS_RESULT (row) && n++ == place)
        {
          show_case (self, DYNO_RESULT (row));
          return;
        }
    }
}

static void
previous_case_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  step_case (DYNO_RUN_VIEW (widget), -1);
}

static void
next_case_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  step_case (DYNO_RUN_VIEW (widget), 1);
}

static void
show_history_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoRunView *self = DYNO_RUN_VIEW (widget);
  g_autofree char *key = dyno_case_parts_dup_key (self->result, DYNO_CASE_ALL);

  gtk_widget_activate_action (widget, "win.show-case-history", "(mss)", dyno_run_get_machine (self->run),
                              key);
}

/* The open page of a case stays open when the run grows, and as it is unless that case has news. */
static void
show_cases (DynoRunView *self)
{
  if (self->is_live && !self->is_new)
    {
      dyno_case_table_set_run (self->case_table, self->run);
      if (self->result_changed)
        fill_case (self);
      return;
    }

  GListModel *results = dyno_run_get_results (self->run);
  guint ordinal = self->result != NULL ? dyno_result_get_ordinal (self->result) : G_MAXUINT;
  gboolean was_open = self->result != NULL && !self->is_new;

  dyno_case_table_set_run (self->case_table, self->run);
  close_case (self);
  for (guint i = 0; was_open && i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (dyno_result_get_ordinal (result) == ordinal)
        show_case (self, result);
    }
}

static void
show_run (DynoRunView *self)
{
  if (self->is_new)
    {
      show_title (self);
      gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scrolled_window), 0);
    }
  show_document (self);
  show_details (self);
  dyno_run_tiles_set_run (self->tiles, self->run);
  /* Values derived from roofs are included once the roofs are known. */
  dyno_findings_card_set_run (self->findings_card, self->run, is_repeatable (self, self->run), self->is_live);
  /* The ceilings of a machine stay, but the first run on it begins with measuring them. */
  if (!self->is_live || !self->has_ceilings)
    load_ceilings (self);
  dyno_chart_groups_set_run (self->charts, self->run, NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->charts),
                          g_list_model_get_n_items (dyno_run_get_results (self->run)) > 0);
  if (self->is_live)
    {
      /* Until a run has its first numbers, there is only the table. */
      gboolean had_numbers = self->has_numbers;
      DynoCaseCounts counts = { 0 };

      dyno_run_count_cases (self->run, &counts);
      self->has_numbers = dyno_case_counts_get_n_with_numbers (&counts) > 0;
      if (self->has_numbers && !had_numbers)
        dyno_chart_groups_show_page (self->charts, dyno_chart_group_get_name (DYNO_CHART_GROUP_SPEED));
      else if (self->is_new)
        dyno_chart_groups_show_page (self->charts, TABLE);
    }
  show_cases (self);
  self->is_new = FALSE;
  if (self->result == NULL)
    gtk_stack_set_visible_child_name (self->stack, "run");
}

/* A narrow head has room for the menu only, which has all buttons as items. */
static void
update_again_button (DynoRunView *self)
{
  gtk_widget_set_visible (self->again_button, !self->narrow && is_repeatable (self, self->run));
}

/* A narrow head has no Compare or Share button, so its menu has those items, too, above the last section, which deletes. It is
 * made anew because newer versions of GTK warn when a submenu comes back into a menu that is shown. */
static GMenuModel *
create_narrow_menu (DynoRunView *self)
{
  GMenu *menu = g_menu_new ();
  int last = g_menu_model_get_n_items (self->menu) - 1;

  for (int i = 0; i <= last; i++)
    {
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (self->menu, i, G_MENU_LINK_SECTION);

      if (i == 1)
        g_menu_append_submenu (menu, _ ("_Compare"), G_MENU_MODEL (self->compare_menu));
      if (i == last)
        g_menu_append_section (menu, NULL, self->share_menu);
      g_menu_append_section (menu, NULL, section);
    }
  return G_MENU_MODEL (menu);
}

/* A run may have got a name since the menu was shown last. */
static void
open_menu_cb (GtkMenuButton *button, gpointer user_data)
{
  DynoRunView *self = user_data;

  if (self->entry != NULL && (self->narrow || button == self->compare_button))
    dyno_compare_menu_update (self->compare_menu, dyno_run_entry_get_store (self->entry),
                              dyno_run_entry_get_id (self->entry), self->cancellable);
}

static void
update_actions (DynoRunView *self, DynoRun *run)
{
  static const char *const of_results[] = { "run.save",         "run.report",        "run.copy-report",
                                            "run.print",        "run.compare",       "run.compare-previous",
                                            "run.compare-with", "run.compare-other", NULL };
  gboolean is_over = run != NULL && !self->is_live;

  for (const char *const *name = of_results; *name != NULL; name++)
    gtk_widget_action_set_enabled (GTK_WIDGET (self), *name, is_over);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.rename", FALSE);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.name-baseline", FALSE);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.notes", FALSE);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.import", FALSE);

  gboolean has_plan = is_repeatable (self, run);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.run-again", has_plan);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.edit-and-run", has_plan);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.measure-again", has_plan);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.measure-more",
                                 has_plan && dyno_measure_more_has_choices (run));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.every-engine",
                                 is_over && g_list_model_get_n_items (dyno_run_get_results (run)) > 1 &&
                                     dyno_every_engine_is_of_one_model (run));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.find-settings",
                                 is_over && g_list_model_get_n_items (dyno_run_get_results (run)) > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.run-remaining",
                                 has_plan && dyno_run_is_interrupted (run));
}

static void
set_run (DynoRunView *self, DynoRun *run)
{
  update_actions (self, run);
  if (!g_set_object (&self->run, run))
    return;
  update_again_button (self);
  forget_ceilings (self);
  if (run != NULL)
    show_run (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RUN]);
}

/* Loading */

/* The previous run stays visible until the new one is read, unless that takes long. */
static gboolean
out_of_patience_cb (gpointer user_data)
{
  DynoRunView *self = user_data;

  self->patience_id = 0;
  gtk_stack_set_visible_child_name (self->stack, "loading");
  return G_SOURCE_REMOVE;
}

static void details_changed_cb (DynoRunView *self);

static void
loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoRunView) self = DYNO_RUN_VIEW (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoRun) run = dyno_store_load_run_finish (DYNO_STORE (object), result, &error);
  g_autofree char *description = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->cancellable);
  g_clear_handle_id (&self->patience_id, g_source_remove);
  if (run != NULL)
    {
      set_run (self, run);
      if (self->changed_while_loading)
        details_changed_cb (self);
      return;
    }
  description = g_markup_escape_text (error->message, -1);
  adw_status_page_set_description (self->failed_page, description);
  gtk_stack_set_visible_child_name (self->stack, "failed");
}

static void
load (DynoRunView *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  self->changed_while_loading = FALSE;
  dyno_store_load_run_async (dyno_run_entry_get_store (self->entry), dyno_run_entry_get_id (self->entry),
                             self->cancellable, loaded_cb, g_object_ref (self));
}

static void
retry_cb (DynoRunView *self)
{
  gtk_stack_set_visible_child_name (self->stack, "loading");
  load (self);
}

/* Returns whether this process measures or analyses another run, which reading this one would disturb. */
static gboolean
measures_another (DynoRunView *self)
{
  DynoRunner *runner = self->session != NULL ? dyno_app_session_get_runner (self->session) : NULL;
  DynoRun *measured = runner != NULL ? dyno_runner_get_run (runner) : NULL;

  return measured != NULL && !g_str_equal (dyno_run_get_id (measured), dyno_run_get_id (self->run));
}

/* During a run, its cases arrive one by one. A later analysis changes no count. */
static void
details_changed_cb (DynoRunView *self)
{
  DynoRun *summary = dyno_run_entry_get_run (self->entry);
  g_autoptr (GPtrArray) unanalysed = NULL;
  DynoCaseCounts now = { 0 };
  DynoCaseCounts shown = { 0 };

  self->changed_while_loading = self->cancellable != NULL;
  if (self->run == NULL || self->cancellable != NULL)
    return;
  unanalysed = dyno_runner_list_unanalysed (self->run);
  dyno_run_count_cases (summary, &now);
  dyno_run_count_cases (self->run, &shown);
  if (memcmp (&now, &shown, sizeof now) != 0 || (unanalysed->len > 0 && !measures_another (self)) ||
      dyno_run_get_finished_at (summary) != dyno_run_get_finished_at (self->run))
    load (self);
}

/* Editing */

static gboolean
is_renaming (DynoRunView *self)
{
  return gtk_stack_get_visible_child (self->title_stack) == GTK_WIDGET (self->title_entry);
}

static void
stop_renaming (DynoRunView *self)
{
  gtk_stack_set_visible_child (self->title_stack, GTK_WIDGET (self->title_label));
}

/* Returns the focus to the widget that had it, if that still exists. */
static void
return_focus (DynoRunView *self)
{
  GtkWidget *before = self->focus_before_renaming;

  if (before == NULL || !gtk_widget_get_mapped (before) || !gtk_widget_grab_focus (before))
    gtk_widget_child_focus (GTK_WIDGET (self), GTK_DIR_TAB_FORWARD);
}

static void
title_left_cb (DynoRunView *self)
{
  const char *title = gtk_editable_get_text (self->title_entry);

  if (!is_renaming (self))
    return;
  stop_renaming (self);
  if (*title != '\0')
    dyno_run_entry_set_title (self->entry, title);
}

static void
title_activated_cb (DynoRunView *self)
{
  title_left_cb (self);
  return_focus (self);
}

static gboolean
title_key_cb (DynoRunView *self, guint key)
{
  if (key != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;
  stop_renaming (self);
  return_focus (self);
  return GDK_EVENT_STOP;
}

static void
write_failed_cb (DynoRunView *self, GError *error)
{
  dyno_toast_report_error (GTK_WIDGET (self), _ ("The change could not be saved"), error);
}

/* Actions */

static void
start_renaming_cb (gpointer user_data)
{
  g_autoptr (DynoRunView) self = user_data;

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  gtk_stack_set_visible_child (self->title_stack, GTK_WIDGET (self->title_entry));
  gtk_widget_grab_focus (GTK_WIDGET (self->title_entry));
}

/* When the menu closes, it returns the focus, which would end the renaming at once. */
static void
rename_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoRunView *self = DYNO_RUN_VIEW (widget);
  g_autofree char *shown = dyno_run_entry_dup_title (self->entry);
  const char *title = dyno_run_get_title (dyno_run_entry_get_run (self->entry));

  if (!is_renaming (self))
    g_set_weak_pointer (&self->focus_before_renaming, gtk_root_get_focus (gtk_widget_get_root (widget)));
  gtk_editable_set_text (self->title_entry, title != NULL && *title != '\0' ? title : shown);
  g_idle_add_once (start_renaming_cb, g_object_ref (self));
}

typedef struct
{
  DynoRunView *view;
  DynoRunEntry *entry;
  GtkTextBuffer *buffer;
} Notes;

static void
notes_answered_cb (gboolean save, gpointer user_data)
{
  g_autofree Notes *notes = user_data;
  g_autoptr (DynoRunView) self = notes->view;
  g_autoptr (DynoRunEntry) entry = notes->entry;
  g_autoptr (GtkTextBuffer) buffer = notes->buffer;
  GtkTextIter start, end;
  g_autofree char *text = NULL;

  if (!save)
    return;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  text = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  dyno_run_entry_set_notes (entry, text);
  if (self->entry != entry || self->run == NULL)
    return;
  dyno_run_set_notes (self->run, text);
  dyno_findings_card_set_run (self->findings_card, self->run, is_repeatable (self, self->run), self->is_live);
}

static void
notes_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoRunView *self = DYNO_RUN_VIEW (widget);
  const char *text = dyno_run_get_notes (dyno_run_entry_get_run (self->entry));
  GtkWidget *view = g_object_new (GTK_TYPE_TEXT_VIEW, "wrap-mode", GTK_WRAP_WORD_CHAR, "accepts-tab", FALSE,
                                  "height-request", NOTES_HEIGHT, NULL);
  Notes *notes = g_new (Notes, 1);

  *notes = (Notes){ g_object_ref (self), g_object_ref (self->entry),
                    g_object_ref (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view))) };
  gtk_text_buffer_set_text (notes->buffer, text != NULL ? text : "", -1);
  gtk_widget_add_css_class (view, "card");
  gtk_widget_add_css_class (view, "dyno-notes");
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Notes on this run"), -1);
  dyno_compat_allow_answer (
      dyno_compat_ask_for_name (widget, _ ("Notes"), NULL, view, _ ("_Save"), notes_answered_cb, notes),
      TRUE);
}

static void
measure_more_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  dyno_measure_more_present (widget, DYNO_RUN_VIEW (widget)->run);
}

/* @ids: the only runs to compare, which are in one store. */
static void
compare_only (DynoRunView *self, const char *const *ids)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.compare-runs", "(s^as)",
                              dyno_store_get_path (dyno_run_entry_get_store (self->entry)), ids);
}

static void
compare_with_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoRunView *self = DYNO_RUN_VIEW (widget);

  compare_only (self, (const char *[]){ g_variant_get_string (parameter, NULL),
                                        dyno_run_entry_get_id (self->entry), NULL });
}

static void
compare_other_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoRunView *self = DYNO_RUN_VIEW (widget);

  compare_only (self, (const char *[]){ dyno_run_entry_get_id (self->entry), NULL });
}

/* Takes its turn among those that are compared already, or else finds the previous run. */
static void
compare_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoRunView *self = DYNO_RUN_VIEW (widget);

  if (g_str_equal (action_name, "run.compare-previous"))
    compare_only (self, (const char *[]){ NULL });
  gtk_widget_activate_action (widget, "win.compare-run", "(ss)",
                              dyno_store_get_path (dyno_run_entry_get_store (self->entry)),
                              dyno_run_entry_get_id (self->entry));
}

static void
name_baseline_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoRunView *self = DYNO_RUN_VIEW (widget);

  dyno_baseline_form_ask (widget, dyno_run_entry_get_store (self->entry), dyno_run_entry_get_id (self->entry),
                          dyno_run_get_title (dyno_run_entry_get_run (self->entry)));
}

static void
imported_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoRunView) self = DYNO_RUN_VIEW (user_data);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) ids = dyno_store_import_document_finish (DYNO_STORE (object), result, &error);
  g_autofree char *text = NULL;
  guint n_runs;

  dyno_writing_end ();
  if (ids == NULL)
    {
      dyno_toast_report_error (GTK_WIDGET (self), _ ("The runs could not be imported"), error);
      return;
    }
  n_runs = g_strv_length (ids);
  text = n_runs == 0 ? g_strdup (_ ("These runs are already in your results"))
                     : g_strdup_printf (ngettext ("%u run imported", "%u runs imported", n_runs), n_runs);
  dyno_toast_say (GTK_WIDGET (self), text);
}

static void
import_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoRunView *self = DYNO_RUN_VIEW (widget);
  DynoStore *store = self->session != NULL ? dyno_app_session_get_store (self->session) : NULL;

  if (store == NULL)
    {
      dyno_toast_say (widget, _ ("Your results are not loaded"));
      return;
    }
  dyno_writing_begin ();
  dyno_store_import_document_async (store, dyno_store_get_path (dyno_run_entry_get_store (self->entry)), NULL,
                                    imported_cb, g_object_ref (self));
}

static void
save_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  dyno_run_view_save (DYNO_RUN_VIEW (widget));
}

static void
report_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  g_autoptr (DynoReportSubject) subject = dyno_report_subject_new_for_run (DYNO_RUN_VIEW (widget)->entry);

  dyno_run_saver_ask_report (widget, subject, g_variant_get_string (parameter, NULL));
}

static void
copy_report_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  g_autoptr (DynoReportSubject) subject = dyno_report_subject_new_for_run (DYNO_RUN_VIEW (widget)->entry);

  dyno_run_saver_copy_report (widget, subject, g_variant_get_string (parameter, NULL));
}

static void
print_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  g_autoptr (DynoReportSubject) subject = dyno_report_subject_new_for_run (DYNO_RUN_VIEW (widget)->entry);

  dyno_run_printer_print (widget, subject);
}

/* The window has an action of the same name that takes a run's id. */
static void
plan_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  g_autofree char *name = g_strconcat ("win.", action_name + strlen ("run."), NULL);

  gtk_widget_activate_action (widget, name, "s", dyno_run_entry_get_id (DYNO_RUN_VIEW (widget)->entry));
}

static void
find_settings_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoRunView *self = DYNO_RUN_VIEW (widget);
  g_autoptr (DynoResult) first = g_list_model_get_item (dyno_run_get_results (self->run), 0);
  /* Tunes the model and the sizes of the shown case, else of the first. */
  DynoResult *result = self->result != NULL ? self->result : first;
  g_autoptr (DynoPlan) plan = dyno_race_plan_ask (result != NULL ? dyno_result_get_case (result) : NULL);
  g_autofree char *json = dyno_plan_to_json (plan);

  gtk_widget_activate_action (widget, "win.find-settings", "s", json);
}

static void
every_engine_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoRunView *self = DYNO_RUN_VIEW (widget);
  g_autofree char *title = dyno_run_entry_dup_title (self->entry);
  DynoReportSubject *subject = dyno_report_subject_new (&dyno_report_engines_template, title);

  dyno_report_subject_add_run (subject, dyno_run_entry_get_store (self->entry),
                               dyno_run_entry_get_id (self->entry));
  dyno_document_window_present (widget, _ ("Every Engine"), subject);
}

static void
change_entry (DynoRunView *self, DynoRunEntry *entry, gboolean is_live)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->entry != NULL)
    g_signal_handlers_disconnect_by_data (self->entry, self);
  stop_renaming (self);
  g_set_object (&self->entry, entry);
  self->is_live = is_live;
  self->has_numbers = FALSE;
  self->is_new = TRUE;
  set_run (self, NULL);
  g_clear_handle_id (&self->patience_id, g_source_remove);
  gtk_widget_set_visible (self->buttons, !is_live);
}

static void
dyno_run_view_dispose (GObject *object)
{
  DynoRunView *self = DYNO_RUN_VIEW (object);

  g_clear_handle_id (&self->patience_id, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  forget_ceilings (self);
  g_clear_object (&self->session);
  g_clear_object (&self->compare_menu);
  if (self->entry != NULL)
    g_signal_handlers_disconnect_by_data (self->entry, self);
  g_clear_object (&self->entry);
  g_clear_object (&self->run);
  set_result (self, NULL);
  g_clear_weak_pointer (&self->focus_before_renaming);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_RUN_VIEW);

  G_OBJECT_CLASS (dyno_run_view_parent_class)->dispose (object);
}

static void
dyno_run_view_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoRunView *self = DYNO_RUN_VIEW (object);

  switch (prop_id)
    {
    case PROP_ENTRY:
      g_value_set_object (value, self->entry);
      break;
    case PROP_NARROW:
      g_value_set_boolean (value, self->narrow);
      break;
    case PROP_LEADS_BACK:
      g_value_set_boolean (value, self->leads_back);
      break;
    case PROP_RUN:
      g_value_set_object (value, self->run);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_run_view_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoRunView *self = DYNO_RUN_VIEW (object);
  g_autoptr (GMenuModel) narrow_menu = NULL;

  switch (prop_id)
    {
    case PROP_ENTRY:
      dyno_run_view_set_entry (self, g_value_get_object (value));
      break;
    case PROP_NARROW:
      if (self->narrow != g_value_get_boolean (value))
        {
          self->narrow = g_value_get_boolean (value);
          update_again_button (self);
          dyno_findings_card_set_narrow (self->findings_card, self->narrow);
          narrow_menu = self->narrow ? create_narrow_menu (self) : NULL;
          gtk_menu_button_set_menu_model (self->menu_button, self->narrow ? narrow_menu : self->menu);
          g_object_notify_by_pspec (object, pspec);
        }
      break;
    case PROP_LEADS_BACK:
      self->leads_back = g_value_get_boolean (value);
      g_object_notify_by_pspec (object, pspec);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, stack);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, failed_page);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, scrolled_window);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, title_stack);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, title_label);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, title_entry);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, details_label);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, document_bar);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, document_label);
  gtk_widget_class_bind_template_callback (widget_class, chart_activated_cb);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, charts);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, case_view);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, case_back_button);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, case_position_label);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, case_scrolled_window);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, menu);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, compare_button);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, menu_button);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, share_menu);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, buttons);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, again_button);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, tiles);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, findings_card);
  gtk_widget_class_bind_template_callback (widget_class, retry_cb);
  gtk_widget_class_bind_template_callback (widget_class, title_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, title_left_cb);
  gtk_widget_class_bind_template_callback (widget_class, title_key_cb);
  gtk_widget_class_bind_template_callback (widget_class, case_activated_cb);
}

static void
dyno_run_view_class_init (DynoRunViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->dispose = dyno_run_view_dispose;
  object_class->get_property = dyno_run_view_get_property;
  object_class->set_property = dyno_run_view_set_property;

  properties[PROP_ENTRY] = g_param_spec_object ("entry", NULL, NULL, DYNO_TYPE_RUN_ENTRY, flags);
  properties[PROP_NARROW] = g_param_spec_boolean ("narrow", NULL, NULL, FALSE, flags);
  properties[PROP_LEADS_BACK] = g_param_spec_boolean ("leads-back", NULL, NULL, FALSE, flags);
  properties[PROP_RUN] =
      g_param_spec_object ("run", NULL, NULL, DYNO_TYPE_RUN, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  g_type_ensure (DYNO_TYPE_RUN_TILES);
  g_type_ensure (DYNO_TYPE_FINDINGS_CARD);
  g_type_ensure (DYNO_TYPE_SCORE_VIEW);
  g_type_ensure (DYNO_TYPE_CHART_GROUPS);
  g_type_ensure (DYNO_TYPE_CASE_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-run-view.ui");
  bind_template (widget_class);
  gtk_widget_class_install_action (widget_class, "run.rename", NULL, rename_action);
  gtk_widget_class_install_action (widget_class, "run.name-baseline", NULL, name_baseline_action);
  gtk_widget_class_install_action (widget_class, "run.notes", NULL, notes_action);
  gtk_widget_class_install_action (widget_class, "run.measure-more", NULL, measure_more_action);
  gtk_widget_class_install_action (widget_class, "run.show-history", NULL, show_history_action);
  gtk_widget_class_install_action (widget_class, "run.compare", NULL, compare_action);
  gtk_widget_class_install_action (widget_class, "run.compare-previous", NULL, compare_action);
  gtk_widget_class_install_action (widget_class, "run.compare-with", "s", compare_with_action);
  gtk_widget_class_install_action (widget_class, "run.compare-other", NULL, compare_other_action);
  gtk_widget_class_install_action (widget_class, "run.import", NULL, import_action);
  gtk_widget_class_install_action (widget_class, "run.save", NULL, save_action);
  gtk_widget_class_install_action (widget_class, "run.report", "s", report_action);
  gtk_widget_class_install_action (widget_class, "run.copy-report", "s", copy_report_action);
  gtk_widget_class_install_action (widget_class, "run.print", NULL, print_action);
  gtk_widget_class_install_action (widget_class, "run.run-again", NULL, plan_action);
  gtk_widget_class_install_action (widget_class, "run.edit-and-run", NULL, plan_action);
  gtk_widget_class_install_action (widget_class, "run.run-remaining", NULL, plan_action);
  gtk_widget_class_install_action (widget_class, "run.measure-again", NULL, plan_action);
  gtk_widget_class_install_action (widget_class, "run.every-engine", NULL, every_engine_action);
  gtk_widget_class_install_action (widget_class, "run.find-settings", NULL, find_settings_action);
  gtk_widget_class_install_action (widget_class, "run.close-case", NULL, close_case_action);
  gtk_widget_class_install_action (widget_class, "run.previous-case", NULL, previous_case_action);
  gtk_widget_class_install_action (widget_class, "run.next-case", NULL, next_case_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_p, GDK_CONTROL_MASK, "run.print", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "run.close-case", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Left, GDK_ALT_MASK, "run.close-case", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Page_Up, GDK_ALT_MASK, "run.previous-case",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Page_Down, GDK_ALT_MASK, "run.next-case", NULL);
}

static void
dyno_run_view_init (DynoRunView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->compare_menu = dyno_compare_menu_new ();
  gtk_menu_button_set_menu_model (self->compare_button, G_MENU_MODEL (self->compare_menu));
  gtk_menu_button_set_create_popup_func (self->compare_button, open_menu_cb, self, NULL);
  gtk_menu_button_set_create_popup_func (self->menu_button, open_menu_cb, self, NULL);
  self->case_table = g_object_new (DYNO_TYPE_CASE_TABLE, NULL);
  g_object_bind_property (self, "narrow", self->case_table, "narrow", G_BINDING_SYNC_CREATE);
  g_signal_connect_object (self->case_table, "activated", G_CALLBACK (case_activated_cb), self,
                           G_CONNECT_SWAPPED);
  /* Translators: the cases of a run in rows, as opposed to its charts */
  dyno_chart_groups_add_page (self->charts, TABLE, _ ("Table"), GTK_WIDGET (self->case_table));
  set_run (self, NULL);
  update_case_actions (self);
}

DynoRunEntry *
dyno_run_view_get_entry (DynoRunView *self)
{
  g_return_val_if_fail (DYNO_IS_RUN_VIEW (self), NULL);
  return self->entry;
}

void
dyno_run_view_set_session (DynoRunView *self, DynoAppSession *session)
{
  g_return_if_fail (DYNO_IS_RUN_VIEW (self));
  g_return_if_fail (DYNO_IS_APP_SESSION (session));
  g_set_object (&self->session, session);
}

static void
follow_entry (DynoRunView *self)
{
  g_signal_connect_object (self->entry, "notify::title", G_CALLBACK (show_title), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "notify::details", G_CALLBACK (details_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "write-failed", G_CALLBACK (write_failed_cb), self,
                           G_CONNECT_SWAPPED);
}

void
dyno_run_view_set_entry (DynoRunView *self, DynoRunEntry *entry)
{
  g_return_if_fail (DYNO_IS_RUN_VIEW (self));
  g_return_if_fail (entry == NULL || DYNO_IS_RUN_ENTRY (entry));

  if (self->entry == entry)
    return;
  change_entry (self, entry, FALSE);
  if (entry == NULL)
    {
      close_case (self);
      gtk_stack_set_visible_child_name (self->stack, "none");
    }
  if (entry != NULL)
    {
      follow_entry (self);
      self->patience_id = g_timeout_add (PATIENCE_MS, out_of_patience_cb, self);
      load (self);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ENTRY]);
}

void
dyno_run_view_show_live (DynoRunView *self, DynoRunEntry *entry)
{
  g_return_if_fail (DYNO_IS_RUN_VIEW (self));
  g_return_if_fail (DYNO_IS_RUN_ENTRY (entry));

  if (self->entry == entry)
    {
      show_run (self);
      return;
    }
  change_entry (self, entry, TRUE);
  set_run (self, dyno_run_entry_get_run (entry));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ENTRY]);
}

void
dyno_run_view_end_live (DynoRunView *self)
{
  g_return_if_fail (DYNO_IS_RUN_VIEW (self));
  g_return_if_fail (self->is_live);

  self->is_live = FALSE;
  follow_entry (self);
  gtk_widget_set_visible (self->buttons, TRUE);
  update_actions (self, self->run);
  update_again_button (self);
  update_case_actions (self);
  show_document (self);
  dyno_findings_card_set_run (self->findings_card, self->run, is_repeatable (self, self->run), FALSE);
}

void
dyno_run_view_open_case (DynoRunView *self, DynoResult *result)
{
  g_return_if_fail (DYNO_IS_RUN_VIEW (self));
  g_return_if_fail (DYNO_IS_RESULT (result));
  open_case (self, result);
}

DynoRun *
dyno_run_view_get_run (DynoRunView *self)
{
  g_return_val_if_fail (DYNO_IS_RUN_VIEW (self), NULL);
  return self->run;
}

void
dyno_run_view_save (DynoRunView *self)
{
  g_return_if_fail (DYNO_IS_RUN_VIEW (self));

  if (self->run != NULL)
    dyno_run_saver_ask_document (GTK_WIDGET (self), self->entry);
}
