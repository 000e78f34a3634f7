/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-tensor.h"

G_BEGIN_DECLS

#define DYNO_TYPE_TENSOR_INFO (dyno_tensor_info_get_type ())

/**
 * DynoTensorInfo:
 *
 * An input or output as a model declares it: each dimension is a size, or the name of a free one. An output may have no
 * shape.
 */
G_DECLARE_FINAL_TYPE (DynoTensorInfo, dyno_tensor_info, DYNO, TENSOR_INFO, GObject)

/* Returns a description without dimensions. */
DynoTensorInfo *dyno_tensor_info_new (const char *name, DynoDataType type);
/* Returns a description without a shape, which unlike that of a scalar fits every result. */
DynoTensorInfo *dyno_tensor_info_new_of_any_shape (const char *name, DynoDataType type);
/* Returns a copy with another name. */
DynoTensorInfo *dyno_tensor_info_dup_as (DynoTensorInfo *self, const char *name);
void dyno_tensor_info_add_size (DynoTensorInfo *self, gint64 size);
void dyno_tensor_info_add_symbol (DynoTensorInfo *self, const char *symbol);
void dyno_tensor_info_add_usual (DynoTensorInfo *self, const char *symbol, gint64 usual);

const char *dyno_tensor_info_get_name (DynoTensorInfo *self);
DynoDataType dyno_tensor_info_get_data_type (DynoTensorInfo *self);
/* Returns whether the model declares a shape; without one, the rank is 0 but means nothing. */
gboolean dyno_tensor_info_has_shape (DynoTensorInfo *self);
guint dyno_tensor_info_get_rank (DynoTensorInfo *self);
/* Returns whether it takes keys, values or the state of earlier tokens, judging by its name. */
gboolean dyno_tensor_info_is_cache (DynoTensorInfo *self);
/* Returns the dimension's name, NULL if it is not free. */
const char *dyno_tensor_info_get_symbol (DynoTensorInfo *self, guint axis);
/* Returns its size, -1 if it is free. */
gint64 dyno_tensor_info_get_size (DynoTensorInfo *self, guint axis);
/* Returns its size, or the default size if it is free; -1 if there is none. */
gint64 dyno_tensor_info_get_usual (DynoTensorInfo *self, guint axis);
/* Returns one line of text, such as `input_ids: int64 [batch, sequence]`. The caller owns it. */
char *dyno_tensor_info_to_string (DynoTensorInfo *self);

G_END_DECLS
