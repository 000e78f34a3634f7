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

DynoEnergyQuality dyno_energy_quality_from_count (guint n_estimated, guint n_all);
DynoEnergyQuality dyno_energy_quality_from_cases (GPtrArray *cases);
gboolean dyno_energy_quality_is_estimated (const DynoChartCase *kase);
GPtrArray *dyno_energy_quality_select_comparable (GPtrArray *cases);

char *dyno_energy_quality_dup_heading (DynoEnergyQuality quality, const char *plain);
char *dyno_energy_quality_dup_name (gboolean estimated, const char *plain);
char *dyno_energy_quality_dup_amount (gboolean estimated, double number, const char *unit);
char *dyno_energy_quality_dup_finding (DynoEnergyQuality quality, const char *plain);
char *dyno_energy_quality_dup_caption (GPtrArray *cases, const char *plain);

G_END_DECLS
