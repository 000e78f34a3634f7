/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-measurement.h"

G_BEGIN_DECLS

double dyno_output_comparison_get_tolerance (const char *precision);
double dyno_output_comparison_get_least_cosine (const char *precision);
gboolean dyno_output_compare (GPtrArray *outputs,
                              GPtrArray *expected,
                              const char *whose,
                              double tolerance,
                              double *max_error,
                              GError **error);

void dyno_output_leave_out (DynoMeasurement *measurement, GPtrArray *outputs, GPtrArray *expected);
double dyno_output_get_cosine (GPtrArray *outputs, GPtrArray *expected);
double dyno_output_get_divergence (DynoTensor *logits, DynoTensor *expected);
DynoTensor *dyno_output_find (GPtrArray *outputs, const char *name);

G_END_DECLS
