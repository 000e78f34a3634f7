/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"
#include "dyno-workload.h"

G_BEGIN_DECLS

/**
 * DynoAnalysis:
 * @backend: what to run on
 * @onnx_path: the model
 * @options: as measured
 * @workload: gives the inputs; when it generates, the step over the prompt is analysed
 * @precision: what the model is in
 * @exact: (nullable): the same model in `fp32`, where @onnx_path is one with quantised weights, in
 *   `bf16`, or with fused attention
 * @exact_workload: (nullable): gives the inputs of @exact, which are of its types
 * @seed: seed of the weights
 *
 * A model to look into, opened in the ways that show its operators.
 */
typedef struct
{
  DynoBackend *backend;
  const char *onnx_path;
  const DynoSessionOptions *options;
  DynoWorkload *workload;
  const char *precision;
  DynoModel *exact;
  DynoWorkload *exact_workload;
  guint64 seed;
} DynoAnalysis;

void dyno_analysis_run (const DynoAnalysis *self, DynoMeasurement *measurement);

G_END_DECLS
