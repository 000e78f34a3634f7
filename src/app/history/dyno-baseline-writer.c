/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-history-private.h"
#include "dyno-app-widgets-private.h"

typedef struct
{
  DynoStore *store;
  char *name;
  char *run_id;
  gboolean can_undo;
} Change;

static Change *
change_new (DynoStore *store, const char *name, const char *run_id)
{
  Change *change = g_new0 (Change, 1);

  change->store = g_object_ref (store);
  change->name = g_strdup (name);
  change->run_id = g_strdup (run_id);
  return change;
}

static void
change_free (Change *change)
{
  g_object_unref (change->store);
  g_free (change->name);
  g_free (change->run_id);
  g_free (change);
}

static void
start (GtkWidget *widget, Change *change, GTaskThreadFunc thread, GAsyncReadyCallback callback)
{
  dyno_writing_begin ();
  dyno_thread_task_run (widget, NULL, thread, change, (GDestroyNotify)change_free, callback);
}

static void
finish (GTask *task, gboolean done, GError *error)
{
  if (done)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* Naming */

static void
set_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Change *change = data;
  GError *error = NULL;
  gboolean done = dyno_store_set_baseline (change->store, change->name, change->run_id, &error);

  finish (task, done, error);
}

static void
set_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  const Change *change = g_task_get_task_data (G_TASK (result));
  g_autofree char *text = g_strdup_printf (_ ("The run is the baseline “%s” now"), change->name);
  g_autoptr (GError) error = NULL;

  dyno_writing_end ();
  if (g_task_propagate_boolean (G_TASK (result), &error))
    dyno_toast_say (GTK_WIDGET (object), text);
  else
    dyno_toast_report_error (GTK_WIDGET (object), _ ("The run could not be named"), error);
}

void
dyno_baseline_writer_set (GtkWidget *widget, DynoStore *store, const char *name, const char *run_id)
{
  start (widget, change_new (store, name, run_id), set_thread, set_cb);
}

/* Removing */

static void
undo_cb (GtkWidget *widget, AdwToast *toast)
{
  const Change *change = g_object_get_data (G_OBJECT (toast), "change");

  dyno_baseline_writer_set (widget, change->store, change->name, change->run_id);
}

static void
remove_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Change *change = data;
  GError *error = NULL;
  gboolean done = dyno_store_remove_baseline (change->store, change->name, &error);

  finish (task, done, error);
}

static void
removed_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  const Change *change = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  dyno_writing_end ();
  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      dyno_toast_report_error (GTK_WIDGET (object), _ ("The baseline could not be removed"), error);
      return;
    }

  g_autofree char *text = g_markup_printf_escaped (_ ("Baseline “%s” removed"), change->name);
  AdwToast *toast = adw_toast_new (text);
  if (change->can_undo)
    {
      adw_toast_set_button_label (toast, _ ("_Undo"));
      g_object_set_data_full (G_OBJECT (toast), "change",
                              change_new (change->store, change->name, change->run_id),
                              (GDestroyNotify)change_free);
      g_signal_connect_object (toast, "button-clicked", G_CALLBACK (undo_cb), object, G_CONNECT_SWAPPED);
    }
  dyno_toast_add (GTK_WIDGET (object), toast);
}

void
dyno_baseline_writer_remove (GtkWidget *widget, DynoStore *store, const DynoBaseline *baseline)
{
  Change *change = change_new (store, baseline->name, baseline->run_id);

  change->can_undo = baseline->is_kept;
  start (widget, change, remove_thread, removed_cb);
}
