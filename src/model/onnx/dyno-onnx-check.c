/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-model-onnx-private.h"

/* Visits every message of a model by its descriptor, so that no name and no tensor is missed wherever the format allows
 * one: in subgraphs, attributes, functions, sparse tensors … */

typedef struct
{
  const char *path;
  GHashTable *external_files;
} Check;

static gboolean check_message (Check *self, const ProtobufCMessage *message, GError **error);

static gboolean
check_field (Check *self,
             const ProtobufCMessage *message,
             const ProtobufCFieldDescriptor *field,
             GError **error)
{
  /* Documentation strings are not read, so their encoding does not matter. */
  static const char *const documentation[] = { "doc_string", "metadata_props", NULL };
  gboolean is_text = field->type == PROTOBUF_C_TYPE_STRING;
  gboolean is_list = field->label == PROTOBUF_C_LABEL_REPEATED;
  const char *base = (const char *)message;
  void *const *values = (void *const *)(base + field->offset);
  gsize n_values;

  if ((!is_text && field->type != PROTOBUF_C_TYPE_MESSAGE) || g_strv_contains (documentation, field->name))
    return TRUE;
  /* A member is an array of pointers, with one element if it is not repeated. */
  if (is_list)
    n_values = *(const size_t *)(base + field->quantifier_offset);
  else
    n_values = *values != NULL && ((field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) == 0 ||
                                   *(const guint32 *)(base + field->quantifier_offset) == field->id);
  values = is_list ? *(void *const *const *)values : values;
  for (gsize i = 0; i < n_values; i++)
    {
      if (!is_text && !check_message (self, values[i], error))
        return FALSE;
      /* Names appear in messages, in the store and on D-Bus, which only accept UTF-8 text. */
      if (is_text && !g_utf8_validate (values[i], -1, NULL))
        {
          g_set_error (
              error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
              _ ("“%s” holds names that are not text, so it is damaged. Download or export it again."),
              self->path);
          return FALSE;
        }
    }
  return TRUE;
}

/* A tensor is checked after its strings, which error messages quote. */
static gboolean
check_message (Check *self, const ProtobufCMessage *message, GError **error)
{
  for (guint i = 0; i < message->descriptor->n_fields; i++)
    if (!check_field (self, message, &message->descriptor->fields[i], error))
      return FALSE;
  if (message->descriptor == &onnx__sparse_tensor_proto__descriptor)
    return dyno_onnx_tensor_check_sparse ((const Onnx__SparseTensorProto *)message, self->path, error);
  return message->descriptor != &onnx__tensor_proto__descriptor ||
         dyno_onnx_tensor_check ((const Onnx__TensorProto *)message, self->path, self->external_files, error);
}

gboolean
dyno_onnx_check_model (const Onnx__ModelProto *model,
                       const char *path,
                       GHashTable *external_files,
                       GError **error)
{
  Check check = { path, external_files };

  return check_message (&check, &model->base, error);
}
