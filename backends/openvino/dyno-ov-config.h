/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"
#include "dyno-ov-library.h"

G_BEGIN_DECLS

/* The largest number of keys and values with which a model can be compiled. */
#define DYNO_OV_CONFIG_MAX 16

/* Returns the options of OpenVINO alone, up to an entry without a name. */
const DynoBackendOption *dyno_ov_config_get_options (void);
/* Returns properties to compile with: a key, its value, the next key; none if OpenVINO is left alone.
 * @cache_folder may be NULL. */
GPtrArray *
dyno_ov_config_create (const DynoSessionOptions *options, const char *device, const char *cache_folder);
/* Returns whether to load it a second time, from a cache. */
gboolean dyno_ov_config_is_cached (const DynoSessionOptions *options);
/* Returns whether that number is possible. @n_requests: how many inference requests a step starts
 * together; one while operators are recorded, because the counters of several could not be separated. */
gboolean dyno_ov_config_read_requests (const DynoSessionOptions *options, guint *n_requests, GError **error);
/* OpenVINO takes properties as hints: without notice it computes in bf16 if it has no f16, and reduces the
 * numbers of threads and streams. Returns whether it applies all settings. @error: return location for an
 * error, also where a setting cannot be read back. */
gboolean dyno_ov_config_check (DynoOvLibrary *library,
                               const OvCompiledModel *compiled,
                               const DynoSessionOptions *options,
                               const char *device,
                               GError **error);
/* Returns its value, or NULL if the device has no such property. */
char *dyno_ov_config_dup_property (DynoOvLibrary *library, const OvCompiledModel *compiled, const char *key);
/* Returns its effective settings, as of dyno_session_read_settings(). It maps utf8 to utf8. The caller
 * owns it. */
GHashTable *dyno_ov_config_read_settings (DynoOvLibrary *library, const OvCompiledModel *compiled);

G_END_DECLS
