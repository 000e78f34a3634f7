/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-tensor-info.h"
#include "dyno-text.h"

typedef struct
{
  char *symbol;
  gint64 size;
  gint64 usual;
} Dimension;

struct _DynoTensorInfo
{
  GObject parent_instance;

  char *name;
  DynoDataType type;
  GArray *dimensions;
  gboolean has_any_shape;
};

G_DEFINE_FINAL_TYPE (DynoTensorInfo, dyno_tensor_info, G_TYPE_OBJECT)

static void
dyno_tensor_info_finalize (GObject *object)
{
  DynoTensorInfo *self = DYNO_TENSOR_INFO (object);

  g_free (self->name);
  g_array_unref (self->dimensions);

  G_OBJECT_CLASS (dyno_tensor_info_parent_class)->finalize (object);
}

static void
dyno_tensor_info_class_init (DynoTensorInfoClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_tensor_info_finalize;
}

static void
clear_dimension (gpointer data)
{
  g_free (((Dimension *)data)->symbol);
}

static void
dyno_tensor_info_init (DynoTensorInfo *self)
{
  self->dimensions = g_array_new (FALSE, FALSE, sizeof (Dimension));
  g_array_set_clear_func (self->dimensions, clear_dimension);
}

DynoTensorInfo *
dyno_tensor_info_new (const char *name, DynoDataType type)
{
  DynoTensorInfo *self;

  g_return_val_if_fail (name != NULL, NULL);

  self = g_object_new (DYNO_TYPE_TENSOR_INFO, NULL);
  self->name = g_strdup (name);
  self->type = type;
  return self;
}

DynoTensorInfo *
dyno_tensor_info_new_of_any_shape (const char *name, DynoDataType type)
{
  DynoTensorInfo *self = dyno_tensor_info_new (name, type);

  self->has_any_shape = TRUE;
  return self;
}

DynoTensorInfo *
dyno_tensor_info_dup_as (DynoTensorInfo *self, const char *name)
{
  DynoTensorInfo *copy;

  g_return_val_if_fail (DYNO_IS_TENSOR_INFO (self), NULL);

  copy = dyno_tensor_info_new (name, self->type);
  copy->has_any_shape = self->has_any_shape;
  for (guint axis = 0; axis < self->dimensions->len; axis++)
    {
      Dimension dimension = g_array_index (self->dimensions, Dimension, axis);

      dimension.symbol = g_strdup (dimension.symbol);
      g_array_append_val (copy->dimensions, dimension);
    }
  return copy;
}

void
dyno_tensor_info_add_size (DynoTensorInfo *self, gint64 size)
{
  Dimension dimension = { NULL, size, size };

  g_return_if_fail (DYNO_IS_TENSOR_INFO (self));
  g_return_if_fail (size >= 0);

  g_array_append_val (self->dimensions, dimension);
}

void
dyno_tensor_info_add_symbol (DynoTensorInfo *self, const char *symbol)
{
  dyno_tensor_info_add_usual (self, symbol, -1);
}

void
dyno_tensor_info_add_usual (DynoTensorInfo *self, const char *symbol, gint64 usual)
{
  Dimension dimension = { g_strdup (symbol), -1, usual };

  g_return_if_fail (DYNO_IS_TENSOR_INFO (self));
  g_return_if_fail (symbol != NULL);

  g_array_append_val (self->dimensions, dimension);
}

const char *
dyno_tensor_info_get_name (DynoTensorInfo *self)
{
  g_return_val_if_fail (DYNO_IS_TENSOR_INFO (self), NULL);
  return self->name;
}

DynoDataType
dyno_tensor_info_get_data_type (DynoTensorInfo *self)
{
  g_return_val_if_fail (DYNO_IS_TENSOR_INFO (self), DYNO_DATA_TYPE_UNDEFINED);
  return self->type;
}

gboolean
dyno_tensor_info_has_shape (DynoTensorInfo *self)
{
  g_return_val_if_fail (DYNO_IS_TENSOR_INFO (self), FALSE);
  return !self->has_any_shape;
}

guint
dyno_tensor_info_get_rank (DynoTensorInfo *self)
{
  g_return_val_if_fail (DYNO_IS_TENSOR_INFO (self), 0);
  return self->dimensions->len;
}

const char *
dyno_tensor_info_get_symbol (DynoTensorInfo *self, guint axis)
{
  g_return_val_if_fail (DYNO_IS_TENSOR_INFO (self), NULL);
  g_return_val_if_fail (axis < self->dimensions->len, NULL);
  return g_array_index (self->dimensions, Dimension, axis).symbol;
}

gint64
dyno_tensor_info_get_size (DynoTensorInfo *self, guint axis)
{
  g_return_val_if_fail (DYNO_IS_TENSOR_INFO (self), -1);
  g_return_val_if_fail (axis < self->dimensions->len, -1);
  return g_array_index (self->dimensions, Dimension, axis).size;
}

gint64
dyno_tensor_info_get_usual (DynoTensorInfo *self, guint axis)
{
  g_return_val_if_fail (DYNO_IS_TENSOR_INFO (self), -1);
  g_return_val_if_fail (axis < self->dimensions->len, -1);
  return g_array_index (self->dimensions, Dimension, axis).usual;
}

char *
dyno_tensor_info_to_string (DynoTensorInfo *self)
{
  g_autoptr (GPtrArray) dims = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *name = NULL;
  g_autofree char *joined = NULL;

  g_return_val_if_fail (DYNO_IS_TENSOR_INFO (self), NULL);

  for (guint i = 0; i < self->dimensions->len; i++)
    {
      const Dimension *dimension = &g_array_index (self->dimensions, Dimension, i);

      g_ptr_array_add (dims, dimension->symbol != NULL
                                 ? g_strdup (dimension->symbol)
                                 : g_strdup_printf ("%" G_GINT64_FORMAT, dimension->size));
    }
  name = dyno_plain_text_quote (self->name, DYNO_PLAIN_TEXT_NAME);
  if (self->has_any_shape)
    /* Translators: the name of an output and its type, such as “logits: float, any shape” */
    return g_strdup_printf (_ ("%s: %s, any shape"), name, dyno_data_type_to_string (self->type));
  joined = dyno_plain_text_join ((const char *const *)dims->pdata, dims->len, ", ", "");
  return g_strdup_printf ("%s: %s [%s]", name, dyno_data_type_to_string (self->type), joined);
}

gboolean
dyno_tensor_info_is_cache (DynoTensorInfo *self)
{
  const char *name = dyno_tensor_info_get_name (self);

  return g_str_has_prefix (name, "past") || strstr (name, "cache_key") != NULL ||
         strstr (name, "cache_value") != NULL;
}
