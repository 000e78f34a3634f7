/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"
#include "dyno-workload.h"

G_BEGIN_DECLS

void dyno_analysis_run (DynoMeasurement *measurement,
                        DynoBackend *backend,
                        const char *onnx_path,
                        const DynoSessionOptions *options,
                        DynoWorkload *workload);

G_END_DECLS
