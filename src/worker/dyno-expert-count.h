/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-workload.h"

G_BEGIN_DECLS

/* Sums the counts of a mixture of experts over the steps of a sample: one decoding step chooses only a
 * token's few experts, so alone it does not show how evenly they are used. Copies all outputs, so call it
 * after the peak of memory is measured. Returns whether the steps ran. @measurement: a measurement whose
 * session is still open; gets `expert_tokens`. */
gboolean dyno_expert_count_take (DynoWorkload *workload, DynoMeasurement *measurement, GError **error);

G_END_DECLS
