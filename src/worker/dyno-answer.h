/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-analysis.h"

G_BEGIN_DECLS

GPtrArray *dyno_answer_take (const DynoAnalysis *analysis, DynoSession *session, GError **error);
gboolean dyno_answer_check (const DynoAnalysis *analysis,
                            DynoMeasurement *measurement,
                            GPtrArray *answers,
                            DynoBinding *binding,
                            GError **error);

G_END_DECLS
