/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-case.h"
#include "dyno-measurement.h"

G_BEGIN_DECLS

/* Returns whether the case runs with the inputs of a test vector that has all outputs, so that it also
 * says which numbers are rightly not finite. */
gboolean dyno_vector_check_covers (DynoCase *kase, DynoModel *model);
/* Runs a last step with the inputs of a test vector, and compares what comes out. A vector that lies
 * beside a model and has other sizes than the case is of no use to it. Returns FALSE if the outputs are
 * known to be wrong. Fails with DYNO_ERROR_WRONG_OUTPUT naming the output and what is wrong with it. */
gboolean
dyno_vector_check (DynoCase *kase, DynoMeasurement *measurement, DynoBinding *binding, GError **error);

G_END_DECLS
