/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-manifest.h"
#include "dyno-model-graph-private.h"
#include "dyno-model-onnx-private.h"
#include "dyno-model-private.h"
#include "dyno-model.h"
#include "dyno-onnx-writer.h"
#include "dyno-precision.h"

#define RANGES_FILE "ranges.json"

/* Finds the model in the cache or builds it there, and locks it. */
static char *
keep (DynoModel *self, const char *key, gint64 size, DynoModelCacheFill fill, gpointer data, GError **error)
{
  int lock = -1;
  char *folder = dyno_model_cache_get (key, size, fill, data, &lock, error);

  if (folder == NULL)
    return NULL;
  g_mutex_lock (&self->mutex);
  g_array_append_val (self->locks, lock);
  g_mutex_unlock (&self->mutex);
  return folder;
}

typedef struct
{
  DynoGraph *graph;
  guint64 seed;
  GCancellable *cancellable;
} Preparation;

static gboolean
write_model (const char *folder, gpointer data, GError **error)
{
  const Preparation *self = data;

  return dyno_onnx_writer_write (self->graph, folder, self->seed, self->cancellable, error);
}

/* Returns the folder. */
static char *
prepare_graph (DynoModel *self,
               DynoGraph *graph,
               const char *stage,
               const char *precision,
               guint64 seed,
               GCancellable *cancellable,
               GError **error)
{
  Preparation preparation = { graph, seed, cancellable };
  /* The checksum covers the whole graph, so that builders need no version number. */
  const char *state = self->checkpoint != NULL ? dyno_checkpoint_get_state (self->checkpoint) : NULL;
  g_autofree char *checksum = dyno_onnx_writer_get_checksum (graph, seed, state);
  g_autofree char *key =
      g_strdup_printf ("%s%s%s-%s-%.32s", self->architecture->model_type, stage != NULL ? "." : "",
                       stage != NULL ? stage : "", precision, checksum);

  return keep (self, key, dyno_onnx_writer_get_size (graph), write_model, &preparation, error);
}

static gboolean
write_manifest (const char *folder, gpointer data, GError **error)
{
  const DynoManifest *manifest = data;
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *path = g_build_filename (folder, DYNO_ONNX_WRITER_HASH, NULL);
  gboolean is_read = FALSE;

  if (!dyno_manifest_write (manifest, folder, error))
    return FALSE;

  /* The hash of all trained weights, if there are any, is beside the manifest. */
  for (guint i = 0; i < manifest->stages->len; i++)
    {
      const DynoManifestStage *stage = manifest->stages->pdata[i];
      g_autofree char *file = g_canonicalize_filename (stage->file, folder);
      g_autofree char *place = g_path_get_dirname (file);
      g_autofree char *beside = g_build_filename (place, DYNO_ONNX_WRITER_HASH, NULL);
      g_autofree char *hash = NULL;

      if (!g_file_get_contents (beside, &hash, NULL, NULL))
        continue;
      g_checksum_update (checksum, (const guchar *)hash, -1);
      is_read = TRUE;
    }
  return !is_read || g_file_set_contents (path, g_checksum_get_string (checksum), -1, error);
}

static gboolean
write_ranges (const char *folder, gpointer data, GError **error)
{
  const DynoModelCalibration *self = data;
  g_autofree char *path = g_build_filename (folder, RANGES_FILE, NULL);
  g_autofree char *text = self->measure (self->data, error);

  return text != NULL && g_file_set_contents (path, text, -1, error);
}

/* Returns a table of DynoRange for each graph. */
static GPtrArray *
parse_ranges (const char *text, guint n_graphs, const char *path, GError **error)
{
  g_autoptr (JsonObject) object = dyno_json_parse_object (text, -1, path, error);
  JsonArray *array = object != NULL ? dyno_json_member_get_array (object, "graphs") : NULL;
  GPtrArray *ranges;

  if (object == NULL)
    return NULL;
  ranges = g_ptr_array_new_with_free_func ((GDestroyNotify)g_hash_table_unref);
  for (guint i = 0; i < n_graphs; i++)
    {
      JsonObject *graph =
          array != NULL && i < json_array_get_length (array) ? dyno_json_member_get_element (array, i) : NULL;
      GHashTable *table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      JsonObjectIter iter;
      const char *name;
      JsonNode *node;

      g_ptr_array_add (ranges, table);
      if (graph == NULL)
        continue;
      json_object_iter_init (&iter, graph);
      while (json_object_iter_next (&iter, &name, &node))
        if (JSON_NODE_HOLDS_ARRAY (node) && json_array_get_length (json_node_get_array (node)) == 2)
          {
            JsonArray *pair = json_node_get_array (node);
            const DynoRange range = { json_array_get_double_element (pair, 0),
                                      json_array_get_double_element (pair, 1) };

            g_hash_table_insert (table, g_strdup (name), g_memdup2 (&range, sizeof range));
          }
    }
  return ranges;
}

/* The ranges depend on the graphs in single precision with their weights, and on the inputs of the calibration. */
static gboolean
quantise_graphs (
    DynoModel *self, GPtrArray *graphs, const DynoModelCalibration *calibration, guint64 seed, GError **error)
{
  const char *state = self->checkpoint != NULL ? dyno_checkpoint_get_state (self->checkpoint) : NULL;
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *key = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GPtrArray) ranges = NULL;

  g_checksum_update (checksum, (const guchar *)calibration->inputs, -1);
  for (guint i = 0; i < graphs->len; i++)
    {
      g_autofree char *of_graph = dyno_onnx_writer_get_checksum (graphs->pdata[i], seed, state);

      g_checksum_update (checksum, (const guchar *)of_graph, -1);
    }
  key = g_strdup_printf ("%s-ranges-%.32s", self->architecture->model_type, g_checksum_get_string (checksum));
  folder = keep (self, key, 0, write_ranges, (gpointer)calibration, error);
  path = folder != NULL ? g_build_filename (folder, RANGES_FILE, NULL) : NULL;
  if (path == NULL || !g_file_get_contents (path, &text, NULL, error))
    return FALSE;
  ranges = parse_ranges (text, graphs->len, path, error);
  for (guint i = 0; ranges != NULL && i < graphs->len; i++)
    if (dyno_precision_needs_ranges (dyno_model_get_graph_precision (self, i)) &&
        !dyno_graph_quantise (graphs->pdata[i], ranges->pdata[i], error))
      return FALSE;
  return ranges != NULL;
}

/* Returns the graphs with all that their files depend on. */
static GPtrArray *
build_graphs (DynoModel *self, const DynoModelCalibration *calibration, guint64 seed, GError **error)
{
  g_autoptr (GPtrArray) graphs = dyno_model_build_plain (self, NULL, FALSE, error);

  if (graphs == NULL || !dyno_model_bind_weights (self, graphs, NULL, error))
    return NULL;
  if (!dyno_model_needs_ranges (self))
    return g_steal_pointer (&graphs);
  if (calibration == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("“%s” is quantised by the ranges of its activations, which were not measured."),
                   self->name);
      return NULL;
    }
  return quantise_graphs (self, graphs, calibration, seed, error) ? g_steal_pointer (&graphs) : NULL;
}

static char *
prepare_graphs (DynoModel *self, GPtrArray *graphs, guint64 seed, GCancellable *cancellable, GError **error)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *key = NULL;
  g_autofree char *folder = NULL;

  if (self->architecture->stages != NULL)
    {
      g_autoptr (DynoManifest) manifest = dyno_stages_link (self->architecture->stages, graphs, error);

      for (guint i = 0; manifest != NULL && i < graphs->len; i++)
        {
          DynoManifestStage *stage = manifest->stages->pdata[i];
          g_autofree char *part =
              prepare_graph (self, graphs->pdata[i], stage->name, dyno_model_get_graph_precision (self, i),
                             seed, cancellable, error);
          g_autofree char *name = part != NULL ? g_path_get_basename (part) : NULL;

          if (part == NULL)
            return NULL;
          /* The path is relative to the manifest, so that the cache can be moved. */
          g_free (stage->file);
          stage->file = g_build_filename ("..", name, DYNO_ONNX_WRITER_FILE, NULL);
          g_checksum_update (checksum, (const guchar *)stage->file, -1);
        }
      if (manifest == NULL)
        return NULL;
      key = g_strdup_printf ("%s-%s-%.32s", self->architecture->model_type, self->precision,
                             g_checksum_get_string (checksum));
      folder = keep (self, key, 0, write_manifest, manifest, error);
      return folder != NULL ? g_build_filename (folder, DYNO_MANIFEST_FILE, NULL) : NULL;
    }
  folder = prepare_graph (self, graphs->pdata[0], NULL, self->precision, seed, cancellable, error);
  return folder != NULL ? g_build_filename (folder, DYNO_ONNX_WRITER_FILE, NULL) : NULL;
}

gboolean
dyno_model_needs_ranges (DynoModel *self)
{
  g_auto (GStrv) precisions = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);

  precisions = dyno_model_dup_precisions (self);
  for (char **precision = precisions; *precision != NULL; precision++)
    if (self->path == NULL && dyno_precision_needs_ranges (*precision))
      return TRUE;
  return FALSE;
}

GPtrArray *
dyno_model_list_ranged (DynoModel *self, GError **error)
{
  g_autoptr (GPtrArray) graphs = NULL;
  GPtrArray *names;

  g_return_val_if_fail (dyno_model_needs_ranges (self), NULL);

  graphs = dyno_model_build_plain (self, NULL, FALSE, error);
  if (graphs == NULL)
    return NULL;
  names = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
  for (guint i = 0; i < graphs->len; i++)
    g_ptr_array_add (names, dyno_graph_list_quantised (graphs->pdata[i]));
  return names;
}

static DynoGgufContent *
create_gguf (DynoModel *self, GPtrArray *graphs, const char *precision, GError **error)
{
  g_autoptr (DynoConfig) config = dyno_config_new (json_node_get_object (self->config));

  return dyno_gguf_content_new (config, graphs->pdata[0], precision, error);
}

DynoModelDescription *
dyno_model_describe_gguf (DynoModel *self, GPtrArray *graphs, GError **error)
{
  g_autoptr (DynoGgufContent) content = create_gguf (self, graphs, self->precision, error);

  return content != NULL ? dyno_gguf_header_describe (content->header, error) : NULL;
}

/* A file with weights that Dyno rounds itself, and how an engine quantises it. */
typedef struct
{
  DynoModel *model;
  const DynoGgufContent *content;
  const char *key;
  const DynoModelQuantiser *quantiser;
  guint64 seed;
  GCancellable *cancellable;
} GgufPreparation;

static gboolean
write_gguf (const char *folder, gpointer data, GError **error)
{
  const GgufPreparation *self = data;

  return dyno_gguf_writer_write (self->content, folder, self->seed, self->cancellable, error);
}

/* Returns the folder of the file that Dyno rounds. */
static char *
keep_rounded (GgufPreparation *self, GError **error)
{
  return keep (self->model, self->key, dyno_gguf_writer_get_size (self->content), write_gguf, self, error);
}

/* The weights, and with them their hash, are those of the file that is quantised. */
static gboolean
write_quantised (const char *folder, gpointer data, GError **error)
{
  GgufPreparation *self = data;
  g_autofree char *rounded = keep_rounded (self, error);
  g_autofree char *from = NULL;
  g_autofree char *to = g_build_filename (folder, DYNO_GGUF_WRITER_FILE, NULL);
  g_autofree char *hash_path = NULL;
  g_autofree char *hash_copy = g_build_filename (folder, DYNO_ONNX_WRITER_HASH, NULL);
  g_autofree char *hash = NULL;

  if (rounded == NULL)
    return FALSE;
  from = g_build_filename (rounded, DYNO_GGUF_WRITER_FILE, NULL);
  hash_path = g_build_filename (rounded, DYNO_ONNX_WRITER_HASH, NULL);
  return self->quantiser->quantise (from, to, self->model->precision, self->quantiser->data, error) &&
         (!g_file_get_contents (hash_path, &hash, NULL, NULL) ||
          g_file_set_contents (hash_copy, hash, -1, error));
}

static char *
prepare_gguf (DynoModel *self,
              GPtrArray *graphs,
              const DynoModelQuantiser *quantiser,
              guint64 seed,
              GCancellable *cancellable,
              GError **error)
{
  gboolean by_engine = g_str_equal (self->precision, DYNO_GGUF_BY_ENGINE);
  const char *rounded = by_engine ? "fp16" : self->precision;
  const char *state = self->checkpoint != NULL ? dyno_checkpoint_get_state (self->checkpoint) : NULL;
  g_autoptr (DynoGgufContent) content = NULL;
  g_autofree char *checksum = NULL;
  g_autofree char *key = NULL;
  g_autofree char *folder = NULL;

  if (by_engine && quantiser == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("Only an engine of GGUF files quantises “%s” to %s."), self->name, self->precision);
      return NULL;
    }
  content = create_gguf (self, graphs, rounded, error);
  if (content == NULL)
    return NULL;
  checksum = dyno_gguf_writer_get_checksum (content, seed, state);
  key = g_strdup_printf ("%s-gguf-%s-%.32s", self->architecture->model_type, rounded, checksum);

  GgufPreparation preparation = { self, content, key, quantiser, seed, cancellable };

  if (by_engine)
    {
      g_autofree char *source = g_strconcat (key, quantiser->version, NULL);
      g_autofree char *of_source = g_compute_checksum_for_string (G_CHECKSUM_SHA256, source, -1);
      g_autofree char *own_key =
          g_strdup_printf ("%s-gguf-%s-%.32s", self->architecture->model_type, self->precision, of_source);

      folder = keep (self, own_key, dyno_model_get_description (self)->weight_bytes, write_quantised,
                     &preparation, error);
    }
  else
    folder = keep_rounded (&preparation, error);
  return folder != NULL ? g_build_filename (folder, DYNO_GGUF_WRITER_FILE, NULL) : NULL;
}

char *
dyno_model_prepare_with (DynoModel *self,
                         const DynoModelCalibration *calibration,
                         const DynoModelQuantiser *quantiser,
                         guint64 seed,
                         GCancellable *cancellable,
                         GError **error)
{
  g_autoptr (GPtrArray) graphs = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  if (self->path != NULL)
    return g_strdup (self->path);
  graphs = build_graphs (self, calibration, seed, error);
  if (graphs == NULL)
    return NULL;
  return self->is_gguf ? prepare_gguf (self, graphs, quantiser, seed, cancellable, error)
                       : prepare_graphs (self, graphs, seed, cancellable, error);
}

char *
dyno_model_prepare (
    DynoModel *self, const char *precision, guint64 seed, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  g_return_val_if_fail (precision != NULL, NULL);

  if (!dyno_model_check_precision (self, precision, error))
    return NULL;
  if (self->path == NULL && !g_str_equal (precision, self->precision))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("“%s” is in %s here, with inputs and sizes to suit, so it cannot be written in %s."),
                   self->name, self->precision, precision);
      return NULL;
    }
  return dyno_model_prepare_with (self, NULL, NULL, seed, cancellable, error);
}

char **
dyno_model_dup_stages (DynoModel *self)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  const DynoStage *stage;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  stage = self->architecture != NULL ? self->architecture->stages : NULL;
  for (; stage != NULL && stage->name != NULL; stage++)
    g_strv_builder_add (names, stage->name);
  return g_strv_builder_end (names);
}

char **
dyno_model_dup_export_paths (DynoModel *self, const char *path)
{
  g_auto (GStrv) stages = dyno_model_dup_stages (self);
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  g_autofree char *stem = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  stem = g_strndup (path, strlen (path) - (g_str_has_suffix (path, ".onnx") ? strlen (".onnx") : 0));
  if (*stages == NULL)
    g_strv_builder_add (paths, path);
  for (char **stage = stages; *stage != NULL; stage++)
    {
      g_autofree char *own = g_strdup_printf ("%s.%s.onnx", stem, *stage);

      g_strv_builder_add (paths, own);
    }
  return g_strv_builder_end (paths);
}

gboolean
dyno_model_export (
    DynoModel *self, const DynoModelCalibration *calibration, guint64 seed, const char *path, GError **error)
{
  g_autoptr (GPtrArray) graphs = NULL;
  g_auto (GStrv) paths = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  if (self->path != NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("“%s” is an ONNX file already. Copy it, with the files of weights beside it."),
                   self->name);
      return FALSE;
    }
  graphs = build_graphs (self, calibration, seed, error);
  paths = dyno_model_dup_export_paths (self, path);
  if (graphs == NULL)
    return FALSE;
  for (guint i = 0; i < graphs->len; i++)
    if (!dyno_onnx_export (graphs->pdata[i], paths[i], seed, error))
      return FALSE;
  return TRUE;
}
