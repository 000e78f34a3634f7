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

DynoTensorInfo *dyno_tensor_info_new (const char *name, DynoDataType type);
DynoTensorInfo *dyno_tensor_info_new_of_any_shape (const char *name, DynoDataType type);
void dyno_tensor_info_add_size (DynoTensorInfo *self, gint64 size);
void dyno_tensor_info_add_symbol (DynoTensorInfo *self, const char *symbol);
void dyno_tensor_info_add_usual (DynoTensorInfo *self, const char *symbol, gint64 usual);

const char *dyno_tensor_info_get_name (DynoTensorInfo *self);
DynoDataType dyno_tensor_info_get_data_type (DynoTensorInfo *self);
gboolean dyno_tensor_info_has_shape (DynoTensorInfo *self);
guint dyno_tensor_info_get_rank (DynoTensorInfo *self);
gboolean dyno_tensor_info_is_cache (DynoTensorInfo *self);
const char *dyno_tensor_info_get_symbol (DynoTensorInfo *self, guint axis);
gint64 dyno_tensor_info_get_size (DynoTensorInfo *self, guint axis);
gint64 dyno_tensor_info_get_usual (DynoTensorInfo *self, guint axis);
char *dyno_tensor_info_to_string (DynoTensorInfo *self);

G_END_DECLS
