/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-report-source.h"
#include "dyno-run-entry.h"

G_BEGIN_DECLS

/**
 * DynoRunSource:
 * @source: what a report is written of
 *
 * A run read again for a report, with the ceilings of its machine: the one that is shown belongs to the main thread.
 */
typedef struct
{
  DynoReportSource source;
} DynoRunSource;

DynoRunSource *dyno_run_source_load (DynoRunEntry *entry, GError **error);
void dyno_run_source_free (DynoRunSource *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoRunSource, dyno_run_source_free)

G_END_DECLS
