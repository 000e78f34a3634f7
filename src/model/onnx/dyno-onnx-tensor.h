/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "dyno-tensor.h"
#include "onnx.pb-c.h"

G_BEGIN_DECLS

/* Returns the product of its dimensions; -1 if no tensor can be that large. */
gint64 dyno_onnx_tensor_count_elements (const Onnx__TensorProto *tensor);
/* Returns the size of its values in bytes. */
gint64 dyno_onnx_tensor_get_bytes (const Onnx__TensorProto *tensor);
/* Returns the size in bytes of the dense form that an engine makes of it, including the zeros. */
gint64 dyno_onnx_tensor_get_dense_bytes (const Onnx__SparseTensorProto *tensor);
/* Returns whether its shape is valid, and its values are in the model's own file or in one beside it that
 * is large enough. @tensor: a tensor whose strings are valid UTF-8. @external_files: gets the file with
 * its values, relative to the model's folder, if they are external. */
gboolean dyno_onnx_tensor_check (const Onnx__TensorProto *tensor,
                                 const char *path,
                                 GHashTable *external_files,
                                 GError **error);
/* Its values and indices are tensors of their own, which dyno_onnx_tensor_check() checks. Returns whether
 * its shape is valid. @tensor: a sparse tensor whose strings are valid UTF-8. */
gboolean
dyno_onnx_tensor_check_sparse (const Onnx__SparseTensorProto *tensor, const char *path, GError **error);
/* Memory is only taken for values that are there. Returns its values; NULL if they are not in it, or do
 * not fit its shape. The caller owns it. @tensor: a tensor that may be hostile. */
DynoTensor *dyno_onnx_tensor_read (const Onnx__TensorProto *tensor, const char *name);

G_END_DECLS
