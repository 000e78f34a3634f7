/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-results-private.h"
#include "dyno-app-widgets-private.h"

struct _DynoBinWindow
{
  AdwWindow parent_instance;

  DynoStore *store;
  GtkStack *stack;
  GtkListBox *list;
};

G_DEFINE_FINAL_TYPE (DynoBinWindow, dyno_bin_window, ADW_TYPE_WINDOW)

static void
restored_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoBinWindow) self = DYNO_BIN_WINDOW (user_data);
  g_autoptr (GError) error = NULL;

  dyno_writing_end ();
  if (!dyno_store_restore_run_finish (DYNO_STORE (object), result, &error))
    dyno_toast_report_error (GTK_WIDGET (self), _ ("The run could not be restored"), error);
}

static void
restore_cb (GtkButton *button, DynoBinWindow *self)
{
  const char *id = gtk_widget_get_name (GTK_WIDGET (button));

  gtk_widget_set_sensitive (GTK_WIDGET (button), FALSE);
  dyno_writing_begin ();
  dyno_store_restore_run_async (self->store, id, NULL, restored_cb, g_object_ref (self));
}

static void
listed_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoBinWindow) self = DYNO_BIN_WINDOW (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = dyno_store_list_bin_finish (DYNO_STORE (object), result, &error);

  if (self->store == NULL)
    return;
  if (runs == NULL)
    {
      dyno_toast_report_error (GTK_WIDGET (self), _ ("The deleted runs could not be listed"), error);
      return;
    }
  dyno_list_box_clear (self->list);
  for (guint i = 0; i < runs->len; i++)
    {
      DynoRun *run = runs->pdata[i];
      const char *own_title = dyno_run_get_title (run);
      const char *title = own_title != NULL && *own_title != '\0' ? own_title : _ ("Untitled Run");
      /* Translators: %s is the title of a deleted run */
      g_autofree char *label = g_strdup_printf (_ ("Restore “%s”"), title);
      g_autofree char *date = dyno_format_date (dyno_run_get_started_at (run));
      GtkWidget *row =
          g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", title, "subtitle", date, NULL);
      GtkWidget *button = g_object_new (GTK_TYPE_BUTTON, "label", _ ("_Restore"), "use-underline", TRUE,
                                        "valign", GTK_ALIGN_CENTER, "name", dyno_run_get_id (run), NULL);

      gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
      g_signal_connect_object (button, "clicked", G_CALLBACK (restore_cb), self, 0);
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
      adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), button);
      gtk_list_box_append (self->list, row);
    }
  gtk_stack_set_visible_child_name (self->stack, runs->len > 0 ? "runs" : "empty");
}

static void
refresh (DynoBinWindow *self)
{
  dyno_store_list_bin_async (self->store, NULL, listed_cb, g_object_ref (self));
}

static void
dyno_bin_window_dispose (GObject *object)
{
  DynoBinWindow *self = DYNO_BIN_WINDOW (object);

  g_clear_object (&self->store);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_BIN_WINDOW);

  G_OBJECT_CLASS (dyno_bin_window_parent_class)->dispose (object);
}

static void
dyno_bin_window_class_init (DynoBinWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_bin_window_dispose;

  g_type_ensure (DYNO_TYPE_TAB_STOP);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-bin-window.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoBinWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, DynoBinWindow, list);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
dyno_bin_window_init (DynoBinWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
dyno_bin_window_new (DynoStore *store)
{
  DynoBinWindow *self;

  g_return_val_if_fail (DYNO_IS_STORE (store), NULL);

  self = g_object_new (DYNO_TYPE_BIN_WINDOW, NULL);
  self->store = g_object_ref (store);
  g_signal_connect_object (store, "changed", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED);
  refresh (self);
  return GTK_WIDGET (self);
}
