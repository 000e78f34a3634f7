/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-onnx-check.h"
#include "dyno-onnx-tensor.h"

/* Goes through every message of a model by its descriptor, so that no name and no tensor is missed, wherever the format
 * has a place for one: in subgraphs, attributes, functions, sparse tensors … */

typedef struct
{
  const char *path;
  GHashTable *external_files;
} Check;

static gboolean check_message (Check *self, const ProtobufCMessage *message, GError **error);

/* What a member holds: an array of pointers, with one element where it is not repeated. */
static void *const *
get_values (const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field, gsize *n_values)
{
  const char *base = (const char *)message;
  void *const *value = (void *const *)(base + field->offset);

  if (field->label == PROTOBUF_C_LABEL_REPEATED)
    {
      *n_values = *(const size_t *)(base + field->quantifier_offset);
      return *(void *const *const *)value;
    }
  *n_values = *value != NULL && ((field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) == 0 ||
                                 *(const guint32 *)(base + field->quantifier_offset) == field->id)
                  ? 1
                  : 0;
  return value;
}

/* Names go into messages, into the store and over D-Bus, which take nothing but text. */
static gboolean
check_text (Check *self, const char *text, GError **error)
{
  if (g_utf8_validate (text, -1, NULL))
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("“%s” holds names that are not text, so it is damaged. Download or export it again."),
               self->path);
  return FALSE;
}

/* What people wrote about a model is not read, in whatever encoding it is. */
static gboolean
is_documentation (const ProtobufCFieldDescriptor *field)
{
  static const char *const names[] = { "doc_string", "metadata_props", NULL };

  return g_strv_contains (names, field->name);
}

static gboolean
check_field (Check *self,
             const ProtobufCMessage *message,
             const ProtobufCFieldDescriptor *field,
             GError **error)
{
  gboolean is_text = field->type == PROTOBUF_C_TYPE_STRING;
  gsize n_values = 0;
  void *const *values;

  if ((!is_text && field->type != PROTOBUF_C_TYPE_MESSAGE) || is_documentation (field))
    return TRUE;
  values = get_values (message, field, &n_values);
  for (gsize i = 0; i < n_values; i++)
    if (!(is_text ? check_text (self, values[i], error) : check_message (self, values[i], error)))
      return FALSE;
  return TRUE;
}

/* A tensor comes after its texts, which are quoted when something is wrong with it. */
static gboolean
check_message (Check *self, const ProtobufCMessage *message, GError **error)
{
  for (guint i = 0; i < message->descriptor->n_fields; i++)
    if (!check_field (self, message, &message->descriptor->fields[i], error))
      return FALSE;
  return message->descriptor != &onnx__tensor_proto__descriptor ||
         dyno_onnx_tensor_check ((const Onnx__TensorProto *)message, self->path, self->external_files, error);
}

/**
 * dyno_onnx_check_model:
 * @model: a model that is not nested deeply
 * @path: its file
 * @external_files: (element-type utf8): gets the files, relative to the model's folder, that hold its further weights
 * @error: return location
 *
 * Returns: whether all names are text, and all tensors possible and within reach
 */
gboolean
dyno_onnx_check_model (const Onnx__ModelProto *model,
                       const char *path,
                       GHashTable *external_files,
                       GError **error)
{
  Check check = { path, external_files };

  return check_message (&check, &model->base, error);
}
