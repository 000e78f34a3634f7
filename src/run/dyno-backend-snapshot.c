/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-backend-snapshot.h"
#include "dyno-backend.h"

static void
add_text (JsonBuilder *builder, const char *name, const char *text)
{
  if (text == NULL)
    return;
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text);
}

static void
add_device (JsonBuilder *builder, DynoDevice *device)
{
  json_builder_begin_object (builder);
  add_text (builder, "id", dyno_device_get_id (device));
  add_text (builder, "name", dyno_device_get_name (device));
  add_text (builder, "driver", dyno_device_get_driver (device));
  json_builder_end_object (builder);
}

static void
add_backend (JsonBuilder *builder, const char *id)
{
  DynoBackend *backend = dyno_backend_lookup (id, NULL);
  g_autoptr (DynoProbe) probe = backend != NULL ? dyno_backend_probe (backend, NULL) : NULL;
  GListModel *devices;

  if (probe == NULL)
    return;
  devices = dyno_probe_get_devices (probe);
  json_builder_begin_object (builder);
  add_text (builder, "id", id);
  add_text (builder, "state", dyno_probe_state_to_string (dyno_probe_get_state (probe)));
  add_text (builder, "runtime", dyno_probe_get_runtime (probe));
  add_text (builder, "reason", dyno_probe_get_reason (probe));
  json_builder_set_member_name (builder, "devices");
  json_builder_begin_array (builder);
  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (DynoDevice) device = g_list_model_get_item (devices, i);

      add_device (builder, device);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

/**
 * dyno_backend_snapshot:
 * @ids: (array zero-terminated=1): backends
 *
 * Probes the backends, so it belongs on a thread.
 *
 * Returns: (transfer full): an array node with, for each, its state, the engine with its version, and its devices:
 *   what belongs to a run's record of the machine beside the machine itself
 */
JsonNode *
dyno_backend_snapshot (const char *const *ids)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_array (builder);
  for (const char *const *id = ids; *id != NULL; id++)
    add_backend (builder, *id);
  json_builder_end_array (builder);
  return json_builder_get_root (builder);
}
