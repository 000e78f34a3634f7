/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-case.h"
#include "dyno-machine.h"
#include "dyno-model.h"
#include "dyno-outcome.h"
#include "dyno-prober.h"

G_BEGIN_DECLS

/**
 * DynoDemand:
 * @model: the model in the case's precision, or as it is where there is none
 * @binding: the sizes to run it at
 * @kase: the case to measure; its backend and device are ignored
 * @machine: the machine as it is now
 *
 * The needs of a case, whatever the engine.
 */
typedef struct
{
  DynoModel *model;
  DynoBinding *binding;
  DynoCase *kase;
  DynoMachine *machine;
} DynoDemand;

/**
 * DynoTriedCase:
 * @kase: a case of the run, whether it is over or not
 * @is_unread: whether its engine cannot read the model, so that it runs on no device of it
 *
 * A case that a run tries, so that advice about another one does not name its device.
 */
typedef struct
{
  DynoCase *kase;
  gboolean is_unread;
} DynoTriedCase;

/* The caller frees it with dyno_tried_case_free(). */
DynoTriedCase *dyno_tried_case_new (DynoCase *kase, gboolean is_unread);
void dyno_tried_case_free (DynoTriedCase *self);

/**
 * DynoCompatibilityVerdict:
 * @DYNO_COMPATIBILITY_REFUSED: there is a known obstacle, so it would be skipped
 * @DYNO_COMPATIBILITY_NOT_TRIED: there is no known obstacle, and it was not tried
 * @DYNO_COMPATIBILITY_RUNS: it ran when it was measured or tried
 * @DYNO_COMPATIBILITY_DOES_NOT_RUN: it failed when it was measured or tried
 */
typedef enum
{
  DYNO_COMPATIBILITY_REFUSED,
  DYNO_COMPATIBILITY_NOT_TRIED,
  DYNO_COMPATIBILITY_RUNS,
  DYNO_COMPATIBILITY_DOES_NOT_RUN,
} DynoCompatibilityVerdict;

#define DYNO_TYPE_COMPATIBILITY_VERDICT (dyno_compatibility_verdict_get_type ())
#define DYNO_TYPE_COMPATIBILITY         (dyno_compatibility_get_type ())

GType dyno_compatibility_verdict_get_type (void);

/**
 * DynoCompatibility:
 *
 * Whether a model can run on a device of a backend in a precision; a cell of the matrix. Read-only properties: `model`
 * (a name), `backend` (DynoBackend), `device` (nullable DynoDevice, none where the backend is not
 * available), `precision`, and two that a trial changes, notified: `verdict`, and `reason` (nullable: why not, with the
 * arithmetic, or when it was measured).
 */
G_DECLARE_FINAL_TYPE (DynoCompatibility, dyno_compatibility, DYNO, COMPATIBILITY, GObject)

const char *dyno_compatibility_get_model (DynoCompatibility *self);
DynoBackend *dyno_compatibility_get_backend (DynoCompatibility *self);
DynoDevice *dyno_compatibility_get_device (DynoCompatibility *self);
const char *dyno_compatibility_get_precision (DynoCompatibility *self);
DynoCompatibilityVerdict dyno_compatibility_get_verdict (DynoCompatibility *self);
/* Returns the stable word for machines. */
const char *dyno_compatibility_verdict_to_string (DynoCompatibilityVerdict verdict);
/* Returns the word for people. */
const char *dyno_compatibility_verdict_get_label (DynoCompatibilityVerdict verdict);
const char *dyno_compatibility_get_reason (DynoCompatibility *self);
/* Returns whether a trial may find out more: nothing is known yet, or it failed in an earlier run and may
 * work now. */
gboolean dyno_compatibility_can_try (DynoCompatibility *self);

/* Opens the model on the device and runs one step, in a worker process with a deadline, and sets the verdict
 * accordingly. If there is a known obstacle, nothing is started. Must be called on the main thread.
 * @cancellable may be NULL. */
void dyno_compatibility_try_async (DynoCompatibility *self,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
/* Returns whether the verdict is that of a trial, or none was needed. @error: return location for an error,
 * which can only be G_IO_ERROR_CANCELLED. */
gboolean dyno_compatibility_try_finish (DynoCompatibility *self, GAsyncResult *result, GError **error);

/* Returns why it cannot run on this machine, whatever the engine, with the arithmetic; NULL if there is
 * none. The caller owns it. */
char *dyno_compatibility_explain_machine (const DynoDemand *demand);
/* Returns why it cannot run there, as one or more sentences with the arithmetic; NULL where nothing is
 * known against it. The caller owns it. @device: id of the device, NULL or empty for the one that the
 * backend opens then. */
char *dyno_compatibility_explain (const DynoDemand *demand,
                                  DynoBackend *backend,
                                  DynoProbe *probe,
                                  const char *device);
/* Probes backends that are not known yet, so it belongs on a thread. Returns a sentence with the other
 * engines here that should run it and take the same options; NULL where there is nothing. The caller owns
 * it. @tried (nullable) (element-type DynoTriedCase): the cases that are tried; the sentence names no device
 * on which this model is one of them. */
char *dyno_compatibility_recommend (const DynoDemand *demand, GPtrArray *tried);
/* Like dyno_compatibility_recommend(), but returns only the nearest alternative, as a plan names it, such as `openvino:CPU`;
 * NULL if there is none. The caller owns it. */
char *dyno_compatibility_find_nearest (const DynoDemand *demand, GPtrArray *tried);
/* Probes backends that are not known yet, so it belongs on a thread. Returns every device of every
 * backend, in the usual order, those that are missing after those that are there. Elements are
 * DynoCompatibility. @outcomes may be NULL. @outcomes holds DynoOutcome. */
GPtrArray *dyno_compatibility_list (const DynoDemand *demand, GPtrArray *outcomes, DynoProberFlags flags);

G_END_DECLS
