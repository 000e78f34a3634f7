/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-measurement.h"

G_BEGIN_DECLS

/* Returns how far outputs may differ, relative to their scale; for an unknown precision that of the
 * coarsest one. */
double dyno_output_comparison_get_tolerance (const char *precision);
/* Returns the smallest cosine that its outputs may have with those in single precision; 0 if there is no
 * limit. */
double dyno_output_comparison_get_least_cosine (const char *precision);
/* Ranks and sizes of all outputs must be the same. The values of integer outputs are not compared, because
 * they are choices among near equals. Returns whether the outputs are the same within @tolerance. @outputs
 * holds DynoTensor. @expected holds DynoTensor. @whose: whose outputs they are in a message: “that of the
 * CPU backend”. @tolerance: how far they may differ, relative to the largest number of each output.
 * @max_error: how far they differ; NaN if no output holds floating-point numbers. Fails with
 * DYNO_ERROR_WRONG_OUTPUT naming the output and its fault. */
gboolean dyno_output_compare (GPtrArray *outputs,
                              GPtrArray *expected,
                              const char *whose,
                              double tolerance,
                              double *max_error,
                              GError **error);

/* Removes the expected outputs that the engine's sessions cannot return because of their type, such as
 * numbers of a byte or less, texts and sequences. @outputs holds DynoTensor. @expected holds DynoTensor. */
void dyno_output_leave_out (DynoMeasurement *measurement, GPtrArray *outputs, GPtrArray *expected);
/* Returns the smallest cosine of all outputs, each a · b / (|a| |b|) of a floating-point output as one
 * vector: 1 if both point the same way; NaN if none of them can be compared. @outputs holds DynoTensor.
 * @expected holds DynoTensor. */
double dyno_output_get_cosine (GPtrArray *outputs, GPtrArray *expected);
/* The Kullback–Leibler divergence, in nats, of the expected distribution of the next token from that of
 * the engine. Returns the mean over all positions; NaN if the two cannot be compared. @logits (nullable):
 * the output of an engine, [… vocabulary]. @expected may be NULL. */
double dyno_output_get_divergence (DynoTensor *logits, DynoTensor *expected);
/* Returns the output of that name; NULL if there is none. @outputs holds DynoTensor. */
DynoTensor *dyno_output_find (GPtrArray *outputs, const char *name);

G_END_DECLS
