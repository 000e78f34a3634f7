/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Common fields of AIPerf, GenAI-Perf and perf_analyzer files. */

#define DYNO_AIPERF_N_FIELDS 21

/**
 * DynoAiperfField:
 * @metric: a metric of AIPerf
 * @statistic: a statistic of the metric
 * @name: the name of the value in Dyno
 */
typedef struct
{
  const char *metric;
  const char *statistic;
  const char *name;
} DynoAiperfField;

extern const DynoAiperfField dyno_aiperf_fields[DYNO_AIPERF_N_FIELDS];

const char *dyno_aiperf_find_unit (const char *unit);
char *dyno_aiperf_dup_load (const char *clients, const char *rate);

G_END_DECLS
