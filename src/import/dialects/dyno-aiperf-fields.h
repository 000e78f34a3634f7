/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What the files of AIPerf, GenAI-Perf and perf_analyzer have in common. */

#define DYNO_AIPERF_N_FIELDS 21

/**
 * DynoAiperfField:
 * @metric: a metric of AIPerf
 * @statistic: what of it
 * @name: the value that it is
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
