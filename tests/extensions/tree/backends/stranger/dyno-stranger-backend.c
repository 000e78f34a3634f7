/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-ort-backend.h"
#include "dyno-ort.h"
#include "dyno-precision-trial.h"

G_DECLARE_FINAL_TYPE (DynoStrangerBackend, dyno_stranger_backend, DYNO, STRANGER_BACKEND, DynoOrtBackend)

struct _DynoStrangerBackend
{
  DynoOrtBackend parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoStrangerBackend, dyno_stranger_backend, DYNO_TYPE_ORT_BACKEND)

static gboolean
dyno_stranger_backend_has_device (DynoOrtBackend *backend, const char *id)
{
  return g_str_equal (id, "sofa");
}

static DynoProbe *
dyno_stranger_backend_probe_devices (DynoOrtBackend *backend, DynoOrtRuntime *runtime)
{
  g_auto (GStrv) precisions = dyno_precision_trial_run (DYNO_BACKEND (backend), "sofa");
  DynoProbe *probe = dyno_ort_backend_new_probe (backend, runtime);
  DynoDevice *device = dyno_device_new ("sofa", _ ("Sofa"), NULL, 0, (const char *const *)precisions);

  dyno_device_set_kind (device, DYNO_DEVICE_KIND_CPU);
  dyno_probe_take_device (probe, device);
  return probe;
}

static void
dyno_stranger_backend_class_init (DynoStrangerBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);
  DynoOrtBackendClass *ort_class = DYNO_ORT_BACKEND_CLASS (klass);

  backend_class->id = "stranger";
  backend_class->name = N_ ("Stranger");
  backend_class->description = N_ ("A backend of somebody else.");
  ort_class->provider = DYNO_ORT_PROVIDER_CPU;
  ort_class->probe_devices = dyno_stranger_backend_probe_devices;
  ort_class->has_device = dyno_stranger_backend_has_device;
}

static void
dyno_stranger_backend_init (DynoStrangerBackend *self)
{
}
