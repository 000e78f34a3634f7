/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib-unix.h>
#include <signal.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"

typedef struct
{
  GMainLoop *loop;
  GCancellable *cancellable;
  GSList *signals;
  DynoRun *run;
  GError *error;
} Measuring;

static void
run_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Measuring *measuring = user_data;

  measuring->run = dyno_runner_run_finish (DYNO_RUNNER (source), result, &measuring->error);
  g_main_loop_quit (measuring->loop);
}

/* The first signal asks the run to stop and keeps finished cases; the source is removed then, so a second one
 * kills the process. */
static gboolean
signal_cb (gpointer user_data)
{
  Measuring *measuring = user_data;

  g_cancellable_cancel (measuring->cancellable);
  return G_SOURCE_REMOVE;
}

/* Signals that the parent process ignores, as “nohup” does, stay ignored. */
static void
watch_signal (int number, Measuring *measuring)
{
  struct sigaction action;
  GSource *source;

  if (sigaction (number, NULL, &action) != 0 || action.sa_handler == SIG_IGN)
    return;
  source = g_unix_signal_source_new (number);
  g_source_set_callback (source, signal_cb, measuring, NULL);
  g_source_attach (source, NULL);
  measuring->signals = g_slist_prepend (measuring->signals, source);
}

static void
stop_watching (gpointer source)
{
  g_source_destroy (source);
  g_source_unref (source);
}

DynoRun *
dyno_cli_measure (DynoRunner *runner, DynoStore *store, gboolean *is_kept, GError **error)
{
  g_autoptr (DynoCliProgress) progress = dyno_cli_progress_new (runner);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *waiting = NULL;
  Measuring measuring = { .loop = loop, .cancellable = cancellable };

  watch_signal (SIGINT, &measuring);
  watch_signal (SIGTERM, &measuring);
  watch_signal (SIGHUP, &measuring);
  dyno_runner_run_async (runner, cancellable, run_cb, &measuring);
  g_main_loop_run (loop);
  g_slist_free_full (measuring.signals, stop_watching);
  *is_kept = dyno_runner_get_warning (runner) == NULL;
  waiting = store != NULL ? dyno_store_dup_spool_message (store) : NULL;
  if (dyno_runner_get_note (runner) != NULL)
    dyno_cli_warn ("%s", dyno_runner_get_note (runner));
  if (!*is_kept)
    dyno_cli_warn ("%s", dyno_runner_get_warning (runner));
  else if (waiting != NULL)
    dyno_cli_warn ("%s", waiting);
  if (measuring.error != NULL)
    g_propagate_error (error, measuring.error);
  return measuring.run;
}
