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
 * How a chart of power knows what it shows. What was estimated is called so wherever there are words.
 */
typedef enum
{
  DYNO_ENERGY_MEASURED,
  DYNO_ENERGY_ESTIMATED,
  DYNO_ENERGY_MIXED,
} DynoEnergyQuality;

/* Returns what they have in common. */
DynoEnergyQuality dyno_energy_quality_from_count (guint n_estimated, guint n_all);
/* Returns what they have in common. @cases holds DynoChartCase. */
DynoEnergyQuality dyno_energy_quality_from_cases (GPtrArray *cases);
/* Returns whether its power is known, and not from a sensor. */
gboolean dyno_energy_quality_is_estimated (const DynoChartCase *kase);
/* Returns those that were measured; all of them where none was. Elements are DynoChartCase. The caller
 * owns the list, not what is in it. @cases holds DynoChartCase. */
GPtrArray *dyno_energy_quality_select_comparable (GPtrArray *cases);

/* Returns the title, which says so. */
char *dyno_energy_quality_dup_heading (DynoEnergyQuality quality, const char *plain);
/* Returns the name, which says so. */
char *dyno_energy_quality_dup_name (gboolean estimated, const char *plain);
/* Returns the amount for a sentence, which says so. */
char *dyno_energy_quality_dup_amount (gboolean estimated, double number, const char *unit);
/* Returns the finding, which says what it leaves out. @plain: its finding about the cases of
 * dyno_energy_quality_select_comparable(). */
char *dyno_energy_quality_dup_finding (DynoEnergyQuality quality, const char *plain);
/* Returns the caption, which says what was estimated, and how. @cases holds DynoChartCase. */
char *dyno_energy_quality_dup_caption (GPtrArray *cases, const char *plain);

G_END_DECLS
