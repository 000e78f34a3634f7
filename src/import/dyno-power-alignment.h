/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-power-log.h"
#include "dyno-store.h"

G_BEGIN_DECLS

/**
 * DynoPowerAlignment:
 * @store: a store
 * @log: the log of a power meter
 * @file: the file of the log, which is kept with the runs
 * @run_id: (nullable): the whole id of the run it belongs to; NULL for all runs that were measured here at that time
 * @added: (element-type DynoRun): gets the runs that got readings
 * @present: (element-type DynoRun): gets the runs that already had them
 * @n_cases: (element-type DynoRun guint): gets the number of cases with readings of each of these runs
 *
 * The readings of a power meter, and the runs that they may belong to.
 */
typedef struct
{
  DynoStore *store;
  const DynoPowerLog *log;
  DynoOrigin *file;
  const char *run_id;
  GPtrArray *added;
  GPtrArray *present;
  GHashTable *n_cases;
} DynoPowerAlignment;

/* Returns whether a run now has the readings. Fails with DYNO_ERROR_NOT_FOUND if no run is from the time of
 * the readings, and with DYNO_ERROR_INVALID_DATA if no run can use them. */
gboolean dyno_power_alignment_run (DynoPowerAlignment *self, GError **error);

G_END_DECLS
