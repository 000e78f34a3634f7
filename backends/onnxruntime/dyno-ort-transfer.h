/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ort-api.h"
#include "dyno-ort-runtime.h"
#include "dyno-tensor.h"

G_BEGIN_DECLS

/**
 * DynoOrtTransfer:
 *
 * The transfers between a session's host memory and its device's, so that a step only computes.
 */
typedef struct _DynoOrtTransfer DynoOrtTransfer;

DynoOrtTransfer *dyno_ort_transfer_new (
    DynoOrtRuntime *runtime, OrtSession *session, gsize n_inputs, gsize n_outputs, gboolean returns_early);
void dyno_ort_transfer_free (DynoOrtTransfer *self);

OrtStatus *dyno_ort_transfer_upload (DynoOrtTransfer *self, gsize input, OrtValue **value);
OrtStatus *dyno_ort_transfer_download (DynoOrtTransfer *self, const OrtValue *value, OrtValue *copy_of_it);
OrtStatus *dyno_ort_transfer_finish (DynoOrtTransfer *self);
OrtStatus *dyno_ort_transfer_wait (DynoOrtTransfer *self, OrtIoBinding *binding);
const OrtMemoryInfo *dyno_ort_transfer_get_output_memory (DynoOrtTransfer *self, gsize output);
OrtAllocator *dyno_ort_transfer_get_allocator (DynoOrtTransfer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoOrtTransfer, dyno_ort_transfer_free)

G_END_DECLS
