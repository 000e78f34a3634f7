/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-file.h"
#include "dyno-json.h"
#include "dyno-model-graph-private.h"
#include "dyno-model-weights-private.h"
#include "dyno-pipeline.h"
#include "dyno-system.h"
#include "dyno-text.h"

/* File names that libraries use, in one file or in shards with an index, in full precision before half precision; the
 * first one that exists counts. */
static const char *const file_names[] = {
  "model.safetensors",
  "model.safetensors.index.json",
  "diffusion_pytorch_model.safetensors",
  "diffusion_pytorch_model.safetensors.index.json",
  "model.fp16.safetensors",
  "model.safetensors.index.fp16.json",
  "diffusion_pytorch_model.fp16.safetensors",
  "diffusion_pytorch_model.safetensors.index.fp16.json",
};

struct _DynoCheckpoint
{
  gatomicrefcount ref_count;
  GHashTable *files;   /* of DynoSafetensors, by name */
  GPtrArray *names;    /* names relative to the folder, including the index */
  GHashTable *tensors; /* of DynoSafetensor; the names in a pipeline begin with the part */
  GStringChunk *keys;
  DynoPackedFormat format;
  GHashTable *packed; /* of DynoPacked, by name */
  GPtrArray *slices;  /* of DynoSafetensor: parts of tensors */
  GHashTable *stacks; /* of DynoSafetensor: tensors that contain weights, or parts of packed ones */
  GString *state;
  gboolean has_misfits; /* whether there are parts of packed weights that are not one */
};

/* Finds the main file of the checkpoint in a folder, NULL if there is none. */
static const char *
find_file (const char *folder)
{
  for (guint i = 0; i < G_N_ELEMENTS (file_names); i++)
    {
      g_autofree char *path = g_build_filename (folder, file_names[i], NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return file_names[i];
    }
  return NULL;
}

/* The subfolders of a pipeline that contain weights, in alphabetical order. */
static GList *
list_parts (const char *folder)
{
  g_autofree char *index = g_build_filename (folder, DYNO_PIPELINE_FILE, NULL);
  g_autoptr (GDir) dir = g_file_test (index, G_FILE_TEST_IS_REGULAR) ? g_dir_open (folder, 0, NULL) : NULL;
  GList *parts = NULL;

  for (const char *name = dir != NULL ? g_dir_read_name (dir) : NULL; name != NULL;
       name = g_dir_read_name (dir))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (find_file (path) != NULL)
        parts = g_list_insert_sorted (parts, g_strdup (name), (GCompareFunc)strcmp);
    }
  return parts;
}

gboolean
dyno_checkpoint_exists (const char *folder)
{
  GList *parts = list_parts (folder);
  gboolean has_parts = parts != NULL;

  g_list_free_full (parts, g_free);
  return has_parts || find_file (folder) != NULL;
}

static void
add_name (DynoCheckpoint *self, const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *state = dyno_system_dup_state (path);

  g_ptr_array_add (self->names, g_strdup (name));
  g_string_append_printf (self->state, "%s\n", state);
}

/* @name is relative to @folder, also in the functions below. */
static DynoSafetensors *
open_file (DynoCheckpoint *self, const char *folder, const char *name, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  DynoSafetensors *file = g_hash_table_lookup (self->files, name);

  if (file != NULL)
    return file;
  file = dyno_safetensors_open (path, error);
  if (file == NULL)
    return NULL;
  g_hash_table_insert (self->files, g_strdup (name), file);
  add_name (self, folder, name);
  return file;
}

/* The files of a part name its weights without the part. */
static void
add_tensor (DynoCheckpoint *self, const char *part, const DynoSafetensor *tensor)
{
  g_autofree char *name = *part != '\0' ? g_strconcat (part, ".", tensor->name, NULL) : NULL;
  const char *key = name != NULL ? g_string_chunk_insert (self->keys, name) : tensor->name;

  g_hash_table_insert (self->tensors, (gpointer)key, (gpointer)tensor);
}

static gboolean
fail_index (const char *path, const char *reason, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("The list of weights “%s” cannot be read: %s. Download it again."), path, reason);
  return FALSE;
}

/* @index is the path of the index; the files that it names are in the same folder. */
static gboolean
add_listed (DynoCheckpoint *self,
            const char *folder,
            const char *part,
            const char *index,
            const char *tensor_name,
            JsonNode *node,
            GError **error)
{
  const char *text = dyno_json_node_get_string (node);
  const char *name = text != NULL ? text : "";
  g_autofree char *place = g_build_filename (part, name, NULL);
  g_autofree char *shown = dyno_plain_text_quote (tensor_name, DYNO_PLAIN_TEXT_NAME);
  g_autofree char *reason = NULL;
  const DynoSafetensor *tensor;
  DynoSafetensors *file;

  /* It is a name, not a path: an index must not lead out of the folder. */
  if (!g_str_has_suffix (name, ".safetensors") || strpbrk (name, "/\\") != NULL || *name == '.')
    {
      reason = g_strdup_printf (_ ("the file of the tensor “%s” is not beside it"), shown);
      return fail_index (index, reason, error);
    }
  file = open_file (self, folder, place, error);
  if (file == NULL)
    return FALSE;
  tensor = dyno_safetensors_find (file, tensor_name);
  if (tensor == NULL)
    {
      reason = g_strdup_printf (_ ("the tensor “%s” is not in “%s”"), shown, name);
      return fail_index (index, reason, error);
    }
  add_tensor (self, part, tensor);
  return TRUE;
}

static gboolean
open_index (DynoCheckpoint *self, const char *folder, const char *part, const char *name, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GBytes) bytes = dyno_file_read (path, DYNO_FILE_MAX_TEXT, &local_error);
  JsonObject *map;
  JsonObjectIter iter;
  const char *tensor;
  const char *text;
  JsonNode *root = NULL, *node;
  gsize size = 0;

  text = bytes != NULL ? g_bytes_get_data (bytes, &size) : NULL;
  if (size > 0 && dyno_json_text_is_shallow (text, size) &&
      dyno_json_text_load (parser, text, size, &local_error))
    root = json_parser_get_root (parser);
  map = dyno_json_member_get_object (dyno_json_node_get_object (root), "weight_map");
  if (map == NULL)
    return fail_index (path, local_error != NULL ? local_error->message : _ ("it names no files"), error);
  add_name (self, folder, name);
  json_object_iter_init (&iter, map);
  while (json_object_iter_next (&iter, &tensor, &node))
    if (!add_listed (self, folder, part, path, tensor, node, error))
      return FALSE;
  return TRUE;
}

/* Opens the checkpoint of one subfolder; an empty @part is the folder itself. */
static gboolean
open_part (DynoCheckpoint *self, const char *folder, const char *part, GError **error)
{
  g_autofree char *place = g_build_filename (folder, part, NULL);
  const char *file = find_file (place);
  g_autofree char *name = file != NULL ? g_build_filename (part, file, NULL) : NULL;
  DynoSafetensors *tensors;

  if (file == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                   _ ("The folder “%s” holds no weights any more. Put its model.safetensors back."), place);
      return FALSE;
    }
  if (g_str_has_suffix (file, ".json"))
    return open_index (self, folder, part, name, error);
  tensors = open_file (self, folder, name, error);
  for (guint i = 0; tensors != NULL && i < dyno_safetensors_get_all (tensors)->len; i++)
    add_tensor (self, part, dyno_safetensors_get_all (tensors)->pdata[i]);
  return tensors != NULL;
}

DynoCheckpoint *
dyno_checkpoint_open (const char *folder, const DynoPackedFormat *format, GError **error)
{
  g_autoptr (DynoCheckpoint) self = g_new0 (DynoCheckpoint, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->files =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)dyno_safetensors_free);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->tensors = g_hash_table_new (g_str_hash, g_str_equal);
  self->keys = g_string_chunk_new (1024);
  self->format = *format;
  self->packed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->slices = g_ptr_array_new_with_free_func (g_free);
  self->stacks = g_hash_table_new (NULL, NULL);
  self->state = g_string_new (NULL);

  GList *parts = list_parts (folder);
  gboolean is_good = parts != NULL || open_part (self, folder, "", error);

  for (GList *l = parts; is_good && l != NULL; l = l->next)
    is_good = open_part (self, folder, l->data, error);
  g_list_free_full (parts, g_free);
  return is_good ? g_steal_pointer (&self) : NULL;
}

DynoCheckpoint *
dyno_checkpoint_ref (DynoCheckpoint *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
dyno_checkpoint_unref (DynoCheckpoint *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_hash_table_unref (self->tensors);
  g_hash_table_unref (self->files);
  g_ptr_array_unref (self->names);
  g_string_chunk_free (self->keys);
  g_hash_table_unref (self->packed);
  g_hash_table_unref (self->stacks);
  g_ptr_array_unref (self->slices);
  g_string_free (self->state, TRUE);
  g_free (self);
}

GPtrArray *
dyno_checkpoint_list_files (DynoCheckpoint *self)
{
  return self->names;
}

const char *
dyno_checkpoint_get_state (DynoCheckpoint *self)
{
  return self->state->str;
}

static const DynoSafetensor *
lookup (DynoCheckpoint *self, const char *name)
{
  const DynoSafetensor *tensor = g_hash_table_lookup (self->tensors, name);
  DynoPacked *packed = g_hash_table_lookup (self->packed, name);

  if (tensor != NULL && dyno_safetensor_is_real (tensor))
    return tensor;
  if (packed != NULL)
    return &packed->view;
  packed = dyno_packed_find (self->tensors, name, &self->format);
  if (packed == NULL)
    {
      self->has_misfits = self->has_misfits || dyno_packed_has_parts (self->tensors, name);
      return tensor;
    }
  g_hash_table_insert (self->packed, g_strdup (name), packed);
  g_hash_table_add (self->stacks, (gpointer)packed->quants);
  g_hash_table_add (self->stacks, (gpointer)packed->scales);
  return &packed->view;
}

static const DynoSafetensor *
find_prefixed (DynoCheckpoint *self, const DynoNaming *naming, const char *name)
{
  const DynoSafetensor *tensor = lookup (self, name);
  g_autofree char *toggled = NULL;
  gsize length;

  if (tensor != NULL || naming == NULL || naming->prefix == NULL)
    return tensor;
  /* The prefix is added, or removed if the name has it. */
  length = strlen (naming->prefix);
  toggled = strncmp (name, naming->prefix, length) == 0 && name[length] == '.'
                ? g_strdup (name + length + 1)
                : g_strconcat (naming->prefix, ".", name, NULL);
  return lookup (self, toggled);
}

static const DynoSafetensor *
find_slice (DynoCheckpoint *self, const DynoNaming *naming, const DynoStacked *stacked, const char *name)
{
  const char *place = strstr (name, stacked->before);
  g_autofree char *published = NULL;
  const DynoSafetensor *stack;
  DynoSafetensor *slice;
  guint64 index;
  char *end;

  if (place == NULL)
    return NULL;
  index = g_ascii_strtoull (place + strlen (stacked->before), &end, 10);
  if (end == place + strlen (stacked->before) || !g_str_equal (end, stacked->after))
    return NULL;
  published = g_strdup_printf ("%.*s%s", (int)(place - name), name, stacked->published);
  stack = find_prefixed (self, naming, published);
  if (stack == NULL || stack->shape.rank < 2 || index >= (guint64)stack->shape.dims[0])
    return NULL;

  /* The slice is the part of the tensor with that index. */
  slice = g_memdup2 (stack, sizeof *stack);
  slice->shape.rank = stack->shape.rank - 1;
  memmove (slice->shape.dims, stack->shape.dims + 1, slice->shape.rank * sizeof *slice->shape.dims);
  slice->size = stack->size / (gsize)stack->shape.dims[0];
  if (stack->packed == NULL)
    slice->data = stack->data + index * slice->size;
  slice->first = index * (gsize)dyno_shape_count (&slice->shape);
  g_ptr_array_add (self->slices, slice);
  g_hash_table_add (self->stacks, (gpointer)stack);
  return slice;
}

static const DynoSafetensor *
find_tensor (DynoCheckpoint *self, const DynoNaming *naming, const char *name)
{
  const DynoSafetensor *tensor = find_prefixed (self, naming, name);
  g_autoptr (GString) published = NULL;

  if (tensor != NULL || naming == NULL)
    return tensor;
  for (const DynoStacked *stacked = naming->stacked; stacked != NULL && stacked->before != NULL; stacked++)
    if ((tensor = find_slice (self, naming, stacked, name)) != NULL)
      return tensor;
  if (naming->pairs == NULL)
    return NULL;
  published = g_string_new (name);
  for (const DynoNamePair *pair = naming->pairs; pair->own != NULL; pair++)
    g_string_replace (published, pair->own, pair->published, 0);
  return find_prefixed (self, naming, published->str);
}

/* Returns whether the tensor in the file is real and has the shape of the weight, transposed if necessary. */
static gboolean
check_tensor (const DynoWeight *weight, const DynoSafetensor *tensor, GError **error)
{
  DynoShape wanted = weight->shape;
  g_autofree char *wanted_text = NULL;
  g_autofree char *text = NULL;

  if (!dyno_safetensor_is_real (tensor))
    {
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
          _ ("The tensor “%s” of “%s” is of the type %s. Dyno reads weights of the types F32, F16 and "
             "BF16: convert the file."),
          tensor->name, dyno_safetensors_get_path (tensor->file), tensor->type_name);
      return FALSE;
    }
  if (weight->is_turned)
    {
      wanted.dims[0] = weight->shape.dims[1];
      wanted.dims[1] = weight->shape.dims[0];
    }
  if (wanted.rank == tensor->shape.rank &&
      memcmp (wanted.dims, tensor->shape.dims, wanted.rank * sizeof *wanted.dims) == 0)
    return TRUE;
  wanted.type = tensor->shape.type;
  wanted_text = dyno_shape_to_string (&wanted);
  text = dyno_shape_to_string (&tensor->shape);
  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
      _ ("The tensor “%s” of “%s” is %s, but the config asks for %s: the two are not of the same model."),
      tensor->name, dyno_safetensors_get_path (tensor->file), text, wanted_text);
  return FALSE;
}

static gboolean
fail_lacking (DynoCheckpoint *self, const char *name, GError **error)
{
  g_autofree char *part = g_strndup (name, strcspn (name, "."));
  g_autofree char *folder = g_strconcat (part, G_DIR_SEPARATOR_S, NULL);
  gboolean lacks_part = TRUE;

  /* A pipeline may have weights for other parts only. */
  for (guint i = 0; i < self->names->len; i++)
    if (g_str_has_prefix (self->names->pdata[i], folder) ||
        strchr (self->names->pdata[i], G_DIR_SEPARATOR) == NULL)
      lacks_part = FALSE;
  if (lacks_part)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                   _ ("There are weights for a part of the pipeline (“%s”), but none for “%s”. Download "
                      "those as well, or remove all: then they are drawn at random."),
                   (const char *)self->names->pdata[0], part);
      return FALSE;
    }
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("The weights “%s” lack the tensor “%s” that the config asks for: the two are not of the "
                  "same model."),
               (const char *)self->names->pdata[0], name);
  return FALSE;
}

gboolean
dyno_checkpoint_bind (
    DynoCheckpoint *self, const DynoNaming *naming, DynoGraph *graph, GPtrArray *lacking, GError **error)
{
  GPtrArray *weights = dyno_graph_get_weights (graph);

  for (guint i = 0; i < weights->len; i++)
    {
      DynoWeight *weight = weights->pdata[i];
      const DynoSafetensor *tensor = find_tensor (self, naming, weight->name);
      gboolean is_optional = FALSE;

      for (guint k = 0; naming != NULL && naming->optional != NULL && naming->optional[k] != NULL; k++)
        is_optional |= g_str_has_prefix (weight->name, naming->optional[k]);
      if (tensor == NULL && weight->sine_span > 0)
        continue;
      if (self->has_misfits && (tensor == NULL || !dyno_safetensor_is_real (tensor)))
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                       _ ("The quantised parts of the weight “%s” in “%s” do not fit one another, or are of "
                          "a kind that Dyno does not read. It reads AWQ of 4 bits, GPTQ of 2, 4 and 8 bits, "
                          "FP8 with scales, and MXFP4."),
                       weight->name, (const char *)self->names->pdata[0]);
          return FALSE;
        }
      if (tensor == NULL && !is_optional)
        return fail_lacking (self, weight->name, error);
      if (tensor == NULL && lacking != NULL)
        g_ptr_array_add (lacking, g_strdup (weight->name));
      else if (tensor != NULL && !check_tensor (weight, tensor, error))
        return FALSE;
      weight->tensor = tensor;
    }
  return TRUE;
}

/* The ends of the names of tensors that libraries write although they follow from others: buffers that they
 * compute, and weights that are tied to the embedding; and of one that the first T5s have and no library
 * reads. */
static const char *const derived[] = {
  ".attn.bias",
  ".attn.masked_bias",
  ".attention.bias",
  ".attention.masked_bias",
  ".crossattention.bias",
  ".crossattention.masked_bias",
  ".inv_freq",
  ".slope_rate",
  ".query_decay",
  ".key_decay",
  ".diagonal_decay",
  ".embed_tokens.weight",
  ".embed_positions.weight",
  ".embed_positions.weights",
  "lm_head.weight",
  "lm_head.decoder.weight",
  "lm_head.decoder.bias",
  "predictions.decoder.weight",
  "predictions.decoder.bias",
  "proj_out.weight",
  "final_logits_bias",
  "shared.weight",
  "EncDecAttention.relative_attention_bias.weight",
};

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *
dyno_checkpoint_list_unused (DynoCheckpoint *self, GPtrArray *graphs)
{
  g_autoptr (GHashTable) used = g_hash_table_new (NULL, NULL);
  GPtrArray *unused = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer name, tensor;

  for (guint i = 0; i < graphs->len; i++)
    {
      GPtrArray *weights = dyno_graph_get_weights (graphs->pdata[i]);

      for (guint j = 0; j < weights->len; j++)
        g_hash_table_add (used, (gpointer)((DynoWeight *)weights->pdata[j])->tensor);
    }

  g_hash_table_iter_init (&iter, self->tensors);
  while (g_hash_table_iter_next (&iter, &name, &tensor))
    {
      gboolean is_derived = !dyno_safetensor_is_real (tensor);

      for (guint i = 0; i < G_N_ELEMENTS (derived); i++)
        is_derived |= g_str_has_suffix (((DynoSafetensor *)tensor)->name, derived[i]);
      if (!g_hash_table_contains (used, tensor) && !g_hash_table_contains (self->stacks, tensor) &&
          !is_derived)
        g_ptr_array_add (unused, g_strdup (name));
    }
  g_ptr_array_sort (unused, compare_names);
  return unused;
}
