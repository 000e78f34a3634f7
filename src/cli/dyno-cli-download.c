/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <unistd.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"

static gboolean
interrupted_cb (gpointer data)
{
  g_cancellable_cancel (data);
  return G_SOURCE_CONTINUE;
}

void
dyno_cli_download_begin (DynoCliDownload *self)
{
  self->cancellable = g_cancellable_new ();
  self->loop = g_main_loop_new (NULL, FALSE);
  self->is_followed = isatty (STDERR_FILENO) != 0;
  self->interrupt = g_unix_signal_add (SIGINT, interrupted_cb, self->cancellable);
}

void
dyno_cli_download_report (const DynoProgress *progress, gpointer self)
{
  g_autofree char *bytes = g_format_size (progress->bytes);
  g_autofree char *total = g_format_size (progress->total);
  g_autofree char *line = NULL;

  if (!((DynoCliDownload *)self)->is_followed)
    return;
  if (progress->wait_seconds > 0)
    line = g_strdup_printf (ngettext ("The server asks to wait %u second.",
                                      "The server asks to wait %u seconds.", progress->wait_seconds),
                            progress->wait_seconds);
  else if (progress->is_unpacking)
    line = g_strdup_printf (_ ("Unpacking: %s of %s · %s"), bytes, total, progress->file);
  else if (progress->file != NULL)
    line = g_strdup_printf (_ ("%s of %s · %s"), bytes, total, progress->file);
  if (line != NULL)
    dyno_cli_show_progress (line);
}

void
dyno_cli_download_wait (DynoCliDownload *self)
{
  g_main_loop_run (self->loop);
  g_source_remove (self->interrupt);
  if (self->is_followed)
    dyno_cli_show_progress (NULL);
  g_clear_pointer (&self->loop, g_main_loop_unref);
  g_clear_object (&self->cancellable);
}

void
dyno_cli_download_end (DynoCliDownload *self)
{
  g_main_loop_quit (self->loop);
}

void
dyno_cli_download_take_error (GError *cause, GError **error)
{
  if (!g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, cause);
      return;
    }
  g_error_free (cause);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                       _ ("The download was stopped. The part that arrived is kept, and the next download "
                          "continues from there."));
}
