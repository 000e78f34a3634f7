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

/* Returns NULL if everything is in host memory, or if the runtime can copy only within a run.
 * @returns_early: whether its provider does not wait for the device. */
DynoOrtTransfer *dyno_ort_transfer_new (
    DynoOrtRuntime *runtime, OrtSession *session, gsize n_inputs, gsize n_outputs, gboolean returns_early);
void dyno_ort_transfer_free (DynoOrtTransfer *self);

/* Returns the error; NULL if there is none. The caller owns it. @value: a tensor in host memory, replaced
 * by its copy where the input is wanted. */
OrtStatus *dyno_ort_transfer_upload (DynoOrtTransfer *self, gsize input, OrtValue **value);
/* Returns the error; NULL if there is none. The caller owns it. */
OrtStatus *dyno_ort_transfer_download (DynoOrtTransfer *self, const OrtValue *value, OrtValue *copy_of_it);
/* Returns only when the device has all that was uploaded. Returns the error; NULL if there is none. */
OrtStatus *dyno_ort_transfer_finish (DynoOrtTransfer *self);
/* Returns only when the device has computed the outputs. If the provider itself returns earlier, one
 * number is fetched from the device, which works in order. Returns the error; NULL if there is none. The
 * caller owns it. */
OrtStatus *dyno_ort_transfer_wait (DynoOrtTransfer *self, OrtIoBinding *binding);
/* Returns the memory in which the session computes it. */
const OrtMemoryInfo *dyno_ort_transfer_get_output_memory (DynoOrtTransfer *self, gsize output);
/* Returns the allocator of the device's memory. */
OrtAllocator *dyno_ort_transfer_get_allocator (DynoOrtTransfer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoOrtTransfer, dyno_ort_transfer_free)

G_END_DECLS
