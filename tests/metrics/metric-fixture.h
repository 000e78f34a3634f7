/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <string.h>

#include "dyno-metric.h"

/* A new metric by its id. */
static inline DynoMetric *
metric_fixture_create (const char *id)
{
  g_autoptr (GPtrArray) metrics = dyno_metric_create_all (TRUE);

  for (guint i = 0; i < metrics->len; i++)
    if (g_str_equal (dyno_metric_get_id (metrics->pdata[i]), id))
      return g_object_ref (metrics->pdata[i]);
  g_assert_not_reached ();
}

/* What was said under a code; %NULL if nothing was. */
static inline DynoDiagnostic *
metric_fixture_find_diagnostic (DynoMeasurement *measurement, const char *code)
{
  GPtrArray *diagnostics = measurement->diagnostics;

  for (guint i = 0; i < diagnostics->len; i++)
    if (g_str_equal (dyno_diagnostic_get_code (diagnostics->pdata[i]), code))
      return diagnostics->pdata[i];
  return NULL;
}

static inline DynoTrace *
metric_fixture_find_trace (DynoMeasurement *measurement, const char *name)
{
  GPtrArray *traces = measurement->traces;

  for (guint i = 0; i < traces->len; i++)
    if (g_str_equal (dyno_trace_get_name (traces->pdata[i]), name))
      return traces->pdata[i];
  return NULL;
}

static inline void
metric_fixture_assert_said (DynoMeasurement *measurement, const char *code, const char *words)
{
  DynoDiagnostic *diagnostic = metric_fixture_find_diagnostic (measurement, code);

  g_assert_nonnull (diagnostic);
  g_test_message ("%s", dyno_diagnostic_get_message (diagnostic));
  g_assert_nonnull (strstr (dyno_diagnostic_get_message (diagnostic), words));
}
