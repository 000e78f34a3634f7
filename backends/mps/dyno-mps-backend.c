/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-ort-backend.h"

/* Apple's devices, through the provider of ONNX Runtime for CoreML. */
G_DECLARE_FINAL_TYPE (DynoMpsBackend, dyno_mps_backend, DYNO, MPS_BACKEND, DynoOrtBackend)

struct _DynoMpsBackend
{
  DynoOrtBackend parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoMpsBackend, dyno_mps_backend, DYNO_TYPE_ORT_BACKEND)

/* CoreML is limited to the parts of the chip that it may use beside the processor. */
static const struct
{
  const char *id;
  const char *name;
  const char *units;
  DynoDeviceKind kind;
} units[] = {
  { "gpu", N_ ("Apple GPU"), "CPUAndGPU", DYNO_DEVICE_KIND_INTEGRATED_GPU },
  { "npu", N_ ("Apple Neural Engine"), "CPUAndNeuralEngine", DYNO_DEVICE_KIND_NPU },
};

static GPtrArray *
dyno_mps_backend_list_devices (DynoOrtBackend *backend, GError **error)
{
  GPtrArray *devices = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      g_ptr_array_add (devices, dyno_device_new (units[i].id, _ (units[i].name), NULL, 0, NULL));
      dyno_device_set_kind (devices->pdata[i], units[i].kind);
    }
  return devices;
}

static gboolean
dyno_mps_backend_configure (DynoOrtBackend *backend,
                            DynoOrtRuntime *runtime,
                            const DynoSessionOptions *options,
                            DynoOrtTarget *target,
                            GError **error)
{
  guint position = 0;
  g_autoptr (DynoDevice) device = dyno_ort_backend_find_device (backend, options->device, &position, error);

  if (device == NULL)
    return FALSE;
  dyno_ort_target_set (target, "ModelFormat", "MLProgram");
  dyno_ort_target_set (target, "MLComputeUnits", units[position].units);
  return TRUE;
}

#ifndef __APPLE__
/* On other systems no runtime can help. */
static DynoProbe *
dyno_mps_backend_probe (DynoBackend *backend, GCancellable *cancellable)
{
  return dyno_probe_new_unsupported (_ ("CoreML is only available on macOS."),
                                     _ ("Run Dyno on macOS to measure it."));
}
#endif

static void
dyno_mps_backend_class_init (DynoMpsBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);
  DynoOrtBackendClass *ort_class = DYNO_ORT_BACKEND_CLASS (klass);

  backend_class->id = "mps";
  backend_class->name = N_ ("Apple");
  backend_class->description = N_ ("Apple GPUs and NPUs, through ONNX Runtime’s CoreML provider.");
#ifndef __APPLE__
  backend_class->probe = dyno_mps_backend_probe;
#endif
  ort_class->provider = DYNO_ORT_PROVIDER_COREML;
  ort_class->remedy = N_ ("Install a build of ONNX Runtime for macOS, which has CoreML.");
  ort_class->list_devices = dyno_mps_backend_list_devices;
  ort_class->configure = dyno_mps_backend_configure;
}

static void
dyno_mps_backend_init (DynoMpsBackend *self)
{
}
