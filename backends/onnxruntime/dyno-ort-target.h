/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

struct OrtEpDevice;

#define DYNO_ORT_PROVIDER_CPU      "CPUExecutionProvider"
#define DYNO_ORT_PROVIDER_CUDA     "CUDAExecutionProvider"
#define DYNO_ORT_PROVIDER_TENSORRT "TensorrtExecutionProvider"
#define DYNO_ORT_PROVIDER_ROCM     "ROCMExecutionProvider"
#define DYNO_ORT_PROVIDER_MIGRAPHX "MIGraphXExecutionProvider"
#define DYNO_ORT_PROVIDER_COREML   "CoreMLExecutionProvider"
#define DYNO_ORT_PROVIDER_QNN      "QNNExecutionProvider"
#define DYNO_ORT_PROVIDER_WEBGPU   "WebGpuExecutionProvider"

/**
 * DynoOrtReadProfile:
 * @path: the file of the provider, which may be missing
 * @nodes: (element-type DynoNodeProfile): ONNX Runtime's nodes of the same runs, to improve
 * @values: (element-type DynoValue): gets the values of the device
 * @error: return location for an error
 *
 * Reads a provider's own profile.
 *
 * Returns: whether it could be read
 */
typedef gboolean (*DynoOrtReadProfile) (const char *path,
                                        GPtrArray *nodes,
                                        GPtrArray *values,
                                        GError **error);

/**
 * DynoOrtSetting:
 * @option: an option of the backend
 * @value: (nullable): the value of it that asks for this setting, NULL for any
 * @key: the setting's name in ONNX Runtime
 * @entry: (nullable): its value there, NULL for that of the option
 *
 * How an option is passed on to ONNX Runtime or one of its providers. An array of them ends with a NULL option.
 */
typedef struct
{
  const char *option;
  const char *value;
  const char *key;
  const char *entry;
} DynoOrtSetting;

/* Returns its value in ONNX Runtime; NULL if @options leave it alone. @options (nullable): the values by option. */
const char *dyno_ort_setting_get_entry (const DynoOrtSetting *self, GHashTable *options);
/* Returns the first setting that @options ask for; NULL if there is none. */
const DynoOrtSetting *dyno_ort_setting_find (const DynoOrtSetting *settings, GHashTable *options);

/* The settings of a session on the processor. Those without a dot in their key are calls, not entries. */
extern const DynoOrtSetting dyno_ort_session_settings[];

/**
 * DynoOrtTarget:
 * @provider: the execution provider's name in ONNX Runtime
 * @fallback: (nullable): a second provider, which gets the remaining nodes before the processor
 * @options: (element-type utf8 utf8): the provider's options, by its own names
 * @plugin: (nullable): the device, if the provider is from a plug-in library
 * @plugin_path: (nullable): that library
 * @registers_library: whether the provider's library can copy between memories, if it is registered with the runtime
 * @computes_in: (nullable): the precision of products, if the engine's default may differ
 * @records_graph: whether the provider replays a step from a recording, which needs a name for each
 * @takes_fixed_shapes: whether the provider runs only operators without free dimensions
 * @keeps_context: whether to load the model a second time, from the provider's compiled form
 * @cache_option: (nullable): the option that sets the folder of the provider's cache, to load the model a second time from
 *   there
 * @profile_option: (nullable): the option that sets where the provider writes a profile of its own
 * @read_profile: (nullable): reads that profile
 *
 * The target on which a session runs.
 */
typedef struct
{
  const char *provider;
  const char *fallback;
  GHashTable *options;
  const struct OrtEpDevice *plugin;
  char *plugin_path;
  gboolean registers_library;
  const char *computes_in;
  gboolean records_graph;
  gboolean takes_fixed_shapes;
  gboolean keeps_context;
  const char *cache_option;
  const char *profile_option;
  DynoOrtReadProfile read_profile;
} DynoOrtTarget;

/* Initialises @self as a target on that provider without options. */
void dyno_ort_target_init (DynoOrtTarget *self, const char *provider);
void dyno_ort_target_clear (DynoOrtTarget *self);
void dyno_ort_target_set (DynoOrtTarget *self, const char *name, const char *value);
/* Sets those of the provider's options that @options ask for. */
void dyno_ort_target_apply (DynoOrtTarget *self, const DynoOrtSetting *settings, GHashTable *options);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoOrtTarget, dyno_ort_target_clear)

G_END_DECLS
