/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-mps-backend.h"

struct _DynoMpsBackend
{
  DynoOrtBackend parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoMpsBackend, dyno_mps_backend, DYNO_TYPE_ORT_BACKEND)

/* CoreML is told which of the chip's parts it may use beside the processor. */
static const struct
{
  const char *id;
  const char *name;
  const char *units;
  DynoDeviceKind kind;
} units[] = {
  { "gpu", N_ ("Apple’s graphics processor"), "CPUAndGPU", DYNO_DEVICE_KIND_INTEGRATED_GPU },
  { "npu", N_ ("Apple’s neural engine"), "CPUAndNeuralEngine", DYNO_DEVICE_KIND_NPU },
};

static gboolean
find_units (const char *id, guint *position)
{
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (id == NULL || g_str_equal (units[i].id, id))
      {
        *position = i;
        return TRUE;
      }
  return FALSE;
}

static gboolean
dyno_mps_backend_has_device (DynoOrtBackend *backend, const char *id)
{
  guint position;

  return find_units (id, &position);
}

static gboolean
dyno_mps_backend_configure (DynoOrtBackend *backend,
                            DynoOrtRuntime *runtime,
                            const DynoSessionOptions *options,
                            DynoOrtTarget *target,
                            GError **error)
{
  guint position = 0;

  find_units (options->device, &position);
  dyno_ort_target_set (target, "ModelFormat", "MLProgram");
  dyno_ort_target_set (target, "MLComputeUnits", units[position].units);
  return TRUE;
}

static DynoProbe *
dyno_mps_backend_probe_devices (DynoOrtBackend *backend, DynoOrtRuntime *runtime)
{
  static const char *const precisions[] = { "fp32", NULL };
  g_autoptr (GError) error = NULL;
  DynoProbe *probe;

  if (!dyno_ort_backend_try (backend, runtime, NULL, &error))
    return dyno_probe_new_unsupported (error->message, NULL);
  probe = dyno_ort_backend_new_probe (backend, runtime);
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      DynoDevice *device = dyno_device_new (units[i].id, _ (units[i].name), NULL, 0, precisions);

      dyno_device_set_kind (device, units[i].kind);
      dyno_probe_take_device (probe, device);
    }
  return probe;
}

#ifndef __APPLE__
/* Elsewhere no runtime can help. */
static DynoProbe *
dyno_mps_backend_probe (DynoBackend *backend, GCancellable *cancellable)
{
  return dyno_probe_new_unsupported (_ ("CoreML, which runs models on Apple’s devices, is a part of macOS."),
                                     _ ("Run Dyno on macOS to measure them."));
}
#endif

static void
dyno_mps_backend_class_init (DynoMpsBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);
  DynoOrtBackendClass *ort_class = DYNO_ORT_BACKEND_CLASS (klass);

  backend_class->id = "mps";
  backend_class->name = N_ ("Apple");
  backend_class->description = N_ ("Apple’s devices, by ONNX Runtime’s provider for CoreML.");
#ifndef __APPLE__
  backend_class->probe = dyno_mps_backend_probe;
#endif
  ort_class->provider = DYNO_ORT_PROVIDER_COREML;
  ort_class->remedy = N_ ("Install a build of ONNX Runtime for macOS, which has CoreML.");
  ort_class->probe_devices = dyno_mps_backend_probe_devices;
  ort_class->has_device = dyno_mps_backend_has_device;
  ort_class->configure = dyno_mps_backend_configure;
}

static void
dyno_mps_backend_init (DynoMpsBackend *self)
{
}
