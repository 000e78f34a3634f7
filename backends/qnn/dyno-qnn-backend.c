/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-ort-backend.h"
#include "dyno-paths.h"
#include "dyno-qnn-profile.h"

/* Qualcomm's devices, through the provider of ONNX Runtime for QNN. */
G_DECLARE_FINAL_TYPE (DynoQnnBackend, dyno_qnn_backend, DYNO, QNN_BACKEND, DynoOrtBackend)

struct _DynoQnnBackend
{
  DynoOrtBackend parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoQnnBackend, dyno_qnn_backend, DYNO_TYPE_ORT_BACKEND)

static const char *const modes[] = {
  "default", "burst", "high_performance", "balanced", "power_saver", NULL
};

static const char *const caches[] = { "off", "on", NULL };

static const DynoBackendOption options[] = {
  { "performance", N_ ("Performance mode of the NPU."), modes },
  { "cache", N_ ("Load the model a second time, from a cache, and time that separately."), caches },
  { NULL },
};

/* For this processor, Qualcomm's library of the tensor processor emulates one: the one of a Snapdragon X Elite. */
#ifdef __x86_64__
#define HTP_NAME     N_ ("Hexagon NPU of a Snapdragon X Elite, emulated")
#define HTP_KIND     DYNO_DEVICE_KIND_EMULATED
#define EMULATED_SOC "60"
#define EMULATED_HTP "73"
#else
#define HTP_NAME N_ ("Hexagon NPU")
#define HTP_KIND DYNO_DEVICE_KIND_NPU
#endif

/* Each kind of device has its own library. The one for the processor serves to compare results. */
static const struct
{
  const char *id;
  const char *name;
  const char *library;
  DynoDeviceKind kind;
} parts[] = {
  { "htp", HTP_NAME, "libQnnHtp.so", HTP_KIND },
  { "gpu", N_ ("Adreno GPU"), "libQnnGpu.so", DYNO_DEVICE_KIND_INTEGRATED_GPU },
  { "cpu", N_ ("CPU (QNN’s reference)"), "libQnnCpu.so", DYNO_DEVICE_KIND_CPU },
};

static GPtrArray *
dyno_qnn_backend_list_devices (DynoOrtBackend *backend, GError **error)
{
  GPtrArray *devices = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_ptr_array_add (devices, dyno_device_new (parts[i].id, _ (parts[i].name), NULL, 0, NULL));
      dyno_device_set_kind (devices->pdata[i], parts[i].kind);
    }
  return devices;
}

static char *
find_in (const char *folder, const char *file_name)
{
  g_autofree char *path = g_build_filename (folder, file_name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS) ? g_steal_pointer (&path) : NULL;
}

/* Looks beside the library that has the provider, then where the system keeps libraries. */
static char *
find_library (DynoOrtRuntime *runtime, const DynoOrtTarget *target, const char *file_name)
{
  g_autofree char *beside = g_path_get_dirname (
      target->plugin_path != NULL ? target->plugin_path : dyno_ort_runtime_get_path (runtime));
  g_auto (GStrv) folders = dyno_paths_get_library_folders ();
  char *path = find_in (beside, file_name);

  for (guint i = 0; path == NULL && folders[i] != NULL; i++)
    path = find_in (folders[i], file_name);
  return path;
}

/* Returns the library of the requested device, or of the first that has one. */
static char *
find_library_of (DynoOrtBackend *backend,
                 DynoOrtRuntime *runtime,
                 const DynoOrtTarget *target,
                 const char *id,
                 guint *position)
{
  g_autoptr (DynoDevice) device =
      id != NULL ? dyno_ort_backend_find_device (backend, id, position, NULL) : NULL;

  if (device != NULL)
    return find_library (runtime, target, parts[*position].library);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      char *path = find_library (runtime, target, parts[i].library);

      *position = i;
      if (path != NULL)
        return path;
    }
  return NULL;
}

/* The tensor processor takes single precision, and computes it in half: a trial of one product does not show it. */
static gboolean
dyno_qnn_backend_computes_in (DynoOrtBackend *backend, DynoDevice *device, const char *precision)
{
  return !g_str_equal (dyno_device_get_id (device), parts[0].id) || !g_str_equal (precision, "fp32");
}

static gboolean
dyno_qnn_backend_configure (DynoOrtBackend *backend,
                            DynoOrtRuntime *runtime,
                            const DynoSessionOptions *session_options,
                            DynoOrtTarget *target,
                            GError **error)
{
  const char *mode = dyno_session_options_get (session_options, "performance");
  guint position = 0;
  g_autofree char *path = find_library_of (backend, runtime, target, session_options->device, &position);

  if (path == NULL)
    {
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
          _ ("QNN’s library “%s” is neither beside the library of its provider nor among the system’s."),
          parts[position].library);
      return FALSE;
    }
  dyno_ort_target_set (target, "backend_path", path);
  if (position == 0)
    {
      dyno_ort_target_set (target, "htp_performance_mode", mode != NULL ? mode : modes[0]);
      dyno_ort_target_set (target, "enable_htp_fp16_precision", "1");
#ifdef EMULATED_SOC
      dyno_ort_target_set (target, "soc_model", EMULATED_SOC);
      dyno_ort_target_set (target, "htp_arch", EMULATED_HTP);
#endif
    }
  target->takes_fixed_shapes = TRUE;
  target->keeps_context = g_strcmp0 (dyno_session_options_get (session_options, "cache"), "on") == 0;
  if (session_options->profile)
    {
      /* Only the detailed profile of QNN lists operators. */
      dyno_ort_target_set (target, "profiling_level", "detailed");
      target->profile_option = "profiling_file_path";
      target->read_profile = dyno_qnn_profile_read;
    }
  return TRUE;
}

static void
dyno_qnn_backend_class_init (DynoQnnBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);
  DynoOrtBackendClass *ort_class = DYNO_ORT_BACKEND_CLASS (klass);

  backend_class->id = "qnn";
  backend_class->name = N_ ("QNN");
  backend_class->description = N_ ("Qualcomm GPUs and NPUs, through ONNX Runtime’s QNN provider.");
  backend_class->fingerprint = dyno_ort_backend_fingerprint_plugins;
  dyno_backend_class_add_options (backend_class, options);
  ort_class->provider = DYNO_ORT_PROVIDER_QNN;
  ort_class->plugin = "qnn";
  ort_class->remedy = N_ ("Install it with “Install Engine…” or “dyno-cli engines install onnxruntime-qnn”.");
  ort_class->start_remedy =
      N_ ("Put the libraries of the Qualcomm AI Engine Direct SDK beside the library of the provider.");
  ort_class->list_devices = dyno_qnn_backend_list_devices;
  ort_class->computes_in = dyno_qnn_backend_computes_in;
  ort_class->configure = dyno_qnn_backend_configure;
}

static void
dyno_qnn_backend_init (DynoQnnBackend *self)
{
}
