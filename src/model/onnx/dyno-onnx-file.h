/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model-description.h"

G_BEGIN_DECLS

DynoModelDescription *dyno_onnx_file_describe (const char *path, GError **error);

G_END_DECLS
