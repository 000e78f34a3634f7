/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-cases.h"

G_BEGIN_DECLS

/**
 * DynoEnergyQuality:
 * @DYNO_ENERGY_MEASURED: a sensor measured the power
 * @DYNO_ENERGY_ESTIMATED: all of it is estimated
 * @DYNO_ENERGY_MIXED: a sensor measured some of the cases, but not all
 *
 * Whether the power in a chart was measured or estimated. All texts call estimates estimates.
 */
typedef enum
{
  DYNO_ENERGY_MEASURED,
  DYNO_ENERGY_ESTIMATED,
  DYNO_ENERGY_MIXED,
} DynoEnergyQuality;

/* Returns the common quality. */
DynoEnergyQuality dyno_energy_quality_from_count (guint n_estimated, guint n_all);
/* Returns the common quality. @cases holds DynoChartCase. */
DynoEnergyQuality dyno_energy_quality_from_cases (GPtrArray *cases);
/* Returns whether its power is known, but not from a sensor. */
gboolean dyno_energy_quality_is_estimated (const DynoChartCase *kase);
/* Returns the measured cases; all cases if none was measured. Elements are DynoChartCase. The caller owns the
 * list, but not its elements. @cases holds DynoChartCase. */
GPtrArray *dyno_energy_quality_select_comparable (GPtrArray *cases);

/* Returns the title, which mentions estimates. */
char *dyno_energy_quality_dup_heading (DynoEnergyQuality quality, const char *plain);
/* Returns the name, which mentions an estimate. */
char *dyno_energy_quality_dup_name (gboolean estimated, const char *plain);
/* Returns the amount for a sentence, which mentions an estimate. */
char *dyno_energy_quality_dup_amount (gboolean estimated, double number, const char *unit);
/* Returns the finding, which mentions that estimates are left out. @plain: its finding about the cases of
 * dyno_energy_quality_select_comparable(). */
char *dyno_energy_quality_dup_finding (DynoEnergyQuality quality, const char *plain);
/* Returns the caption, which mentions that power was estimated, and how. @cases holds DynoChartCase. */
char *dyno_energy_quality_dup_caption (GPtrArray *cases, const char *plain);

G_END_DECLS
