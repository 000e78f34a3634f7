/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-json.h"
#include "dyno-model-private.h"

#define MEMBER "quantization_config"

/* More bits than any weight uses. */
#define MAX_BITS 64

/* Returns 0 if the method implies them. Only bitsandbytes has flags instead of a number. */
static gint64
get_bits (JsonObject *object)
{
  gint64 bits = dyno_json_member_get_int64 (object, "bits", 0);

  if (bits == 0 && (dyno_json_member_get_boolean (object, "load_in_4bit") ||
                    dyno_json_member_get_boolean (object, "load_in_8bit")))
    bits = dyno_json_member_get_boolean (object, "load_in_4bit") ? 4 : 8;
  return bits > 0 && bits <= MAX_BITS ? bits : 0;
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
  found = dyno_json_member_get_object (config, MEMBER);
  json_object_iter_init (&iter, config);
  while (found == NULL && json_object_iter_next (&iter, NULL, &node))
    found = dyno_json_member_get_object (dyno_json_node_get_object (node), MEMBER);
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
  method = dyno_json_member_get_string (object, "quant_method");
  if (method == NULL)
    method = dyno_json_member_get_boolean (object, "load_in_4bit") ||
                     dyno_json_member_get_boolean (object, "load_in_8bit")
                 ? "bitsandbytes"
                 : MEMBER;
  kind = dyno_json_member_get_string (object, "quant_algo");
  if (kind == NULL)
    kind = dyno_json_member_get_string (object, "format");
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
  JsonArray *sizes = dyno_json_member_get_array (object, "weight_block_size");
  DynoPackedFormat format = { 0 };

  format.group = dyno_json_member_get_int64 (object, "group_size", 0);
  format.has_whole_zeros =
      g_strcmp0 (dyno_json_member_get_string (object, "checkpoint_format"), "gptq_v2") == 0;
  for (guint i = 0; sizes != NULL && i < MIN (json_array_get_length (sizes), G_N_ELEMENTS (format.block));
       i++)
    {
      format.block[i] = dyno_json_node_get_int64 (json_array_get_element (sizes, i), 0);
    }
  return format;
}

/* Returns the precision in which products use the weights of its files unchanged, if there is one. */
const char *
dyno_model_quantisation_get_kept (DynoModel *self)
{
  static const char *const precisions[] = { "int4-128", "int4-32" };
  JsonObject *object = get_quantisation (self);
  const char *method = dyno_json_member_get_string (object, "quant_method");
  gint64 group = dyno_json_member_get_int64 (object, "group_size", 0);

  if ((g_strcmp0 (method, "awq") != 0 && g_strcmp0 (method, "gptq") != 0) || get_bits (object) != 4 ||
      dyno_json_member_get_boolean (object, "desc_act"))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (precisions); i++)
    if (group < 0 || (group > 0 && group % dyno_precision_get_quantisation (precisions[i])->block == 0))
      return precisions[i];
  return NULL;
}

static gboolean
is_set_or (JsonObject *object, const char *name, gboolean fallback)
{
  return json_object_has_member (object, name) ? dyno_json_member_get_boolean (object, name) : fallback;
}

/* AWQ's blocks have zero points unless it says otherwise, GPTQ's where it says that they are not symmetric. */
gboolean
dyno_model_quantisation_has_zeros (DynoModel *self)
{
  JsonObject *object = get_quantisation (self);
  const char *method = dyno_json_member_get_string (object, "quant_method");

  if (g_strcmp0 (method, "awq") == 0)
    return is_set_or (object, "zero_point", TRUE);
  return g_strcmp0 (method, "gptq") == 0 && !is_set_or (object, "sym", TRUE);
}
