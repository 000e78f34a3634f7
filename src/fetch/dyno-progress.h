/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoProgress:
 * @file: the current file; NULL while the server is asked for the list of files
 * @bytes: the number of bytes so far, of all files
 * @total: the number of bytes of all files
 * @wait_seconds: the time that the server asked to wait, 0 for none
 * @is_unpacking: whether @bytes and @total are those of an archive that is being unpacked
 *
 * The progress of a download.
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
 * @progress: the progress
 * @user_data: user data
 *
 * Called in the main context in which the download was started.
 */
typedef void (*DynoProgressFunc) (const DynoProgress *progress, gpointer user_data);

/**
 * DynoProgressReporter:
 *
 * Counts in the thread of a download, and reports to the thread that started it, at most ten times a
 * second.
 */
typedef struct _DynoProgressReporter DynoProgressReporter;

/* Returns a reporter. @progress: called with the progress, in the main context that is the thread's default
 * now. */
DynoProgressReporter *dyno_progress_reporter_new (DynoProgressFunc progress, gpointer user_data);
void dyno_progress_reporter_free (DynoProgressReporter *self);
/* Starts again at 0. @total: the expected number of bytes. */
void dyno_progress_reporter_begin (DynoProgressReporter *self, guint64 total, gboolean is_unpacking);
void dyno_progress_reporter_set_file (DynoProgressReporter *self, const char *file);
/* @n_bytes: the number of new bytes; below zero for bytes that are dropped. */
void dyno_progress_reporter_count (gint64 n_bytes, gpointer self);
void dyno_progress_reporter_wait (guint seconds, gpointer self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoProgressReporter, dyno_progress_reporter_free)

G_END_DECLS
