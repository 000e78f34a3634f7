/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-model-private.h"

#define MEMBER "quantization_config"

/* More bits than any weight uses. */
#define MAX_BITS 64

static JsonObject *
get_object (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static gboolean
is_set (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_BOOLEAN &&
         json_node_get_boolean (node);
}

static gint64
get_int (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64
             ? json_node_get_int (node)
             : 0;
}

/* Returns 0 if the method implies them. Only bitsandbytes has flags instead of a number. */
static gint64
get_bits (JsonObject *object)
{
  gint64 bits = get_int (object, "bits");

  if (bits == 0 && (is_set (object, "load_in_4bit") || is_set (object, "load_in_8bit")))
    bits = is_set (object, "load_in_4bit") ? 4 : 8;
  return bits > 0 && bits <= MAX_BITS ? bits : 0;
}

static const char *
get_text (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
             ? json_node_get_string (node)
             : NULL;
}

/* Returns the quantisation of the config, or of the first of its parts that has one. */
static JsonObject *
get_quantisation (DynoModel *self)
{
  JsonObject *config = self->config != NULL ? json_node_get_object (self->config) : NULL;
  JsonObject *found = NULL;
  JsonObjectIter iter;
  JsonNode *node;

  if (config == NULL)
    return NULL;
  found = get_object (json_object_get_member (config, MEMBER));
  json_object_iter_init (&iter, config);
  while (found == NULL && json_object_iter_next (&iter, NULL, &node))
    if (get_object (node) != NULL)
      found = get_object (json_object_get_member (get_object (node), MEMBER));
  return found;
}

char *
dyno_model_dup_quantisation (DynoModel *self)
{
  g_autofree char *text = NULL;
  const char *method, *kind;
  JsonObject *object;
  gint64 bits;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  object = get_quantisation (self);
  if (object == NULL)
    return NULL;
  /* The first configs of bitsandbytes do not name it. Libraries with several methods name the method:
   * “modelopt NVFP4”, “compressed-tensors float-quantized”. */
  method = get_text (object, "quant_method");
  if (method == NULL)
    method = is_set (object, "load_in_4bit") || is_set (object, "load_in_8bit") ? "bitsandbytes" : MEMBER;
  kind = get_text (object, "quant_algo");
  if (kind == NULL)
    kind = get_text (object, "format");
  text = kind != NULL ? g_strdup_printf ("%s %s", method, kind) : g_strdup (method);
  bits = get_bits (object);
  if (bits == 0)
    return g_steal_pointer (&text);
  /* Translators: a method of quantisation, and the bits of a weight, such as “gptq, 4 bits” */
  return g_strdup_printf (ngettext ("%s, %u bit", "%s, %u bits", (gulong)bits), text, (guint)bits);
}

/* Reads the format of packed weights from the config. */
DynoPackedFormat
dyno_model_quantisation_get_format (DynoModel *self)
{
  JsonObject *object = get_quantisation (self);
  JsonNode *block = object != NULL ? json_object_get_member (object, "weight_block_size") : NULL;
  JsonArray *sizes = block != NULL && JSON_NODE_HOLDS_ARRAY (block) ? json_node_get_array (block) : NULL;
  DynoPackedFormat format = { 0 };

  if (object != NULL)
    format.group = get_int (object, "group_size");
  if (object != NULL)
    format.has_whole_zeros = g_strcmp0 (get_text (object, "checkpoint_format"), "gptq_v2") == 0;
  for (guint i = 0; sizes != NULL && i < MIN (json_array_get_length (sizes), G_N_ELEMENTS (format.block));
       i++)
    {
      JsonNode *size = json_array_get_element (sizes, i);

      if (JSON_NODE_HOLDS_VALUE (size) && json_node_get_value_type (size) == G_TYPE_INT64)
        format.block[i] = json_node_get_int (size);
    }
  return format;
}

/* Returns the precision in which products use the weights of its files unchanged, if there is one. */
const char *
dyno_model_quantisation_get_kept (DynoModel *self)
{
  static const char *const precisions[] = { "int4-128", "int4-32" };
  JsonObject *object = get_quantisation (self);
  const char *method = object != NULL ? get_text (object, "quant_method") : NULL;
  gint64 group = object != NULL ? get_int (object, "group_size") : 0;

  if ((g_strcmp0 (method, "awq") != 0 && g_strcmp0 (method, "gptq") != 0) || get_bits (object) != 4 ||
      is_set (object, "desc_act"))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (precisions); i++)
    if (group < 0 || (group > 0 && group % dyno_precision_get_quantisation (precisions[i])->block == 0))
      return precisions[i];
  return NULL;
}

static gboolean
is_set_or (JsonObject *object, const char *name, gboolean fallback)
{
  return json_object_has_member (object, name) ? is_set (object, name) : fallback;
}

/* AWQ's blocks have zero points unless it says otherwise, GPTQ's where it says that they are not symmetric. */
gboolean
dyno_model_quantisation_has_zeros (DynoModel *self)
{
  JsonObject *object = get_quantisation (self);
  const char *method = object != NULL ? get_text (object, "quant_method") : NULL;

  if (g_strcmp0 (method, "awq") == 0)
    return is_set_or (object, "zero_point", TRUE);
  return g_strcmp0 (method, "gptq") == 0 && !is_set_or (object, "sym", TRUE);
}
