/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-tensor-info.h"

G_BEGIN_DECLS

/**
 * DynoInputValues:
 *
 * Values that a person gives for inputs of a model, as text: `NAME=VALUE`, several separated by semicolons. A value is a
 * number for all elements, a list of numbers separated by commas, or `@` and a file: .npy, a tensor of ONNX (.pb), or
 * elements as they lie in memory. The value of an input of strings is a text for all elements, or a list of texts in
 * JSON. `@FOLDER` without a name is a folder of test vectors, with a file `input_K.pb` for each input, and perhaps
 * `output_K.pb` with what comes out.
 */
typedef struct _DynoInputValues DynoInputValues;

DynoInputValues *dyno_input_values_new (const char *text, GPtrArray *inputs, GError **error);
char **dyno_input_values_split (const char *text);
void dyno_input_values_free (DynoInputValues *self);
gboolean dyno_input_values_has (DynoInputValues *self, const char *name);
char *dyno_input_values_dup_dimensions (DynoInputValues *self, const char *dimensions);
DynoTensor *
dyno_input_values_create (DynoInputValues *self, const char *name, const DynoShape *shape, GError **error);
char *dyno_input_values_dup_description (DynoInputValues *self);

char *dyno_input_values_find_folder (const char *text);
char *dyno_input_values_find_beside (const char *model);
GPtrArray *dyno_input_values_load_outputs (const char *folder, GPtrArray *outputs, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoInputValues, dyno_input_values_free)

G_END_DECLS
