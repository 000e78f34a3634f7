/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-architecture.h"
#include "dyno-checkpoint.h"
#include "dyno-model-description.h"
#include "dyno-model.h"

G_BEGIN_DECLS

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
  gboolean is_fused;
  DynoDataType real_type;
  gint64 n_listed_parameters;        /* from the file of a bundled model; 0 for others */
  DynoModelDescription *description; /* NULL for a bundled model until its graph is built */
  GMutex mutex;
  GArray *locks;
  GHashTable *estimates; /* the needs of its graphs, by the requested sizes */
};

DynoPackedFormat dyno_model_quantisation_get_format (DynoModel *self);
gboolean dyno_model_quantisation_has_zeros (DynoModel *self);
const char *dyno_model_quantisation_get_kept (DynoModel *self);
GPtrArray *dyno_model_build (DynoModel *self, DynoBinding *binding, gboolean is_outline, GError **error);
gboolean dyno_model_describe (DynoModel *self, const char *folder, DynoBinding *binding, GError **error);
void dyno_model_estimates_keep (DynoModel *self, DynoBinding *binding, GPtrArray *graphs);
DynoModel *dyno_model_convert (DynoModel *self, const char *precision, DynoBinding *binding, GError **error);
DynoModelDescription *dyno_model_get_description (DynoModel *self);
gboolean dyno_model_bind_weights (DynoModel *self, GPtrArray *graphs, GPtrArray *lacking, GError **error);

G_END_DECLS
