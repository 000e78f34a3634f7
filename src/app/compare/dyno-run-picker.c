/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-compare-private.h"
#include "dyno-app-session-private.h"
#include "dyno-app-widgets-private.h"

struct _DynoRunPicker
{
  GtkPopover parent_instance;

  DynoAppSession *session;
  DynoRunCatalog *catalog;
  GtkEditable *search_entry;
  GtkStack *stack;
  GtkListView *list_view;
};

enum
{
  PICKED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoRunPicker, dyno_run_picker, GTK_TYPE_POPOVER)

static guint signals[N_SIGNALS];

static void
search_changed_cb (DynoRunPicker *self)
{
  const char *text = gtk_editable_get_text (self->search_entry);

  dyno_run_catalog_set_search (self->catalog, *text != '\0' ? text : NULL);
}

/* The popover stays open for the next pick; the picked run leaves the list. */
static void
pick (DynoRunPicker *self, guint position)
{
  g_autoptr (DynoRunEntry) entry =
      g_list_model_get_item (dyno_run_catalog_get_model (self->catalog), position);

  if (entry == NULL)
    return;
  g_signal_emit (self, signals[PICKED], 0, entry);
}

static void
search_activated_cb (DynoRunPicker *self)
{
  pick (self, 0);
}

/* Runs are listed once they are asked for: a list grows with each run that is made, and a view makes the widgets of some two
 * hundred rows even where it is not shown. */
static void
show_cb (DynoRunPicker *self)
{
  DynoStore *store = dyno_app_session_get_store (self->session);

  if (gtk_list_view_get_model (self->list_view) == NULL)
    {
      GListModel *model = dyno_run_catalog_get_model (self->catalog);
      g_autoptr (GtkNoSelection) selection = gtk_no_selection_new (g_object_ref (model));

      dyno_run_catalog_set_documents (self->catalog, dyno_app_session_get_documents (self->session));
      gtk_list_view_set_model (self->list_view, GTK_SELECTION_MODEL (selection));
    }
  if (store != NULL && dyno_run_catalog_get_runs (self->catalog) == NULL)
    dyno_run_catalog_set_store (self->catalog, store);
  else
    dyno_run_catalog_refresh (self->catalog);
}

static void
update_stack (DynoRunPicker *self)
{
  gboolean any = g_list_model_get_n_items (dyno_run_catalog_get_model (self->catalog)) > 0;

  gtk_stack_set_visible_child_name (self->stack,
                                    any || dyno_run_catalog_get_loading (self->catalog) ? "list" : "empty");
}

static void
dyno_run_picker_dispose (GObject *object)
{
  DynoRunPicker *self = DYNO_RUN_PICKER (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_RUN_PICKER);
  g_clear_object (&self->catalog);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (dyno_run_picker_parent_class)->dispose (object);
}

static void
dyno_run_picker_class_init (DynoRunPickerClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_run_picker_dispose;

  signals[PICKED] = g_signal_new ("picked", DYNO_TYPE_RUN_PICKER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, DYNO_TYPE_RUN_ENTRY);

  g_type_ensure (DYNO_TYPE_RUN_ENTRY);
  g_type_ensure (DYNO_TYPE_TAB_STOP);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-run-picker.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoRunPicker, search_entry);
  gtk_widget_class_bind_template_child (widget_class, DynoRunPicker, stack);
  gtk_widget_class_bind_template_child (widget_class, DynoRunPicker, list_view);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, pick);
  gtk_widget_class_bind_template_callback (widget_class, show_cb);
}

static void
dyno_run_picker_init (DynoRunPicker *self)
{
  GListModel *model;

  self->catalog = dyno_run_catalog_new (FALSE);
  gtk_widget_init_template (GTK_WIDGET (self));
  model = dyno_run_catalog_get_model (self->catalog);
  g_signal_connect_object (model, "items-changed", G_CALLBACK (update_stack), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->catalog, "state-changed", G_CALLBACK (update_stack), self,
                           G_CONNECT_SWAPPED);
}

void
dyno_run_picker_set_session (DynoRunPicker *self, DynoAppSession *session)
{
  g_return_if_fail (DYNO_IS_RUN_PICKER (self));
  g_return_if_fail (DYNO_IS_APP_SESSION (session));

  g_set_object (&self->session, session);
}

DynoRunCatalog *
dyno_run_picker_get_catalog (DynoRunPicker *self)
{
  g_return_val_if_fail (DYNO_IS_RUN_PICKER (self), NULL);
  return self->catalog;
}
