/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"
#include "dyno-workload.h"

G_BEGIN_DECLS

gboolean dyno_reference_is_backend (DynoBackend *backend);
gboolean dyno_reference_is_affordable (DynoModel *model, DynoBinding *binding, GError **error);
GPtrArray *dyno_reference_run (const char *onnx_path,
                               const DynoSessionOptions *options,
                               DynoWorkload *workload,
                               GPtrArray **outputs,
                               GError **error);
GPtrArray *dyno_reference_profile (const char *onnx_path,
                                   const DynoSessionOptions *options,
                                   DynoWorkload *workload,
                                   gboolean decodes,
                                   gboolean optimise,
                                   GError **error);
GPtrArray *dyno_reference_run_tapped (const char *onnx_path,
                                      const char *file,
                                      GBytes *tapped,
                                      const DynoSessionOptions *options,
                                      DynoWorkload *workload,
                                      GError **error);

G_END_DECLS
