/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-case.h"
#include "dyno-measurement.h"

G_BEGIN_DECLS

/* Returns whether the case runs with the inputs of a test vector that has all outputs, so that it also
 * shows which numbers are not finite for good reason. */
gboolean dyno_vector_check_covers (DynoCase *kase, DynoModel *model);
/* Runs a last step with the inputs of a test vector, and compares the outputs. Ignores a vector beside a
 * model whose sizes are not those of the case. Returns FALSE if the outputs are known to be wrong. Fails
 * with DYNO_ERROR_WRONG_OUTPUT naming the output and its fault. */
gboolean
dyno_vector_check (DynoCase *kase, DynoMeasurement *measurement, DynoBinding *binding, GError **error);

G_END_DECLS
