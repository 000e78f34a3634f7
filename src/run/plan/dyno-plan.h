/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-case.h"

G_BEGIN_DECLS

/**
 * DYNO_PLAN_EVERY_BACKEND:
 *
 * What stands for every backend that this Dyno knows, whether it can measure here or not; it becomes their names.
 */
#define DYNO_PLAN_EVERY_BACKEND "*"

#define DYNO_TYPE_PLAN (dyno_plan_get_type ())

/**
 * DynoPlan:
 *
 * What to measure: the product models × backends × precisions × options × placements × threads × batch sizes ×
 * tokens to generate × sequence lengths. A model takes part in an axis only where it has one, and a backend in the
 * options it knows. A plan is saved and loaded as JSON; a file of one is a *suite*. Properties, all read-write:
 *
 * - `title` (string)
 * - `models`, `backends`, `precisions` (string arrays); a backend is its id, `id:device`, or `*`
 * - `batch-sizes`, `sequence-lengths`, `generate-tokens`, `threads` (string arrays of whole numbers, so that a bad
 *   entry can be named in the error)
 * - `pinnings` (string array): policies of placement, an empty one for the usual
 * - `options` (string array): alternatives of the backends' own options, each `name=value,name=value`, an empty one
 *   for the usual
 * - `cases` (string array): which of the cases as listed to run, by number from 1; empty for all of them
 * - `dimensions` (string)
 * - `inputs` (string): values of inputs, as [func@Dyno.input_values_new] takes them
 * - `shuffle` (boolean, default %TRUE) and `seed` (uint64): the order of the cases
 * - `method` ([class@Dyno.Method])
 */
G_DECLARE_FINAL_TYPE (DynoPlan, dyno_plan, DYNO, PLAN, GObject)

DynoPlan *dyno_plan_new (void);
DynoPlan *dyno_plan_new_from_json (const char *json, GError **error);
DynoPlan *dyno_plan_new_from_file (GFile *file, GError **error);
DynoPlan *dyno_plan_new_bundled (const char *suite, GError **error);
char **dyno_plan_list_bundled (void);
char *dyno_plan_to_json (DynoPlan *self);
gboolean dyno_plan_save (DynoPlan *self, GFile *file, GError **error);

const char *dyno_plan_get_title (DynoPlan *self);
char *dyno_plan_dup_run_title (DynoPlan *self);
const char *const *dyno_plan_get_models (DynoPlan *self);
const char *const *dyno_plan_get_backends (DynoPlan *self);
const char *const *dyno_plan_get_precisions (DynoPlan *self);
const char *const *dyno_plan_get_batch_sizes (DynoPlan *self);
const char *const *dyno_plan_get_sequence_lengths (DynoPlan *self);
const char *const *dyno_plan_get_generate_tokens (DynoPlan *self);
const char *const *dyno_plan_get_threads (DynoPlan *self);
const char *const *dyno_plan_get_pinnings (DynoPlan *self);
const char *const *dyno_plan_get_options (DynoPlan *self);
const char *const *dyno_plan_get_loads (DynoPlan *self);
const char *const *dyno_plan_get_cases (DynoPlan *self);
const char *dyno_plan_get_dimensions (DynoPlan *self);
const char *dyno_plan_get_inputs (DynoPlan *self);
guint64 dyno_plan_get_seed (DynoPlan *self);
gboolean dyno_plan_get_shuffle (DynoPlan *self);
DynoMethod *dyno_plan_get_method (DynoPlan *self);

GPtrArray *dyno_plan_expand (DynoPlan *self, GError **error);
GPtrArray *dyno_plan_expand_for_run (DynoPlan *self, GError **error);
char *dyno_plan_dup_note (DynoPlan *self, GPtrArray *cases);
double dyno_plan_estimate_seconds (GPtrArray *cases);

G_END_DECLS
