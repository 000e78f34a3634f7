/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "dyno-tensor.h"
#include "onnx.pb-c.h"

G_BEGIN_DECLS

gint64 dyno_onnx_tensor_count_elements (const Onnx__TensorProto *tensor);
gint64 dyno_onnx_tensor_get_bytes (const Onnx__TensorProto *tensor);
gint64 dyno_onnx_tensor_get_dense_bytes (const Onnx__SparseTensorProto *tensor);
gboolean dyno_onnx_tensor_check (const Onnx__TensorProto *tensor,
                                 const char *path,
                                 GHashTable *external_files,
                                 GError **error);
gboolean
dyno_onnx_tensor_check_sparse (const Onnx__SparseTensorProto *tensor, const char *path, GError **error);
DynoTensor *dyno_onnx_tensor_read (const Onnx__TensorProto *tensor, const char *name);

G_END_DECLS
