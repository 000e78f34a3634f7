/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-input-values.h"
#include "dyno-model-description.h"
#include "dyno-model.h"

G_BEGIN_DECLS

/* The input of models that Dyno builds for their pictures. */
#define DYNO_INPUTS_PIXELS "pixel_values"

/* The largest number in the fourth column of an input `noise_levels`: see dyno-schedule.h. */
#define DYNO_INPUTS_LAST_KIND 4

/**
 * DynoInputChoice:
 * @DYNO_INPUTS_ALL: the inputs of a first step
 * @DYNO_INPUTS_DECODE: the inputs of a step that decodes one more token, without the cache
 * @DYNO_INPUTS_CACHE: the cache
 *
 * The inputs of a model that get values.
 */
typedef enum
{
  DYNO_INPUTS_ALL,
  DYNO_INPUTS_DECODE,
  DYNO_INPUTS_CACHE,
} DynoInputChoice;

/* Returns whether all of them have values or can get some; strings, for example, cannot be made up.
 * @infos holds DynoTensorInfo. @given may be NULL. Fails with DYNO_ERROR_UNSUPPORTED naming the first input
 * that has no values. */
gboolean dyno_inputs_check (GPtrArray *infos, DynoInputValues *given, GError **error);
/* Returns valid values for each chosen input, in the model's order. Elements are DynoTensor. @given may be
 * NULL. */
GPtrArray *dyno_inputs_create (const DynoModelDescription *description,
                               DynoBinding *binding,
                               DynoInputChoice choice,
                               DynoInputValues *given,
                               guint64 seed,
                               GError **error);
/* Returns the values that Dyno chose for inputs that may steer the graph, as text: “sr = 16000, top_k =
 * 7”; NULL if there are none. @given may be NULL. */
char *dyno_inputs_dup_choices (const DynoModelDescription *description,
                               DynoBinding *binding,
                               DynoInputValues *given,
                               guint64 seed);

/* dyno-sound */

/* Returns how long the sound in one item of the inputs lasts, in seconds; 0 if the model takes none. Where a chunk is padded
 * to a window of fixed length, the chunk alone counts. @binding: the sizes of its first step. @overrides: (nullable): as
 * dyno_model_bind() takes them. @source: how that follows from its inputs, NULL if there is no sound; the caller owns it. */
double dyno_sound_get_seconds (DynoModel *self, DynoBinding *binding, const char *overrides, char **source);
/* Returns whether its steps take sound of a known length. */
gboolean dyno_sound_is_heard (DynoModel *self);
/* Returns @overrides for dyno_binding_new(), in which `seconds` is a number of frames. It is left out where the model hears
 * a window of fixed length, to which a shorter chunk is padded. The caller owns it. Fails where a chunk is longer than the
 * window. @overrides: (nullable). @chunk: gets the seconds of the chunk that is padded, or 0. */
char *dyno_sound_bind_seconds (DynoModel *self, const char *overrides, double *chunk, GError **error);

/* dyno-model */

/* Returns the format of the picture files that a step begins with, `jpeg` or `png`; NULL if it begins with pixels. @mean:
 * gets the mean of each of the three colours, from 0 to 1. @deviation: gets their standard deviation. */
const char *dyno_model_get_picture (DynoModel *self, double mean[3], double deviation[3]);

G_END_DECLS
