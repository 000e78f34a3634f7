/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-case.h"
#include "dyno-measurement.h"

G_BEGIN_DECLS

gboolean dyno_vector_check_covers (DynoCase *kase, DynoModel *model);
gboolean
dyno_vector_check (DynoCase *kase, DynoMeasurement *measurement, DynoBinding *binding, GError **error);

G_END_DECLS
