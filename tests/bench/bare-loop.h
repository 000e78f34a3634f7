/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-measurement.h"
#include "dyno-ort.h"

G_BEGIN_DECLS

/* How to time ONNX Runtime by hand: its C API and two reads of the clock, nothing else. */
typedef struct _BareLoop BareLoop;

BareLoop *bare_loop_new (DynoOrtRuntime *runtime, const char *onnx_path, guint threads, GPtrArray *slots);
void bare_loop_free (BareLoop *self);
void bare_loop_run (BareLoop *self, DynoSamples *samples, guint n_steps);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BareLoop, bare_loop_free)

G_END_DECLS
