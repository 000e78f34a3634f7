/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"
#include "dyno-workload.h"

G_BEGIN_DECLS

/**
 * DynoAnalysis:
 * @backend: the backend to run on
 * @onnx_path: the model
 * @options: as measured
 * @workload: provides the inputs; if it generates, the prefill step is analysed
 * @precision: the precision of the model
 * @exact: (nullable): the same model in `fp32`, if @onnx_path has quantised weights, is in `bf16` or has
 * fused attention
 * @exact_workload: (nullable): provides the inputs of @exact in its own types
 * @seed: seed of the weights
 *
 * A model to analyse; it is opened in the ways that show its operators.
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

/* Runs the model again under the engine's profiler: optimised, for real times; optimised without prepacked
 * weights, for the bytes that the operators read; and as given, because only then every operator keeps the
 * shapes from which its work is counted. If the engine does not report shapes, they come from the CPU
 * backend, which runs the same model and also checks activations. If tokens are generated, a step that
 * decodes one of them is analysed in the same way. A failed analysis becomes a diagnostic; the measurement
 * stays valid. @measurement: a finished measurement; shapes that it has from the CPU backend are kept. */
void dyno_analysis_run (const DynoAnalysis *self, DynoMeasurement *measurement);

G_END_DECLS
