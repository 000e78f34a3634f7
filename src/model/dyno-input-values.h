/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-tensor-info.h"

G_BEGIN_DECLS

/**
 * DynoInputValues:
 *
 * Values that a person gives for inputs of a model, as text: `NAME=VALUE`, several separated by semicolons.
 * A value is a number for all elements, a list of numbers separated by commas, or `@` and a file: .npy, a
 * tensor of ONNX (.pb), or elements as they are in memory. The value of an input of strings is a text for
 * all elements, or a list of texts in JSON. `@FOLDER` without a name is a folder of test vectors, with a
 * file `input_K.pb` for each input, and perhaps `output_K.pb` with the expected output.
 */
typedef struct _DynoInputValues DynoInputValues;

/* Reads the files that @text names, which may be hostile, so call it on a thread. Returns the values; the
 * last one of an input counts. @text may be NULL. @inputs holds DynoTensorInfo. Fails with
 * DYNO_ERROR_INVALID_ARGUMENT or DYNO_ERROR_INVALID_DATA. */
DynoInputValues *dyno_input_values_new (const char *text, GPtrArray *inputs, GError **error);
/* Returns each of them; a semicolon in quotation marks separates nothing. The caller owns it. @text: the
 * inputs of a case, `NAME=VALUE;NAME=@FILE`. */
char **dyno_input_values_split (const char *text);
void dyno_input_values_free (DynoInputValues *self);
/* Returns whether it is given a value. */
gboolean dyno_input_values_has (DynoInputValues *self, const char *name);
/* Returns those sizes, and before them the sizes of free dimensions that follow from the values.
 * @dimensions may be NULL. */
char *dyno_input_values_dup_dimensions (DynoInputValues *self, const char *dimensions);
/* Returns its value. Fails with DYNO_ERROR_INVALID_ARGUMENT if the value does not fit the input. */
DynoTensor *
dyno_input_values_create (DynoInputValues *self, const char *name, const DynoShape *shape, GError **error);
/* Returns which inputs have which value: “sr = 16000, x = speech.npy (SHA-256 5f2c…)”. */
char *dyno_input_values_dup_description (DynoInputValues *self);

/* Returns the folder of test vectors in the text; NULL if there is none. The caller owns it. @text may be
 * NULL. */
char *dyno_input_values_find_folder (const char *text);
/* Returns the folder of test vectors beside it, if it has one with inputs and outputs; NULL otherwise. The
 * caller owns it. */
char *dyno_input_values_find_beside (const char *model);
/* Returns the outputs that the folder has, by the model's names. Elements are DynoTensor. @outputs holds
 * DynoTensorInfo. Fails with DYNO_ERROR_INVALID_DATA. */
GPtrArray *dyno_input_values_load_outputs (const char *folder, GPtrArray *outputs, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoInputValues, dyno_input_values_free)

G_END_DECLS
