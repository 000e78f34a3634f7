/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-onnxruntime-private.h"
#include "dyno-ort-backend.h"
#include "dyno-precision.h"
#include "dyno-precision-trial.h"

DynoDevice *
dyno_ort_precisions_describe (DynoBackend *backend, DynoDevice *device)
{
  DynoOrtBackendClass *klass = DYNO_ORT_BACKEND_GET_CLASS (backend);
  const char *id = dyno_device_get_id (device);
  g_auto (GStrv) tried = dyno_precision_trial_run (backend, id);
  const char *rounding =
      klass->get_rounding != NULL ? klass->get_rounding (DYNO_ORT_BACKEND (backend), device) : NULL;
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
  g_auto (GStrv) precisions = NULL;
  DynoDevice *described;

  for (char **name = tried; *name != NULL; name++)
    if (klass->computes_in == NULL || klass->computes_in (DYNO_ORT_BACKEND (backend), device, *name))
      g_strv_builder_add (all, *name);
  /* A device with single-precision products also has the rounded ones. */
  if (rounding != NULL && g_strv_contains ((const char *const *)tried, dyno_precision_get_stored (rounding)))
    g_strv_builder_add (all, rounding);
  precisions = g_strv_builder_end (all);
  described = dyno_device_new (id, dyno_device_get_name (device), dyno_device_get_driver (device),
                               dyno_device_get_memory (device), (const char *const *)precisions);
  dyno_device_set_kind (described, dyno_device_get_kind (device));
  dyno_device_set_address (described, dyno_device_get_address (device));
  return described;
}
