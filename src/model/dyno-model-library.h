/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"

G_BEGIN_DECLS

/* Returns the ids of the bundled models, without loading them. */
char **dyno_model_library_list_ids (void);
/* Returns the model. Like dyno_model_load(), but the graph of a bundled model is built once in a process,
 * and not for each case that is checked or estimated. To prepare a model, load it anew: its files are in
 * use as long as it lives. @error: see there. */
DynoModel *dyno_model_library_load (const char *id, GError **error);
/* Returns the name of that model; NULL, at no cost, if there is none. @id: the exact id of a bundled model,
 * or anything else. */
char *dyno_model_library_dup_name (const char *id);
/* The bundled models, by name. No weights are built or allocated. Returns a list of DynoModel. The caller
 * owns it. */
GListModel *dyno_model_library_get_default (void);
/* Returns the JSON text of the model. The caller owns it. @id: the id of a bundled model, with or without
 * the owner in front, in any case. Fails with DYNO_ERROR_NOT_FOUND with the most similar ids. */
GBytes *dyno_model_library_lookup (const char *id, GError **error);

G_END_DECLS
