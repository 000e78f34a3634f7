/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"
#include "dyno-engine-library.h"
#include "dyno-ov-api.h"
#include "dyno-session.h"
#include "dyno-tensor.h"

G_BEGIN_DECLS

/* dyno-ov-library */

#define DYNO_TYPE_OV_LIBRARY (dyno_ov_library_get_type ())

/**
 * DynoOvLibrary:
 *
 * A file that may be OpenVINO's C library.
 */
G_DECLARE_FINAL_TYPE (DynoOvLibrary, dyno_ov_library, DYNO, OV_LIBRARY, DynoEngineLibrary)

const char *dyno_ov_library_get_path (DynoOvLibrary *self);
/* Returns its version, `2026.4.1`; NULL if unknown. */
const char *dyno_ov_library_get_version (DynoOvLibrary *self);
gboolean dyno_ov_library_is_usable (DynoOvLibrary *self);
/* Returns its functions. */
const OvApi *dyno_ov_library_get_api (DynoOvLibrary *self);
/* Returns the access to its devices, one per process; NULL if there is none. @error: return location for
 * an error. */
OvCore *dyno_ov_library_get_core (DynoOvLibrary *self, GError **error);
/* Returns whether it has one. */
gboolean dyno_ov_library_get_element (DynoOvLibrary *self, DynoDataType type, guint *element);
/* Returns the type, undefined if Dyno has no such type. */
DynoDataType dyno_ov_library_get_data_type (DynoOvLibrary *self, guint element);

/* dyno-ov-config */

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

/* dyno-ov-devices */

/* Returns whether OpenVINO could look for devices. @names: OpenVINO's names of the devices it finds,
 * `CPU`, `GPU.0`, and `AUTO` if there are any. */
gboolean dyno_ov_devices_list (DynoOvLibrary *library, char ***names, GError **error);
/* Returns whether OpenVINO could look for devices. @probe: gets the devices with their precisions, which
 * were tried. */
gboolean dyno_ov_devices_add (DynoOvLibrary *library, DynoBackend *backend, DynoProbe *probe, GError **error);

/* dyno-ov-error */

/* Turns a status and its message into a sentence that names the model. Returns whether the call succeeded. */
gboolean dyno_ov_error_check (const OvApi *api, const char *model_path, OvStatus status, GError **error);
/* Like dyno_ov_error_check(), for the call that reads a model: a failure is due to the file, or to an
 * operator in it, which the sentence names. Returns whether the call succeeded. */
gboolean dyno_ov_error_check_read (
    const OvApi *api, const char *version, const char *model_path, OvStatus status, GError **error);

/* dyno-ov-profile */

/**
 * DynoOvProfile:
 *
 * The values of OpenVINO's counters after every run of a model.
 */
typedef struct _DynoOvProfile DynoOvProfile;

/* Returns an empty profile. @gives_averages: whether a counter holds the mean of all runs so far, as the
 * processor's do, instead of the last run's time. */
DynoOvProfile *dyno_ov_profile_new (DynoOvLibrary *library, const char *provider, gboolean gives_averages);
void dyno_ov_profile_free (DynoOvProfile *self);
/* Reads the counters. Must be called after every run. Returns whether there were any. @request: a request
 * that has just run, of a model compiled with counters. */
OvStatus dyno_ov_profile_record (DynoOvProfile *self, const OvInferRequest *request);
/* The counters tick in microseconds, and a node below one microsecond is missing. They have no shapes.
 * Returns the nodes with their times in all runs, without the first if there are others. Elements are
 * DynoNodeProfile. The caller owns it. */
GPtrArray *dyno_ov_profile_sum_up (DynoOvProfile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoOvProfile, dyno_ov_profile_free)

/* dyno-ov-session */

/* The device on which a model is opened if none is named. */
#define DYNO_OV_DEFAULT_DEVICE "CPU"

#define DYNO_TYPE_OV_SESSION (dyno_ov_session_get_type ())

/**
 * DynoOvSession:
 *
 * A model compiled by OpenVINO. Each slot of inputs is a separate inference request, so that a step is only one call
 * of `ov_infer_request_infer`; a step of several requests starts those of as many slots, then waits for each.
 */
G_DECLARE_FINAL_TYPE (DynoOvSession, dyno_ov_session, DYNO, OV_SESSION, DynoSession)

/* Returns the model, compiled; NULL on error. @options: how to open it; OpenVINO ignores `optimise` and
 * `plain_weights`. @error: return location for an error, which names the model. */
DynoSession *dyno_ov_session_new (DynoOvLibrary *library,
                                  const char *onnx_path,
                                  const DynoSessionOptions *options,
                                  GError **error);

G_END_DECLS
