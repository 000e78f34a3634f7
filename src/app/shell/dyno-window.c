/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <malloc.h>

#include "benchmark/dyno-app-benchmark-private.h"
#include "compare/dyno-app-compare-private.h"
#include "results/dyno-app-results-private.h"
#include "dyno-app-session-private.h"
#include "dyno-app-shell-private.h"
#include "dyno-app-tune-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"
#include "dyno-importer.h"
#include "dyno-model-spec.h"
#include "dyno-page-list.h"
#include "dyno-run.h"

/* How long after a change of pages memory is given back, in s */
#define TRIM_AFTER 3

struct _DynoWindow
{
  AdwApplicationWindow parent_instance;

  DynoAppSession *session;

  GtkWidget *toast_overlay;
  GtkWidget *banner;
  GtkWidget *banner_content;
  GtkWidget *banner_label;
  GtkWidget *retry_button;
  AdwViewStack *stack;

  /* Each page is made when it is first shown, or when the main loop is idle. */
  GPtrArray *pages;
  DynoBenchmarkPage *benchmark_page;
  DynoResultsPage *results_page;
  DynoComparePage *compare_page;
  gboolean compares_next; /* the run that ends next was measured to make a comparison sure */
  guint pages_source;
  guint trim_source;
  GListStore *waiting_imports; /* (nullable): files that wait for the store to be open */
  gboolean reads_store;
};

G_DEFINE_FINAL_TYPE (DynoWindow, dyno_window, ADW_TYPE_APPLICATION_WINDOW)

/* Memory */

/* What pages freed lies between what they keep: unless asked, the C library returns none of it to the system. That takes some
 * 10 ms, for which a frame need not wait. */
static gboolean
trim_cb (gpointer user_data)
{
  DynoWindow *self = user_data;

  self->trim_source = 0;
#ifdef __GLIBC__
  if (dyno_app_session_get_runner (self->session) == NULL)
    malloc_trim (0);
#endif
  return G_SOURCE_REMOVE;
}

static void
trim_soon (DynoWindow *self)
{
  if (self->trim_source == 0)
    self->trim_source = g_timeout_add_seconds_full (G_PRIORITY_LOW, TRIM_AFTER, trim_cb, self, NULL);
}

/* The state of the session */

static void
message_changed_cb (DynoWindow *self)
{
  const char *message = dyno_app_session_get_message (self->session);

  if (message != NULL)
    gtk_label_set_label (GTK_LABEL (self->banner_label), message);
  gtk_widget_set_visible (self->retry_button,
                          message != NULL && dyno_app_session_get_store (self->session) == NULL);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->banner), message != NULL);
}

static void
store_changed_cb (DynoWindow *self)
{
  /* If the store could not be opened, the task says so. */
  if (self->waiting_imports != NULL && !dyno_app_session_get_opening (self->session))
    {
      g_autoptr (GListStore) waiting = g_steal_pointer (&self->waiting_imports);

      dyno_import_task_start (GTK_WINDOW (self), dyno_app_session_get_store (self->session),
                              G_LIST_MODEL (waiting));
    }
  /* Not before the first frame, which listing and drawing the store's contents would delay. */
  if (!self->reads_store)
    return;
  for (guint i = 0; i < self->pages->len; i++)
    dyno_page_read_store (self->pages->pdata[i]);
}

static void
read_store (DynoWindow *self)
{
  self->reads_store = TRUE;
  store_changed_cb (self);
}

static void
runner_changed_cb (DynoWindow *self)
{
  gboolean running = dyno_app_session_get_runner (self->session) != NULL;
  GtkWidget *bin = adw_view_stack_get_child_by_name (self->stack, "benchmark");

  adw_view_stack_page_set_needs_attention (adw_view_stack_get_page (self->stack, bin), running);
  if (!running)
    trim_soon (self);
}

/* The Benchmark page goes on showing the run; elsewhere a toast says that it has ended. A self-test is not among the
 * results. */
static void
run_finished_cb (DynoWindow *self, DynoRun *run)
{
  const char *const ids[] = { dyno_run_get_id (run), NULL };
  gboolean compares = self->compares_next;
  AdwToast *toast;

  self->compares_next = FALSE;

  if (!dyno_app_session_has_stored (self->session, run))
    return;
  if (dyno_run_is_self_test (run))
    {
      dyno_toast_say (GTK_WIDGET (self), _ ("The self-test has ended: Hardware shows the noise floor"));
      return;
    }
  /* The earlier comparison is out of date, wherever the user looks now. */
  if (compares)
    dyno_compare_page_set_runs (self->compare_page, dyno_app_session_get_store (self->session), ids);
  if (g_strcmp0 (adw_view_stack_get_visible_child_name (self->stack), "benchmark") == 0)
    {
      if (compares)
        dyno_window_show_page (self, "compare");
      return;
    }
  toast = adw_toast_new (_ ("The run has ended"));
  adw_toast_set_button_label (toast, _ ("_Show Results"));
  adw_toast_set_action_name (toast, "app.show-run");
  adw_toast_set_action_target (toast, "s", dyno_run_get_id (run));
  dyno_toast_add (GTK_WIDGET (self), toast);
}

/* Another process may have stored runs in the meantime. */
static void
is_active_changed_cb (DynoWindow *self)
{
  if (gtk_window_is_active (GTK_WINDOW (self)) && self->results_page != NULL)
    dyno_results_page_refresh (self->results_page);
}

/* Beside a button, a narrow window has no room for a sentence. */
static void
narrow_changed_cb (DynoWindow *self, GParamSpec *pspec, DynoNarrowBin *bin)
{
  gboolean narrow = dyno_narrow_bin_get_narrow (bin);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->banner_content),
                                  narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_halign (self->retry_button, narrow ? GTK_ALIGN_START : GTK_ALIGN_FILL);
}

static void
retry_cb (DynoWindow *self)
{
  dyno_app_session_open_store (self->session);
  read_store (self);
}

static void
banner_dismissed_cb (DynoWindow *self)
{
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->banner), FALSE);
}

/* Files */

static void
document_opened_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoWindow) self = DYNO_WINDOW (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoStore) document =
      dyno_app_session_open_document_finish (DYNO_APP_SESSION (object), result, &error);

  if (document == NULL)
    {
      dyno_toast_report_error (GTK_WIDGET (self), _ ("The file could not be opened"), error);
      return;
    }
  dyno_window_show_page (self, "results");
  dyno_results_page_show_document (self->results_page, document);
}

/* Opens a model or a document, each in its own way. */
static void
open_own_file (DynoWindow *self, GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  if (dyno_model_spec_find_suffix (name) != NULL)
    {
      dyno_window_show_page (self, "benchmark");
      dyno_benchmark_page_add_model_file (self->benchmark_page, file);
      return;
    }
  dyno_app_session_open_document_async (self->session, file, NULL, document_opened_cb, g_object_ref (self));
}

/* Files of other tools are recognized by their content, which may be on a slow disk. */
static void
find_foreign_thread (GTask *task, gpointer source, gpointer files, GCancellable *cancellable)
{
  GListStore *foreign = g_list_store_new (G_TYPE_FILE);

  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);

      if (g_file_peek_path (file) != NULL && dyno_importer_recognises (g_file_peek_path (file)))
        g_list_store_append (foreign, file);
    }
  g_task_return_pointer (task, foreign, g_object_unref);
}

/* Files that arrive while the store is being opened wait for it. */
static void
import_files (DynoWindow *self, GListModel *files)
{
  if (!dyno_app_session_get_opening (self->session))
    {
      dyno_import_task_start (GTK_WINDOW (self), dyno_app_session_get_store (self->session), files);
      return;
    }
  if (self->waiting_imports == NULL)
    self->waiting_imports = g_list_store_new (G_TYPE_FILE);
  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);

      g_list_store_append (self->waiting_imports, file);
    }
}

static void
foreign_found_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoWindow *self = DYNO_WINDOW (object);
  GListModel *files = g_task_get_task_data (G_TASK (result));
  g_autoptr (GListStore) foreign = g_task_propagate_pointer (G_TASK (result), NULL);

  if (gtk_window_get_application (GTK_WINDOW (self)) == NULL)
    return; /* closed meanwhile */
  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);

      if (!g_list_store_find (foreign, file, NULL))
        open_own_file (self, file);
    }
  if (g_list_model_get_n_items (G_LIST_MODEL (foreign)) > 0)
    import_files (self, G_LIST_MODEL (foreign));
}

static gboolean
drop_cb (DynoWindow *self, const GValue *value, double x, double y, GtkDropTarget *target)
{
  GSList *files = g_value_get_boxed (value);
  g_autoptr (GListStore) list = g_list_store_new (G_TYPE_FILE);

  for (GSList *l = files; l != NULL; l = l->next)
    g_list_store_append (list, l->data);
  dyno_window_open_files (self, G_LIST_MODEL (list));
  return files != NULL;
}

/* Actions */

/* Moves the focus to the shown page; returns whether the page has it. */
static gboolean
focus_page (DynoWindow *self)
{
  GtkWidget *page = adw_view_stack_get_visible_child (self->stack);
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if (focus != NULL && gtk_widget_is_ancestor (focus, page))
    return TRUE;
  /* The widget that had the focus may be hidden by now, and nothing follows it. */
  return gtk_widget_child_focus (page, GTK_DIR_TAB_FORWARD) ||
         gtk_widget_child_focus (page, GTK_DIR_TAB_BACKWARD);
}

static void
focus_page_cb (GtkWidget *widget)
{
  focus_page (DYNO_WINDOW (widget));
}

/* A user who goes to a page by keyboard continues there. The placeholder of a page that is loading takes the
 * focus too: its stack passes it on to the contents. A page that is being filled takes the focus once it is
 * drawn. */
static void
show_page_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoWindow *self = DYNO_WINDOW (widget);

  dyno_window_show_page (self, g_variant_get_string (parameter, NULL));
  if (!focus_page (self))
    dyno_after_frame (widget, focus_page_cb);
}

static void
import_chosen_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GListModel) files = dyno_compat_choose_finish (result);

  if (files != NULL)
    import_files (DYNO_WINDOW (object), files);
}

static void
import_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  static const DynoCompatFilter filters[] = {
    { N_ ("Results of other tools"), { "json", "jsonl", "csv", "md", "sql", "txt", "log", "gz" } },
    { N_ ("All files"), { NULL } },
    { NULL },
  };

  dyno_compat_open_files_async (widget, _ ("Import Results"), filters, import_chosen_cb, NULL);
}

static void
import_folder_chosen_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GFile) folder = dyno_compat_choose_finish (result);
  g_autoptr (GListStore) files = g_list_store_new (G_TYPE_FILE);

  if (folder == NULL)
    return;
  g_list_store_append (files, folder);
  import_files (DYNO_WINDOW (object), G_LIST_MODEL (files));
}

static void
import_folder_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  dyno_compat_select_folder_async (widget, _ ("Import Results from a Folder"), import_folder_chosen_cb, NULL);
}

static void
text_read_cb (GObject *clipboard, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoWindow) self = user_data;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);

  if (gtk_window_get_application (GTK_WINDOW (self)) == NULL)
    return; /* closed meanwhile */
  if (text != NULL && *text != '\0')
    dyno_import_task_start_text (GTK_WINDOW (self), dyno_app_session_get_store (self->session), text);
  else
    dyno_toast_say (GTK_WIDGET (self), _ ("There is no text in the clipboard"));
}

static void
paste_results_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (widget), NULL, text_read_cb,
                                 g_object_ref (widget));
}

/* As a shortcut of the application, the key would no longer reach text fields. */
static gboolean
paste_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  if (g_strcmp0 (adw_view_stack_get_visible_child_name (DYNO_WINDOW (widget)->stack), "results") != 0)
    return FALSE;
  gtk_widget_activate_action (widget, "win.paste-results", NULL);
  return TRUE;
}

static void
save_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  dyno_results_page_save (DYNO_WINDOW (widget)->results_page);
}

/* Returns the shown page; NULL until it is made. */
static DynoPage *
get_shown_page (DynoWindow *self)
{
  GtkWidget *bin = adw_view_stack_get_visible_child (self->stack);

  return bin != NULL ? DYNO_PAGE (adw_bin_get_child (ADW_BIN (bin))) : NULL;
}

static void
search_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  dyno_page_focus_search (get_shown_page (DYNO_WINDOW (widget)));
}

/* Measuring runs again. A thread reads a run with its plan. */

typedef DynoPlan *(*MakePlan) (DynoRun *run, GError **error);
typedef void (*UsePlan) (DynoBenchmarkPage *page, DynoPlan *plan);

typedef struct
{
  DynoWindow *window;
  MakePlan make;
  UsePlan use;
} Repeat;

static DynoPlan *
make_same (DynoRun *run, GError **error)
{
  return dyno_plan_new_from_json (dyno_run_get_plan (run), error);
}

static void
run_loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autofree Repeat *repeat = user_data;
  g_autoptr (DynoWindow) self = repeat->window;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoRun) run = dyno_store_load_run_finish (DYNO_STORE (object), result, &error);
  g_autoptr (GPtrArray) unanalysed = run != NULL && repeat->make == dyno_remaining_plan_new
                                         ? dyno_runner_list_unanalysed (run)
                                         : g_ptr_array_new ();
  g_autoptr (DynoPlan) plan = run != NULL ? repeat->make (run, &error) : NULL;

  if (unanalysed->len > 0)
    {
      dyno_window_show_page (self, "benchmark");
      dyno_benchmark_page_analyse_run (self->benchmark_page, run, plan);
      return;
    }
  if (plan == NULL)
    {
      dyno_toast_report_error (GTK_WIDGET (self), _ ("The plan of this run cannot be read"), error);
      return;
    }
  dyno_window_show_page (self, "benchmark");
  repeat->use (self->benchmark_page, plan);
}

static void
load_plan (DynoWindow *self, const char *id, MakePlan make, UsePlan use)
{
  DynoStore *store = dyno_app_session_get_store (self->session);
  Repeat *repeat;

  if (store == NULL)
    return;
  repeat = g_new (Repeat, 1);
  repeat->window = g_object_ref (self);
  repeat->make = make;
  repeat->use = use;
  dyno_store_load_run_async (store, id, NULL, run_loaded_cb, repeat);
}

static void
run_again_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  load_plan (DYNO_WINDOW (widget), g_variant_get_string (parameter, NULL), make_same,
             dyno_benchmark_page_run_plan);
}

static void
edit_and_run_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  load_plan (DYNO_WINDOW (widget), g_variant_get_string (parameter, NULL), make_same,
             dyno_benchmark_page_show_plan);
}

static void
run_remaining_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  load_plan (DYNO_WINDOW (widget), g_variant_get_string (parameter, NULL), dyno_remaining_plan_new,
             dyno_benchmark_page_run_plan);
}

static void
measure_again_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  load_plan (DYNO_WINDOW (widget), g_variant_get_string (parameter, NULL), dyno_remaining_plan_new_in_doubt,
             dyno_benchmark_page_run_plan);
}

static void
show_plan_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoWindow *self = DYNO_WINDOW (widget);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = dyno_plan_new_from_json (g_variant_get_string (parameter, NULL), &error);

  if (plan == NULL)
    {
      dyno_toast_report_error (widget, _ ("The plan cannot be read"), error);
      return;
    }
  dyno_window_show_page (self, "benchmark");
  dyno_benchmark_page_show_plan (self->benchmark_page, plan);
}

static void
find_settings_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = dyno_plan_new_from_json (g_variant_get_string (parameter, NULL), &error);

  if (plan == NULL)
    {
      dyno_toast_report_error (widget, _ ("The plan cannot be read"), error);
      return;
    }
  dyno_tune_window_present (DYNO_WINDOW (widget)->session, GTK_WINDOW (widget), plan);
}

static void
compare_run_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoWindow *self = DYNO_WINDOW (widget);
  g_autoptr (DynoStore) store = NULL;
  const char *path, *id;

  g_variant_get (parameter, "(&s&s)", &path, &id);
  store = dyno_app_session_find_store (self->session, path);
  if (store != NULL)
    dyno_window_compare_run (self, store, id);
}

static void
compare_runs_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoWindow *self = DYNO_WINDOW (widget);
  g_autofree const char **ids = NULL;
  g_autoptr (DynoStore) store = NULL;
  const char *path;

  g_variant_get (parameter, "(&s^a&s)", &path, &ids);
  store = dyno_app_session_find_store (self->session, path);
  if (store == NULL)
    return;
  dyno_window_show_page (self, "compare");
  dyno_compare_page_set_runs (self->compare_page, store, ids);
}

static void
show_case_history_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoWindow *self = DYNO_WINDOW (widget);
  const char *machine, *key;

  g_variant_get (parameter, "(m&s&s)", &machine, &key);
  dyno_window_show_page (self, "results");
  dyno_results_page_show_case_history (self->results_page, machine, key);
}

static void
show_history_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoWindow *self = DYNO_WINDOW (widget);

  dyno_window_show_page (self, "results");
  dyno_results_page_show_history (self->results_page);
}

static void
deleted_runs_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoStore *store = dyno_app_session_get_store (DYNO_WINDOW (widget)->session);
  GtkWidget *window;

  if (store == NULL)
    return;
  window = dyno_bin_window_new (store);
  gtk_window_set_transient_for (GTK_WINDOW (window), GTK_WINDOW (widget));
  gtk_window_present (GTK_WINDOW (window));
}

static void
update_actions_cb (DynoWindow *self)
{
  DynoPage *page = get_shown_page (self);

  /* The other pages have no list to search. */
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.search",
                                 page != NULL && dyno_page_can_search (page));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.save",
                                 page != NULL && DYNO_IS_RESULTS_PAGE (page) &&
                                     dyno_results_page_get_run (self->results_page) != NULL);
}

/* The pages */

static void
show_results_cb (DynoWindow *self, const char *id)
{
  dyno_window_show_page (self, "results");
  read_store (self);
  dyno_results_page_show_newest (self->results_page, id);
}

static void
measure_side_by_side_cb (DynoWindow *self, DynoPlan *plan)
{
  /* The run that ends next is another one if this one is only added to the queue. */
  self->compares_next = dyno_app_session_get_runner (self->session) == NULL;
  dyno_window_show_page (self, "benchmark");
  dyno_benchmark_page_run_plan (self->benchmark_page, plan);
}

static gboolean
ensure_page (DynoWindow *self, const DynoPageInfo *info)
{
  AdwBin *bin = ADW_BIN (adw_view_stack_get_child_by_name (self->stack, info->name));
  DynoPage *page;

  if (adw_bin_get_child (bin) != NULL)
    return FALSE;
  page = g_object_new (info->get_type (), "session", self->session, NULL);
  g_ptr_array_add (self->pages, page);
  /* The window passes on what one page asks of another. */
  if (DYNO_IS_BENCHMARK_PAGE (page))
    {
      self->benchmark_page = DYNO_BENCHMARK_PAGE (page);
      g_signal_connect_object (page, "run-finished", G_CALLBACK (run_finished_cb), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (page, "show-results", G_CALLBACK (show_results_cb), self, G_CONNECT_SWAPPED);
    }
  else if (DYNO_IS_RESULTS_PAGE (page))
    {
      self->results_page = DYNO_RESULTS_PAGE (page);
      g_signal_connect_object (page, "notify::run", G_CALLBACK (update_actions_cb), self, G_CONNECT_SWAPPED);
    }
  else if (DYNO_IS_COMPARE_PAGE (page))
    {
      self->compare_page = DYNO_COMPARE_PAGE (page);
      g_signal_connect_object (page, "measure-again", G_CALLBACK (measure_side_by_side_cb), self,
                               G_CONNECT_SWAPPED);
    }
  adw_bin_set_child (bin, GTK_WIDGET (page));
  store_changed_cb (self);
  return TRUE;
}

static gboolean
create_next_page_cb (gpointer user_data)
{
  DynoWindow *self = user_data;

  for (guint i = 0; i < G_N_ELEMENTS (dyno_pages); i++)
    if (ensure_page (self, dyno_pages[i]))
      return G_SOURCE_CONTINUE;
  self->pages_source = 0;
  trim_soon (self);
  return G_SOURCE_REMOVE;
}

/* Work that the first frame does not show is done after it. */
static void
after_frame_cb (GtkWidget *widget)
{
  DynoWindow *self = DYNO_WINDOW (widget);

  dyno_compat_set_help_overlay (GTK_APPLICATION_WINDOW (self),
                                "/io/github/dynobench/Dyno/shortcuts/help-overlay.ui");
  read_store (self);
  self->pages_source = g_idle_add_full (G_PRIORITY_LOW, create_next_page_cb, self, NULL);
}

static void
visible_child_changed_cb (DynoWindow *self)
{
  const char *name = adw_view_stack_get_visible_child_name (self->stack);

  /* Filling the stack shows its first page before the session is known. */
  if (self->session == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (dyno_pages); i++)
    if (g_strcmp0 (name, dyno_pages[i]->name) == 0)
      ensure_page (self, dyno_pages[i]);
  update_actions_cb (self);
  trim_soon (self);
}

/* The window's state */

static gboolean
dyno_window_close_request (GtkWindow *window)
{
  DynoWindow *self = DYNO_WINDOW (window);
  GSettings *settings = dyno_app_session_get_settings (self->session);
  gboolean is_maximized = gtk_window_is_maximized (window);
  int width, height;

  gtk_window_get_default_size (window, &width, &height);
  g_settings_set_boolean (settings, "is-maximized", is_maximized);
  g_settings_set_string (settings, "last-page", adw_view_stack_get_visible_child_name (self->stack));
  if (!is_maximized && width >= 360 && height >= 200)
    {
      g_settings_set_int (settings, "window-width", width);
      g_settings_set_int (settings, "window-height", height);
    }

  return GTK_WINDOW_CLASS (dyno_window_parent_class)->close_request (window);
}

static void
dyno_window_dispose (GObject *object)
{
  g_clear_handle_id (&DYNO_WINDOW (object)->pages_source, g_source_remove);
  g_clear_object (&DYNO_WINDOW (object)->waiting_imports);
  g_ptr_array_set_size (DYNO_WINDOW (object)->pages, 0);
  gtk_widget_dispose_template (GTK_WIDGET (object), DYNO_TYPE_WINDOW);
  g_clear_handle_id (&DYNO_WINDOW (object)->trim_source, g_source_remove);

  G_OBJECT_CLASS (dyno_window_parent_class)->dispose (object);
}

static void
dyno_window_finalize (GObject *object)
{
  g_ptr_array_unref (DYNO_WINDOW (object)->pages);
  g_clear_object (&DYNO_WINDOW (object)->session);

  G_OBJECT_CLASS (dyno_window_parent_class)->finalize (object);
}

static void
dyno_window_class_init (DynoWindowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = dyno_window_dispose;
  object_class->finalize = dyno_window_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = dyno_window_close_request;

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-window.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoWindow, toast_overlay);
  gtk_widget_class_bind_template_child (widget_class, DynoWindow, banner);
  gtk_widget_class_bind_template_child (widget_class, DynoWindow, banner_content);
  gtk_widget_class_bind_template_child (widget_class, DynoWindow, banner_label);
  gtk_widget_class_bind_template_child (widget_class, DynoWindow, retry_button);
  gtk_widget_class_bind_template_child (widget_class, DynoWindow, stack);
  gtk_widget_class_bind_template_callback (widget_class, banner_dismissed_cb);
  gtk_widget_class_bind_template_callback (widget_class, narrow_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, retry_cb);
  gtk_widget_class_bind_template_callback (widget_class, is_active_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, visible_child_changed_cb);
  gtk_widget_class_install_action (widget_class, "win.show-page", "s", show_page_action);
  gtk_widget_class_install_action (widget_class, "win.import", NULL, import_action);
  gtk_widget_class_install_action (widget_class, "win.import-folder", NULL, import_folder_action);
  gtk_widget_class_install_action (widget_class, "win.paste-results", NULL, paste_results_action);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_v, GDK_CONTROL_MASK, paste_cb, NULL);
  gtk_widget_class_install_action (widget_class, "win.save", NULL, save_action);
  gtk_widget_class_install_action (widget_class, "win.deleted-runs", NULL, deleted_runs_action);
  gtk_widget_class_install_action (widget_class, "win.search", NULL, search_action);
  gtk_widget_class_install_action (widget_class, "win.compare-run", "(ss)", compare_run_action);
  gtk_widget_class_install_action (widget_class, "win.compare-runs", "(sas)", compare_runs_action);
  gtk_widget_class_install_action (widget_class, "win.show-history", NULL, show_history_action);
  gtk_widget_class_install_action (widget_class, "win.show-case-history", "(mss)", show_case_history_action);
  gtk_widget_class_install_action (widget_class, "win.run-again", "s", run_again_action);
  gtk_widget_class_install_action (widget_class, "win.edit-and-run", "s", edit_and_run_action);
  gtk_widget_class_install_action (widget_class, "win.find-settings", "s", find_settings_action);
  gtk_widget_class_install_action (widget_class, "win.show-plan", "s", show_plan_action);
  gtk_widget_class_install_action (widget_class, "win.run-remaining", "s", run_remaining_action);
  gtk_widget_class_install_action (widget_class, "win.measure-again", "s", measure_again_action);

  g_type_ensure (DYNO_TYPE_NARROW_BIN);
}

static void
dyno_window_init (DynoWindow *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  self->pages = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  for (guint i = 0; i < G_N_ELEMENTS (dyno_pages); i++)
    {
      AdwViewStackPage *page = adw_view_stack_add_titled (self->stack, adw_bin_new (), dyno_pages[i]->name,
                                                          _ (dyno_pages[i]->title));

      adw_view_stack_page_set_icon_name (page, dyno_pages[i]->icon_name);
      adw_view_stack_page_set_use_underline (page, TRUE);
    }
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.save", FALSE);
  dyno_after_frame (GTK_WIDGET (self), after_frame_cb);
  g_signal_connect_object (target, "drop", G_CALLBACK (drop_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

DynoWindow *
dyno_window_new (DynoApplication *application)
{
  DynoWindow *self;

  g_return_val_if_fail (DYNO_IS_APPLICATION (application), NULL);

  self = g_object_new (DYNO_TYPE_WINDOW, "application", application, NULL);
  self->session = g_object_ref (dyno_application_get_session (application));

  GSettings *settings = dyno_app_session_get_settings (self->session);
  g_autofree char *page = g_settings_get_string (settings, "last-page");
  gtk_window_set_default_size (GTK_WINDOW (self), g_settings_get_int (settings, "window-width"),
                               g_settings_get_int (settings, "window-height"));
  if (g_settings_get_boolean (settings, "is-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  dyno_window_show_page (self, page);

  visible_child_changed_cb (self);
  g_signal_connect_object (self->session, "notify::message", G_CALLBACK (message_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "notify::store", G_CALLBACK (store_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "notify::runner", G_CALLBACK (runner_changed_cb), self,
                           G_CONNECT_SWAPPED);
  message_changed_cb (self);
  store_changed_cb (self);
  runner_changed_cb (self);
  return self;
}

void
dyno_window_show_page (DynoWindow *self, const char *name)
{
  g_return_if_fail (DYNO_IS_WINDOW (self));
  g_return_if_fail (name != NULL);

  if (adw_view_stack_get_child_by_name (self->stack, name) != NULL)
    adw_view_stack_set_visible_child_name (self->stack, name);
}

const char *
dyno_window_get_page (DynoWindow *self)
{
  g_return_val_if_fail (DYNO_IS_WINDOW (self), NULL);

  return adw_view_stack_get_visible_child_name (self->stack);
}

void
dyno_window_show_run (DynoWindow *self, const char *id)
{
  g_return_if_fail (DYNO_IS_WINDOW (self));
  g_return_if_fail (id != NULL);

  dyno_window_show_page (self, "results");
  read_store (self);
  dyno_results_page_show_run (self->results_page, id);
}

void
dyno_window_search_runs (DynoWindow *self, const char *words)
{
  g_return_if_fail (DYNO_IS_WINDOW (self));
  g_return_if_fail (words != NULL);

  dyno_window_show_page (self, "results");
  read_store (self);
  dyno_results_page_search (self->results_page, words);
}

void
dyno_window_run_quick (DynoWindow *self)
{
  g_return_if_fail (DYNO_IS_WINDOW (self));

  dyno_window_show_page (self, "benchmark");
  gtk_widget_activate_action (GTK_WIDGET (self->benchmark_page), "benchmark.run-quick", NULL);
}

void
dyno_window_compare_run (DynoWindow *self, DynoStore *store, const char *id)
{
  g_return_if_fail (DYNO_IS_WINDOW (self));
  g_return_if_fail (DYNO_IS_STORE (store));
  g_return_if_fail (id != NULL);

  dyno_window_show_page (self, "compare");
  dyno_compare_page_compare_run (self->compare_page, store, id);
}

void
dyno_window_open_files (DynoWindow *self, GListModel *files)
{
  g_return_if_fail (DYNO_IS_WINDOW (self));
  g_return_if_fail (G_IS_LIST_MODEL (files));

  dyno_thread_task_run (self, NULL, find_foreign_thread, g_object_ref (files), g_object_unref,
                        foreign_found_cb);
}

void
dyno_window_open_file (DynoWindow *self, GFile *file)
{
  g_autoptr (GListStore) files = g_list_store_new (G_TYPE_FILE);

  g_return_if_fail (G_IS_FILE (file));

  g_list_store_append (files, file);
  dyno_window_open_files (self, G_LIST_MODEL (files));
}
