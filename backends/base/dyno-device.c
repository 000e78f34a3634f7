/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-device.h"
#include "dyno-paths.h"

struct _DynoDevice
{
  GObject parent_instance;

  char *id;
  char *name;
  char *driver;
  gint64 memory;
  char **precisions;
  DynoDeviceKind kind;
  char *address;
  char **models;
  char **unfused;
  char *reason;
  char *remedy;
};

enum
{
  PROP_0,
  PROP_ID,
  PROP_NAME,
  PROP_DRIVER,
  PROP_MEMORY,
  PROP_PRECISIONS,
  PROP_KIND_LABEL,
  PROP_ADDRESS,
  PROP_MODELS,
  PROP_UNFUSED,
  PROP_REASON,
  PROP_REMEDY,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoDevice, dyno_device, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];

static const struct
{
  const char *word;
  const char *label;
} kinds[] = {
  [DYNO_DEVICE_KIND_UNKNOWN] = { "unknown", NULL },
  [DYNO_DEVICE_KIND_CPU] = { "cpu", N_ ("CPU") },
  [DYNO_DEVICE_KIND_INTEGRATED_GPU] = { "integrated-gpu", N_ ("Integrated GPU") },
  [DYNO_DEVICE_KIND_DISCRETE_GPU] = { "discrete-gpu", N_ ("GPU") },
  [DYNO_DEVICE_KIND_NPU] = { "npu", N_ ("NPU") },
  [DYNO_DEVICE_KIND_SOFTWARE] = { "software", N_ ("Software-emulated on the CPU") },
  [DYNO_DEVICE_KIND_EMULATED] = { "emulated", N_ ("Emulated: only its answers count") },
  [DYNO_DEVICE_KIND_SERVER] = { "server", N_ ("Server on this machine") },
  [DYNO_DEVICE_KIND_REMOTE] = { "remote", N_ ("Server on another machine") },
};

static void
dyno_device_finalize (GObject *object)
{
  DynoDevice *self = DYNO_DEVICE (object);

  g_free (self->id);
  g_free (self->name);
  g_free (self->driver);
  g_strfreev (self->precisions);
  g_free (self->address);
  g_strfreev (self->models);
  g_strfreev (self->unfused);
  g_free (self->reason);
  g_free (self->remedy);

  G_OBJECT_CLASS (dyno_device_parent_class)->finalize (object);
}

static void
dyno_device_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoDevice *self = DYNO_DEVICE (object);

  switch (prop_id)
    {
    case PROP_ID:
      g_value_set_string (value, self->id);
      break;
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    case PROP_DRIVER:
      g_value_set_string (value, self->driver);
      break;
    case PROP_MEMORY:
      g_value_set_int64 (value, self->memory);
      break;
    case PROP_PRECISIONS:
      g_value_set_boxed (value, self->precisions);
      break;
    case PROP_KIND_LABEL:
      g_value_set_string (value, dyno_device_kind_get_label (self->kind));
      break;
    case PROP_ADDRESS:
      g_value_set_string (value, self->address);
      break;
    case PROP_MODELS:
      g_value_set_boxed (value, self->models);
      break;
    case PROP_UNFUSED:
      g_value_set_boxed (value, self->unfused);
      break;
    case PROP_REASON:
      g_value_set_string (value, self->reason);
      break;
    case PROP_REMEDY:
      g_value_set_string (value, self->remedy);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_device_class_init (DynoDeviceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = dyno_device_finalize;
  object_class->get_property = dyno_device_get_property;

  properties[PROP_ID] = g_param_spec_string ("id", NULL, NULL, NULL, flags);
  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);
  properties[PROP_DRIVER] = g_param_spec_string ("driver", NULL, NULL, NULL, flags);
  properties[PROP_MEMORY] = g_param_spec_int64 ("memory", NULL, NULL, 0, G_MAXINT64, 0, flags);
  properties[PROP_PRECISIONS] = g_param_spec_boxed ("precisions", NULL, NULL, G_TYPE_STRV, flags);
  properties[PROP_KIND_LABEL] = g_param_spec_string ("kind-label", NULL, NULL, NULL, flags);
  properties[PROP_ADDRESS] = g_param_spec_string ("address", NULL, NULL, NULL, flags);
  properties[PROP_MODELS] = g_param_spec_boxed ("models", NULL, NULL, G_TYPE_STRV, flags);
  properties[PROP_UNFUSED] = g_param_spec_boxed ("unfused", NULL, NULL, G_TYPE_STRV, flags);
  properties[PROP_REASON] = g_param_spec_string ("reason", NULL, NULL, NULL, flags);
  properties[PROP_REMEDY] = g_param_spec_string ("remedy", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_device_init (DynoDevice *self)
{
}

DynoDevice *
dyno_device_new (
    const char *id, const char *name, const char *driver, gint64 memory, const char *const *precisions)
{
  DynoDevice *self;

  g_return_val_if_fail (id != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (memory >= 0, NULL);

  self = g_object_new (DYNO_TYPE_DEVICE, NULL);
  self->id = g_strdup (id);
  self->name = g_strdup (name);
  self->driver = g_strdup (driver);
  self->memory = memory;
  self->precisions = precisions != NULL ? g_strdupv ((char **)precisions) : g_new0 (char *, 1);
  self->models = g_new0 (char *, 1);
  self->unfused = g_new0 (char *, 1);
  return self;
}

const char *
dyno_device_get_id (DynoDevice *self)
{
  g_return_val_if_fail (DYNO_IS_DEVICE (self), NULL);
  return self->id;
}

const char *
dyno_device_get_name (DynoDevice *self)
{
  g_return_val_if_fail (DYNO_IS_DEVICE (self), NULL);
  return self->name;
}

const char *
dyno_device_get_driver (DynoDevice *self)
{
  g_return_val_if_fail (DYNO_IS_DEVICE (self), NULL);
  return self->driver;
}

gint64
dyno_device_get_memory (DynoDevice *self)
{
  g_return_val_if_fail (DYNO_IS_DEVICE (self), 0);
  return self->memory;
}

const char *const *
dyno_device_get_precisions (DynoDevice *self)
{
  g_return_val_if_fail (DYNO_IS_DEVICE (self), NULL);
  return (const char *const *)self->precisions;
}

/* The kernel names the first processor; ARM kernels give no name. */
DynoDevice *
dyno_device_new_processor (const char *id, const char *const *precisions)
{
  g_autofree char *path = dyno_paths_build (DYNO_PATH_PROCFS, "cpuinfo", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  const char *name = _ ("CPU");
  DynoDevice *self;

  g_file_get_contents (path, &text, NULL, NULL);
  lines = g_strsplit (text != NULL ? text : "", "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], "model name") && strchr (lines[i], ':') != NULL)
      {
        name = g_strstrip (strchr (lines[i], ':') + 1);
        break;
      }
  self = dyno_device_new (id, name, NULL, 0, precisions);
  dyno_device_set_kind (self, DYNO_DEVICE_KIND_CPU);
  return self;
}

void
dyno_device_set_kind (DynoDevice *self, DynoDeviceKind kind)
{
  g_return_if_fail (DYNO_IS_DEVICE (self));

  self->kind = kind;
}

void
dyno_device_set_address (DynoDevice *self, const char *address)
{
  g_return_if_fail (DYNO_IS_DEVICE (self));

  g_free (self->address);
  self->address = g_strdup (address);
}

void
dyno_device_set_models (DynoDevice *self, const char *const *models)
{
  g_return_if_fail (DYNO_IS_DEVICE (self));
  g_return_if_fail (models != NULL);

  g_strfreev (self->models);
  self->models = g_strdupv ((char **)models);
}

void
dyno_device_set_unfused (DynoDevice *self, const char *const *unfused)
{
  g_return_if_fail (DYNO_IS_DEVICE (self));
  g_return_if_fail (unfused != NULL);

  g_strfreev (self->unfused);
  self->unfused = g_strdupv ((char **)unfused);
}

void
dyno_device_set_missing (DynoDevice *self, const char *reason, const char *remedy)
{
  g_return_if_fail (DYNO_IS_DEVICE (self));
  g_return_if_fail (reason != NULL);

  g_free (self->reason);
  self->reason = g_strdup (reason);
  g_free (self->remedy);
  self->remedy = g_strdup (remedy);
}

DynoDeviceKind
dyno_device_get_kind (DynoDevice *self)
{
  g_return_val_if_fail (DYNO_IS_DEVICE (self), DYNO_DEVICE_KIND_UNKNOWN);
  return self->kind;
}

const char *
dyno_device_get_address (DynoDevice *self)
{
  g_return_val_if_fail (DYNO_IS_DEVICE (self), NULL);
  return self->address;
}

const char *const *
dyno_device_get_models (DynoDevice *self)
{
  g_return_val_if_fail (DYNO_IS_DEVICE (self), NULL);
  return (const char *const *)self->models;
}

const char *const *
dyno_device_get_unfused (DynoDevice *self)
{
  g_return_val_if_fail (DYNO_IS_DEVICE (self), NULL);
  return (const char *const *)self->unfused;
}

const char *
dyno_device_get_reason (DynoDevice *self)
{
  g_return_val_if_fail (DYNO_IS_DEVICE (self), NULL);
  return self->reason;
}

const char *
dyno_device_get_remedy (DynoDevice *self)
{
  g_return_val_if_fail (DYNO_IS_DEVICE (self), NULL);
  return self->remedy;
}

const char *
dyno_device_kind_to_string (DynoDeviceKind kind)
{
  g_return_val_if_fail (kind < G_N_ELEMENTS (kinds), NULL);

  return kinds[kind].word;
}

gboolean
dyno_device_kind_from_string (const char *text, DynoDeviceKind *kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_strcmp0 (kinds[i].word, text) == 0)
      {
        *kind = (DynoDeviceKind)i;
        return TRUE;
      }
  return FALSE;
}

gboolean
dyno_device_kind_is_hardware (DynoDeviceKind kind)
{
  return kind != DYNO_DEVICE_KIND_SOFTWARE && kind != DYNO_DEVICE_KIND_EMULATED;
}

const char *
dyno_device_kind_get_label (DynoDeviceKind kind)
{
  g_return_val_if_fail (kind < G_N_ELEMENTS (kinds), NULL);

  return kinds[kind].label != NULL ? _ (kinds[kind].label) : NULL;
}
