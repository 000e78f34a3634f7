/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-error.h"
#include "dyno-onnxruntime-private.h"

typedef OrtStatus *(*Append) (const OrtApi *api,
                              OrtSessionOptions *options,
                              const char *const *keys,
                              const char *const *values,
                              gsize n);

/* The properties of a provider: its word in the general call, if that is not its name without the suffix; the library
 * that must be beside the runtime; its own call; whether a run may return before the device is done, even though
 * outputs were waited for. */
typedef struct
{
  const char *name;
  const char *word;
  const char *library;
  Append append;
  gboolean returns_early;
} Provider;

/* ONNX Runtime has a type and four functions of its own for each of them. */
#define DEFINE_APPEND(name, Type, Word, Suffix)                                                              \
  static OrtStatus *name (const OrtApi *api, OrtSessionOptions *options, const char *const *keys,            \
                          const char *const *values, gsize n)                                                \
  {                                                                                                          \
    Type *provider = NULL;                                                                                   \
    OrtStatus *status = api->Create##Word##ProviderOptions (&provider);                                      \
                                                                                                             \
    if (status == NULL)                                                                                      \
      status = api->Update##Word##ProviderOptions (provider, keys, values, n);                               \
    if (status == NULL)                                                                                      \
      status = api->SessionOptionsAppendExecutionProvider_##Suffix (options, provider);                      \
    g_clear_pointer (&provider, api->Release##Word##ProviderOptions);                                        \
    return status;                                                                                           \
  }

DEFINE_APPEND (append_cuda, OrtCUDAProviderOptionsV2, CUDA, CUDA_V2)
DEFINE_APPEND (append_tensorrt, OrtTensorRTProviderOptionsV2, TensorRT, TensorRT_V2)
DEFINE_APPEND (append_rocm, OrtROCMProviderOptions, ROCM, ROCM)
DEFINE_APPEND (append_dnnl, OrtDnnlProviderOptions, Dnnl, Dnnl)

static const Provider providers[] = {
  { DYNO_ORT_PROVIDER_CUDA, NULL, "libonnxruntime_providers_cuda.so", append_cuda },
  { DYNO_ORT_PROVIDER_TENSORRT, NULL, "libonnxruntime_providers_tensorrt.so", append_tensorrt },
  { DYNO_ORT_PROVIDER_ROCM, NULL, "libonnxruntime_providers_rocm.so", append_rocm },
  { DYNO_ORT_PROVIDER_MIGRAPHX, NULL, "libonnxruntime_providers_migraphx.so", NULL },
  { DYNO_ORT_PROVIDER_WEBGPU, "WebGPU", NULL, NULL, TRUE },
  { "DnnlExecutionProvider", NULL, "libonnxruntime_providers_dnnl.so", append_dnnl },
  { "OpenVINOExecutionProvider", NULL, "libonnxruntime_providers_openvino.so", NULL },
  { "VitisAIExecutionProvider", NULL, "libonnxruntime_providers_vitisai.so", NULL },
  { "NvTensorRTRTXExecutionProvider", "NvTensorRtRtx", "libonnxruntime_providers_nv_tensorrt_rtx.so", NULL },
  { "XnnpackExecutionProvider", "XNNPACK", NULL, NULL },
  { "AzureExecutionProvider", "AZURE", NULL, NULL },
};

static const Provider *
find_provider (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (providers); i++)
    if (g_str_equal (providers[i].name, name))
      return &providers[i];
  return NULL;
}

static OrtStatus *
append (DynoOrtRuntime *runtime, const DynoOrtTarget *target, OrtSessionOptions *options)
{
  const OrtApi *api = dyno_ort_runtime_get_api (runtime);
  const Provider *provider = find_provider (target->provider);
  g_autoptr (GPtrArray) keys = g_ptr_array_new ();
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer key, value;
  const char *const *k, *const *v;
  const char *suffix;
  g_autofree char *stem = NULL;

  g_hash_table_iter_init (&iter, target->options);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      g_ptr_array_add (keys, key);
      g_ptr_array_add (values, value);
    }
  k = (const char *const *)keys->pdata;
  v = (const char *const *)values->pdata;
  if (target->plugin != NULL)
    {
#if ORT_API_VERSION >= 22
      OrtEnv *env = dyno_ort_runtime_get_env (runtime, NULL);

      return api->SessionOptionsAppendExecutionProvider_V2 (options, env, &target->plugin, 1, k, v,
                                                            keys->len);
#else
      g_return_val_if_reached (NULL);
#endif
    }
  if (provider != NULL && provider->append != NULL)
    return provider->append (api, options, k, v, keys->len);
  /* Without its suffix, a provider's name is mostly the word that ONNX Runtime takes for it. */
  suffix = strstr (target->provider, "ExecutionProvider");
  stem = g_strndup (target->provider,
                    suffix != NULL ? (gsize)(suffix - target->provider) : strlen (target->provider));
  return api->SessionOptionsAppendExecutionProvider (
      options, provider != NULL && provider->word != NULL ? provider->word : stem, k, v, keys->len);
}

char *
dyno_ort_provider_dup_library (DynoOrtRuntime *runtime, const char *provider)
{
  const Provider *known = find_provider (provider);
  g_autofree char *folder = g_path_get_dirname (dyno_ort_runtime_get_path (runtime));

  return known != NULL && known->library != NULL ? g_build_filename (folder, known->library, NULL) : NULL;
}

gboolean
dyno_ort_provider_returns_early (const char *provider)
{
  const Provider *known = find_provider (provider);

  return known != NULL && known->returns_early;
}

gboolean
dyno_ort_provider_append (DynoOrtRuntime *runtime,
                          const DynoOrtTarget *target,
                          struct OrtSessionOptions *options,
                          GError **error)
{
  g_auto (DynoOrtTarget) fallback = { NULL };
  const char *device;

  if (g_str_equal (target->provider, DYNO_ORT_PROVIDER_CPU))
    return TRUE;
  if (!dyno_ort_error_check_provider (runtime, target->provider, append (runtime, target, options), error))
    return FALSE;
  if (target->fallback == NULL)
    return TRUE;
  device = g_hash_table_lookup (target->options, "device_id");
  dyno_ort_target_init (&fallback, target->fallback);
  if (device != NULL)
    dyno_ort_target_set (&fallback, "device_id", device);
  return dyno_ort_error_check_provider (runtime, fallback.provider, append (runtime, &fallback, options),
                                        error);
}

gboolean
dyno_ort_provider_try (DynoOrtRuntime *runtime, const DynoOrtTarget *target, GError **error)
{
  const OrtApi *api = dyno_ort_runtime_get_api (runtime);
  OrtSessionOptions *options = NULL;
  gboolean ok;

  if (dyno_ort_runtime_get_env (runtime, error) == NULL ||
      !dyno_ort_error_check_provider (runtime, target->provider, api->CreateSessionOptions (&options), error))
    return FALSE;
  ok = dyno_ort_provider_append (runtime, target, options, error);
  api->ReleaseSessionOptions (options);
  return ok;
}
