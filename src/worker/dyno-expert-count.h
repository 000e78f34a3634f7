/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-workload.h"

G_BEGIN_DECLS

/* Adds up what a mixture of experts counts itself, over the steps of a sample: a step that decodes one
 * token chooses no more experts than a token may have, so that it alone says nothing of how evenly they
 * are used. Copies of all outputs are made, so it belongs after the peak of memory is known. Returns
 * whether the steps ran. @measurement: a measurement whose session is still open; gets `expert_tokens`. */
gboolean dyno_expert_count_take (DynoWorkload *workload, DynoMeasurement *measurement, GError **error);

G_END_DECLS
