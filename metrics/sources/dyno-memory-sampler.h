/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-trace.h"

G_BEGIN_DECLS

/**
 * DynoMemorySampler:
 *
 * A thread that reads the process's resident set at a fixed period, on a core the work does not use where
 * there is one.
 */
typedef struct _DynoMemorySampler DynoMemorySampler;

DynoMemorySampler *dyno_memory_sampler_new (guint period_milliseconds, gint64 origin_ns);
void dyno_memory_sampler_stop (DynoMemorySampler *self);
DynoTrace *dyno_memory_sampler_steal_trace (DynoMemorySampler *self);
void dyno_memory_sampler_free (DynoMemorySampler *self);

gint64 dyno_memory_read_peak (void);
gboolean dyno_memory_reset_peak (void);

G_END_DECLS
