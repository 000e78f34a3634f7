/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-power-log.h"
#include "dyno-store.h"

G_BEGIN_DECLS

/**
 * DynoPowerAlignment:
 * @store: a store
 * @log: what a power meter has recorded
 * @file: the file that it is from, which is kept with the runs
 * @run_id: (nullable): the whole id of the run it belongs to; %NULL for all that were measured here at that time
 * @added: (element-type DynoRun): gets the runs that got readings
 * @present: (element-type DynoRun): gets those that had them already
 * @n_cases: (element-type DynoRun guint): gets how many cases of each of these have them
 *
 * The readings of a power meter, and the runs that they may be of.
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

/* Returns whether there is a run that has the readings now. Fails with DYNO_ERROR_NOT_FOUND where the
 * readings are of the time of no run, DYNO_ERROR_INVALID_DATA where they are of no use to any. */
gboolean dyno_power_alignment_run (DynoPowerAlignment *self, GError **error);

G_END_DECLS
