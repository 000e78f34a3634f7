/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ceilings.h"
#include "dyno-store.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CEILINGS_MODEL (dyno_ceilings_model_get_type ())

/**
 * DynoCeilingsModel:
 *
 * What this machine and its devices can do at most: reads it from the store, measures it, keeps it. One for all
 * windows, since two measurements at once would disturb each other. Properties, all notified:
 *
 * - `store` ([class@Dyno.Store], read-write): where they are kept; its ceilings of this machine are read at once
 * - `ceilings` (a list of [class@Dyno.Ceiling], read-only)
 * - `measuring` (boolean, read-only), `fraction` (double, read-only) and `step` (string, read-only): how far it is
 *
 * Signal `failed (GError *error)`: what was begun did not work. Being cancelled is no failure.
 */
G_DECLARE_FINAL_TYPE (DynoCeilingsModel, dyno_ceilings_model, DYNO, CEILINGS_MODEL, GObject)

DynoCeilingsModel *dyno_ceilings_model_new (void);

/* @store may be NULL. */
void dyno_ceilings_model_set_store (DynoCeilingsModel *self, DynoStore *store);
/* Returns a list of DynoCeiling, empty where nothing was measured yet. */
GListModel *dyno_ceilings_model_get_ceilings (DynoCeilingsModel *self);
gboolean dyno_ceilings_model_get_measuring (DynoCeilingsModel *self);
double dyno_ceilings_model_get_fraction (DynoCeilingsModel *self);
/* Returns what is measured now, in words; NULL if there is none. */
const char *dyno_ceilings_model_get_step (DynoCeilingsModel *self);
/* Returns whose ceilings are measured now, as they name it; NULL if none are. */
const char *dyno_ceilings_model_get_device (DynoCeilingsModel *self);

/* Reads again what the store holds; another program may have measured. */
void dyno_ceilings_model_load (DynoCeilingsModel *self);
/* Measures what the machine can do with one thread, one per core, and all, and keeps it in the store. Does
 * nothing while it measures already. */
void dyno_ceilings_model_measure (DynoCeilingsModel *self, double seconds);
/* Measures what a device behind a runtime can do, in a process of its own that does not report its
 * progress, and keeps it in the store. Does nothing while it measures already. @device: `BACKEND:DEVICE`. */
void dyno_ceilings_model_measure_device (DynoCeilingsModel *self, const char *device, double seconds);
/* Ends a measurement early; what was there before stays. */
void dyno_ceilings_model_cancel (DynoCeilingsModel *self);

G_END_DECLS
