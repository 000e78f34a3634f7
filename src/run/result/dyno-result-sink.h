/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

#define DYNO_TYPE_RESULT_SINK (dyno_result_sink_get_type ())

/**
 * DynoResultSink:
 *
 * Where a runner puts what it has finished; the store is one. Calls come from a thread that is not the
 * main one, never two at a time for one run.
 */
G_DECLARE_INTERFACE (DynoResultSink, dyno_result_sink, DYNO, RESULT_SINK, GObject)

struct _DynoResultSinkInterface
{
  GTypeInterface parent_iface;

  gboolean (*begin_run) (DynoResultSink *self, DynoRun *run, GError **error);
  gboolean (*add_result) (DynoResultSink *self, DynoRun *run, DynoResult *result, GError **error);
  gboolean (*end_run) (DynoResultSink *self, DynoRun *run, GError **error);
  GPtrArray *(*load_ceilings) (DynoResultSink *self, DynoRun *run);
  gboolean (*save_ceilings) (DynoResultSink *self, DynoRun *run, GPtrArray *ceilings, GError **error);
  GHashTable *(*load_durations) (DynoResultSink *self, DynoRun *run);
  DynoSelfTest *(*load_self_test) (DynoResultSink *self, DynoRun *run);
};

gboolean dyno_result_sink_begin_run (DynoResultSink *self, DynoRun *run, GError **error);
gboolean dyno_result_sink_add_result (DynoResultSink *self, DynoRun *run, DynoResult *result, GError **error);
gboolean dyno_result_sink_end_run (DynoResultSink *self, DynoRun *run, GError **error);
GPtrArray *dyno_result_sink_load_ceilings (DynoResultSink *self, DynoRun *run);
gboolean
dyno_result_sink_save_ceilings (DynoResultSink *self, DynoRun *run, GPtrArray *ceilings, GError **error);
GHashTable *dyno_result_sink_load_durations (DynoResultSink *self, DynoRun *run);
DynoSelfTest *dyno_result_sink_load_self_test (DynoResultSink *self, DynoRun *run);

G_END_DECLS
