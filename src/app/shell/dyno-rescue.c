/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-shell-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"
#include "dyno-store.h"

typedef struct
{
  GtkWindow *window;
  DynoRun *run;
  char *reason;
} Rescue;

static void
rescue_free (Rescue *rescue)
{
  g_object_unref (rescue->window);
  g_object_unref (rescue->run);
  g_free (rescue->reason);
  g_free (rescue);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Rescue, rescue_free)

/* If writing the document fails as well, the dialog opens again until the run is saved or discarded. */
static void
saved_cb (GObject *run, GAsyncResult *result, gpointer data)
{
  g_autoptr (Rescue) rescue = data;
  g_autoptr (GError) error = NULL;

  dyno_writing_end ();
  if (dyno_store_save_run_finish (result, &error))
    dyno_toast_say (GTK_WIDGET (rescue->window), _ ("The run was saved as a document."));
  else
    dyno_rescue_present (rescue->window, rescue->run, error->message);
}

static void
file_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (Rescue) rescue = data;
  g_autoptr (GFile) file = dyno_compat_choose_finish (result);
  DynoRun *run;

  if (file == NULL || g_file_peek_path (file) == NULL)
    {
      dyno_rescue_present (rescue->window, rescue->run, rescue->reason);
      return;
    }
  run = rescue->run;
  dyno_writing_begin ();
  dyno_store_save_run_async (run, g_file_peek_path (file), NULL, saved_cb, g_steal_pointer (&rescue));
}

static void
answer_cb (gboolean save, gpointer data)
{
  g_autoptr (Rescue) rescue = data;
  GtkWidget *window = GTK_WIDGET (rescue->window);
  const char *title = dyno_run_get_title (rescue->run);
  g_autofree char *name = g_strdup_printf ("%s.dyno", title != NULL && *title != '\0' ? title : _ ("Run"));
  const DynoCompatFormat formats[] = { { "dyno", _ ("Dyno results") }, { NULL } };

  if (save)
    dyno_compat_save_file_async (window, _ ("Save the Run"), g_strdelimit (name, "/", '-'), formats, file_cb,
                                 g_steal_pointer (&rescue));
}

void
dyno_rescue_present (GtkWindow *window, DynoRun *run, const char *reason)
{
  Rescue *rescue;

  g_return_if_fail (GTK_IS_WINDOW (window));
  g_return_if_fail (DYNO_IS_RUN (run));

  rescue = g_new0 (Rescue, 1);
  rescue->window = g_object_ref (window);
  rescue->run = g_object_ref (run);
  rescue->reason = g_strdup (reason);
  dyno_compat_ask_to_save (GTK_WIDGET (window), _ ("Save the Results?"), reason, answer_cb, rescue);
}
