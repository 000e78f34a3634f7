/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-analysis.h"
#include "dyno-tensor.h"

G_BEGIN_DECLS

/**
 * DynoActivationCounts:
 * @n: elements
 * @n_zero: zeros among them
 * @n_subnormal: subnormal numbers, with which most processors compute very slowly; none in fp16, where they cost
 *   nothing
 * @n_infinite: infinities and NaNs
 *
 * The elements of one value by kind.
 */
typedef struct
{
  gint64 n;
  gint64 n_zero;
  gint64 n_subnormal;
  gint64 n_infinite;
} DynoActivationCounts;

/* Runs one step on the CPU backend with every value of the graph as an output, and classifies their
 * numbers. Zeros and infinities are checked in layers that multiply with weights or normalise; subnormal
 * numbers in all layers. @measurement: its analysis, with the shapes of its operators on the CPU backend;
 * gets diagnostics. */
void dyno_activations_check (const DynoAnalysis *analysis, DynoMeasurement *measurement);

G_END_DECLS
