/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ceilings.h"
#include "dyno-store.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CEILINGS_KEEPER (dyno_ceilings_keeper_get_type ())

/**
 * DynoCeilingsKeeper:
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
G_DECLARE_FINAL_TYPE (DynoCeilingsKeeper, dyno_ceilings_keeper, DYNO, CEILINGS_KEEPER, GObject)

DynoCeilingsKeeper *dyno_ceilings_keeper_new (void);

void dyno_ceilings_keeper_set_store (DynoCeilingsKeeper *self, DynoStore *store);
GListModel *dyno_ceilings_keeper_get_ceilings (DynoCeilingsKeeper *self);
gboolean dyno_ceilings_keeper_get_measuring (DynoCeilingsKeeper *self);
double dyno_ceilings_keeper_get_fraction (DynoCeilingsKeeper *self);
const char *dyno_ceilings_keeper_get_step (DynoCeilingsKeeper *self);
const char *dyno_ceilings_keeper_get_device (DynoCeilingsKeeper *self);

void dyno_ceilings_keeper_load (DynoCeilingsKeeper *self);
void dyno_ceilings_keeper_measure (DynoCeilingsKeeper *self, double seconds);
void dyno_ceilings_keeper_measure_device (DynoCeilingsKeeper *self, const char *device, double seconds);
void dyno_ceilings_keeper_cancel (DynoCeilingsKeeper *self);

G_END_DECLS
