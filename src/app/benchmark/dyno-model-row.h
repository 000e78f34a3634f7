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
 * (string, construct-only: what [func@Dyno.model_load] takes), `selected` (boolean), and the read-only
 * `problem` (nullable string).
 *
 * Action `model.details`: shows what is known of the model.
 *
 * Signal `remove`: the user wants an added file out of the list.
 */
G_DECLARE_FINAL_TYPE (DynoModelRow, dyno_model_row, DYNO, MODEL_ROW, AdwActionRow)

/* Returns a new row, not ticked. */
DynoModelRow *dyno_model_row_new (DynoModel *model);
/* A row for a model that the user added, which is read in a thread; it can be removed again. Returns a new
 * row, ticked. @spec: the path of an ONNX file or of a Hugging Face `config.json`, or the id of a fetched
 * model. */
DynoModelRow *dyno_model_row_new_added (const char *spec);

const char *dyno_model_row_get_spec (DynoModelRow *self);
/* Returns whether the user added it: it is not bundled. */
gboolean dyno_model_row_get_added (DynoModelRow *self);
const char *dyno_model_row_get_problem (DynoModelRow *self);
/* Returns the model, once it is read; NULL otherwise. */
DynoModel *dyno_model_row_get_model (DynoModelRow *self);
gboolean dyno_model_row_get_selected (DynoModelRow *self);
void dyno_model_row_set_selected (DynoModelRow *self, gboolean selected);
/* Returns whether name, family, task, architecture or id hold @text, whatever its case. */
gboolean dyno_model_row_matches (DynoModelRow *self, const char *text);

G_END_DECLS
