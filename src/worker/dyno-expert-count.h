/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-workload.h"

G_BEGIN_DECLS

gboolean dyno_expert_count_take (DynoWorkload *workload, DynoMeasurement *measurement, GError **error);

G_END_DECLS
