/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-progress.h"

G_BEGIN_DECLS

/**
 * DynoCliDownload:
 * @cancellable: cancelled by Ctrl+C
 *
 * A download whose progress the terminal shows.
 */
typedef struct
{
  GCancellable *cancellable;
  /*< private >*/
  GMainLoop *loop;
  gboolean is_followed;
  guint interrupt;
} DynoCliDownload;

void dyno_cli_download_begin (DynoCliDownload *self);
/* Shows the progress on the terminal, if there is one. */
void dyno_cli_download_report (const DynoProgress *progress, gpointer self);
/* Waits until dyno_cli_download_end() is called. */
void dyno_cli_download_wait (DynoCliDownload *self);
void dyno_cli_download_end (DynoCliDownload *self);
/* Passes @cause on as @error; a cancellation gets a message for people. Takes @cause. */
void dyno_cli_download_take_error (GError *cause, GError **error);

G_END_DECLS
