/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ceilings.h"
#include "dyno-store.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CEILINGS_MODEL (dyno_ceilings_model_get_type ())

/**
 * DynoCeilingsModel:
 *
 * The ceilings of this machine and its devices: reads, measures and stores them. All windows share one,
 * because simultaneous measurements would disturb each other. Properties, all notified:
 *
 * - `store` (DynoStore, read-write): holds the ceilings; those of this machine are read at once
 * - `ceilings` (a list of DynoCeiling, read-only)
 * - `measuring` (boolean, read-only), `fraction` (double, read-only) and `step` (string, read-only): the
 *   progress
 *
 * Signal `failed (GError *error)`: the operation failed. Cancelling it is not a failure.
 */
G_DECLARE_FINAL_TYPE (DynoCeilingsModel, dyno_ceilings_model, DYNO, CEILINGS_MODEL, GObject)

DynoCeilingsModel *dyno_ceilings_model_new (void);

/* @store may be NULL. */
void dyno_ceilings_model_set_store (DynoCeilingsModel *self, DynoStore *store);
/* Returns a list of DynoCeiling, empty if there are none. */
GListModel *dyno_ceilings_model_get_ceilings (DynoCeilingsModel *self);
gboolean dyno_ceilings_model_get_measuring (DynoCeilingsModel *self);
double dyno_ceilings_model_get_fraction (DynoCeilingsModel *self);
/* Returns the current step of the measurement, in words; NULL if there is none. */
const char *dyno_ceilings_model_get_step (DynoCeilingsModel *self);
/* Returns the device that is being measured, as its ceilings name it; NULL if there is none. */
const char *dyno_ceilings_model_get_device (DynoCeilingsModel *self);

/* Reads the store again, because another program may have measured. */
void dyno_ceilings_model_load (DynoCeilingsModel *self);
/* Measures the machine with one thread, one per core, and all threads, and stores the ceilings. Does nothing
 * during a measurement. */
void dyno_ceilings_model_measure (DynoCeilingsModel *self, double seconds);
/* Measures a device of a runtime in a separate process, which does not report its progress, and stores the
 * ceilings. Does nothing during a measurement. @device: `BACKEND:DEVICE`. */
void dyno_ceilings_model_measure_device (DynoCeilingsModel *self, const char *device, double seconds);
/* Ends a measurement early and keeps the old ceilings. */
void dyno_ceilings_model_cancel (DynoCeilingsModel *self);

G_END_DECLS
