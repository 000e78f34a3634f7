/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-case.h"
#include "dyno-model.h"

G_BEGIN_DECLS

double dyno_case_estimate_work (DynoModel *model, guint sequence_length);
double dyno_case_estimate_seconds (DynoCase *self, gint64 weight_bytes, double work);
gboolean dyno_case_learn_seconds (DynoCase *self, GHashTable *durations);
double dyno_case_estimate_share (DynoCase *self, guint invocation);
double dyno_case_estimate_fraction (
    DynoCase *self, guint invocation, const char *phase, double seconds, guint n_samples);

G_END_DECLS
