/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-ort-precisions.h"
#include "dyno-precision-trial.h"

/**
 * dyno_ort_precisions_describe:
 * @backend: a backend that can open models
 * @device: one of its devices
 *
 * Returns: (transfer full): the same device, and what it computes in, tried out
 */
DynoDevice *
dyno_ort_precisions_describe (DynoBackend *backend, DynoDevice *device)
{
  const char *id = dyno_device_get_id (device);
  g_auto (GStrv) precisions = dyno_precision_trial_run (backend, id);
  DynoDevice *described = dyno_device_new (id, dyno_device_get_name (device), dyno_device_get_driver (device),
                                           dyno_device_get_memory (device), (const char *const *)precisions);

  dyno_device_set_kind (described, dyno_device_get_kind (device));
  dyno_device_set_address (described, dyno_device_get_address (device));
  return described;
}
