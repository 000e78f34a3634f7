/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"

G_BEGIN_DECLS

/**
 * DynoModelSpecKind:
 * @DYNO_MODEL_SPEC_SERVED: `server:` and the server's name of the model
 * @DYNO_MODEL_SPEC_BUNDLED: the id of a bundled model, or its name on the hub
 * @DYNO_MODEL_SPEC_FOLDER: a folder with a config, such as that of a model fetched from the hub
 * @DYNO_MODEL_SPEC_CONFIG: a config
 * @DYNO_MODEL_SPEC_ONNX: an ONNX or GGUF file
 * @DYNO_MODEL_SPEC_UNKNOWN: none of these
 */
typedef enum
{
  DYNO_MODEL_SPEC_SERVED,
  DYNO_MODEL_SPEC_BUNDLED,
  DYNO_MODEL_SPEC_FOLDER,
  DYNO_MODEL_SPEC_CONFIG,
  DYNO_MODEL_SPEC_ONNX,
  DYNO_MODEL_SPEC_UNKNOWN,
} DynoModelSpecKind;

/**
 * DynoModelSpec:
 * @kind: what the text means
 * @text: the text by which a person names a model
 * @name: the server's name of the model, or the id of the bundled one; NULL for others
 * @path: the folder or the file; NULL if there is none
 * @is_fetched: whether @path is the folder of a model that was fetched from the hub
 * @modality: the one modality that is meant, “image” in `clip-vit-base-patch32@image`; NULL for the whole model
 *
 * The meaning of the text by which a person names a model.
 */
typedef struct
{
  DynoModelSpecKind kind;
  char *text;
  char *name;
  char *path;
  gboolean is_fetched;
  char *modality;
} DynoModelSpec;

/* Looks at names and folders, but reads no model. Never fails; the file of a path may be missing. */
DynoModelSpec *dyno_model_spec_parse (const char *text);
void dyno_model_spec_free (DynoModelSpec *self);
/* Returns the kinds of input that @model or a part of it can be given alone, as they follow “@” in its name: those of its
 * parts, `waveform`, `jpeg`, `png`. Outlines its graph, which takes a while. */
char **dyno_model_dup_modalities (DynoModel *model);
/* Returns the name of the whole model. The caller owns it. @modality (nullable): the end of @spec that names a modality;
 * NULL if there is none. */
char *dyno_model_spec_split (const char *spec, const char **modality);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoModelSpec, dyno_model_spec_free)

/* Returns one of the suffixes of files that are models, without the dot; NULL after the last. */
const char *dyno_model_spec_get_suffix (guint index);
/* Returns the suffix of a name that looks like a file with a model; NULL if it does not. */
const char *dyno_model_spec_find_suffix (const char *name);

G_END_DECLS
