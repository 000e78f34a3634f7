/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-ort.h"
#include "dyno-ort-backend.h"
#include "dyno-precision-trial.h"

#define DEVICE_ID "cpu"

/* The processor, through ONNX Runtime's own kernels. */
G_DECLARE_FINAL_TYPE (DynoCpuBackend, dyno_cpu_backend, DYNO, CPU_BACKEND, DynoOrtBackend)

struct _DynoCpuBackend
{
  DynoOrtBackend parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoCpuBackend, dyno_cpu_backend, DYNO_TYPE_ORT_BACKEND)

static gboolean
dyno_cpu_backend_has_device (DynoOrtBackend *backend, const char *id)
{
  return g_str_equal (id, DEVICE_ID);
}

static DynoProbe *
dyno_cpu_backend_probe_devices (DynoOrtBackend *backend, DynoOrtRuntime *runtime)
{
  g_auto (GStrv) precisions = dyno_precision_trial_run (DYNO_BACKEND (backend), DEVICE_ID);
  DynoProbe *probe = dyno_ort_backend_new_probe (backend, runtime);

  dyno_probe_take_device (probe, dyno_device_new_processor (DEVICE_ID, (const char *const *)precisions));
  return probe;
}

static const DynoEnginePath paths[] = {
  { "runtime-path", "DYNO_ONNXRUNTIME", dyno_ort_library_set_path, dyno_ort_library_dup_path },
  { NULL },
};

static void
dyno_cpu_backend_class_init (DynoCpuBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);
  DynoOrtBackendClass *ort_class = DYNO_ORT_BACKEND_CLASS (klass);

  backend_class->id = "cpu";
  backend_class->paths = paths;
  backend_class->name = N_ ("CPU");
  backend_class->description = N_ ("The CPU, through ONNX Runtime.");
  ort_class->provider = DYNO_ORT_PROVIDER_CPU;
  ort_class->probe_devices = dyno_cpu_backend_probe_devices;
  ort_class->has_device = dyno_cpu_backend_has_device;
}

static void
dyno_cpu_backend_init (DynoCpuBackend *self)
{
}
