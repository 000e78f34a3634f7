/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-model.h"

G_BEGIN_DECLS

#define DYNO_TYPE_MODEL_ROW (dyno_model_row_get_type ())

/**
 * DynoModelRow:
 *
 * A model that can be ticked: its name, family and size, or why its file cannot be read. Properties: `spec`
 * (string, construct-only: the argument for dyno_model_load()), `selected` (boolean), and the read-only
 * `problem` (nullable string).
 *
 * Action `model.details`: shows the details of the model.
 *
 * Signal `remove`: the user asks to remove an added file from the list.
 */
G_DECLARE_FINAL_TYPE (DynoModelRow, dyno_model_row, DYNO, MODEL_ROW, AdwActionRow)

/* Returns a new row, not ticked. */
DynoModelRow *dyno_model_row_new (DynoModel *model);
/* Reads an added model in a thread; the user can remove the row again. Returns a new row, ticked. @spec: the
 * path of an ONNX file or of a Hugging Face `config.json`, or the id of a fetched model. */
DynoModelRow *dyno_model_row_new_added (const char *spec);

const char *dyno_model_row_get_spec (DynoModelRow *self);
/* Returns whether the user added the model, rather than Dyno bundling it. */
gboolean dyno_model_row_get_added (DynoModelRow *self);
const char *dyno_model_row_get_problem (DynoModelRow *self);
/* Returns the model; NULL until it is read. */
DynoModel *dyno_model_row_get_model (DynoModelRow *self);
gboolean dyno_model_row_get_selected (DynoModelRow *self);
void dyno_model_row_set_selected (DynoModelRow *self, gboolean selected);
/* Returns whether name, family, task, architecture or id contain @text, ignoring case. */
gboolean dyno_model_row_matches (DynoModelRow *self, const char *text);

G_END_DECLS
