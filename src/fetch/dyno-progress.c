/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-progress.h"
#include "dyno-task.h"

/* The time between reports, for a moving bar, in microseconds. */
#define REPORT_PERIOD (G_USEC_PER_SEC / 10)

struct _DynoProgressReporter
{
  DynoProgressFunc progress;
  gpointer user_data;
  GMainContext *context;
  char *file;
  DynoProgress now;
  gint64 reported_at;
};

/* A report that was sent but not yet received. */
typedef struct
{
  DynoProgressFunc progress;
  gpointer user_data;
  char *file;
  DynoProgress moment;
} Report;

static void
report_free (gpointer data)
{
  Report *report = data;

  g_free (report->file);
  g_free (report);
}

static gboolean
report_cb (gpointer data)
{
  Report *report = data;

  report->moment.file = report->file;
  report->progress (&report->moment, report->user_data);
  return G_SOURCE_REMOVE;
}

static void
report (DynoProgressReporter *self)
{
  Report *news = g_new (Report, 1);

  *news = (Report){ self->progress, self->user_data, g_strdup (self->file), self->now };
  self->reported_at = g_get_monotonic_time ();
  dyno_delivery_send (self->context, report_cb, news, report_free);
}

DynoProgressReporter *
dyno_progress_reporter_new (DynoProgressFunc progress, gpointer user_data)
{
  DynoProgressReporter *self = g_new0 (DynoProgressReporter, 1);

  self->progress = progress;
  self->user_data = user_data;
  self->context = g_main_context_ref_thread_default ();
  return self;
}

void
dyno_progress_reporter_free (DynoProgressReporter *self)
{
  g_main_context_unref (self->context);
  g_free (self->file);
  g_free (self);
}

void
dyno_progress_reporter_begin (DynoProgressReporter *self, guint64 total, gboolean is_unpacking)
{
  self->now = (DynoProgress){ .total = total, .is_unpacking = is_unpacking };
}

void
dyno_progress_reporter_set_file (DynoProgressReporter *self, const char *file)
{
  g_free (self->file);
  self->file = g_strdup (file);
  report (self);
}

void
dyno_progress_reporter_count (gint64 n_bytes, gpointer self)
{
  DynoProgressReporter *reporter = self;

  reporter->now.bytes += (guint64)n_bytes;
  if (g_get_monotonic_time () - reporter->reported_at >= REPORT_PERIOD)
    report (reporter);
}

void
dyno_progress_reporter_wait (guint seconds, gpointer self)
{
  DynoProgressReporter *reporter = self;

  reporter->now.wait_seconds = seconds;
  report (reporter);
  reporter->now.wait_seconds = 0;
}
