/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-probe.h"

static void
add_text (JsonBuilder *builder, const char *name, const char *text)
{
  if (text == NULL)
    return;
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text);
}

static void
add_names (JsonBuilder *builder, const char *member, const char *const *names)
{
  json_builder_set_member_name (builder, member);
  json_builder_begin_array (builder);
  for (; *names != NULL; names++)
    json_builder_add_string_value (builder, *names);
  json_builder_end_array (builder);
}

static void
add_devices (JsonBuilder *builder, const char *name, GListModel *devices)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (DynoDevice) device = g_list_model_get_item (devices, i);

      json_builder_begin_object (builder);
      add_text (builder, "id", dyno_device_get_id (device));
      add_text (builder, "name", dyno_device_get_name (device));
      add_text (builder, "kind", dyno_device_kind_to_string (dyno_device_get_kind (device)));
      add_text (builder, "address", dyno_device_get_address (device));
      add_text (builder, "driver", dyno_device_get_driver (device));
      add_text (builder, "reason", dyno_device_get_reason (device));
      add_text (builder, "remedy", dyno_device_get_remedy (device));
      if (dyno_device_get_memory (device) > 0)
        {
          json_builder_set_member_name (builder, "memory");
          json_builder_add_int_value (builder, dyno_device_get_memory (device));
        }
      add_names (builder, "precisions", dyno_device_get_precisions (device));
      if (*dyno_device_get_models (device) != NULL)
        add_names (builder, "models", dyno_device_get_models (device));
      if (*dyno_device_get_unfused (device) != NULL)
        add_names (builder, "unfused", dyno_device_get_unfused (device));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

JsonNode *
dyno_probe_to_json (DynoProbe *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  g_return_val_if_fail (DYNO_IS_PROBE (self), NULL);

  json_builder_begin_object (builder);
  add_text (builder, "state", dyno_probe_state_to_string (dyno_probe_get_state (self)));
  add_text (builder, "reason", dyno_probe_get_reason (self));
  add_text (builder, "remedy", dyno_probe_get_remedy (self));
  add_text (builder, "runtime", dyno_probe_get_runtime (self));
  if (dyno_probe_is_provisional (self))
    {
      json_builder_set_member_name (builder, "provisional");
      json_builder_add_boolean_value (builder, TRUE);
    }
  add_devices (builder, "devices", dyno_probe_get_devices (self));
  add_devices (builder, "missing", dyno_probe_get_missing_devices (self));
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

static DynoDevice *
read_device (JsonObject *object)
{
  const char *id = dyno_json_member_get_string (object, "id");
  const char *name = dyno_json_member_get_string (object, "name");
  const char *reason = dyno_json_member_get_string (object, "reason");
  DynoDeviceKind kind = DYNO_DEVICE_KIND_UNKNOWN;
  g_auto (GStrv) precisions = NULL;
  g_auto (GStrv) models = NULL;
  g_auto (GStrv) unfused = NULL;
  DynoDevice *device;
  gint64 memory;

  if (id == NULL || name == NULL)
    return NULL;
  memory = dyno_json_member_get_int64 (object, "memory", 0);
  precisions = dyno_json_member_dup_strings (object, "precisions");
  models = dyno_json_member_dup_strings (object, "models");
  unfused = dyno_json_member_dup_strings (object, "unfused");
  device = dyno_device_new (id, name, dyno_json_member_get_string (object, "driver"), MAX (memory, 0),
                            (const char *const *)precisions);
  if (dyno_device_kind_from_string (dyno_json_member_get_string (object, "kind"), &kind))
    dyno_device_set_kind (device, kind);
  dyno_device_set_address (device, dyno_json_member_get_string (object, "address"));
  dyno_device_set_models (device, (const char *const *)models);
  dyno_device_set_unfused (device, (const char *const *)unfused);
  if (reason != NULL)
    dyno_device_set_missing (device, reason, dyno_json_member_get_string (object, "remedy"));
  return device;
}

/* A missing device has a reason. */
static gboolean
read_devices (DynoProbe *self, JsonObject *object, const char *name, gboolean is_missing)
{
  JsonArray *devices = dyno_json_member_get_array (object, name);

  for (guint i = 0; devices != NULL && i < json_array_get_length (devices); i++)
    {
      g_autoptr (DynoDevice) device = read_device (dyno_json_member_get_element (devices, i));

      if (device == NULL || (dyno_device_get_reason (device) != NULL) != is_missing)
        return FALSE;
      if (is_missing)
        dyno_probe_take_missing_device (self, g_steal_pointer (&device));
      else
        dyno_probe_take_device (self, g_steal_pointer (&device));
    }
  return TRUE;
}

DynoProbe *
dyno_probe_new_from_json (JsonObject *object, GError **error)
{
  g_autoptr (DynoProbe) self = NULL;
  const char *state, *reason, *runtime;

  g_return_val_if_fail (object != NULL, NULL);

  state = dyno_json_member_get_string (object, "state");
  reason = dyno_json_member_get_string (object, "reason");
  runtime = dyno_json_member_get_string (object, "runtime");
  if (g_strcmp0 (state, "available") == 0 && runtime != NULL)
    self = dyno_probe_new_available (runtime);
  else if (g_strcmp0 (state, "unsupported") == 0 && reason != NULL)
    self = dyno_probe_new_unsupported (reason, dyno_json_member_get_string (object, "remedy"));
  else if (g_strcmp0 (state, "deferred") == 0 && reason != NULL)
    self = dyno_probe_new_deferred (reason, dyno_json_member_get_string (object, "remedy"));

  if (self != NULL && dyno_json_member_get_boolean (object, "provisional"))
    dyno_probe_set_provisional (self);
  if (self != NULL && read_devices (self, object, "devices", FALSE) &&
      read_devices (self, object, "missing", TRUE))
    return g_steal_pointer (&self);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("The cached probe of a backend is damaged. Probe it again."));
  return NULL;
}
