/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoProgress:
 * @file: the file that is being worked on, or %NULL while the server is asked what there is
 * @bytes: what is there of all files
 * @total: what there will be
 * @wait_seconds: how long the server asked to wait, 0 where it did not
 * @is_unpacking: whether @bytes and @total are those of an archive that is being unpacked
 *
 * How far a download is.
 */
typedef struct
{
  const char *file;
  guint64 bytes;
  guint64 total;
  guint wait_seconds;
  gboolean is_unpacking;
} DynoProgress;

/**
 * DynoProgressFunc:
 * @progress: how far it is
 * @user_data: what was passed along
 *
 * Called in the main context in which the download was started.
 */
typedef void (*DynoProgressFunc) (const DynoProgress *progress, gpointer user_data);

/**
 * DynoProgressReporter:
 *
 * Counts in the thread of a download, and reports to the thread that started it, ten times a second at most.
 */
typedef struct _DynoProgressReporter DynoProgressReporter;

/* Returns what counts. @progress: called with the progress, in the main context that is the thread's
 * default now. */
DynoProgressReporter *dyno_progress_reporter_new (DynoProgressFunc progress, gpointer user_data);
void dyno_progress_reporter_free (DynoProgressReporter *self);
/* Counts from 0. @total: how many bytes there will be. */
void dyno_progress_reporter_begin (DynoProgressReporter *self, guint64 total, gboolean is_unpacking);
void dyno_progress_reporter_set_file (DynoProgressReporter *self, const char *file);
/* @n_bytes: how many bytes more are there. */
void dyno_progress_reporter_count (guint64 n_bytes, gpointer self);
void dyno_progress_reporter_wait (guint seconds, gpointer self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoProgressReporter, dyno_progress_reporter_free)

G_END_DECLS
