/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-tensor.h"

G_BEGIN_DECLS

DynoTensor *dyno_tensor_file_read (const char *path, GError **error);
DynoTensor *dyno_tensor_file_read_value (const char *path, DynoDataType type, GError **error);
DynoTensor *
dyno_tensor_file_read_raw (const char *path, const char *name, const DynoShape *shape, GError **error);
gboolean dyno_tensor_file_is_raw (const char *path);

G_END_DECLS
