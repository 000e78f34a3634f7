/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <dlfcn.h>
#include <glib/gi18n-lib.h>

#include "dyno-backends-base-private.h"
#include "dyno-error.h"
#include "dyno-llamacpp-private.h"

#define DEFAULT_DEVICE "cpu"

/* Each of several libraries is asked in a process of its own, up to 20 seconds. */
#define PROBE_SECONDS 90

/* GGUF files on llama.cpp, in this process. */
G_DECLARE_FINAL_TYPE (DynoLlamacppBackend, dyno_llamacpp_backend, DYNO, LLAMACPP_BACKEND, DynoLibraryBackend)

struct _DynoLlamacppBackend
{
  DynoLibraryBackend parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoLlamacppBackend, dyno_llamacpp_backend, DYNO_TYPE_LIBRARY_BACKEND)

/* ggml reports all memory of the machine for the processor, which is no memory of its own. */
static DynoDevice *
create_device (const LlamaApi *api, LlamaDevice *found)
{
  g_autofree char *id = g_ascii_strdown (api->ggml_backend_dev_name (found), -1);
  LlamaDeviceType type = api->ggml_backend_dev_type (found);
  gsize available = 0, total = 0;
  DynoDevice *device;

  api->ggml_backend_dev_memory (found, &available, &total);
  device = dyno_device_new (id, api->ggml_backend_dev_description (found), NULL,
                            type == LLAMA_DEVICE_GPU ? (gint64)total : 0, NULL);
  dyno_device_set_kind (device, type == LLAMA_DEVICE_CPU              ? DYNO_DEVICE_KIND_CPU
                                : type == LLAMA_DEVICE_GPU            ? DYNO_DEVICE_KIND_DISCRETE_GPU
                                : type == LLAMA_DEVICE_INTEGRATED_GPU ? DYNO_DEVICE_KIND_INTEGRATED_GPU
                                                                      : DYNO_DEVICE_KIND_UNKNOWN);
  return device;
}

/* A build for GPUs has a library for each kind, which may lack the driver’s or a device. */
static const struct
{
  const char *file;
  const char *id; /* of its first device */
  const char *name;
} gpu_libraries[] = {
  { "libggml-vulkan.so", "vulkan0", "Vulkan" },
  { "libggml-cuda.so", "cuda0", "CUDA" },
};

static void
add_missing (DynoProbe *probe, const char *folder, guint library)
{
  const char *name = gpu_libraries[library].name;
  g_autofree char *path = g_build_filename (folder, gpu_libraries[library].file, NULL);
  g_autofree char *reason = NULL;
  DynoDevice *device;
  void *handle;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR) ||
      dyno_probe_find_device (probe, gpu_libraries[library].id) != NULL)
    return;
  handle = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  if (handle != NULL)
    /* Translators: Vulkan or CUDA */
    reason = g_strdup_printf (_ ("llama.cpp found no device for %s."), name);
  else
    reason = g_strdup_printf (_ ("The library “%s” cannot be opened: %s."), path, dlerror ());
  device = dyno_device_new (gpu_libraries[library].id, name, NULL, 0, NULL);
  dyno_device_set_missing (device, reason,
                           _ ("Install the driver of the GPU with its libraries, and restart Dyno."));
  dyno_probe_take_missing_device (probe, device);
}

/* Accelerators such as BLAS only help the processor. */
static gboolean
dyno_llamacpp_backend_add_devices (DynoBackend *backend, gpointer library, DynoProbe *probe, GError **error)
{
  const LlamaApi *api = dyno_llama_library_get_api (library);
  g_autofree char *folder = g_path_get_dirname (dyno_engine_library_get_path (library));

  for (gsize i = 0; i < api->ggml_backend_dev_count (); i++)
    if (api->ggml_backend_dev_type (api->ggml_backend_dev_get (i)) < LLAMA_DEVICE_ACCELERATOR)
      dyno_probe_take_device (probe, create_device (api, api->ggml_backend_dev_get (i)));
  for (guint i = 0; i < G_N_ELEMENTS (gpu_libraries); i++)
    add_missing (probe, folder, i);
  return TRUE;
}

static gboolean
dyno_llamacpp_backend_has_device (gpointer library, const char *id, GError **error)
{
  return dyno_llama_library_find_device (library, id) != NULL;
}

/* The number that llama.cpp gives to files of this mix of types. */
#define FILE_OF_Q4_K_M 15

/* Reads and writes tensor after tensor. */
static gboolean
dyno_llamacpp_backend_quantise (
    DynoBackend *backend, const char *from, const char *to, const char *precision, GError **error)
{
  DynoLlamaLibrary *library = dyno_library_backend_get_library (backend, error);
  g_autofree char *earlier = NULL;
  g_autofree char *reason = NULL;
  LlamaQuantizeParams params;
  const LlamaApi *api;

  g_return_val_if_fail (g_str_equal (precision, "q4_k_m"), FALSE);

  if (library == NULL)
    return FALSE;
  api = dyno_llama_library_get_api (library);
  earlier = dyno_llama_library_take_errors ();
  params = api->llama_model_quantize_default_params ();
  params.file_type = FILE_OF_Q4_K_M;
  if (api->llama_model_quantize (from, to, &params) == 0)
    return TRUE;
  reason = dyno_llama_library_take_errors ();
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("llama.cpp could not quantise a model to %s: %s."),
               precision, reason != NULL ? reason : _ ("it gave no reason"));
  return FALSE;
}

static const DynoEnginePath paths[] = {
  { "llama.cpp", "DYNO_LLAMA_CPP", N_ ("llama.cpp Library") },
  { NULL },
};

static DynoSession *
dyno_llamacpp_backend_open_model (gpointer library,
                                  const char *path,
                                  const DynoSessionOptions *options,
                                  GError **error)
{
  LlamaDevice *device = dyno_llama_library_find_device (library, options->device);

  if (device == NULL)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME,
                         _ ("llama.cpp found no processor. Install it again."));
  return device != NULL ? dyno_llama_session_new (library, device, path, options, error) : NULL;
}

static void
dyno_llamacpp_backend_class_init (DynoLlamacppBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);
  DynoLibraryBackendClass *library_class = DYNO_LIBRARY_BACKEND_CLASS (klass);

  backend_class->id = "llamacpp";
  backend_class->name = N_ ("llama.cpp");
  backend_class->description = N_ ("GGUF files, through llama.cpp.");
  backend_class->format = DYNO_MODEL_FORMAT_GGUF;
  backend_class->wants_set_uid = TRUE;
  dyno_backend_class_add_options (backend_class, dyno_llama_config_get_options ());
  backend_class->default_device = DEFAULT_DEVICE;
  backend_class->probe_seconds = PROBE_SECONDS;
  backend_class->quantise = dyno_llamacpp_backend_quantise;
  dyno_library_backend_class_take_library (library_class, DYNO_TYPE_LLAMA_LIBRARY, paths);
  library_class->add_devices = dyno_llamacpp_backend_add_devices;
  library_class->has_device = dyno_llamacpp_backend_has_device;
  library_class->open_model = dyno_llamacpp_backend_open_model;
}

static void
dyno_llamacpp_backend_init (DynoLlamacppBackend *self)
{
}
