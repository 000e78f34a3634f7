/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ort-runtime.h"
#include "dyno-ort-target.h"

G_BEGIN_DECLS

struct OrtSessionOptions;

/* Returns the provider's library, which must be beside the runtime; NULL if it is part of the runtime. */
char *dyno_ort_provider_dup_library (DynoOrtRuntime *runtime, const char *provider);
/* Returns whether a run whose outputs were waited for may return before the device has computed them. */
gboolean dyno_ort_provider_returns_early (const char *provider);
/* Gives the provider the first choice of a session's nodes. The processor takes the rest; the trace shows
 * where each node ran. Returns whether the provider could be started. @error: return location for an
 * error. */
gboolean dyno_ort_provider_append (DynoOrtRuntime *runtime,
                                   const DynoOrtTarget *target,
                                   struct OrtSessionOptions *options,
                                   GError **error);
/* Starts the provider without a session. Returns whether it started. */
gboolean dyno_ort_provider_try (DynoOrtRuntime *runtime, const DynoOrtTarget *target, GError **error);

G_END_DECLS
