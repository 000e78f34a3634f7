/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

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
