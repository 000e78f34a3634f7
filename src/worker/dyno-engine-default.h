/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-analysis.h"

G_BEGIN_DECLS

void dyno_engine_default_report (const DynoAnalysis *analysis, DynoMeasurement *measurement);

G_END_DECLS
