/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DYNO_TYPE_MODEL_LIST (dyno_model_list_get_type ())

/**
 * DynoModelList:
 *
 * The models to choose from: the bundled ones, with a search, files that the user adds or drops, models
 * fetched from the hub, and those of servers.
 *
 * Signals: `changed`: the set of ticked models changed; `loaded`: the bundled models have been read.
 */
G_DECLARE_FINAL_TYPE (DynoModelList, dyno_model_list, DYNO, MODEL_LIST, AdwBin)

/* Returns the ticked models, as dyno_model_load() takes them. */
char **dyno_model_list_dup_selected (DynoModelList *self);
/* Ticks exactly these models and adds paths that are not in the list. If the list is still loading, it does
 * so afterwards. */
void dyno_model_list_select (DynoModelList *self, const char *const *specs);
/* Returns the added paths and ids, ticked or not. */
char **dyno_model_list_dup_files (DynoModelList *self);
/* Adds these without ticking them. */
void dyno_model_list_set_files (DynoModelList *self, const char *const *files);
void dyno_model_list_focus_search (DynoModelList *self);
/* Adds a model at the top and ticks it. A model that was added before is read again. */
void dyno_model_list_add (DynoModelList *self, const char *spec);
/* Like dyno_model_list_add(), for a file. @file: an ONNX file or a Hugging Face `config.json`. */
void dyno_model_list_add_file (DynoModelList *self, GFile *file);
/* Adds these to the list, and removes models that no server offers any more. */
void dyno_model_list_show_served (DynoModelList *self, const char *const *specs);
/* Returns whether the rows have not been made yet. */
gboolean dyno_model_list_get_loading (DynoModelList *self);

G_END_DECLS
