/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-result-sink.h"

G_DEFINE_INTERFACE (DynoResultSink, dyno_result_sink, G_TYPE_OBJECT)

static void
dyno_result_sink_default_init (DynoResultSinkInterface *iface)
{
}

gboolean
dyno_result_sink_begin_run (DynoResultSink *self, DynoRun *run, GError **error)
{
  g_return_val_if_fail (DYNO_IS_RESULT_SINK (self), FALSE);
  return DYNO_RESULT_SINK_GET_IFACE (self)->begin_run (self, run, error);
}

gboolean
dyno_result_sink_add_result (DynoResultSink *self, DynoRun *run, DynoResult *result, GError **error)
{
  g_return_val_if_fail (DYNO_IS_RESULT_SINK (self), FALSE);
  return DYNO_RESULT_SINK_GET_IFACE (self)->add_result (self, run, result, error);
}

gboolean
dyno_result_sink_end_run (DynoResultSink *self, DynoRun *run, GError **error)
{
  g_return_val_if_fail (DYNO_IS_RESULT_SINK (self), FALSE);
  return DYNO_RESULT_SINK_GET_IFACE (self)->end_run (self, run, error);
}

GPtrArray *
dyno_result_sink_load_ceilings (DynoResultSink *self, DynoRun *run)
{
  DynoResultSinkInterface *iface;

  g_return_val_if_fail (DYNO_IS_RESULT_SINK (self), NULL);
  iface = DYNO_RESULT_SINK_GET_IFACE (self);
  return iface->load_ceilings != NULL ? iface->load_ceilings (self, run) : NULL;
}

gboolean
dyno_result_sink_save_ceilings (DynoResultSink *self, DynoRun *run, GPtrArray *ceilings, GError **error)
{
  g_return_val_if_fail (DYNO_IS_RESULT_SINK (self), FALSE);
  return DYNO_RESULT_SINK_GET_IFACE (self)->save_ceilings (self, run, ceilings, error);
}

GHashTable *
dyno_result_sink_load_durations (DynoResultSink *self, DynoRun *run)
{
  DynoResultSinkInterface *iface;

  g_return_val_if_fail (DYNO_IS_RESULT_SINK (self), NULL);
  iface = DYNO_RESULT_SINK_GET_IFACE (self);
  return iface->load_durations != NULL ? iface->load_durations (self, run) : NULL;
}

DynoSelfTest *
dyno_result_sink_load_self_test (DynoResultSink *self, DynoRun *run)
{
  DynoResultSinkInterface *iface;

  g_return_val_if_fail (DYNO_IS_RESULT_SINK (self), NULL);
  iface = DYNO_RESULT_SINK_GET_IFACE (self);
  return iface->load_self_test != NULL ? iface->load_self_test (self, run) : NULL;
}
