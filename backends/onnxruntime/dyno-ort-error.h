/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "dyno-ort-api.h"
#include "dyno-ort-runtime.h"

G_BEGIN_DECLS

gboolean
dyno_ort_error_check (DynoOrtRuntime *runtime, const char *model_path, OrtStatus *status, GError **error);
gboolean dyno_ort_error_check_provider (DynoOrtRuntime *runtime,
                                        const char *provider,
                                        OrtStatus *status,
                                        GError **error);

G_END_DECLS
