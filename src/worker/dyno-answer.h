/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-analysis.h"

G_BEGIN_DECLS

/* Runs one more step with known inputs. Returns the outputs of each request of that step; NULL without an
 * error if there is nothing to compare, because the engine is itself the reference or computes nothing; a
 * model with quantised weights is also compared with itself in `fp32`. Elements are GPtrArray. */
GPtrArray *dyno_answer_take (const DynoAnalysis *analysis, DynoSession *session, GError **error);
/* Compares each answer with that of the CPU backend on the same inputs. Without a reference the answers
 * stay unchecked, with the reason; if they differ from it, the case fails. For a model with quantised
 * weights, on any backend, the recorded error is that against the same model in `fp32`; the case fails if
 * the cosine is below that of dyno_output_comparison_get_least_cosine(). Returns FALSE if the answers are
 * known to be wrong. @measurement: a finished measurement; gets the shapes of the CPU backend's operators.
 * @answers holds GPtrArray. Fails with DYNO_ERROR_WRONG_OUTPUT naming the output and its fault. */
gboolean dyno_answer_check (const DynoAnalysis *analysis,
                            DynoMeasurement *measurement,
                            GPtrArray *answers,
                            DynoBinding *binding,
                            GError **error);

G_END_DECLS
