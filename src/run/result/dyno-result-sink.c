/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-result-sink.h"

G_DEFINE_INTERFACE (DynoResultSink, dyno_result_sink, G_TYPE_OBJECT)

static void
dyno_result_sink_default_init (DynoResultSinkInterface *iface)
{
}

/**
 * dyno_result_sink_begin_run:
 * @self: a sink
 * @run: the run that begins, without results
 * @error: return location
 *
 * Returns: whether the sink took it
 */
gboolean
dyno_result_sink_begin_run (DynoResultSink *self, DynoRun *run, GError **error)
{
  g_return_val_if_fail (DYNO_IS_RESULT_SINK (self), FALSE);
  return DYNO_RESULT_SINK_GET_IFACE (self)->begin_run (self, run, error);
}

/**
 * dyno_result_sink_add_result:
 * @self: a sink
 * @run: the run it belongs to
 * @result: a case that will not change any more
 * @error: return location
 *
 * Returns: whether the result is safe: it survives whatever happens to the process from now on
 */
gboolean
dyno_result_sink_add_result (DynoResultSink *self, DynoRun *run, DynoResult *result, GError **error)
{
  g_return_val_if_fail (DYNO_IS_RESULT_SINK (self), FALSE);
  return DYNO_RESULT_SINK_GET_IFACE (self)->add_result (self, run, result, error);
}

/**
 * dyno_result_sink_end_run:
 * @self: a sink
 * @run: the run that ended
 * @error: return location
 *
 * Returns: whether the sink noted it
 */
gboolean
dyno_result_sink_end_run (DynoResultSink *self, DynoRun *run, GError **error)
{
  g_return_val_if_fail (DYNO_IS_RESULT_SINK (self), FALSE);
  return DYNO_RESULT_SINK_GET_IFACE (self)->end_run (self, run, error);
}

/**
 * dyno_result_sink_load_ceilings:
 * @self: a sink
 * @run: a run that has begun, whose machine is known
 *
 * Returns: (transfer full) (nullable) (element-type DynoCeiling): what was measured of that machine before; %NULL where
 *   the sink remembers no ceilings or cannot read them
 */
GPtrArray *
dyno_result_sink_load_ceilings (DynoResultSink *self, DynoRun *run)
{
  DynoResultSinkInterface *iface;

  g_return_val_if_fail (DYNO_IS_RESULT_SINK (self), NULL);
  iface = DYNO_RESULT_SINK_GET_IFACE (self);
  return iface->load_ceilings != NULL ? iface->load_ceilings (self, run) : NULL;
}

/**
 * dyno_result_sink_save_ceilings:
 * @self: a sink that remembers ceilings
 * @run: a run that has begun, whose machine is known
 * @ceilings: (element-type DynoCeiling): what was measured of that machine
 * @error: return location
 *
 * Returns: whether they are safe
 */
gboolean
dyno_result_sink_save_ceilings (DynoResultSink *self, DynoRun *run, GPtrArray *ceilings, GError **error)
{
  g_return_val_if_fail (DYNO_IS_RESULT_SINK (self), FALSE);
  return DYNO_RESULT_SINK_GET_IFACE (self)->save_ceilings (self, run, ceilings, error);
}

/**
 * dyno_result_sink_load_durations:
 * @self: a sink
 * @run: a run that is about to begin, whose machine is known
 *
 * Returns: (transfer full) (nullable) (element-type utf8 double): how many seconds the phases of cases took on that
 *   machine when they were measured last, by the JSON of the case; %NULL where the sink remembers none
 */
GHashTable *
dyno_result_sink_load_durations (DynoResultSink *self, DynoRun *run)
{
  DynoResultSinkInterface *iface;

  g_return_val_if_fail (DYNO_IS_RESULT_SINK (self), NULL);
  iface = DYNO_RESULT_SINK_GET_IFACE (self);
  return iface->load_durations != NULL ? iface->load_durations (self, run) : NULL;
}

/**
 * dyno_result_sink_load_self_test:
 * @self: a sink
 * @run: a run that is about to begin, whose machine is known
 *
 * Returns: (transfer full) (nullable): the newest self-test of that machine; %NULL where the sink knows none
 */
DynoSelfTest *
dyno_result_sink_load_self_test (DynoResultSink *self, DynoRun *run)
{
  DynoResultSinkInterface *iface;

  g_return_val_if_fail (DYNO_IS_RESULT_SINK (self), NULL);
  iface = DYNO_RESULT_SINK_GET_IFACE (self);
  return iface->load_self_test != NULL ? iface->load_self_test (self, run) : NULL;
}
