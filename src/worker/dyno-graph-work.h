/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-case.h"
#include "dyno-measurement.h"

G_BEGIN_DECLS

void dyno_graph_work_take (DynoCase *kase, DynoMeasurement *measurement);

G_END_DECLS
