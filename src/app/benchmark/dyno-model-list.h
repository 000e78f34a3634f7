/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DYNO_TYPE_MODEL_LIST (dyno_model_list_get_type ())

/**
 * DynoModelList:
 *
 * The models one can choose from: the bundled ones, with a search, files the user adds or drops, models fetched from the
 * hub, and those that servers hold.
 *
 * Signals: `changed`: another set of models is ticked; `loaded`: the bundled models have been read.
 */
G_DECLARE_FINAL_TYPE (DynoModelList, dyno_model_list, DYNO, MODEL_LIST, AdwBin)

/* Returns what is ticked, as dyno_model_load() takes it. */
char **dyno_model_list_dup_selected (DynoModelList *self);
/* Ticks exactly these; a path not in the list is added to it. While the list is still loading, it does so
 * later. */
void dyno_model_list_select (DynoModelList *self, const char *const *specs);
/* Returns the paths and ids that were added, ticked or not. */
char **dyno_model_list_dup_files (DynoModelList *self);
/* Adds these without ticking them. */
void dyno_model_list_set_files (DynoModelList *self, const char *const *files);
void dyno_model_list_focus_search (DynoModelList *self);
/* Adds a model at the top and ticks it. One that was added before is read again. */
void dyno_model_list_add (DynoModelList *self, const char *spec);
/* As dyno_model_list_add(), of a file. @file: an ONNX file or a Hugging Face `config.json`. */
void dyno_model_list_add_file (DynoModelList *self, GFile *file);
/* Shows these among the others, and no longer those that no server holds any more. */
void dyno_model_list_show_served (DynoModelList *self, const char *const *specs);
/* Returns whether the rows are still to be made. */
gboolean dyno_model_list_get_loading (DynoModelList *self);

G_END_DECLS
