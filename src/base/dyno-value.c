/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-enum.h"
#include "dyno-value.h"

struct _DynoValue
{
  char *name;
  char *unit;
  char *source;
  double number;
  DynoQuality quality;
  guint name_hash;
};

G_DEFINE_ENUM_TYPE (DynoQuality,
                    dyno_quality,
                    G_DEFINE_ENUM_VALUE (DYNO_QUALITY_MEASURED, "measured"),
                    G_DEFINE_ENUM_VALUE (DYNO_QUALITY_UNSTEADY, "unsteady"),
                    G_DEFINE_ENUM_VALUE (DYNO_QUALITY_ESTIMATED, "estimated"),
                    G_DEFINE_ENUM_VALUE (DYNO_QUALITY_IMPORTED, "imported"),
                    G_DEFINE_ENUM_VALUE (DYNO_QUALITY_UNSUPPORTED, "unsupported"))

G_DEFINE_BOXED_TYPE (DynoValue, dyno_value, dyno_value_ref, dyno_value_unref)

const char *
dyno_quality_to_string (DynoQuality quality)
{
  return dyno_enum_to_word (DYNO_TYPE_QUALITY, quality);
}

gboolean
dyno_quality_from_string (const char *string, DynoQuality *quality)
{
  return dyno_enum_from_word (DYNO_TYPE_QUALITY, string, quality);
}

DynoValue *
dyno_value_new (const char *name, double number, const char *unit, DynoQuality quality, const char *source)
{
  DynoValue *self;

  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (unit != NULL, NULL);

  self = g_atomic_rc_box_new0 (DynoValue);
  self->name = g_strdup (name);
  self->name_hash = g_str_hash (name);
  self->unit = g_strdup (unit);
  self->source = g_strdup (source);
  self->quality = isfinite (number) ? quality : DYNO_QUALITY_UNSUPPORTED;
  self->number = self->quality == DYNO_QUALITY_UNSUPPORTED ? NAN : number;
  return self;
}

DynoValue *
dyno_value_new_unsupported (const char *name, const char *unit, const char *reason)
{
  return dyno_value_new (name, NAN, unit, DYNO_QUALITY_UNSUPPORTED, reason);
}

DynoValue *
dyno_value_ref (DynoValue *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear_value (gpointer data)
{
  DynoValue *self = data;

  g_free (self->name);
  g_free (self->unit);
  g_free (self->source);
}

void
dyno_value_unref (DynoValue *self)
{
  g_atomic_rc_box_release_full (self, clear_value);
}

const char *
dyno_value_get_name (DynoValue *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->name;
}

gboolean
dyno_value_has_name (DynoValue *self, const char *name, guint hash)
{
  return self->name_hash == hash && g_str_equal (self->name, name);
}

double
dyno_value_get_number (DynoValue *self)
{
  g_return_val_if_fail (self != NULL, NAN);
  return self->number;
}

const char *
dyno_value_get_unit (DynoValue *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->unit;
}

DynoQuality
dyno_value_get_quality (DynoValue *self)
{
  g_return_val_if_fail (self != NULL, DYNO_QUALITY_UNSUPPORTED);
  return self->quality;
}

const char *
dyno_value_get_source (DynoValue *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->source;
}

gboolean
dyno_value_is_number (DynoValue *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->quality != DYNO_QUALITY_UNSUPPORTED;
}
