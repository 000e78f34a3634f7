/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-probe.h"
#include "dyno-shared-list.h"

struct _DynoProbe
{
  GObject parent_instance;

  DynoProbeState state;
  gboolean is_provisional;
  char *reason;
  char *remedy;
  char *runtime;
  GListModel *devices;
  GListModel *missing;
};

enum
{
  PROP_0,
  PROP_STATE,
  PROP_REASON,
  PROP_REMEDY,
  PROP_RUNTIME,
  PROP_DEVICES,
  PROP_MISSING,
  N_PROPS
};

G_DEFINE_ENUM_TYPE (DynoProbeState,
                    dyno_probe_state,
                    G_DEFINE_ENUM_VALUE (DYNO_PROBE_AVAILABLE, "available"),
                    G_DEFINE_ENUM_VALUE (DYNO_PROBE_UNSUPPORTED, "unsupported"),
                    G_DEFINE_ENUM_VALUE (DYNO_PROBE_DEFERRED, "deferred"))

G_DEFINE_FINAL_TYPE (DynoProbe, dyno_probe, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];

static void
dyno_probe_finalize (GObject *object)
{
  DynoProbe *self = DYNO_PROBE (object);

  g_free (self->reason);
  g_free (self->remedy);
  g_free (self->runtime);
  g_clear_object (&self->devices);
  g_clear_object (&self->missing);

  G_OBJECT_CLASS (dyno_probe_parent_class)->finalize (object);
}

static void
dyno_probe_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoProbe *self = DYNO_PROBE (object);

  switch (prop_id)
    {
    case PROP_STATE:
      g_value_set_enum (value, self->state);
      break;
    case PROP_REASON:
      g_value_set_string (value, self->reason);
      break;
    case PROP_REMEDY:
      g_value_set_string (value, self->remedy);
      break;
    case PROP_RUNTIME:
      g_value_set_string (value, self->runtime);
      break;
    case PROP_DEVICES:
      g_value_set_object (value, self->devices);
      break;
    case PROP_MISSING:
      g_value_set_object (value, self->missing);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_probe_class_init (DynoProbeClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = dyno_probe_finalize;
  object_class->get_property = dyno_probe_get_property;

  properties[PROP_STATE] =
      g_param_spec_enum ("state", NULL, NULL, DYNO_TYPE_PROBE_STATE, DYNO_PROBE_AVAILABLE, flags);
  properties[PROP_REASON] = g_param_spec_string ("reason", NULL, NULL, NULL, flags);
  properties[PROP_REMEDY] = g_param_spec_string ("remedy", NULL, NULL, NULL, flags);
  properties[PROP_RUNTIME] = g_param_spec_string ("runtime", NULL, NULL, NULL, flags);
  properties[PROP_DEVICES] = g_param_spec_object ("devices", NULL, NULL, G_TYPE_LIST_MODEL, flags);
  properties[PROP_MISSING] = g_param_spec_object ("missing", NULL, NULL, G_TYPE_LIST_MODEL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_probe_init (DynoProbe *self)
{
  self->devices = dyno_shared_list_new (DYNO_TYPE_DEVICE);
  self->missing = dyno_shared_list_new (DYNO_TYPE_DEVICE);
}

const char *
dyno_probe_state_to_string (DynoProbeState state)
{
  g_autoptr (GEnumClass) enum_class = g_type_class_ref (DYNO_TYPE_PROBE_STATE);
  GEnumValue *enum_value = g_enum_get_value (enum_class, state);

  return enum_value != NULL ? enum_value->value_nick : NULL;
}

DynoProbe *
dyno_probe_new_available (const char *runtime)
{
  DynoProbe *self;

  g_return_val_if_fail (runtime != NULL, NULL);

  self = g_object_new (DYNO_TYPE_PROBE, NULL);
  self->state = DYNO_PROBE_AVAILABLE;
  self->runtime = g_strdup (runtime);
  return self;
}

static DynoProbe *
new_missing (DynoProbeState state, const char *reason, const char *remedy)
{
  DynoProbe *self = g_object_new (DYNO_TYPE_PROBE, NULL);

  self->state = state;
  self->reason = g_strdup (reason);
  self->remedy = g_strdup (remedy);
  return self;
}

DynoProbe *
dyno_probe_new_unsupported (const char *reason, const char *remedy)
{
  g_return_val_if_fail (reason != NULL, NULL);
  return new_missing (DYNO_PROBE_UNSUPPORTED, reason, remedy);
}

DynoProbe *
dyno_probe_new_deferred (const char *reason, const char *remedy)
{
  g_return_val_if_fail (reason != NULL, NULL);
  return new_missing (DYNO_PROBE_DEFERRED, reason, remedy);
}

void
dyno_probe_take_device (DynoProbe *self, DynoDevice *device)
{
  g_autoptr (DynoDevice) owned = device;

  g_return_if_fail (DYNO_IS_PROBE (self));
  g_return_if_fail (DYNO_IS_DEVICE (device));

  dyno_shared_list_append (self->devices, owned);
}

void
dyno_probe_take_missing_device (DynoProbe *self, DynoDevice *device)
{
  g_autoptr (DynoDevice) owned = device;

  g_return_if_fail (DYNO_IS_PROBE (self));
  g_return_if_fail (DYNO_IS_DEVICE (device));
  g_return_if_fail (dyno_device_get_reason (device) != NULL);

  dyno_shared_list_append (self->missing, owned);
}

void
dyno_probe_set_provisional (DynoProbe *self)
{
  g_return_if_fail (DYNO_IS_PROBE (self));

  self->is_provisional = TRUE;
}

gboolean
dyno_probe_is_provisional (DynoProbe *self)
{
  g_return_val_if_fail (DYNO_IS_PROBE (self), FALSE);
  return self->is_provisional || self->state == DYNO_PROBE_DEFERRED;
}

DynoProbeState
dyno_probe_get_state (DynoProbe *self)
{
  g_return_val_if_fail (DYNO_IS_PROBE (self), DYNO_PROBE_UNSUPPORTED);
  return self->state;
}

const char *
dyno_probe_get_reason (DynoProbe *self)
{
  g_return_val_if_fail (DYNO_IS_PROBE (self), NULL);
  return self->reason;
}

const char *
dyno_probe_get_remedy (DynoProbe *self)
{
  g_return_val_if_fail (DYNO_IS_PROBE (self), NULL);
  return self->remedy;
}

const char *
dyno_probe_get_runtime (DynoProbe *self)
{
  g_return_val_if_fail (DYNO_IS_PROBE (self), NULL);
  return self->runtime;
}

GListModel *
dyno_probe_get_devices (DynoProbe *self)
{
  g_return_val_if_fail (DYNO_IS_PROBE (self), NULL);
  return self->devices;
}

static DynoDevice *
find_device (GListModel *devices, const char *id)
{
  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (DynoDevice) device = g_list_model_get_item (devices, i);

      if (id == NULL || *id == '\0' || g_str_equal (dyno_device_get_id (device), id))
        return device; /* owned by the list */
    }
  return NULL;
}

DynoDevice *
dyno_probe_find_device (DynoProbe *self, const char *id)
{
  g_return_val_if_fail (DYNO_IS_PROBE (self), NULL);

  return find_device (self->devices, id);
}

GListModel *
dyno_probe_get_missing_devices (DynoProbe *self)
{
  g_return_val_if_fail (DYNO_IS_PROBE (self), NULL);
  return self->missing;
}

DynoDevice *
dyno_probe_find_missing_device (DynoProbe *self, const char *id)
{
  g_return_val_if_fail (DYNO_IS_PROBE (self), NULL);
  g_return_val_if_fail (id != NULL, NULL);
  return find_device (self->missing, id);
}
