/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-case.h"
#include "dyno-measurement.h"

G_BEGIN_DECLS

/* Takes the work of a step from the model's graph, if Dyno built it: an engine may report no shapes, and
 * the CPU backend need not compute in the precision of the model. For a model of several graphs it is
 * unknown which of them a decoding step runs. */
void dyno_graph_work_take (DynoCase *kase, DynoMeasurement *measurement);

G_END_DECLS
