/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-progress.h"

G_BEGIN_DECLS

/**
 * DynoCliDownload:
 * @cancellable: cancelled by Ctrl+C
 *
 * A download that the terminal follows.
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
/* Shows on the terminal, if there is one, how far it is. */
void dyno_cli_download_report (const DynoProgress *progress, gpointer self);
/* Waits until dyno_cli_download_end() is called. */
void dyno_cli_download_wait (DynoCliDownload *self);
void dyno_cli_download_end (DynoCliDownload *self);
/* Takes @cause. @error: for that in words. */
void dyno_cli_download_take_error (GError *cause, GError **error);

G_END_DECLS
