/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-case.h"
#include "dyno-measurement.h"

G_BEGIN_DECLS

/* An engine may report no shapes, and the CPU backend need not compute in the precision of the model: then
 * the work of a step is that of the model's graph, if Dyno built it. Of a model of several graphs it is
 * not known which of them a step that decodes runs. */
void dyno_graph_work_take (DynoCase *kase, DynoMeasurement *measurement);

G_END_DECLS
