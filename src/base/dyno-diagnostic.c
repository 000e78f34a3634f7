/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-diagnostic.h"

struct _DynoDiagnostic
{
  GObject parent_instance;

  DynoSeverity severity;
  char *code;
  char *message;
};

enum
{
  PROP_0,
  PROP_SEVERITY,
  PROP_CODE,
  PROP_MESSAGE,
  N_PROPS
};

G_DEFINE_ENUM_TYPE (DynoSeverity,
                    dyno_severity,
                    G_DEFINE_ENUM_VALUE (DYNO_SEVERITY_INFO, "info"),
                    G_DEFINE_ENUM_VALUE (DYNO_SEVERITY_WARNING, "warning"),
                    G_DEFINE_ENUM_VALUE (DYNO_SEVERITY_ERROR, "error"))

G_DEFINE_FINAL_TYPE (DynoDiagnostic, dyno_diagnostic, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];

static void
dyno_diagnostic_finalize (GObject *object)
{
  DynoDiagnostic *self = DYNO_DIAGNOSTIC (object);

  g_free (self->code);
  g_free (self->message);

  G_OBJECT_CLASS (dyno_diagnostic_parent_class)->finalize (object);
}

static void
dyno_diagnostic_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoDiagnostic *self = DYNO_DIAGNOSTIC (object);

  switch (prop_id)
    {
    case PROP_SEVERITY:
      g_value_set_enum (value, self->severity);
      break;
    case PROP_CODE:
      g_value_set_string (value, self->code);
      break;
    case PROP_MESSAGE:
      g_value_set_string (value, self->message);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_diagnostic_class_init (DynoDiagnosticClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = dyno_diagnostic_finalize;
  object_class->get_property = dyno_diagnostic_get_property;

  properties[PROP_SEVERITY] =
      g_param_spec_enum ("severity", NULL, NULL, DYNO_TYPE_SEVERITY, DYNO_SEVERITY_INFO,
                         G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_CODE] =
      g_param_spec_string ("code", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_MESSAGE] =
      g_param_spec_string ("message", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_diagnostic_init (DynoDiagnostic *self)
{
}

const char *
dyno_severity_to_string (DynoSeverity severity)
{
  g_autoptr (GEnumClass) enum_class = g_type_class_ref (DYNO_TYPE_SEVERITY);
  GEnumValue *enum_value = g_enum_get_value (enum_class, severity);

  return enum_value != NULL ? enum_value->value_nick : NULL;
}

gboolean
dyno_severity_from_string (const char *string, DynoSeverity *severity)
{
  g_autoptr (GEnumClass) enum_class = g_type_class_ref (DYNO_TYPE_SEVERITY);
  GEnumValue *enum_value = g_enum_get_value_by_nick (enum_class, string);

  if (enum_value == NULL)
    return FALSE;
  *severity = enum_value->value;
  return TRUE;
}

/**
 * dyno_diagnostic_new:
 * @severity: how bad it is
 * @code: a stable word for machines, such as `no-steady-state`
 * @message: a sentence for people
 *
 * Returns: (transfer full): a new diagnostic
 */
DynoDiagnostic *
dyno_diagnostic_new (DynoSeverity severity, const char *code, const char *message)
{
  DynoDiagnostic *self;

  g_return_val_if_fail (code != NULL, NULL);
  g_return_val_if_fail (message != NULL, NULL);

  self = g_object_new (DYNO_TYPE_DIAGNOSTIC, NULL);
  self->severity = severity;
  self->code = g_strdup (code);
  self->message = g_strdup (message);
  return self;
}

DynoSeverity
dyno_diagnostic_get_severity (DynoDiagnostic *self)
{
  g_return_val_if_fail (DYNO_IS_DIAGNOSTIC (self), DYNO_SEVERITY_INFO);
  return self->severity;
}

const char *
dyno_diagnostic_get_code (DynoDiagnostic *self)
{
  g_return_val_if_fail (DYNO_IS_DIAGNOSTIC (self), NULL);
  return self->code;
}

const char *
dyno_diagnostic_get_message (DynoDiagnostic *self)
{
  g_return_val_if_fail (DYNO_IS_DIAGNOSTIC (self), NULL);
  return self->message;
}
