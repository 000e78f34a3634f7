/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-served.h"

G_BEGIN_DECLS

char *dyno_provenance_describe_served (const char *spec, const DynoServer *server);
char *dyno_provenance_describe (const char *spec, const char *onnx_path, guint64 seed);

G_END_DECLS
