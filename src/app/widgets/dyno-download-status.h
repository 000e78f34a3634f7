/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-progress.h"

G_BEGIN_DECLS

#define DYNO_TYPE_DOWNLOAD_STATUS (dyno_download_status_get_type ())

/**
 * DynoDownloadStatus:
 *
 * How far the download of its window is, and what went wrong with the last one. The download is cancelled when the
 * window closes.
 */
G_DECLARE_FINAL_TYPE (DynoDownloadStatus, dyno_download_status, DYNO, DOWNLOAD_STATUS, AdwBin)

/* Returns what cancels the download. */
GCancellable *dyno_download_status_begin (DynoDownloadStatus *self, const char *text);
/* Returns what cancels the download, NULL if there is none, also once its window is closed. */
GCancellable *dyno_download_status_get_cancellable (DynoDownloadStatus *self);
/* @fraction: how much of it is done, 0 to 1. */
void dyno_download_status_say (DynoDownloadStatus *self, const char *text, double fraction);
/* Shows it, a [callback@Dyno.ProgressFunc]. What is being cancelled may still report: that is not shown. */
void dyno_download_status_report (const DynoProgress *progress, gpointer self);
/* Shows no more what went wrong. */
void dyno_download_status_clear_problem (DynoDownloadStatus *self);
/* @error: what went wrong. */
void dyno_download_status_end (DynoDownloadStatus *self, const GError *error);

G_END_DECLS
