/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-precision-trial.h"
#include "dyno-paths.h"
#include "dyno-qnn-backend.h"

struct _DynoQnnBackend
{
  DynoOrtBackend parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoQnnBackend, dyno_qnn_backend, DYNO_TYPE_ORT_BACKEND)

static const char *const modes[] = {
  "default", "burst", "high_performance", "balanced", "power_saver", NULL
};

static const DynoBackendOption options[] = {
  { "performance", N_ ("How much power the tensor processor may take."), modes },
  { NULL },
};

/* Each kind of device has a library of its own. The one for the processor is there to compare results with. */
static const struct
{
  const char *id;
  const char *name;
  const char *library;
  DynoDeviceKind kind;
} parts[] = {
  { "htp", N_ ("Hexagon tensor processor"), "libQnnHtp.so", DYNO_DEVICE_KIND_NPU },
  { "gpu", N_ ("Adreno graphics processor"), "libQnnGpu.so", DYNO_DEVICE_KIND_INTEGRATED_GPU },
  { "cpu", N_ ("Processor, as QNN’s reference"), "libQnnCpu.so", DYNO_DEVICE_KIND_CPU },
};

static gboolean
find_part (const char *id, guint *position)
{
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (g_str_equal (parts[i].id, id))
      {
        *position = i;
        return TRUE;
      }
  return FALSE;
}

static char *
find_in (const char *folder, const char *file_name)
{
  g_autofree char *path = g_build_filename (folder, file_name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS) ? g_steal_pointer (&path) : NULL;
}

/* Beside the runtime, else where the system keeps libraries. */
static char *
find_library (DynoOrtRuntime *runtime, const char *file_name)
{
  g_autofree char *beside = g_path_get_dirname (dyno_ort_runtime_get_path (runtime));
  g_auto (GStrv) folders = dyno_paths_get_library_folders ();
  char *path = find_in (beside, file_name);

  for (guint i = 0; path == NULL && folders[i] != NULL; i++)
    path = find_in (folders[i], file_name);
  return path;
}

static char *
find_first_library (DynoOrtRuntime *runtime, guint *position)
{
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      char *path = find_library (runtime, parts[i].library);

      *position = i;
      if (path != NULL)
        return path;
    }
  return NULL;
}

static gboolean
dyno_qnn_backend_has_device (DynoOrtBackend *backend, const char *id)
{
  guint position;

  return find_part (id, &position);
}

static gboolean
dyno_qnn_backend_configure (DynoOrtBackend *backend,
                            DynoOrtRuntime *runtime,
                            const DynoSessionOptions *session_options,
                            DynoOrtTarget *target,
                            GError **error)
{
  const char *mode = dyno_session_options_get (session_options, "performance");
  g_autofree char *path = NULL;
  guint position = 0;

  if (session_options->device == NULL)
    path = find_first_library (runtime, &position);
  else if (find_part (session_options->device, &position))
    path = find_library (runtime, parts[position].library);
  if (path == NULL)
    {
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
          _ ("QNN’s library “%s” is neither beside the ONNX Runtime library nor among the system’s."),
          parts[position].library);
      return FALSE;
    }
  dyno_ort_target_set (target, "backend_path", path);
  if (position == 0)
    dyno_ort_target_set (target, "htp_performance_mode", mode != NULL ? mode : modes[0]);
  return TRUE;
}

static void
add_part (DynoOrtBackend *backend, DynoOrtRuntime *runtime, guint position, DynoProbe *probe, GError **error)
{
  g_auto (GStrv) precisions = NULL;
  DynoDevice *device;

  if (!dyno_ort_backend_try (backend, runtime, parts[position].id, error))
    return;
  precisions = dyno_precision_trial_run (DYNO_BACKEND (backend), parts[position].id);
  device = dyno_device_new (parts[position].id, _ (parts[position].name), NULL, 0,
                            (const char *const *)precisions);
  dyno_device_set_kind (device, parts[position].kind);
  dyno_probe_take_device (probe, device);
}

static DynoProbe *
dyno_qnn_backend_probe_devices (DynoOrtBackend *backend, DynoOrtRuntime *runtime)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoProbe) probe = dyno_ort_backend_new_probe (backend, runtime);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    add_part (backend, runtime, i, probe, error == NULL ? &error : NULL);
  if (g_list_model_get_n_items (dyno_probe_get_devices (probe)) > 0)
    return g_steal_pointer (&probe);
  return dyno_probe_new_unsupported (
      error->message,
      _ ("Put the libraries of the Qualcomm AI Engine Direct SDK beside the ONNX Runtime library."));
}

static void
dyno_qnn_backend_class_init (DynoQnnBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);
  DynoOrtBackendClass *ort_class = DYNO_ORT_BACKEND_CLASS (klass);

  backend_class->id = "qnn";
  backend_class->name = N_ ("QNN");
  backend_class->description = N_ ("Qualcomm’s devices, by ONNX Runtime’s provider for QNN.");
  backend_class->options = options;
  ort_class->provider = DYNO_ORT_PROVIDER_QNN;
  ort_class->remedy =
      N_ ("Get a build of ONNX Runtime for QNN (the Python package onnxruntime-qnn holds one), and put "
          "it into the runtimes folder or name it in Preferences.");
  ort_class->probe_devices = dyno_qnn_backend_probe_devices;
  ort_class->has_device = dyno_qnn_backend_has_device;
  ort_class->configure = dyno_qnn_backend_configure;
}

static void
dyno_qnn_backend_init (DynoQnnBackend *self)
{
}
