/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

#define DYNO_TYPE_RESULT_SINK (dyno_result_sink_get_type ())

/**
 * DynoResultSink:
 *
 * Receives the finished cases of a runner; the store is one. Calls never come from the main thread, nor two
 * at a time for one run.
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

/* Returns whether the sink took it. */
gboolean dyno_result_sink_begin_run (DynoResultSink *self, DynoRun *run, GError **error);
/* Returns whether the result is safe: it survives whatever happens to the process from now on. */
gboolean dyno_result_sink_add_result (DynoResultSink *self, DynoRun *run, DynoResult *result, GError **error);
/* Returns whether the sink noted it. */
gboolean dyno_result_sink_end_run (DynoResultSink *self, DynoRun *run, GError **error);
/* Returns the earlier ceilings of that machine; NULL if the sink has none or cannot read them. Elements are
 * DynoCeiling. */
GPtrArray *dyno_result_sink_load_ceilings (DynoResultSink *self, DynoRun *run);
/* Returns whether they are stored safely. @ceilings holds DynoCeiling. */
gboolean
dyno_result_sink_save_ceilings (DynoResultSink *self, DynoRun *run, GPtrArray *ceilings, GError **error);
/* Returns how long cases took in their last measurement on that machine, by the JSON of the case and of its
 * kin; NULL if the sink has none. It maps utf8 to DynoCaseDuration. @run: a run that is about to begin, whose
 * machine is known. */
GHashTable *dyno_result_sink_load_durations (DynoResultSink *self, DynoRun *run);
/* Returns the newest self-test of that machine; NULL if the sink has none. @run: a run that is about to
 * begin, whose machine is known. */
DynoSelfTest *dyno_result_sink_load_self_test (DynoResultSink *self, DynoRun *run);

G_END_DECLS
