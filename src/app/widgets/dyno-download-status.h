/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-progress.h"

G_BEGIN_DECLS

#define DYNO_TYPE_DOWNLOAD_STATUS (dyno_download_status_get_type ())

/**
 * DynoDownloadStatus:
 *
 * The progress of the window's download, and the error of the last one. Closing the window cancels the
 * download.
 */
G_DECLARE_FINAL_TYPE (DynoDownloadStatus, dyno_download_status, DYNO, DOWNLOAD_STATUS, AdwBin)

/* Returns the cancellable of the new download. */
GCancellable *dyno_download_status_begin (DynoDownloadStatus *self, const char *text);
/* Returns the cancellable of the download; NULL if there is none, or once its window is closed. */
GCancellable *dyno_download_status_get_cancellable (DynoDownloadStatus *self);
/* @fraction: the finished part, 0 to 1. */
void dyno_download_status_say (DynoDownloadStatus *self, const char *text, double fraction);
/* Shows the progress, as a [callback@Dyno.ProgressFunc]. Ignores reports of a cancelled download. */
void dyno_download_status_report (const DynoProgress *progress, gpointer self);
/* Hides the error. */
void dyno_download_status_clear_problem (DynoDownloadStatus *self);
/* @error: the error that ended the download, if any. */
void dyno_download_status_end (DynoDownloadStatus *self, const GError *error);

G_END_DECLS
