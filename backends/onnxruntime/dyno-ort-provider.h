/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ort-runtime.h"
#include "dyno-ort-target.h"

G_BEGIN_DECLS

struct OrtSessionOptions;

char *dyno_ort_provider_dup_library (DynoOrtRuntime *runtime, const char *provider);
gboolean dyno_ort_provider_returns_early (const char *provider);
gboolean dyno_ort_provider_append (DynoOrtRuntime *runtime,
                                   const DynoOrtTarget *target,
                                   struct OrtSessionOptions *options,
                                   GError **error);
gboolean dyno_ort_provider_try (DynoOrtRuntime *runtime, const DynoOrtTarget *target, GError **error);

G_END_DECLS
