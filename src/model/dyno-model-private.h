/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "dyno-architecture.h"
#include "dyno-manifest.h"
#include "dyno-model-description.h"
#include "dyno-model-gguf-private.h"
#include "dyno-model-weights-private.h"
#include "dyno-model.h"

G_BEGIN_DECLS

/* dyno-model-cache */

/**
 * DynoModelCacheFill:
 * @folder: an empty folder
 * @data: data of the caller
 * @error: return location
 *
 * Writes a model into a folder.
 */
typedef gboolean (*DynoModelCacheFill) (const char *folder, gpointer data, GError **error);

/* Removes least recently used models to make room, except those in use. Returns the folder that holds the
 * model. The caller owns it. @key: identifies everything the model depends on, as a file name. @size:
 * about how many bytes it takes. @lock: a file descriptor; until it is closed, no process removes the
 * model. */
char *dyno_model_cache_get (
    const char *key, gint64 size, DynoModelCacheFill fill, gpointer data, int *lock, GError **error);
/* Call it before any thread prepares a model. @bytes: how much space all cached models may take together,
 * initially 8 GB. */
void dyno_model_cache_set_limit (gint64 bytes);

struct _DynoModel
{
  GObject parent_instance;

  char *id;
  char *name;
  char *task;
  char *licence; /* NULL if its config does not have it */
  char *source;  /* likewise */
  char *path;
  JsonNode
      *config; /* immutable: threads share it, and only the references of a node are counted atomically */
  char *weights_folder;       /* NULL for random weights and for those of an ONNX file */
  DynoCheckpoint *checkpoint; /* NULL until it is opened in this process */
  const DynoArchitecture *architecture;
  const char *precision; /* from our own table; NULL for a file, which is in real_type */
  GHashTable *of_stages; /* precisions by the names of their stages; NULL while all have that of the model */
  gboolean is_fused;
  guint window;        /* in place of that of the published config; 0 for none */
  guint n_pictures;    /* of each item that has any; 0 for the text alone of a model that takes images */
  const char *picture; /* the format of the files that it takes; NULL if it takes pixels */
  gboolean is_served;
  gboolean is_gguf;                      /* whether Dyno writes it as a GGUF file */
  const DynoEngineFormat *engine_format; /* of a file that only one engine reads; NULL for others */
  DynoDataType real_type;
  gint64 n_listed_parameters;        /* from the file of a bundled model; 0 for others */
  gint64 n_listed_bytes;             /* the same for the weights */
  DynoModelDescription *description; /* NULL for a bundled model until its graph is built */
  GMutex mutex;
  GArray *locks;
  GHashTable *estimates; /* the needs of its graphs, by the requested sizes */
};

DynoPackedFormat dyno_model_quantisation_get_format (DynoModel *self);
gboolean dyno_model_quantisation_has_zeros (DynoModel *self);
const char *dyno_model_quantisation_get_kept (DynoModel *self);
/* Returns the precision of that graph. */
const char *dyno_model_get_graph_precision (DynoModel *self, guint graph);
GPtrArray *dyno_model_build (DynoModel *self, DynoBinding *binding, gboolean is_outline, GError **error);
/* Returns the graphs before they are quantised by ranges. */
GPtrArray *
dyno_model_build_plain (DynoModel *self, DynoBinding *binding, gboolean is_outline, GError **error);
gboolean dyno_model_describe (DynoModel *self, const char *folder, DynoBinding *binding, GError **error);
void dyno_model_estimates_keep (DynoModel *self, DynoBinding *binding, GPtrArray *graphs);
DynoModel *dyno_model_convert (
    DynoModel *self, DynoModelFormat format, const char *precision, DynoBinding *binding, GError **error);
DynoModelDescription *dyno_model_get_description (DynoModel *self);
/* Takes the whole model. Returns its part for one modality. @spec: the name of that part. */
DynoModel *
dyno_model_take_modality (DynoModel *whole, const char *spec, const char *modality, GError **error);
gboolean dyno_model_bind_weights (DynoModel *self, GPtrArray *graphs, GPtrArray *lacking, GError **error);

/* dyno-model-files */

/* Returns the description of the GGUF file that is to be written; NULL on error. @graphs: the whole graph of its
 * config. */
DynoModelDescription *dyno_model_describe_gguf (DynoModel *self, GPtrArray *graphs, GError **error);

/* dyno-model-library */

/* Returns the id of the bundled model of that name; NULL if there is none. @name: its id, with or without the owner in
 * front, in any case, or its id on the hub. */
char *dyno_model_library_find (const char *name);

/* dyno-similar */

/* Returns how different the names are, 0 if they are the same: the Levenshtein distance, ignoring case. A
 * name that contains the other counts as similar, however much longer it is. */
guint dyno_similar_distance (const char *wanted, const char *name);

/* dyno-stages */

/* Returns their inputs, outputs and links, without files. The caller owns it. @stages: the stages of an
 * architecture, terminated by one without a name. @graphs holds DynoGraph. */
DynoManifest *dyno_stages_link (const DynoStage *stages, GPtrArray *graphs, GError **error);
/* Returns the signature and the size of the whole model. The caller owns it. @stages: the stages of an
 * architecture, terminated by one without a name. @graphs holds DynoGraph. */
DynoModelDescription *dyno_stages_describe (const DynoStage *stages, GPtrArray *graphs, GError **error);

G_END_DECLS
