/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-json.h"
#include "dyno-model-description.h"

DynoModelDescription *
dyno_model_description_new (void)
{
  DynoModelDescription *self = g_atomic_rc_box_new0 (DynoModelDescription);

  self->n_pictures = 1;
  self->inputs = g_ptr_array_new_with_free_func (g_object_unref);
  self->outputs = g_ptr_array_new_with_free_func (g_object_unref);
  self->row_limits = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->compared_values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->windows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->equations = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->sizes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->branches = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->operators = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->external_files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->lacking = g_ptr_array_new_with_free_func (g_free);
  self->unused = g_ptr_array_new_with_free_func (g_free);
  self->least_sizes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->prompt_inputs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

static void
clear (gpointer data)
{
  DynoModelDescription *self = data;

  g_ptr_array_unref (self->inputs);
  g_ptr_array_unref (self->outputs);
  g_hash_table_unref (self->row_limits);
  g_hash_table_unref (self->compared_values);
  g_hash_table_unref (self->windows);
  g_hash_table_unref (self->equations);
  g_hash_table_unref (self->sizes);
  g_hash_table_unref (self->branches);
  g_hash_table_unref (self->operators);
  g_hash_table_unref (self->external_files);
  g_ptr_array_unref (self->lacking);
  g_ptr_array_unref (self->unused);
  g_hash_table_unref (self->least_sizes);
  g_hash_table_unref (self->prompt_inputs);
  g_free (self->architecture);
  g_free (self->weight_mix);
}

DynoModelDescription *
dyno_model_description_ref (DynoModelDescription *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
dyno_model_description_unref (DynoModelDescription *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

gint64
dyno_model_description_count_places (const DynoModelDescription *self)
{
  return self->n_picture_tokens > 0 ? ((gint64)self->n_picture_tokens + 1) * self->n_pictures - 1 : 0;
}

void
dyno_model_description_limit (DynoModelDescription *self, const char *input, gint64 limit)
{
  const gint64 *present = g_hash_table_lookup (self->row_limits, input);

  if (present == NULL || *present > limit)
    g_hash_table_replace (self->row_limits, g_strdup (input), g_memdup2 (&limit, sizeof limit));
}

void
dyno_model_description_require (DynoModelDescription *self, const char *symbol, gint64 least)
{
  const gint64 *present = g_hash_table_lookup (self->least_sizes, symbol);

  if (least > 1 && (present == NULL || *present < least))
    g_hash_table_replace (self->least_sizes, g_strdup (symbol), g_memdup2 (&least, sizeof least));
}

void
dyno_model_description_set_window (DynoModelDescription *self, const char *node, gint64 elements)
{
  if (elements > 0 && node != NULL && *node != '\0')
    g_hash_table_replace (self->windows, g_strdup (node), g_memdup2 (&elements, sizeof elements));
}

void
dyno_model_description_set_equation (DynoModelDescription *self, const char *node, char *equation)
{
  if (equation != NULL && node != NULL && *node != '\0')
    g_hash_table_replace (self->equations, g_strdup (node), equation);
  else
    g_free (equation);
}

/* A hostile file may name a million of them. */
static void
add_new (GPtrArray *texts, GPtrArray *more)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < texts->len; i++)
    g_hash_table_add (known, texts->pdata[i]);
  for (guint i = 0; i < more->len; i++)
    if (!g_hash_table_contains (known, more->pdata[i]))
      {
        g_ptr_array_add (texts, g_strdup (more->pdata[i]));
        g_hash_table_add (known, texts->pdata[texts->len - 1]);
      }
}

void
dyno_model_description_add_weights (DynoModelDescription *self,
                                    GPtrArray *files,
                                    GPtrArray *lacking,
                                    GPtrArray *unused)
{
  for (guint i = 0; i < files->len; i++)
    g_hash_table_add (self->external_files, g_strdup (files->pdata[i]));
  add_new (self->lacking, lacking);
  add_new (self->unused, unused);
}

void
dyno_model_description_add_operator (DynoModelDescription *self, const char *domain, const char *op_type)
{
  gboolean is_own = domain == NULL || *domain == '\0' || g_str_equal (domain, "ai.onnx");

  if (op_type != NULL && !is_own)
    g_hash_table_add (self->operators, g_strdup_printf ("%s.%s", domain, op_type));
  else if (op_type != NULL && !g_hash_table_contains (self->operators, op_type))
    g_hash_table_add (self->operators, g_strdup (op_type));
}

static JsonArray *
infos_to_json (GPtrArray *infos)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < infos->len; i++)
    {
      DynoTensorInfo *info = infos->pdata[i];
      JsonObject *object = json_object_new ();
      JsonArray *dims = dyno_tensor_info_has_shape (info) ? json_array_new () : NULL;

      json_object_set_string_member (object, "name", dyno_tensor_info_get_name (info));
      json_object_set_int_member (object, "type", dyno_tensor_info_get_data_type (info));
      for (guint axis = 0; dims != NULL && axis < dyno_tensor_info_get_rank (info); axis++)
        {
          const char *symbol = dyno_tensor_info_get_symbol (info, axis);

          if (symbol != NULL && dyno_tensor_info_get_usual (info, axis) > 0)
            {
              JsonArray *pair = json_array_new ();

              json_array_add_string_element (pair, symbol);
              json_array_add_int_element (pair, dyno_tensor_info_get_usual (info, axis));
              json_array_add_array_element (dims, pair);
            }
          else if (symbol != NULL)
            json_array_add_string_element (dims, symbol);
          else
            json_array_add_int_element (dims, dyno_tensor_info_get_size (info, axis));
        }
      if (dims != NULL)
        json_object_set_array_member (object, "dims", dims);
      json_array_add_object_element (array, object);
    }
  return array;
}

static JsonObject *
numbers_to_json (GHashTable *numbers)
{
  JsonObject *object = json_object_new ();
  GHashTableIter iter;
  gpointer name, number;

  g_hash_table_iter_init (&iter, numbers);
  while (g_hash_table_iter_next (&iter, &name, &number))
    json_object_set_int_member (object, name, *(gint64 *)number);
  return object;
}

static JsonObject *
texts_to_json (GHashTable *texts)
{
  JsonObject *object = json_object_new ();
  GHashTableIter iter;
  gpointer name, text;

  g_hash_table_iter_init (&iter, texts);
  while (g_hash_table_iter_next (&iter, &name, &text))
    json_object_set_string_member (object, name, text);
  return object;
}

static JsonArray *
set_to_json (GHashTable *set)
{
  JsonArray *array = json_array_new ();
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, set);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    json_array_add_string_element (array, name);
  return array;
}

static JsonObject *
gguf_to_json (const DynoModelDescription *self)
{
  JsonObject *object = json_object_new ();
  JsonArray *weights = json_array_new ();
  JsonArray *bytes = json_array_new ();

  json_object_set_string_member (object, "architecture", self->architecture);
  json_object_set_string_member (object, "weight-mix", self->weight_mix);
  for (guint use = 0; use < DYNO_N_WEIGHT_USES; use++)
    {
      json_array_add_double_element (weights, self->product_weights[use]);
      json_array_add_double_element (bytes, self->product_bytes[use]);
    }
  json_object_set_array_member (object, "product-weights", weights);
  json_object_set_array_member (object, "product-bytes", bytes);
  json_object_set_double_member (object, "expert-share", self->expert_share);
  json_object_set_double_member (object, "attention-width", self->attention_width);
  return object;
}

static double
get_share (JsonArray *shares, guint use)
{
  JsonNode *node =
      shares != NULL && use < json_array_get_length (shares) ? json_array_get_element (shares, use) : NULL;

  return MAX (dyno_json_node_get_double (node, 0), 0);
}

static void
read_gguf (DynoModelDescription *self, JsonObject *object)
{
  JsonArray *weights = dyno_json_member_get_array (object, "product-weights");
  JsonArray *bytes = dyno_json_member_get_array (object, "product-bytes");

  self->architecture = g_strdup (dyno_json_member_get_string (object, "architecture"));
  self->weight_mix = g_strdup (dyno_json_member_get_string (object, "weight-mix"));
  for (guint use = 0; use < DYNO_N_WEIGHT_USES; use++)
    {
      self->product_weights[use] = get_share (weights, use);
      self->product_bytes[use] = get_share (bytes, use);
    }
  self->expert_share = CLAMP (dyno_json_member_get_double (object, "expert-share", 0), 0, 1);
  self->attention_width = MAX (dyno_json_member_get_double (object, "attention-width", 0), 0);
}

JsonObject *
dyno_model_description_to_json (const DynoModelDescription *self)
{
  JsonObject *object = json_object_new ();

  json_object_set_array_member (object, "inputs", infos_to_json (self->inputs));
  json_object_set_array_member (object, "outputs", infos_to_json (self->outputs));
  json_object_set_object_member (object, "row-limits", numbers_to_json (self->row_limits));
  json_object_set_object_member (object, "compared-values", numbers_to_json (self->compared_values));
  json_object_set_object_member (object, "least-sizes", numbers_to_json (self->least_sizes));
  json_object_set_object_member (object, "windows", numbers_to_json (self->windows));
  json_object_set_object_member (object, "equations", texts_to_json (self->equations));
  json_object_set_array_member (object, "sizes", set_to_json (self->sizes));
  json_object_set_object_member (object, "branches", texts_to_json (self->branches));
  json_object_set_array_member (object, "operators", set_to_json (self->operators));
  json_object_set_array_member (object, "external-files", set_to_json (self->external_files));
  json_object_set_int_member (object, "parameter-count", self->parameter_count);
  json_object_set_int_member (object, "weight-bytes", self->weight_bytes);
  json_object_set_int_member (object, "real-type", self->real_type);
  if (self->quantisation != NULL)
    json_object_set_string_member (object, "quantisation", self->quantisation);
  if (self->architecture != NULL)
    json_object_set_object_member (object, "gguf", gguf_to_json (self));
  json_object_set_int_member (object, "max-sequence-length", self->max_sequence_length);
  return object;
}

/* A size, a name, or a name with its usual size. */
static gboolean
add_dimension (DynoTensorInfo *info, JsonNode *dimension)
{
  JsonArray *pair = dyno_json_node_get_array (dimension);
  gboolean is_pair = pair != NULL && json_array_get_length (pair) == 2;
  const char *symbol = dyno_json_node_get_string (is_pair ? json_array_get_element (pair, 0) : dimension);
  gint64 size = dyno_json_node_get_int64 (is_pair ? json_array_get_element (pair, 1) : dimension, -1);

  if (symbol != NULL)
    dyno_tensor_info_add_usual (info, symbol, MAX (size, -1));
  else if (size >= 0)
    dyno_tensor_info_add_size (info, size);
  return symbol != NULL || size >= 0;
}

static gboolean
read_infos (GPtrArray *infos, JsonArray *array)
{
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonObject *object = dyno_json_member_get_element (array, i);
      const char *name = dyno_json_member_get_string (object, "name");
      DynoDataType type = (DynoDataType)dyno_json_member_get_int64 (object, "type", 0);
      JsonArray *dims = dyno_json_member_get_array (object, "dims");
      guint rank = dims != NULL ? json_array_get_length (dims) : 0;
      DynoTensorInfo *info;

      if (name == NULL || rank > DYNO_SHAPE_MAX_RANK)
        return FALSE;
      info = (dims != NULL ? dyno_tensor_info_new : dyno_tensor_info_new_of_any_shape) (name, type);
      g_ptr_array_add (infos, info);
      for (guint axis = 0; axis < rank; axis++)
        if (!add_dimension (info, json_array_get_element (dims, axis)))
          return FALSE;
    }
  return array != NULL;
}

static gpointer
read_number (JsonNode *node)
{
  gint64 number = dyno_json_node_get_int64 (node, 0);

  return g_memdup2 (&number, sizeof number);
}

static gpointer
read_text (JsonNode *node)
{
  return g_strdup (dyno_json_node_get_string (node));
}

/* @read: NULL leaves a member out. */
static void
read_members (GHashTable *values, JsonObject *object, const char *name, gpointer (*read) (JsonNode *node))
{
  JsonObject *members = dyno_json_member_get_object (object, name);
  JsonObjectIter iter;
  const char *key;
  JsonNode *node;

  if (members == NULL)
    return;
  json_object_iter_init (&iter, members);
  while (json_object_iter_next (&iter, &key, &node))
    {
      gpointer value = read (node);

      if (value != NULL)
        g_hash_table_replace (values, g_strdup (key), value);
    }
}

static void
read_names (GHashTable *set, JsonObject *object, const char *name)
{
  g_auto (GStrv) names = dyno_json_member_dup_strings (object, name);

  for (char **next = names; *next != NULL; next++)
    g_hash_table_add (set, g_strdup (*next));
}

DynoModelDescription *
dyno_model_description_new_from_json (JsonObject *object)
{
  g_autoptr (DynoModelDescription) self = dyno_model_description_new ();

  if (!read_infos (self->inputs, dyno_json_member_get_array (object, "inputs")) ||
      !read_infos (self->outputs, dyno_json_member_get_array (object, "outputs")))
    return NULL;
  read_members (self->row_limits, object, "row-limits", read_number);
  read_members (self->compared_values, object, "compared-values", read_number);
  read_members (self->least_sizes, object, "least-sizes", read_number);
  read_members (self->windows, object, "windows", read_number);
  read_members (self->equations, object, "equations", read_text);
  read_names (self->sizes, object, "sizes");
  read_members (self->branches, object, "branches", read_text);
  read_names (self->operators, object, "operators");
  read_names (self->external_files, object, "external-files");
  self->parameter_count = MAX (dyno_json_member_get_int64 (object, "parameter-count", 0), 0);
  self->weight_bytes = MAX (dyno_json_member_get_int64 (object, "weight-bytes", 0), 0);
  self->real_type = (DynoDataType)dyno_json_member_get_int64 (object, "real-type", 0);
  self->quantisation = g_intern_string (dyno_json_member_get_string (object, "quantisation"));
  if (dyno_json_member_get_object (object, "gguf") != NULL)
    read_gguf (self, dyno_json_member_get_object (object, "gguf"));
  self->max_sequence_length =
      (guint)CLAMP (dyno_json_member_get_int64 (object, "max-sequence-length", 0), 0, G_MAXUINT);
  return g_steal_pointer (&self);
}
