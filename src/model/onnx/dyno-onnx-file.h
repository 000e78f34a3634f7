/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model-description.h"

G_BEGIN_DECLS

/* Reads the description of the model. The file is mapped, and its parsed tree is freed before this returns.
 * The engine checks whether its operators and opsets are supported. The file may be untrusted, so only call
 * this in workers, whose resources are limited. Returns the description. The caller owns it. */
DynoModelDescription *dyno_onnx_file_describe (const char *path, GError **error);

G_END_DECLS
