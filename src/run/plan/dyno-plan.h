/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-case.h"

G_BEGIN_DECLS

/**
 * DYNO_PLAN_EVERY_BACKEND:
 *
 * Stands for every backend that this Dyno knows, whether it can measure here or not, and is expanded to their
 * names.
 */
#define DYNO_PLAN_EVERY_BACKEND "*"

#define DYNO_TYPE_PLAN (dyno_plan_get_type ())

/**
 * DynoPlan:
 *
 * The cases to measure: the product models × images × chunks × backends × precisions × options × placements × threads × batch
 * sizes × tokens to generate × sequence lengths. A model takes part in an axis only where it has one, and a
 * backend in the options it knows. A plan is saved and loaded as JSON; its file is a *suite*. Properties, all
 * read-write:
 *
 * - `title` (string)
 * - `models`, `backends`, `precisions` (string arrays); a backend is its id, `id:device`, or `*`
 * - `batch-sizes`, `sequence-lengths`, `generate-tokens`, `images`, `threads` (string arrays of whole numbers, so that a
 *   bad entry can be named in the error): the axes of dyno_case_list_sizes()
 * - `chunks` (string array): how many seconds of sound each item has, `0` for as many as the model usually hears; a case
 *   has them as `seconds` in its `dimensions`
 * - `pinnings` (string array): policies of placement, an empty one for the usual
 * - `options` (string array): alternatives of the backends' own options, each `name=value,name=value`, an empty one
 *   for the usual
 * - `cases` (string array): which of the cases as listed to run, by number from 1; empty for all of them
 * - `first` (string array): which of the cases to measure before the others, the most urgent first: numbers as in `cases`, or
 *   part of the name of cases
 * - `dimensions` (string)
 * - `inputs` (string): values of inputs, as dyno_input_values_new() takes them
 * - `shuffle` (boolean, default TRUE) and `seed` (uint64): the order of the cases
 * - `bytes-per-step` (uint64, default 0: unknown): the traffic of a step, by the user's own estimate
 * - `turns` (boolean, default FALSE): cases that do the same work in different ways take turns, if they can be alive
 *   together
 * - `method` (DynoMethod)
 */
G_DECLARE_FINAL_TYPE (DynoPlan, dyno_plan, DYNO, PLAN, GObject)

/* Returns a plan without models: on the CPU, one sample of as many tokens as is usual. */
DynoPlan *dyno_plan_new (void);
/* Returns the plan. @json: an object; settings left out keep their usual value. Fails with
 * DYNO_ERROR_INVALID_DATA naming the setting that is wrong. */
DynoPlan *dyno_plan_new_from_json (const char *json, GError **error);
/* May wait for a disk or a network, so it belongs on a thread. Returns the file's plan. */
DynoPlan *dyno_plan_new_from_file (GFile *file, GError **error);
/* Returns the suite's plan. Fails with DYNO_ERROR_NOT_FOUND listing the existing names. */
DynoPlan *dyno_plan_new_bundled (const char *suite, GError **error);
/* Returns the names of the suites that come with Dyno, the first to try first. */
char **dyno_plan_list_bundled (void);
/* Returns JSON text that dyno_plan_new_from_json() reads. The caller owns it. */
char *dyno_plan_to_json (DynoPlan *self);
/* Returns whether it is written. */
gboolean dyno_plan_save (DynoPlan *self, GFile *file, GError **error);

const char *dyno_plan_get_title (DynoPlan *self);
/* Returns a title for a run of it: the plan's own, else one that distinguishes it from others: the bundled
 * suite or the models, then the backends, and the swept axes. */
char *dyno_plan_dup_run_title (DynoPlan *self);
const char *const *dyno_plan_get_models (DynoPlan *self);
const char *const *dyno_plan_get_backends (DynoPlan *self);
const char *const *dyno_plan_get_precisions (DynoPlan *self);
const char *const *dyno_plan_get_batch_sizes (DynoPlan *self);
const char *const *dyno_plan_get_sequence_lengths (DynoPlan *self);
/* Returns how many tokens models with a cache generate after the prompt; 0 runs the prompt alone. */
const char *const *dyno_plan_get_generate_tokens (DynoPlan *self);
/* Returns how many images the prompts of models that take images have; 0 is their text alone. */
const char *const *dyno_plan_get_images (DynoPlan *self);
const char *const *dyno_plan_get_chunks (DynoPlan *self);
const char *const *dyno_plan_get_threads (DynoPlan *self);
/* Returns how threads are placed, as dyno_pinning_bind() takes it. */
const char *const *dyno_plan_get_pinnings (DynoPlan *self);
/* Returns alternatives of backends' own options, each `name=value,…`. */
const char *const *dyno_plan_get_options (DynoPlan *self);
/* Returns the loads of the cases, as dyno_load_parse_list() takes them. */
const char *const *dyno_plan_get_loads (DynoPlan *self);
/* Returns the numbers of the listed cases to run, from 1; empty for all of them. */
const char *const *dyno_plan_get_cases (DynoPlan *self);
/* Returns which cases come first, in this order. */
const char *const *dyno_plan_get_first (DynoPlan *self);
/* Returns which entry of `first` names the case, from 0; their number if none does. Cases of equal rank are measured together,
 * before those of a higher one. @place: its place in the expanded plan, from 0. */
guint dyno_plan_rank (DynoPlan *self, DynoCase *kase, guint place);
const char *dyno_plan_get_dimensions (DynoPlan *self);
const char *dyno_plan_get_inputs (DynoPlan *self);
/* Returns the traffic of a step that the user states; 0 if that is left to Dyno's model. */
guint64 dyno_plan_get_bytes_per_step (DynoPlan *self);
guint64 dyno_plan_get_seed (DynoPlan *self);
/* Returns whether cases run in an order drawn from the seed, so that drift does not look like a difference. */
gboolean dyno_plan_get_shuffle (DynoPlan *self);
/* Returns whether cases that are compared take turns. */
gboolean dyno_plan_get_turns (DynoPlan *self);
DynoMethod *dyno_plan_get_method (DynoPlan *self);

/* Reads the description of each model, so it may block on a slow disk. Returns all cases, in the order as
 * listed. Elements are DynoCase. The caller owns it. Fails with DYNO_ERROR_INVALID_ARGUMENT or an error of
 * dyno_model_load(). */
GPtrArray *dyno_plan_expand (DynoPlan *self, GError **error);
/* As dyno_plan_expand(), but a model that exists and cannot be read does not stop the others: it gets one
 * case, which fails with the reason. It is an error if no model can be read, if one does not exist, which is
 * a typing mistake, or if the plan chooses cases by number. Returns all cases, in the order as listed.
 * Elements are DynoCase. The caller owns it. Fails as dyno_plan_expand() does. */
GPtrArray *dyno_plan_expand_for_run (DynoPlan *self, GError **error);
/* Returns the parts of the plan that some of its models cannot do, and the engines that can run none of them, in a sentence
 * for each; NULL if there are none. @cases holds DynoCase. */
char *dyno_plan_dup_note (DynoPlan *self, GPtrArray *cases);
/* Returns the expected time of all of them, in seconds, as a guess before anything has run. @cases holds
 * DynoCase. */
double dyno_plan_estimate_seconds (GPtrArray *cases);

/* dyno-plan-command */

/* Returns the command line that runs the plan: what it measures is stated in full, and other settings where they
 * differ from the usual ones. */
char *dyno_plan_dup_command (DynoPlan *self);
/* Returns a plan that measures this case alone, on @place, such as `openvino:CPU`. */
DynoPlan *dyno_plan_new_for_case (DynoCase *self, const char *place);
/* Returns the command line that measures this case alone. */
char *dyno_case_dup_command (DynoCase *self);
/**
 * DYNO_COMMAND_WIDTH:
 *
 * How wide the lines of a command are on a page.
 */
#define DYNO_COMMAND_WIDTH 78

/* Returns the same command in lines of that width, each but the last continued by a backslash. An option stays with its
 * value, so a long one makes a longer line. */
char *dyno_command_break (const char *command, guint width);

G_END_DECLS
