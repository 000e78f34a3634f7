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
 * @path: the file that a provider wrote, if it did
 * @nodes: (element-type DynoNodeProfile): what ONNX Runtime says of the same runs, to be made better
 * @error: return location for an error
 *
 * Reads a profile of a provider's own.
 *
 * Returns: whether it could be read
 */
typedef gboolean (*DynoOrtReadProfile) (const char *path, GPtrArray *nodes, GError **error);

/**
 * DynoOrtTarget:
 * @provider: what ONNX Runtime calls the execution provider
 * @fallback: (nullable): a second provider, which takes what the first leaves before the processor does
 * @options: (element-type utf8 utf8): the provider's options, by its own names
 * @plugin: (nullable): the device, where the provider comes from a plug-in library
 * @registers_library: whether the provider's library can copy between memories, if it is registered with the runtime
 * @computes_in: (nullable): what products are computed in, where the engine left to itself may choose another precision
 * @records_graph: whether the provider plays a step back from a recording, which needs a name for each
 * @keeps_context: whether to load the model a second time, from what the provider compiled it to
 * @profile_option: (nullable): the option that sets where the provider writes a profile of its own
 * @read_profile: (nullable): reads that profile
 *
 * Where a session is to run.
 */
typedef struct
{
  const char *provider;
  const char *fallback;
  GHashTable *options;
  const struct OrtEpDevice *plugin;
  gboolean registers_library;
  const char *computes_in;
  gboolean records_graph;
  gboolean keeps_context;
  const char *profile_option;
  DynoOrtReadProfile read_profile;
} DynoOrtTarget;

/* Makes @self a target on that provider without options. */
void dyno_ort_target_init (DynoOrtTarget *self, const char *provider);
void dyno_ort_target_clear (DynoOrtTarget *self);
void dyno_ort_target_set (DynoOrtTarget *self, const char *name, const char *value);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoOrtTarget, dyno_ort_target_clear)

G_END_DECLS
