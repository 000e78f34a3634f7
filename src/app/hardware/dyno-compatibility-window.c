/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-hardware-private.h"
#include "dyno-app-session-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"
#include "dyno-compatibility.h"
#include "dyno-engine-name.h"
#include "dyno-json.h"
#include "dyno-model-library.h"
#include "dyno-task.h"

struct _DynoCompatibilityWindow
{
  AdwWindow parent_instance;

  DynoAppSession *session;
  GCancellable *loading;
  GCancellable *trying;
  GtkSingleSelection *selection;

  GtkStack *stack;
  AdwStatusPage *error_page;
  GtkSpinButton *batch_spin;
  GtkSpinButton *sequence_spin;
  GtkColumnView *view;
  GtkLabel *details_label;
  GtkButton *try_button;
  GtkButton *stop_button;
  GtkListBox *details_list;
};

enum
{
  PROP_0,
  PROP_LOADING,
  N_PROPS
};

typedef struct
{
  guint batch_size;
  guint sequence_length;
  DynoStore *store; /* NULL until the store is open */
} Request;

G_DEFINE_FINAL_TYPE (DynoCompatibilityWindow, dyno_compatibility_window, ADW_TYPE_WINDOW)

static GParamSpec *properties[N_PROPS];

/* Reading: a row of the table is the list of a model's cells, one per column. */

static void
request_free (gpointer data)
{
  Request *request = data;

  g_clear_object (&request->store);
  g_free (request);
}

static GListModel *
list_cells (
    DynoModel *model, const Request *request, DynoMachine *machine, GPtrArray *outcomes, GError **error)
{
  guint longest = dyno_model_get_max_sequence_length (model);
  guint length = longest > 0 ? MIN (longest, request->sequence_length) : request->sequence_length;
  g_autoptr (GHashTable) binding = dyno_model_bind (model, request->batch_size, length, NULL, NULL);
  g_autoptr (DynoCase) kase = NULL;
  g_autoptr (GPtrArray) cells = NULL;
  GListStore *row;

  /* If a picture needs more than the requested length, or than the longest that the model takes, use the usual one. */
  if (binding == NULL)
    {
      length = dyno_model_get_usual_sequence_length (model);
      binding = dyno_model_bind (model, request->batch_size, length, NULL, error);
    }
  if (binding == NULL)
    return NULL;
  kase = g_object_new (DYNO_TYPE_CASE, "model", dyno_model_get_id (model), "batch-size", request->batch_size,
                       "sequence-length", length, NULL);
  cells =
      dyno_compatibility_list (&(DynoDemand){ model, binding, kase, machine }, outcomes, DYNO_PROBER_NONE);
  row = g_list_store_new (DYNO_TYPE_COMPATIBILITY);
  g_list_store_splice (row, 0, 0, cells->pdata, cells->len);
  return G_LIST_MODEL (row);
}

static GListModel *
list_rows (const Request *request, GCancellable *cancellable, GError **error)
{
  g_autoptr (GListStore) rows = g_list_store_new (G_TYPE_LIST_MODEL);
  g_autoptr (GListModel) library = dyno_model_library_get_default ();
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (error);
  g_autoptr (JsonNode) node = machine != NULL ? dyno_machine_to_json (machine) : NULL;
  g_autofree char *json = node != NULL ? dyno_json_text_write (node, FALSE) : NULL;
  /* Without outcomes, the matrix still says which models may run. */
  g_autoptr (GPtrArray) outcomes =
      json != NULL && request->store != NULL ? dyno_store_list_outcomes (request->store, json, NULL) : NULL;

  for (guint i = 0; machine != NULL && i < g_list_model_get_n_items (library); i++)
    {
      g_autoptr (DynoModel) model = g_list_model_get_item (library, i);
      g_autoptr (GListModel) cells = NULL;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      cells = list_cells (model, request, machine, outcomes, error);
      if (cells == NULL)
        return NULL;
      g_list_store_append (rows, cells);
    }
  return machine != NULL ? G_LIST_MODEL (g_steal_pointer (&rows)) : NULL;
}

static void
load_thread (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;
  GListModel *rows = list_rows (task_data, cancellable, &error);

  if (rows != NULL)
    g_task_return_pointer (task, rows, g_object_unref);
  else
    g_task_return_error (task, error);
}

/* Cells */

static DynoCompatibility *
get_cell (GListModel *row, guint column)
{
  g_autoptr (DynoCompatibility) cell = g_list_model_get_item (row, column);

  /* The row keeps it. */
  return cell;
}

static const char *
get_verdict (DynoCompatibility *cell)
{
  return dyno_compatibility_verdict_get_label (dyno_compatibility_get_verdict (cell));
}

static const char *
get_verdict_icon (DynoCompatibility *cell)
{
  switch (dyno_compatibility_get_verdict (cell))
    {
    case DYNO_COMPATIBILITY_NOT_TRIED:
      return "dialog-question-symbolic";
    case DYNO_COMPATIBILITY_RUNS:
      return "emblem-ok-symbolic";
    case DYNO_COMPATIBILITY_DOES_NOT_RUN:
      return "dialog-error-symbolic";
    case DYNO_COMPATIBILITY_REFUSED:
    default:
      return "action-unavailable-symbolic";
    }
}

static const char *
get_verdict_class (DynoCompatibility *cell)
{
  switch (dyno_compatibility_get_verdict (cell))
    {
    case DYNO_COMPATIBILITY_RUNS:
      return "success";
    case DYNO_COMPATIBILITY_DOES_NOT_RUN:
      return "error";
    case DYNO_COMPATIBILITY_REFUSED:
    case DYNO_COMPATIBILITY_NOT_TRIED:
    default:
      return "dim-label";
    }
}

static char *
dup_engine (DynoCompatibility *cell)
{
  DynoBackend *backend = dyno_compatibility_get_backend (cell);
  DynoDevice *device = dyno_compatibility_get_device (cell);
  g_autofree char *name =
      dyno_engine_name_dup_backend (dyno_backend_get_id (backend), dyno_backend_get_name (backend));

  return device != NULL ? g_strdup_printf ("%s · %s", name, dyno_device_get_name (device))
                        : g_steal_pointer (&name);
}

static void
setup_model_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  /* The longest name would push the engines out of the window. */
  gtk_list_item_set_child (item,
                           g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "ellipsize", PANGO_ELLIPSIZE_END,
                                         "width-chars", 12, "max-width-chars", 24, NULL));
}

static void
bind_model_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GListModel *row = gtk_list_item_get_item (item);
  GtkWidget *label = gtk_list_item_get_child (item);

  if (g_list_model_get_n_items (row) == 0)
    return;
  gtk_label_set_label (GTK_LABEL (label), dyno_compatibility_get_model (get_cell (row, 0)));
  dyno_tooltip_set (label, gtk_label_get_label (GTK_LABEL (label)));
}

static void
setup_cell_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append (GTK_BOX (box),
                  g_object_new (GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL));
  gtk_box_append (GTK_BOX (box), gtk_label_new (NULL));
  gtk_list_item_set_child (item, box);
}

static void
show_verdict (GtkWidget *box, GParamSpec *pspec, DynoCompatibility *cell)
{
  GtkWidget *icon = gtk_widget_get_first_child (box);

  gtk_image_set_from_icon_name (GTK_IMAGE (icon), get_verdict_icon (cell));
  gtk_widget_set_css_classes (icon, (const char *[]){ get_verdict_class (cell), NULL });
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_last_child (box)), get_verdict (cell));
  dyno_tooltip_set (box, dyno_compatibility_get_reason (cell));
}

static void
bind_cell_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GListModel *row = gtk_list_item_get_item (item);
  GtkWidget *box = gtk_list_item_get_child (item);
  DynoCompatibility *cell;

  if (GPOINTER_TO_UINT (user_data) >= g_list_model_get_n_items (row))
    return;
  cell = get_cell (row, GPOINTER_TO_UINT (user_data));
  show_verdict (box, NULL, cell);
  g_signal_connect_object (cell, "notify::reason", G_CALLBACK (show_verdict), box, G_CONNECT_SWAPPED);
}

static void
unbind_cell_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GListModel *row = gtk_list_item_get_item (item);

  if (GPOINTER_TO_UINT (user_data) < g_list_model_get_n_items (row))
    g_signal_handlers_disconnect_by_data (get_cell (row, GPOINTER_TO_UINT (user_data)),
                                          gtk_list_item_get_child (item));
}

/* Details of the selected model */

static void
show_detail (GtkWidget *row, GParamSpec *pspec, DynoCompatibility *cell)
{
  const char *reason = dyno_compatibility_get_reason (cell);
  GtkWidget *icon = g_object_get_data (G_OBJECT (row), "icon");
  g_autofree char *text =
      reason != NULL ? g_strdup_printf ("%s: %s", get_verdict (cell), reason) : g_strdup (get_verdict (cell));

  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), text);
  gtk_image_set_from_icon_name (GTK_IMAGE (icon), get_verdict_icon (cell));
  gtk_widget_set_css_classes (icon, (const char *[]){ get_verdict_class (cell), NULL });
}

static GtkWidget *
create_detail (gpointer item, gpointer user_data)
{
  g_autofree char *engine = dup_engine (item);
  GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", engine, NULL);
  GtkWidget *icon = g_object_new (GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);

  g_object_set_data (G_OBJECT (row), "icon", icon);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
  show_detail (row, NULL, item);
  g_signal_connect_object (item, "notify::reason", G_CALLBACK (show_detail), row, G_CONNECT_SWAPPED);
  return row;
}

/* Only one of the buttons is visible: move the focus to it, else to the table. */
static void
update_trial (DynoCompatibilityWindow *self)
{
  GListModel *row = gtk_single_selection_get_selected_item (self->selection);
  gboolean is_trying = self->trying != NULL;
  GtkWidget *shown = GTK_WIDGET (is_trying ? self->stop_button : self->try_button);
  GtkWidget *hidden = GTK_WIDGET (is_trying ? self->try_button : self->stop_button);
  gboolean had_focus = gtk_widget_has_focus (hidden);
  gboolean can_try = FALSE;

  for (guint i = 0; row != NULL && !can_try && i < g_list_model_get_n_items (row); i++)
    can_try = dyno_compatibility_can_try (get_cell (row, i));
  gtk_widget_set_sensitive (GTK_WIDGET (self->try_button), can_try);
  gtk_widget_set_visible (shown, TRUE);
  if (had_focus && !gtk_widget_grab_focus (shown))
    gtk_widget_grab_focus (GTK_WIDGET (self->view));
  gtk_widget_set_visible (hidden, FALSE);
}

static void
selected_cb (DynoCompatibilityWindow *self)
{
  GListModel *row = gtk_single_selection_get_selected_item (self->selection);
  g_autofree char *title = NULL;

  gtk_list_box_bind_model (self->details_list, row, create_detail, NULL, NULL);
  update_trial (self);
  if (row == NULL || g_list_model_get_n_items (row) == 0)
    return;
  /* Translators: %s is a model */
  title = g_strdup_printf (_ ("Where %s Runs"), dyno_compatibility_get_model (get_cell (row, 0)));
  gtk_label_set_label (self->details_label, title);
}

/* Trials run on the devices of a model one after the other, so that they do not take each other's memory. */

static void try_next (DynoCompatibilityWindow *self, GListModel *row);

static void
stop_trying (DynoCompatibilityWindow *self)
{
  g_cancellable_cancel (self->trying);
  g_clear_object (&self->trying);
  update_trial (self);
}

/* Data of a trial. */
typedef struct
{
  DynoCompatibilityWindow *self;
  GListModel *row;
} Trial;

static void
tried_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autofree Trial *trial = data;
  g_autoptr (DynoCompatibilityWindow) self = trial->self;
  g_autoptr (GListModel) row = trial->row;

  if (dyno_compatibility_try_finish (DYNO_COMPATIBILITY (object), result, NULL) && self->trying != NULL)
    try_next (self, row);
}

static void
try_next (DynoCompatibilityWindow *self, GListModel *row)
{
  Trial *trial;

  for (guint i = 0; i < g_list_model_get_n_items (row); i++)
    if (dyno_compatibility_can_try (get_cell (row, i)))
      {
        trial = g_new (Trial, 1);
        *trial = (Trial){ g_object_ref (self), g_object_ref (row) };
        dyno_compatibility_try_async (get_cell (row, i), self->trying, tried_cb, trial);
        return;
      }
  stop_trying (self);
}

static void
try_selected (DynoCompatibilityWindow *self)
{
  GListModel *row = gtk_single_selection_get_selected_item (self->selection);

  if (row == NULL || self->trying != NULL)
    return;
  if (dyno_app_session_get_runner (self->session) != NULL)
    {
      dyno_compat_present_message (
          GTK_WIDGET (self), _ ("A Benchmark Is Running"),
          _ ("Models can be tried when it has ended, as trying them would disturb its measurements."));
      return;
    }
  self->trying = g_cancellable_new ();
  update_trial (self);
  try_next (self, row);
}

/* Loading */

static void
load_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoCompatibilityWindow *self = DYNO_COMPATIBILITY_WINDOW (object);
  g_autoptr (GError) error = NULL;
  g_autoptr (GListModel) rows = g_task_propagate_pointer (G_TASK (result), &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->loading);
  if (rows != NULL)
    {
      dyno_table_clear (self->view);
      gtk_single_selection_set_model (self->selection, rows);

      /* All models have the same devices. */
      g_autoptr (GListModel) row = g_list_model_get_item (rows, 0);
      dyno_table_append (
          self->view, _ ("Model"),
          &(DynoTableColumn){ .setup = G_CALLBACK (setup_model_cb), .bind = G_CALLBACK (bind_model_cb) });
      for (guint i = 0; row != NULL && i < g_list_model_get_n_items (row); i++)
        {
          g_autofree char *title = dup_engine (get_cell (row, i));

          dyno_table_append (self->view, title,
                             &(DynoTableColumn){ .setup = G_CALLBACK (setup_cell_cb),
                                                 .bind = G_CALLBACK (bind_cell_cb),
                                                 .unbind = G_CALLBACK (unbind_cell_cb),
                                                 .data = GUINT_TO_POINTER (i) });
        }

      gtk_stack_set_visible_child_name (self->stack, "content");
    }
  else
    {
      g_autofree char *description = g_markup_escape_text (error->message, -1);

      adw_status_page_set_description (self->error_page, description);
      gtk_stack_set_visible_child_name (self->stack, "error");
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LOADING]);
}

static void
load (DynoCompatibilityWindow *self)
{
  g_autoptr (GTask) task = NULL;
  Request *request = g_new0 (Request, 1);

  request->batch_size = (guint)gtk_spin_button_get_value_as_int (self->batch_spin);
  request->sequence_length = (guint)gtk_spin_button_get_value_as_int (self->sequence_spin);
  g_set_object (&request->store, dyno_app_session_get_store (self->session));
  stop_trying (self);
  g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  self->loading = g_cancellable_new ();
  task = dyno_owned_task_new (self, self->loading, load_cb, NULL);
  g_task_set_source_tag (task, load);
  g_task_set_task_data (task, request, request_free);
  g_task_set_return_on_cancel (task, TRUE);
  g_task_run_in_thread (task, load_thread);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LOADING]);
}

static void
dyno_compatibility_window_dispose (GObject *object)
{
  DynoCompatibilityWindow *self = DYNO_COMPATIBILITY_WINDOW (object);

  g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  g_cancellable_cancel (self->trying);
  g_clear_object (&self->trying);
  if (self->details_list != NULL)
    gtk_list_box_bind_model (self->details_list, NULL, NULL, NULL, NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_COMPATIBILITY_WINDOW);
  g_clear_object (&self->selection);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (dyno_compatibility_window_parent_class)->dispose (object);
}

static void
dyno_compatibility_window_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_LOADING:
      g_value_set_boolean (value, dyno_compatibility_window_get_loading (DYNO_COMPATIBILITY_WINDOW (object)));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_compatibility_window_class_init (DynoCompatibilityWindowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = dyno_compatibility_window_dispose;
  object_class->get_property = dyno_compatibility_window_get_property;

  properties[PROP_LOADING] =
      g_param_spec_boolean ("loading", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  g_type_ensure (DYNO_TYPE_TAB_STOP);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-compatibility-window.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoCompatibilityWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, DynoCompatibilityWindow, error_page);
  gtk_widget_class_bind_template_child (widget_class, DynoCompatibilityWindow, batch_spin);
  gtk_widget_class_bind_template_child (widget_class, DynoCompatibilityWindow, sequence_spin);
  gtk_widget_class_bind_template_child (widget_class, DynoCompatibilityWindow, view);
  gtk_widget_class_bind_template_child (widget_class, DynoCompatibilityWindow, details_label);
  gtk_widget_class_bind_template_child (widget_class, DynoCompatibilityWindow, details_list);
  gtk_widget_class_bind_template_child (widget_class, DynoCompatibilityWindow, try_button);
  gtk_widget_class_bind_template_child (widget_class, DynoCompatibilityWindow, stop_button);
  gtk_widget_class_bind_template_callback (widget_class, load);
  gtk_widget_class_bind_template_callback (widget_class, try_selected);
  gtk_widget_class_bind_template_callback (widget_class, stop_trying);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
dyno_compatibility_window_init (DynoCompatibilityWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  dyno_double_click_guard (GTK_WIDGET (self->try_button));
  dyno_double_click_guard (GTK_WIDGET (self->stop_button));
  self->selection = gtk_single_selection_new (NULL);
  g_signal_connect_object (self->selection, "notify::selected-item", G_CALLBACK (selected_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
}

GtkWidget *
dyno_compatibility_window_new (DynoAppSession *session)
{
  DynoCompatibilityWindow *self = g_object_new (DYNO_TYPE_COMPATIBILITY_WINDOW, NULL);

  g_return_val_if_fail (DYNO_IS_APP_SESSION (session), GTK_WIDGET (self));

  self->session = g_object_ref (session);
  load (self);
  return GTK_WIDGET (self);
}

gboolean
dyno_compatibility_window_get_loading (DynoCompatibilityWindow *self)
{
  g_return_val_if_fail (DYNO_IS_COMPATIBILITY_WINDOW (self), FALSE);
  return self->loading != NULL;
}
