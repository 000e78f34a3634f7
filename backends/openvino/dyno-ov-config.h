/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"
#include "dyno-ov-library.h"

G_BEGIN_DECLS

/* The largest number of keys and values with which a model can be compiled. */
#define DYNO_OV_CONFIG_MAX 16

/* Returns the options of OpenVINO alone, up to an entry without a name. */
const DynoBackendOption *dyno_ov_config_get_options (void);
GPtrArray *
dyno_ov_config_create (const DynoSessionOptions *options, const char *device, const char *cache_folder);
/* Returns whether to load it a second time, from a cache. */
gboolean dyno_ov_config_is_cached (const DynoSessionOptions *options);
/* Returns whether that number is possible. @n_requests: how many inference requests a step starts
 * together; one while operators are recorded, because the counters of several could not be separated. */
gboolean dyno_ov_config_read_requests (const DynoSessionOptions *options, guint *n_requests, GError **error);
gboolean dyno_ov_config_check (DynoOvLibrary *library,
                               const OvCompiledModel *compiled,
                               const DynoSessionOptions *options,
                               const char *device,
                               GError **error);
char *dyno_ov_config_dup_property (DynoOvLibrary *library, const OvCompiledModel *compiled, const char *key);
GHashTable *dyno_ov_config_read_settings (DynoOvLibrary *library, const OvCompiledModel *compiled);

G_END_DECLS
