/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

#include "dyno-openvino-private.h"
#include "dyno-precision-trial.h"

#define AUTO "AUTO"

/* Returns its value, or NULL if the device has no such property. The caller owns it. */
static char *
dup_property (DynoOvLibrary *library, const char *device, const char *key)
{
  const OvApi *api = dyno_ov_library_get_api (library);
  OvCore *core = dyno_ov_library_get_core (library, NULL);
  char *from_library = NULL;
  char *value;

  if (core == NULL || api->core_get_property (core, device, key, &from_library) != OV_STATUS_OK)
    return NULL;
  value = g_strdup (from_library);
  api->free (from_library);
  return value;
}

static DynoDeviceKind
find_kind (DynoOvLibrary *library, const char *device)
{
  g_autofree char *type = NULL;

  if (g_str_has_prefix (device, "CPU"))
    return DYNO_DEVICE_KIND_CPU;
  if (g_str_has_prefix (device, "NPU"))
    return DYNO_DEVICE_KIND_NPU;
  type = g_str_has_prefix (device, "GPU") ? dup_property (library, device, "DEVICE_TYPE") : NULL;
  if (g_strcmp0 (type, "integrated") == 0)
    return DYNO_DEVICE_KIND_INTEGRATED_GPU;
  if (g_strcmp0 (type, "discrete") == 0)
    return DYNO_DEVICE_KIND_DISCRETE_GPU;
  return DYNO_DEVICE_KIND_UNKNOWN;
}

static DynoDevice *
create_device (DynoOvLibrary *library, const char *name, const char *const *precisions)
{
  g_autofree char *full_name = dup_property (library, name, "FULL_DEVICE_NAME");
  g_autofree char *driver = dup_property (library, name, "NPU_DRIVER_VERSION");
  g_autofree char *place = dup_property (library, name, "DEVICE_PCI_INFO");
  g_autofree char *kind = g_strndup (name, strcspn (name, "."));
  g_autofree char *memory_key = g_strdup_printf ("%s_DEVICE_TOTAL_MEM_SIZE", kind);
  g_autofree char *memory = dup_property (library, name, memory_key);
  DynoDevice *device = dyno_device_new (name, full_name != NULL ? full_name : name, driver,
                                        memory != NULL ? g_ascii_strtoll (memory, NULL, 10) : 0, precisions);
  guint domain, bus, slot, function;

  dyno_device_set_kind (device, find_kind (library, name));
  /* OpenVINO writes `{domain: 0 bus: 3 device: 0x0 function: 0}`. */
  if (place != NULL &&
      sscanf (place, "{domain: %u bus: %u device: 0x%x function: %u}", &domain, &bus, &slot, &function) == 4)
    {
      g_autofree char *address = g_strdup_printf ("%04x:%02x:%02x.%x", domain, bus, slot, function);

      dyno_device_set_address (device, address);
    }
  return device;
}

gboolean
dyno_ov_devices_list (DynoOvLibrary *library, char ***names, GError **error)
{
  const OvApi *api = dyno_ov_library_get_api (library);
  OvCore *core = dyno_ov_library_get_core (library, error);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  OvDevices devices = { 0 };

  if (core == NULL || !dyno_ov_error_check (api, dyno_ov_library_get_path (library),
                                            api->core_get_available_devices (core, &devices), error))
    return FALSE;
  for (gsize i = 0; i < devices.n_names; i++)
    g_strv_builder_add (builder, devices.names[i]);
  if (devices.n_names > 0)
    g_strv_builder_add (builder, AUTO);
  api->available_devices_free (&devices);
  *names = g_strv_builder_end (builder);
  return TRUE;
}

gboolean
dyno_ov_devices_add (DynoOvLibrary *library, DynoBackend *backend, DynoProbe *probe, GError **error)
{
  g_auto (GStrv) names = NULL;

  if (!dyno_ov_devices_list (library, &names, error))
    return FALSE;
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_auto (GStrv) tried = dyno_precision_trial_run (backend, names[i]);
      const char *const *precisions = (const char *const *)tried;
      DynoDevice *device = g_str_equal (names[i], AUTO)
                               ? dyno_device_new (AUTO, _ ("Device chosen by OpenVINO"), NULL, 0, precisions)
                               : create_device (library, names[i], precisions);
      g_auto (GStrv) unfused = dyno_precision_trial_run_attention (backend, names[i], precisions);

      dyno_device_set_unfused (device, (const char *const *)unfused);
      dyno_probe_take_device (probe, device);
    }
  return TRUE;
}
