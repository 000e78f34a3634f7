/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-hardware-private.h"
#include "dyno-engine-name.h"

/* The name of the processor in ceilings. */
#define PROCESSOR "cpu"

struct _DynoCeilingsSubject
{
  GObject parent_instance;

  char *name;
  char *device;
  char *pinning;
  gboolean can_measure;
};

enum
{
  PROP_0,
  PROP_NAME,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoCeilingsSubject, dyno_ceilings_subject, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];

static const char *
get_pinning (DynoCeiling *ceiling)
{
  const char *pinning = dyno_ceiling_get_pinning (ceiling);

  return pinning != NULL ? pinning : "";
}

static DynoCeilingsSubject *
create (char *name, char *device, const char *pinning, gboolean can_measure)
{
  DynoCeilingsSubject *self = g_object_new (DYNO_TYPE_CEILINGS_SUBJECT, NULL);

  self->name = name;
  self->device = device;
  self->pinning = g_strdup (pinning);
  self->can_measure = can_measure;
  return self;
}

static void
dyno_ceilings_subject_finalize (GObject *object)
{
  DynoCeilingsSubject *self = DYNO_CEILINGS_SUBJECT (object);

  g_free (self->name);
  g_free (self->device);
  g_free (self->pinning);

  G_OBJECT_CLASS (dyno_ceilings_subject_parent_class)->finalize (object);
}

static void
dyno_ceilings_subject_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_NAME:
      g_value_set_string (value, DYNO_CEILINGS_SUBJECT (object)->name);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_ceilings_subject_class_init (DynoCeilingsSubjectClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = dyno_ceilings_subject_finalize;
  object_class->get_property = dyno_ceilings_subject_get_property;

  properties[PROP_NAME] =
      g_param_spec_string ("name", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_ceilings_subject_init (DynoCeilingsSubject *self)
{
}

DynoCeilingsSubject *
dyno_ceilings_subject_new_processor (void)
{
  return create (g_strdup (_ ("CPU")), g_strdup (PROCESSOR), "", TRUE);
}

DynoCeilingsSubject *
dyno_ceilings_subject_new_device (DynoBackend *backend, DynoDevice *device)
{
  DynoDeviceKind kind = dyno_device_get_kind (device);
  g_autofree char *engine =
      dyno_engine_name_dup_backend (dyno_backend_get_id (backend), dyno_backend_get_name (backend));
  g_autofree char *name = g_strdup_printf ("%s · %s", engine, dyno_device_get_name (device));
  char *id = dyno_engine_name_dup_spec (dyno_backend_get_id (backend), dyno_device_get_id (device));

  /* Users must not mistake a software adapter for a graphics card. */
  if (!dyno_device_kind_is_hardware (kind))
    return create (g_strdup_printf ("%s · %s", name, dyno_device_kind_get_label (kind)), id, "", TRUE);
  return create (g_steal_pointer (&name), id, "", TRUE);
}

DynoCeilingsSubject *
dyno_ceilings_subject_new_for_ceiling (DynoCeiling *ceiling)
{
  const char *device = dyno_ceiling_get_device (ceiling);
  const char *pinning = get_pinning (ceiling);
  char *name;

  if (g_strcmp0 (device, PROCESSOR) == 0)
    /* Translators: %s is how threads are placed, such as one-per-core */
    name = g_strdup_printf (_ ("CPU, %s pinning"), pinning);
  else
    name = g_strdup (device);
  return create (name, g_strdup (device), pinning, FALSE);
}

const char *
dyno_ceilings_subject_get_name (DynoCeilingsSubject *self)
{
  g_return_val_if_fail (DYNO_IS_CEILINGS_SUBJECT (self), NULL);
  return self->name;
}

const char *
dyno_ceilings_subject_get_device (DynoCeilingsSubject *self)
{
  g_return_val_if_fail (DYNO_IS_CEILINGS_SUBJECT (self), NULL);
  return self->device;
}

const char *
dyno_ceilings_subject_get_pinning (DynoCeilingsSubject *self)
{
  g_return_val_if_fail (DYNO_IS_CEILINGS_SUBJECT (self), NULL);
  return self->pinning;
}

gboolean
dyno_ceilings_subject_is_processor (DynoCeilingsSubject *self)
{
  g_return_val_if_fail (DYNO_IS_CEILINGS_SUBJECT (self), FALSE);
  return g_strcmp0 (self->device, PROCESSOR) == 0;
}

gboolean
dyno_ceilings_subject_can_measure (DynoCeilingsSubject *self)
{
  g_return_val_if_fail (DYNO_IS_CEILINGS_SUBJECT (self), FALSE);
  return self->can_measure;
}

gboolean
dyno_ceilings_subject_has (DynoCeilingsSubject *self, DynoCeiling *ceiling)
{
  g_return_val_if_fail (DYNO_IS_CEILINGS_SUBJECT (self), FALSE);
  return g_strcmp0 (dyno_ceiling_get_device (ceiling), self->device) == 0 &&
         g_str_equal (get_pinning (ceiling), self->pinning);
}

gboolean
dyno_ceilings_subject_is_same (DynoCeilingsSubject *self, DynoCeilingsSubject *other)
{
  g_return_val_if_fail (DYNO_IS_CEILINGS_SUBJECT (self), FALSE);
  return g_strcmp0 (self->device, other->device) == 0 && g_str_equal (self->pinning, other->pinning);
}
