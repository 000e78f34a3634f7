/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"
#include "dyno-workload.h"

G_BEGIN_DECLS

/* Returns whether it is the reference for all other backends. */
gboolean dyno_reference_is_backend (DynoBackend *backend);
/* Returns whether a step of the model on the CPU backend takes a reasonable time and fits the memory.
 * Fails with DYNO_ERROR_UNSUPPORTED with the arithmetic. */
gboolean dyno_reference_is_affordable (DynoModel *model, DynoBinding *binding, GError **error);
/* Runs one step of the graph as given on the CPU backend, the reference for all other engines: for the
 * expected outputs, and for the shapes of operators if the other engine does not report them. Returns the
 * operators, including shapes of weights. Elements are DynoNodeProfile. The caller owns it. @outputs holds
 * DynoTensor. */
GPtrArray *dyno_reference_run (const char *onnx_path,
                               const DynoSessionOptions *options,
                               DynoWorkload *workload,
                               GPtrArray **outputs,
                               GError **error);
/* Returns the operators of such a step on the CPU backend, including shapes of weights. Elements are
 * DynoNodeProfile. The caller owns it. @decodes: whether the step is one of a token in the middle of a
 * generation. @optimise: whether the graph may be optimised. */
GPtrArray *dyno_reference_profile (const char *onnx_path,
                                   const DynoSessionOptions *options,
                                   DynoWorkload *workload,
                                   gboolean decodes,
                                   gboolean optimise,
                                   GError **error);
/* Returns all outputs of one step of the unoptimised graph on the CPU backend. Elements are DynoTensor.
 * The caller owns it. @file: one of its graphs; the model itself if it has only one. */
GPtrArray *dyno_reference_run_tapped (const char *onnx_path,
                                      const char *file,
                                      GBytes *tapped,
                                      const DynoSessionOptions *options,
                                      DynoWorkload *workload,
                                      GError **error);

G_END_DECLS
