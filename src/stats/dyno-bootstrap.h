/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-sample.h"

G_BEGIN_DECLS

/**
 * DynoBootstrap:
 *
 * What a figure might have been, had the measurement been repeated: the figure of many resamples.
 */
typedef struct _DynoBootstrap DynoBootstrap;

DynoBootstrap *dyno_bootstrap_new_median (const DynoSample *groups, gsize n_groups, guint64 seed);
DynoBootstrap *
dyno_bootstrap_new_ratio (const DynoSample *a, gsize n_a, const DynoSample *b, gsize n_b, guint64 seed);
DynoBootstrap *
dyno_bootstrap_new_paired_ratio (const DynoSample *a, const DynoSample *b, gsize n_blocks, guint64 seed);
void dyno_bootstrap_free (DynoBootstrap *self);

/* Returns the figure of the values themselves. */
double dyno_bootstrap_get_estimate (const DynoBootstrap *self);
void dyno_bootstrap_get_interval (const DynoBootstrap *self, double confidence, DynoInterval *interval);
double dyno_bootstrap_get_p_below (const DynoBootstrap *self, double value);
double dyno_bootstrap_get_p_above (const DynoBootstrap *self, double value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoBootstrap, dyno_bootstrap_free)

G_END_DECLS
