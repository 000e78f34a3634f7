/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-cases.h"

G_BEGIN_DECLS

/**
 * DynoMissingRoofs:
 *
 * The devices, threads and placements of cases whose roofs are not measured, and the commands to measure
 * them; also the devices whose roofs cannot be measured, and why.
 */
typedef struct _DynoMissingRoofs DynoMissingRoofs;

DynoMissingRoofs *dyno_missing_roofs_new (void);
void dyno_missing_roofs_free (DynoMissingRoofs *self);
void dyno_missing_roofs_add (DynoMissingRoofs *self, const DynoChartCase *kase);
/* Returns how to measure the missing roofs, and why others cannot be measured; NULL if none is missing. */
char *dyno_missing_roofs_dup_note (DynoMissingRoofs *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoMissingRoofs, dyno_missing_roofs_free)

G_END_DECLS
