/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-tensor.h"

G_BEGIN_DECLS

/* The file may be hostile: it gets no more memory than it has bytes. Returns the tensor, with the name that
 * the file gives it, which may be empty. The caller owns it. @path: a file of NumPy (.npy) or with a tensor
 * of ONNX (.pb). Fails with DYNO_ERROR_INVALID_DATA, which states the fault of the file and the remedy. */
DynoTensor *dyno_tensor_file_read (const char *path, GError **error);
/* Returns a sequence of tensors, or the value of an optional one; a scalar of type DYNO_DATA_TYPE_OPTIONAL
 * if that is absent. The caller owns it. @type: DYNO_DATA_TYPE_SEQUENCE or DYNO_DATA_TYPE_OPTIONAL, as the
 * model declares it. Fails with DYNO_ERROR_INVALID_DATA, which states the fault of the file and the
 * remedy. */
DynoTensor *dyno_tensor_file_read_value (const char *path, DynoDataType type, GError **error);
/* Returns the tensor. The caller owns it. @path: a file of elements in row-major order, little-endian.
 * Fails with DYNO_ERROR_INVALID_DATA. */
DynoTensor *
dyno_tensor_file_read_raw (const char *path, const char *name, const DynoShape *shape, GError **error);
/* Returns whether its bytes need a shape from elsewhere: it is neither NumPy's nor ONNX's. */
gboolean dyno_tensor_file_is_raw (const char *path);

G_END_DECLS
