/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-history-private.h"
#include "dyno-app-results-private.h"
#include "dyno-app-runs-private.h"
#include "dyno-app-session-private.h"
#include "dyno-app-widgets-private.h"

struct _DynoResultsPage
{
  DynoPage parent_instance;

  DynoRunCatalog *catalog;
  GtkSingleSelection *selection;
  GHashTable *deleting;
  char *id_to_show;
  DynoStore *document_to_show;
  gboolean was_shown;
  gboolean failed;
  DynoRunEntry *group; /* the group of the shown run */
  const char *aside;   /* the page shown in place of the runs, if any */

  GtkStack *stack;
  DynoNarrowBin *narrow_bin;
  GtkWidget *sidebar;
  GtkEditable *search_entry;
  GtkStack *list_stack;
  AdwStatusPage *problem_page;
  GtkListView *list_view;
  DynoGroupView *group_view;
  DynoRunView *run_view;
  DynoRecommendationView *recommendation_view;
  DynoHistoryPage *history_page;
};

enum
{
  PROP_0,
  PROP_RUN,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoResultsPage, dyno_results_page, DYNO_TYPE_PAGE)

static GParamSpec *properties[N_PROPS];

/* Visible panes */

/* Returns the shown run or group, if any. */
static DynoRunEntry *
get_shown (DynoResultsPage *self)
{
  DynoRunEntry *group = dyno_group_view_get_entry (self->group_view);

  return group != NULL ? group : dyno_run_view_get_entry (self->run_view);
}

static void
update_panes (DynoResultsPage *self)
{
  gboolean narrow = dyno_narrow_bin_get_narrow (self->narrow_bin);
  gboolean is_group = dyno_group_view_get_entry (self->group_view) != NULL;
  gboolean detail = get_shown (self) != NULL;
  gboolean moves_focus = narrow && detail && dyno_focus_find_within (self->sidebar) != NULL;
  GtkWidget *view = is_group ? GTK_WIDGET (self->group_view) : GTK_WIDGET (self->run_view);

  gtk_widget_set_visible (self->sidebar, !narrow || !detail);
  gtk_widget_set_visible (GTK_WIDGET (self->run_view), !is_group && (!narrow || detail));
  gtk_widget_set_visible (GTK_WIDGET (self->group_view), is_group);
  gtk_widget_set_hexpand (self->sidebar, narrow);
  g_object_set (self->run_view, "leads-back", narrow || self->group != NULL, NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "results.back",
                                 (narrow && detail) || self->group != NULL);
  if (moves_focus)
    gtk_widget_child_focus (view, GTK_DIR_TAB_FORWARD);
}

static void
show_entry (DynoResultsPage *self, DynoRunEntry *entry)
{
  gboolean is_group = entry != NULL && dyno_run_entry_get_members (entry) != NULL;

  g_clear_object (&self->group);
  dyno_group_view_set_entry (self->group_view, is_group ? entry : NULL);
  dyno_run_view_set_entry (self->run_view, is_group ? NULL : entry);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "results.delete",
                                 entry != NULL && dyno_run_entry_is_writable (entry));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "results.close-document",
                                 entry != NULL && dyno_run_entry_is_document (entry));
  update_panes (self);
}

/* Opens the run of one node, with a way back to all nodes. */
static void
node_activated_cb (DynoResultsPage *self, const char *id)
{
  DynoRunEntry *group = g_object_ref (dyno_group_view_get_entry (self->group_view));
  GPtrArray *members = dyno_run_entry_get_members (group);

  for (guint i = 0; i < members->len; i++)
    if (g_str_equal (dyno_run_get_id (members->pdata[i]), id))
      {
        g_autoptr (DynoRunEntry) entry = dyno_run_entry_new (
            dyno_run_entry_get_store (group), members->pdata[i], dyno_run_entry_is_document (group));

        show_entry (self, entry);
        break;
      }
  self->group = group;
  update_panes (self);
}

/* With room for both panes, the view shows the selection. Otherwise a row must be activated, so that the
 * arrow keys can walk the list. A list makes the widgets of some two hundred rows even where it is not shown. */
static void
narrow_changed_cb (DynoResultsPage *self)
{
  gboolean narrow = dyno_narrow_bin_get_narrow (self->narrow_bin);
  g_autoptr (GtkSelectionModel) none = NULL;

  if (narrow)
    none = GTK_SELECTION_MODEL (
        gtk_no_selection_new (g_object_ref (gtk_single_selection_get_model (self->selection))));
  if (self->was_shown)
    gtk_list_view_set_model (self->list_view, narrow ? none : GTK_SELECTION_MODEL (self->selection));
  gtk_list_view_set_single_click_activate (self->list_view, narrow);
  update_panes (self);
}

/* The list selects a row automatically, unless the requested run is not in it, or not yet. */
static void
follow_selection (DynoResultsPage *self)
{
  g_clear_pointer (&self->id_to_show, g_free);
  gtk_single_selection_set_autoselect (self->selection, TRUE);
}

static void
selected_cb (DynoResultsPage *self)
{
  DynoRunEntry *entry = gtk_single_selection_get_selected_item (self->selection);

  if (entry == NULL || dyno_narrow_bin_get_narrow (self->narrow_bin) || !self->was_shown)
    return;
  follow_selection (self);
  show_entry (self, entry);
}

static void
activated_cb (DynoResultsPage *self, guint position)
{
  g_autoptr (DynoRunEntry) entry = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  gtk_single_selection_set_selected (self->selection, position);
  follow_selection (self);
  show_entry (self, entry);
}

static gboolean
has_member (DynoRunEntry *entry, const char *id)
{
  GPtrArray *members = dyno_run_entry_get_members (entry);

  for (guint i = 0; members != NULL && id != NULL && i < members->len; i++)
    if (g_str_equal (dyno_run_get_id (members->pdata[i]), id))
      return TRUE;
  return FALSE;
}

static gboolean
select_run (DynoResultsPage *self, DynoStore *store, const char *id)
{
  GListModel *model = G_LIST_MODEL (self->selection);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (DynoRunEntry) entry = g_list_model_get_item (model, i);
      gboolean is_member = has_member (entry, id);

      if (dyno_run_entry_get_store (entry) == store &&
          (id == NULL || is_member || g_str_equal (dyno_run_entry_get_id (entry), id)))
        {
          gtk_single_selection_set_selected (self->selection, i);
          show_entry (self, entry);
          if (is_member)
            node_activated_cb (self, id);
          return TRUE;
        }
    }
  return FALSE;
}

/* Visible page */

static void
update_pages (DynoResultsPage *self)
{
  const char *problem = dyno_run_catalog_get_problem (self->catalog);
  gboolean has_runs = g_list_model_get_n_items (G_LIST_MODEL (self->selection)) > 0;
  gboolean searching = *gtk_editable_get_text (self->search_entry) != '\0';
  gboolean loading = dyno_run_catalog_get_loading (self->catalog) ||
                     (dyno_run_catalog_get_runs (self->catalog) == NULL && !self->failed);
  const char *list_page = "list";
  const char *page = "runs";

  if (!has_runs && problem != NULL)
    {
      g_autofree char *description = g_markup_escape_text (problem, -1);

      adw_status_page_set_description (self->problem_page, description);
      list_page = "problem";
    }
  else if (!has_runs && !loading)
    list_page = "no-hits";
  if (self->aside != NULL)
    page = self->aside;
  else if (!has_runs && !searching && problem == NULL)
    page = loading ? gtk_stack_get_visible_child_name (self->stack) : "empty";
  gtk_stack_set_visible_child_name (self->list_stack, list_page);
  gtk_stack_set_visible_child_name (self->stack, page);
}

static DynoStore *
get_store (DynoResultsPage *self)
{
  DynoRunList *runs = dyno_run_catalog_get_runs (self->catalog);

  return runs != NULL ? dyno_run_list_get_store (runs) : NULL;
}

static void
show_what_was_asked_for (DynoResultsPage *self)
{
  if (self->document_to_show != NULL && select_run (self, self->document_to_show, NULL))
    g_clear_object (&self->document_to_show);
  if (self->id_to_show != NULL && get_store (self) != NULL &&
      select_run (self, get_store (self), self->id_to_show))
    follow_selection (self);
}

static void
items_changed_cb (DynoResultsPage *self)
{
  show_what_was_asked_for (self);

  /* The shown run may have been deleted, maybe in another window. */
  DynoRunEntry *selected = gtk_single_selection_get_selected_item (self->selection);
  DynoRunEntry *shown = get_shown (self);
  if (shown == NULL && selected != NULL)
    selected_cb (self);
  else if (shown != NULL && g_hash_table_contains (self->deleting, dyno_run_entry_get_id (shown)))
    {
      follow_selection (self);
      show_entry (self, dyno_narrow_bin_get_narrow (self->narrow_bin)
                            ? NULL
                            : gtk_single_selection_get_selected_item (self->selection));
    }

  update_pages (self);
}

/* The list */

static void
search_changed_cb (DynoResultsPage *self)
{
  const char *text = gtk_editable_get_text (self->search_entry);

  dyno_run_catalog_set_search (self->catalog, *text != '\0' ? text : NULL);
  update_pages (self);
}

static void
clear_search_cb (DynoResultsPage *self)
{
  gtk_editable_set_text (self->search_entry, "");
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
}

static void
refresh_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  dyno_results_page_refresh (DYNO_RESULTS_PAGE (widget));
}

/* Deleting: the run goes to the bin at once and comes back on undo. */

typedef struct
{
  GWeakRef page;
  DynoRunList *runs;
  DynoRunEntry *entry;
  gboolean deleted;
  gboolean undone;
} Deletion;

static void
deletion_clear (Deletion *deletion)
{
  g_weak_ref_clear (&deletion->page);
  g_object_unref (deletion->runs);
  g_object_unref (deletion->entry);
}

static void
deletion_unref (gpointer deletion)
{
  g_rc_box_release_full (deletion, (GDestroyNotify)deletion_clear);
}

static void
deletion_unref_closure (gpointer deletion, GClosure *closure)
{
  deletion_unref (deletion);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Deletion, deletion_unref)

static void
restored_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Deletion) deletion = user_data;
  g_autoptr (DynoResultsPage) self = g_weak_ref_get (&deletion->page);
  g_autoptr (GError) error = NULL;

  dyno_writing_end ();
  if (!dyno_store_restore_run_finish (DYNO_STORE (object), result, &error) && self != NULL)
    dyno_toast_report_error (GTK_WIDGET (self), _ ("The run could not be restored"), error);
}

static void
restore (Deletion *deletion)
{
  dyno_writing_begin ();
  dyno_store_restore_run_async (dyno_run_entry_get_store (deletion->entry),
                                dyno_run_entry_get_id (deletion->entry), NULL, restored_cb,
                                g_rc_box_acquire (deletion));
}

static void
deleted_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Deletion) deletion = user_data;
  g_autoptr (DynoResultsPage) self = g_weak_ref_get (&deletion->page);
  g_autoptr (GError) error = NULL;

  deletion->deleted = dyno_store_delete_run_finish (DYNO_STORE (object), result, &error);
  if (self != NULL)
    g_hash_table_remove (self->deleting, dyno_run_entry_get_id (deletion->entry));
  dyno_run_list_unhide (deletion->runs, dyno_run_entry_get_id (deletion->entry));
  if (error != NULL && self != NULL)
    dyno_toast_report_error (GTK_WIDGET (self), _ ("The run could not be deleted"), error);
  if (deletion->deleted && deletion->undone)
    restore (deletion);
  dyno_writing_end ();
}

static void
undo_cb (AdwToast *toast, Deletion *deletion)
{
  g_autoptr (DynoResultsPage) self = g_weak_ref_get (&deletion->page);

  deletion->undone = TRUE;
  if (self != NULL)
    {
      g_free (self->id_to_show);
      self->id_to_show = g_strdup (dyno_run_entry_get_id (deletion->entry));
    }
  if (deletion->deleted)
    restore (deletion);
}

/* The shortcut works both in the list and in the view. */
static gboolean
rename_cb (GtkWidget *widget, GVariant *parameter, gpointer user_data)
{
  GtkWidget *run_view = GTK_WIDGET (DYNO_RESULTS_PAGE (widget)->run_view);

  return gtk_widget_get_mapped (run_view) && gtk_widget_activate_action (run_view, "run.rename", NULL);
}

static void
delete_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoResultsPage *self = DYNO_RESULTS_PAGE (widget);
  DynoRunEntry *entry = dyno_run_view_get_entry (self->run_view);
  g_autofree char *title = dyno_run_entry_dup_title (entry);
  g_autofree char *text = g_markup_printf_escaped (_ ("“%s” deleted"), title);
  AdwToast *toast = adw_toast_new (text);
  g_autoptr (Deletion) deletion = g_rc_box_new0 (Deletion);

  g_weak_ref_init (&deletion->page, self);
  deletion->runs = g_object_ref (dyno_run_catalog_get_runs (self->catalog));
  deletion->entry = g_object_ref (entry);
  adw_toast_set_button_label (toast, _ ("_Undo"));
  g_signal_connect_data (toast, "button-clicked", G_CALLBACK (undo_cb), g_rc_box_acquire (deletion),
                         deletion_unref_closure, 0);

  g_hash_table_add (self->deleting, g_strdup (dyno_run_entry_get_id (entry)));
  dyno_writing_begin ();
  dyno_store_delete_run_async (dyno_run_entry_get_store (entry), dyno_run_entry_get_id (entry), NULL,
                               deleted_cb, g_rc_box_acquire (deletion));
  dyno_run_list_hide (deletion->runs, dyno_run_entry_get_id (deletion->entry));
  dyno_toast_add (widget, toast);
}

/* The widget of a list item has the entry's id as its name. */
static GtkWidget *
find_row (DynoResultsPage *self, DynoRunEntry *entry)
{
  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->list_view)); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    {
      GtkWidget *content = gtk_widget_get_first_child (row);

      if (content != NULL && g_str_equal (gtk_widget_get_name (content), dyno_run_entry_get_id (entry)))
        return row;
    }
  return NULL;
}

static void
back_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoResultsPage *self = DYNO_RESULTS_PAGE (widget);
  g_autoptr (DynoRunEntry) entry = g_object_ref (get_shown (self));
  g_autoptr (DynoRunEntry) group = g_steal_pointer (&self->group);

  show_entry (self, group);
  if (group == NULL)
    {
      /* Focus the row that was opened. The row exists once the list has scrolled to it. */
      GListModel *model = G_LIST_MODEL (self->selection);
      GtkWidget *row;

      for (guint i = 0; i < g_list_model_get_n_items (model); i++)
        {
          g_autoptr (DynoRunEntry) item = g_list_model_get_item (model, i);

          if (dyno_run_entry_get_store (item) == dyno_run_entry_get_store (entry) &&
              g_str_equal (dyno_run_entry_get_id (item), dyno_run_entry_get_id (entry)))
            gtk_widget_activate_action (GTK_WIDGET (self->list_view), "list.scroll-to-item", "u", i);
        }
      row = find_row (self, entry);
      if (row == NULL || !gtk_widget_grab_focus (row))
        gtk_widget_child_focus (GTK_WIDGET (self->list_view), GTK_DIR_TAB_FORWARD);
    }
  else
    gtk_widget_child_focus (GTK_WIDGET (self->group_view), GTK_DIR_TAB_FORWARD);
}

static void
recommend_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoResultsPage *self = DYNO_RESULTS_PAGE (widget);

  if (get_store (self) == NULL)
    return;
  self->aside = "recommendation";
  dyno_recommendation_view_show_store (self->recommendation_view, get_store (self));
  update_pages (self);
  gtk_widget_child_focus (GTK_WIDGET (self->recommendation_view), GTK_DIR_TAB_FORWARD);
}

static void
show_runs (DynoResultsPage *self)
{
  if (self->aside == NULL)
    return;
  self->aside = NULL;
  dyno_recommendation_view_clear (self->recommendation_view);
  update_pages (self);
}

static void
history_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  dyno_results_page_show_history (DYNO_RESULTS_PAGE (widget));
}

static void
show_runs_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  show_runs (DYNO_RESULTS_PAGE (widget));
}

static void
close_document_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoResultsPage *self = DYNO_RESULTS_PAGE (widget);
  g_autoptr (DynoStore) document = g_object_ref (dyno_run_entry_get_store (get_shown (self)));

  show_entry (self, NULL);
  dyno_app_session_close_document (dyno_page_get_session (DYNO_PAGE (self)), document);
}

static void
run_changed_cb (DynoResultsPage *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RUN]);
}

/* Shows a run requested by its id or the beginning of its id */

static void
found_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoResultsPage) self = DYNO_RESULTS_PAGE (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoRun) run = dyno_store_load_run_finish (DYNO_STORE (object), result, &error);

  /* The window may have closed meanwhile. */
  if (self->selection == NULL)
    return;
  if (run == NULL)
    {
      follow_selection (self);
      dyno_toast_report_error (GTK_WIDGET (self), _ ("The run could not be shown"), error);
    }
  else if (self->id_to_show != NULL && g_str_has_prefix (dyno_run_get_id (run), self->id_to_show))
    {
      g_autoptr (DynoRunEntry) entry = dyno_run_entry_new (DYNO_STORE (object), run, FALSE);

      g_free (self->id_to_show);
      self->id_to_show = g_strdup (dyno_run_get_id (run));
      gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
      show_entry (self, entry);
      show_what_was_asked_for (self);
    }
}

static void
find_run (DynoResultsPage *self)
{
  show_what_was_asked_for (self);
  if (self->id_to_show != NULL)
    dyno_store_load_run_async (get_store (self), self->id_to_show, NULL, found_cb, g_object_ref (self));
}

static void
dyno_results_page_read_store (DynoPage *page)
{
  DynoResultsPage *self = DYNO_RESULTS_PAGE (page);
  DynoAppSession *session = dyno_page_get_session (page);
  DynoStore *store = dyno_app_session_get_store (session);

  self->failed = store == NULL && dyno_app_session_get_message (session) != NULL;
  dyno_history_page_set_store (self->history_page, store, self->failed);
  if (store != NULL && get_store (self) == NULL)
    {
      dyno_run_catalog_set_store (self->catalog, store);
      if (self->id_to_show != NULL)
        find_run (self);
    }
  update_pages (self);
}

static void
dyno_results_page_focus_search (DynoPage *page)
{
  DynoResultsPage *self = DYNO_RESULTS_PAGE (page);

  show_runs (self);
  if (dyno_narrow_bin_get_narrow (self->narrow_bin))
    show_entry (self, NULL);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
}

static void
dyno_results_page_map (GtkWidget *widget)
{
  DynoResultsPage *self = DYNO_RESULTS_PAGE (widget);

  if (!self->was_shown)
    {
      self->was_shown = TRUE;
      narrow_changed_cb (self);
      items_changed_cb (self);
    }
  GTK_WIDGET_CLASS (dyno_results_page_parent_class)->map (widget);
}

static void
dyno_results_page_constructed (GObject *object)
{
  DynoResultsPage *self = DYNO_RESULTS_PAGE (object);
  DynoAppSession *session = dyno_page_get_session (DYNO_PAGE (self));

  G_OBJECT_CLASS (dyno_results_page_parent_class)->constructed (object);

  dyno_run_catalog_set_documents (self->catalog, dyno_app_session_get_documents (session));
  dyno_run_view_set_session (self->run_view, session);
}

static void
dyno_results_page_dispose (GObject *object)
{
  DynoResultsPage *self = DYNO_RESULTS_PAGE (object);

  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_RESULTS_PAGE);
  g_clear_object (&self->group);
  g_clear_object (&self->selection);
  g_clear_object (&self->catalog);
  g_clear_object (&self->document_to_show);

  G_OBJECT_CLASS (dyno_results_page_parent_class)->dispose (object);
}

static void
dyno_results_page_finalize (GObject *object)
{
  DynoResultsPage *self = DYNO_RESULTS_PAGE (object);

  g_hash_table_unref (self->deleting);
  g_free (self->id_to_show);

  G_OBJECT_CLASS (dyno_results_page_parent_class)->finalize (object);
}

static void
dyno_results_page_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_RUN:
      g_value_set_object (value, dyno_results_page_get_run (DYNO_RESULTS_PAGE (object)));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_results_page_class_init (DynoResultsPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->constructed = dyno_results_page_constructed;
  object_class->dispose = dyno_results_page_dispose;
  object_class->finalize = dyno_results_page_finalize;
  object_class->get_property = dyno_results_page_get_property;
  widget_class->map = dyno_results_page_map;
  DYNO_PAGE_CLASS (klass)->read_store = dyno_results_page_read_store;
  DYNO_PAGE_CLASS (klass)->focus_search = dyno_results_page_focus_search;

  properties[PROP_RUN] =
      g_param_spec_object ("run", NULL, NULL, DYNO_TYPE_RUN, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  g_type_ensure (DYNO_TYPE_GROUP_VIEW);
  g_type_ensure (DYNO_TYPE_HISTORY_PAGE);
  g_type_ensure (DYNO_TYPE_NARROW_BIN);
  g_type_ensure (DYNO_TYPE_RUN_ENTRY);
  g_type_ensure (DYNO_TYPE_RECOMMENDATION_VIEW);
  g_type_ensure (DYNO_TYPE_RUN_VIEW);
  g_type_ensure (DYNO_TYPE_TAB_STOP);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-results-page.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoResultsPage, stack);
  gtk_widget_class_bind_template_child (widget_class, DynoResultsPage, narrow_bin);
  gtk_widget_class_bind_template_child (widget_class, DynoResultsPage, sidebar);
  gtk_widget_class_bind_template_child (widget_class, DynoResultsPage, search_entry);
  gtk_widget_class_bind_template_child (widget_class, DynoResultsPage, list_stack);
  gtk_widget_class_bind_template_child (widget_class, DynoResultsPage, problem_page);
  gtk_widget_class_bind_template_child (widget_class, DynoResultsPage, list_view);
  gtk_widget_class_bind_template_child (widget_class, DynoResultsPage, group_view);
  gtk_widget_class_bind_template_child (widget_class, DynoResultsPage, run_view);
  gtk_widget_class_bind_template_child (widget_class, DynoResultsPage, recommendation_view);
  gtk_widget_class_bind_template_child (widget_class, DynoResultsPage, history_page);
  gtk_widget_class_bind_template_callback (widget_class, dyno_results_page_show_run);
  gtk_widget_class_bind_template_callback (widget_class, narrow_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, node_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, clear_search_cb);
  gtk_widget_class_bind_template_callback (widget_class, dyno_results_page_refresh);
  gtk_widget_class_bind_template_callback (widget_class, run_changed_cb);
  gtk_widget_class_install_action (widget_class, "results.back", NULL, back_action);
  gtk_widget_class_install_action (widget_class, "results.recommend", NULL, recommend_action);
  gtk_widget_class_install_action (widget_class, "results.history", NULL, history_action);
  gtk_widget_class_install_action (widget_class, "results.show-runs", NULL, show_runs_action);
  gtk_widget_class_install_action (widget_class, "results.delete", NULL, delete_action);
  gtk_widget_class_install_action (widget_class, "results.refresh", NULL, refresh_action);
  gtk_widget_class_install_action (widget_class, "results.close-document", NULL, close_document_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Delete, 0, "results.delete", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F5, 0, "results.refresh", NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_F2, 0, rename_cb, NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Left, GDK_ALT_MASK, "results.back", NULL);
}

static void
dyno_results_page_init (DynoResultsPage *self)
{
  self->deleting = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->catalog = dyno_run_catalog_new (TRUE);
  self->selection = gtk_single_selection_new (g_object_ref (dyno_run_catalog_get_model (self->catalog)));
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (self->selection, "notify::selected-item", G_CALLBACK (selected_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->selection, "items-changed", G_CALLBACK (items_changed_cb), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (self->catalog, "state-changed", G_CALLBACK (update_pages), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "results.delete", FALSE);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "results.close-document", FALSE);
  narrow_changed_cb (self);
}

void
dyno_results_page_show_run (DynoResultsPage *self, const char *id)
{
  g_return_if_fail (DYNO_IS_RESULTS_PAGE (self));
  g_return_if_fail (id != NULL);

  show_runs (self);
  gtk_editable_set_text (self->search_entry, "");
  g_free (self->id_to_show);
  self->id_to_show = g_strdup (id);
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  if (get_store (self) != NULL)
    find_run (self);
}

void
dyno_results_page_show_newest (DynoResultsPage *self, const char *id)
{
  g_return_if_fail (DYNO_IS_RESULTS_PAGE (self));
  g_return_if_fail (id != NULL);

  show_runs (self);
  gtk_editable_set_text (self->search_entry, "");
  g_free (self->id_to_show);
  self->id_to_show = g_strdup (id);
  show_what_was_asked_for (self);
}

void
dyno_results_page_show_document (DynoResultsPage *self, DynoStore *document)
{
  g_return_if_fail (DYNO_IS_RESULTS_PAGE (self));
  g_return_if_fail (DYNO_IS_STORE (document));

  show_runs (self);
  if (!select_run (self, document, NULL))
    g_set_object (&self->document_to_show, document);
}

void
dyno_results_page_refresh (DynoResultsPage *self)
{
  g_return_if_fail (DYNO_IS_RESULTS_PAGE (self));

  dyno_run_catalog_refresh (self->catalog);
  dyno_history_page_refresh (self->history_page);
}

void
dyno_results_page_show_history (DynoResultsPage *self)
{
  g_return_if_fail (DYNO_IS_RESULTS_PAGE (self));

  self->aside = "history";
  update_pages (self);
  gtk_widget_child_focus (GTK_WIDGET (self->history_page), GTK_DIR_TAB_FORWARD);
}

void
dyno_results_page_show_case_history (DynoResultsPage *self, const char *machine, const char *key)
{
  g_return_if_fail (DYNO_IS_RESULTS_PAGE (self));

  dyno_history_page_show_case (self->history_page, machine, key);
  dyno_results_page_show_history (self);
}

void
dyno_results_page_search (DynoResultsPage *self, const char *words)
{
  g_return_if_fail (DYNO_IS_RESULTS_PAGE (self));

  dyno_page_focus_search (DYNO_PAGE (self));
  gtk_editable_set_text (GTK_EDITABLE (self->search_entry), words);
  gtk_editable_set_position (GTK_EDITABLE (self->search_entry), -1);
}

void
dyno_results_page_save (DynoResultsPage *self)
{
  g_return_if_fail (DYNO_IS_RESULTS_PAGE (self));

  dyno_run_view_save (self->run_view);
}

DynoRun *
dyno_results_page_get_run (DynoResultsPage *self)
{
  g_return_val_if_fail (DYNO_IS_RESULTS_PAGE (self), NULL);
  return dyno_run_view_get_run (self->run_view);
}

const DynoPageInfo dyno_results_page_info = { "results",    N_ ("_Results"), "dyno-results-symbolic",
                                              "<Control>2", "results.html",  dyno_results_page_get_type };
