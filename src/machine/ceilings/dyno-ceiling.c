/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-ceiling.h"
#include "dyno-enum.h"

enum
{
  PROP_0,
  PROP_KIND,
  PROP_THREADS,
  PROP_ID,
  PROP_DEVICE,
  PROP_PINNING,
  PROP_PRECISION,
  PROP_LEVEL,
  PROP_MIX,
  PROP_INSTRUCTION_SET,
  PROP_UNIT,
  PROP_DERIVATION,
  PROP_METHOD,
  PROP_VALUE,
  PROP_BEST,
  PROP_SPREAD,
  PROP_CLOCK,
  PROP_VERIFIED,
  PROP_THEORETICAL,
  PROP_BYTES,
  PROP_MEASURED_AT,
  PROP_CONSTRAINED,
  PROP_UPPER_BOUND,
  PROP_DISTURBED,
  N_PROPS
};

struct _DynoCeiling
{
  GObject parent_instance;

  GValue values[N_PROPS];
};

G_DEFINE_ENUM_TYPE (DynoCeilingKind,
                    dyno_ceiling_kind,
                    G_DEFINE_ENUM_VALUE (DYNO_CEILING_COMPUTE, "compute"),
                    G_DEFINE_ENUM_VALUE (DYNO_CEILING_BANDWIDTH, "bandwidth"),
                    G_DEFINE_ENUM_VALUE (DYNO_CEILING_LATENCY, "latency"))

G_DEFINE_FINAL_TYPE (DynoCeiling, dyno_ceiling, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];

static void
dyno_ceiling_finalize (GObject *object)
{
  DynoCeiling *self = DYNO_CEILING (object);

  for (guint i = 1; i < N_PROPS; i++)
    g_value_unset (&self->values[i]);

  G_OBJECT_CLASS (dyno_ceiling_parent_class)->finalize (object);
}

static void
dyno_ceiling_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  g_value_copy (&DYNO_CEILING (object)->values[prop_id], value);
}

static void
dyno_ceiling_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  g_value_copy (value, &DYNO_CEILING (object)->values[prop_id]);
}

static void
dyno_ceiling_class_init (DynoCeilingClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags once = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = dyno_ceiling_finalize;
  object_class->get_property = dyno_ceiling_get_property;
  object_class->set_property = dyno_ceiling_set_property;

  properties[PROP_KIND] =
      g_param_spec_enum ("kind", NULL, NULL, DYNO_TYPE_CEILING_KIND, DYNO_CEILING_COMPUTE, once);
  properties[PROP_THREADS] = g_param_spec_uint ("threads", NULL, NULL, 1, G_MAXUINT, 1, once);
  properties[PROP_ID] = g_param_spec_string ("id", NULL, NULL, NULL, once);
  properties[PROP_DEVICE] = g_param_spec_string ("device", NULL, NULL, "cpu", once);
  properties[PROP_PINNING] = g_param_spec_string ("pinning", NULL, NULL, NULL, once);
  properties[PROP_PRECISION] = g_param_spec_string ("precision", NULL, NULL, NULL, once);
  properties[PROP_LEVEL] = g_param_spec_string ("level", NULL, NULL, NULL, once);
  properties[PROP_MIX] = g_param_spec_string ("mix", NULL, NULL, NULL, once);
  properties[PROP_INSTRUCTION_SET] = g_param_spec_string ("instruction-set", NULL, NULL, NULL, once);
  properties[PROP_UNIT] = g_param_spec_string ("unit", NULL, NULL, NULL, once);
  properties[PROP_DERIVATION] = g_param_spec_string ("derivation", NULL, NULL, NULL, once);
  properties[PROP_METHOD] = g_param_spec_string ("method", NULL, NULL, NULL, once);
  properties[PROP_VALUE] = g_param_spec_double ("value", NULL, NULL, 0, G_MAXDOUBLE, 0, once);
  properties[PROP_BEST] = g_param_spec_double ("best", NULL, NULL, 0, G_MAXDOUBLE, 0, once);
  properties[PROP_SPREAD] = g_param_spec_double ("spread", NULL, NULL, 0, G_MAXDOUBLE, 0, once);
  properties[PROP_CLOCK] = g_param_spec_double ("clock", NULL, NULL, 0, G_MAXDOUBLE, 0, once);
  properties[PROP_VERIFIED] = g_param_spec_double ("verified", NULL, NULL, 0, G_MAXDOUBLE, 0, once);
  properties[PROP_THEORETICAL] = g_param_spec_double ("theoretical", NULL, NULL, 0, G_MAXDOUBLE, 0, once);
  properties[PROP_BYTES] = g_param_spec_int64 ("bytes", NULL, NULL, 0, G_MAXINT64, 0, once);
  properties[PROP_MEASURED_AT] = g_param_spec_int64 ("measured-at", NULL, NULL, 0, G_MAXINT64, 0, once);
  properties[PROP_CONSTRAINED] = g_param_spec_boolean ("constrained", NULL, NULL, FALSE, once);
  properties[PROP_UPPER_BOUND] = g_param_spec_boolean ("upper-bound", NULL, NULL, FALSE, once);
  properties[PROP_DISTURBED] = g_param_spec_boolean ("disturbed", NULL, NULL, FALSE, once);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_ceiling_init (DynoCeiling *self)
{
  for (guint i = 1; i < N_PROPS; i++)
    g_value_init (&self->values[i], properties[i]->value_type);
}

DynoCeilingKind
dyno_ceiling_get_kind (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), DYNO_CEILING_COMPUTE);
  return g_value_get_enum (&self->values[PROP_KIND]);
}

guint
dyno_ceiling_get_threads (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), 0);
  return g_value_get_uint (&self->values[PROP_THREADS]);
}

const char *
dyno_ceiling_get_id (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), NULL);
  return g_value_get_string (&self->values[PROP_ID]);
}

const char *
dyno_ceiling_get_device (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), NULL);
  return g_value_get_string (&self->values[PROP_DEVICE]);
}

const char *
dyno_ceiling_get_pinning (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), NULL);
  return g_value_get_string (&self->values[PROP_PINNING]);
}

const char *
dyno_ceiling_get_precision (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), NULL);
  return g_value_get_string (&self->values[PROP_PRECISION]);
}

const char *
dyno_ceiling_get_level (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), NULL);
  return g_value_get_string (&self->values[PROP_LEVEL]);
}

const char *
dyno_ceiling_get_mix (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), NULL);
  return g_value_get_string (&self->values[PROP_MIX]);
}

const char *
dyno_ceiling_get_instruction_set (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), NULL);
  return g_value_get_string (&self->values[PROP_INSTRUCTION_SET]);
}

const char *
dyno_ceiling_get_unit (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), NULL);
  return g_value_get_string (&self->values[PROP_UNIT]);
}

const char *
dyno_ceiling_get_derivation (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), NULL);
  return g_value_get_string (&self->values[PROP_DERIVATION]);
}

const char *
dyno_ceiling_get_method (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), NULL);
  return g_value_get_string (&self->values[PROP_METHOD]);
}

double
dyno_ceiling_get_value (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), 0);
  return g_value_get_double (&self->values[PROP_VALUE]);
}

double
dyno_ceiling_get_best (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), 0);
  return g_value_get_double (&self->values[PROP_BEST]);
}

double
dyno_ceiling_get_spread (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), 0);
  return g_value_get_double (&self->values[PROP_SPREAD]);
}

double
dyno_ceiling_get_clock (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), 0);
  return g_value_get_double (&self->values[PROP_CLOCK]);
}

double
dyno_ceiling_get_verified (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), 0);
  return g_value_get_double (&self->values[PROP_VERIFIED]);
}

double
dyno_ceiling_get_theoretical (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), 0);
  return g_value_get_double (&self->values[PROP_THEORETICAL]);
}

gint64
dyno_ceiling_get_bytes (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), 0);
  return g_value_get_int64 (&self->values[PROP_BYTES]);
}

gint64
dyno_ceiling_get_measured_at (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), 0);
  return g_value_get_int64 (&self->values[PROP_MEASURED_AT]);
}

gboolean
dyno_ceiling_is_constrained (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), FALSE);
  return g_value_get_boolean (&self->values[PROP_CONSTRAINED]);
}

gboolean
dyno_ceiling_is_upper_bound (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), FALSE);
  return g_value_get_boolean (&self->values[PROP_UPPER_BOUND]);
}

gboolean
dyno_ceiling_is_disturbed (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), FALSE);
  return g_value_get_boolean (&self->values[PROP_DISTURBED]) ||
         100 * dyno_ceiling_get_spread (self) > DYNO_CEILING_DISTURBED_PERCENT;
}

gboolean
dyno_ceiling_is_doubtful (DynoCeiling *self)
{
  g_return_val_if_fail (DYNO_IS_CEILING (self), FALSE);
  return 100 * dyno_ceiling_get_spread (self) > DYNO_CEILING_DOUBTFUL_PERCENT;
}

char *
dyno_ceiling_dup_name (DynoCeiling *self)
{
  DynoCeilingKind kind = dyno_ceiling_get_kind (self);
  gboolean computes = kind == DYNO_CEILING_COMPUTE;
  const char *first = computes ? dyno_ceiling_get_precision (self) : dyno_ceiling_get_level (self);
  const char *second = kind == DYNO_CEILING_LATENCY ? _ ("latency")
                       : computes                   ? dyno_ceiling_get_instruction_set (self)
                                                    : dyno_ceiling_get_mix (self);

  if (first == NULL || *first == '\0')
    return g_strdup (dyno_ceiling_get_id (self));
  return second != NULL && *second != '\0' ? g_strdup_printf ("%s %s", first, second) : g_strdup (first);
}

char *
dyno_ceiling_dup_title (DynoCeiling *self)
{
  guint threads = dyno_ceiling_get_threads (self);
  g_autofree char *name = dyno_ceiling_dup_name (self);

  /* Translators: a roof, such as “L2 read”, and the number of threads that reach it */
  return g_strdup_printf (ngettext ("%s with %u thread", "%s with %u threads", threads), name, threads);
}

gboolean
dyno_ceiling_is_better (DynoCeiling *self, DynoCeiling *other)
{
  double value, others;

  g_return_val_if_fail (DYNO_IS_CEILING (self) && DYNO_IS_CEILING (other), FALSE);
  if (dyno_ceiling_is_constrained (self) != dyno_ceiling_is_constrained (other))
    return dyno_ceiling_is_constrained (other);
  value = dyno_ceiling_get_value (self);
  others = dyno_ceiling_get_value (other);
  return dyno_ceiling_get_kind (self) == DYNO_CEILING_LATENCY ? value < others : value > others;
}

gboolean
dyno_ceiling_equal (gconstpointer a, gconstpointer b)
{
  const DynoCeiling *one = a;
  const DynoCeiling *other = b;

  g_return_val_if_fail (DYNO_IS_CEILING ((gpointer)a), FALSE);
  g_return_val_if_fail (DYNO_IS_CEILING ((gpointer)b), FALSE);
  for (guint i = 1; i < N_PROPS; i++)
    if (g_param_values_cmp (properties[i], &one->values[i], &other->values[i]) != 0)
      return FALSE;
  return TRUE;
}

JsonObject *
dyno_ceiling_to_json (DynoCeiling *self)
{
  JsonObject *members = json_object_new ();

  g_return_val_if_fail (DYNO_IS_CEILING (self), members);
  for (guint i = 1; i < N_PROPS; i++)
    {
      const char *name = properties[i]->name;
      g_auto (GValue) value = G_VALUE_INIT;

      g_object_get_property (G_OBJECT (self), name, &value);
      switch (G_TYPE_FUNDAMENTAL (G_VALUE_TYPE (&value)))
        {
        case G_TYPE_STRING:
          if (g_value_get_string (&value) != NULL)
            json_object_set_string_member (members, name, g_value_get_string (&value));
          break;
        case G_TYPE_DOUBLE:
          json_object_set_double_member (members, name, g_value_get_double (&value));
          break;
        case G_TYPE_INT64:
          json_object_set_int_member (members, name, g_value_get_int64 (&value));
          break;
        case G_TYPE_UINT:
          json_object_set_int_member (members, name, g_value_get_uint (&value));
          break;
        case G_TYPE_BOOLEAN:
          json_object_set_boolean_member (members, name, g_value_get_boolean (&value));
          break;
        case G_TYPE_ENUM:
          json_object_set_string_member (
              members, name, dyno_enum_to_word (G_VALUE_TYPE (&value), g_value_get_enum (&value)));
          break;
        default:
          g_assert_not_reached ();
        }
    }
  return members;
}

/* Numbers may be whole or decimal; a value that a property does not allow is refused, never adjusted. */
static gboolean
read_member (JsonNode *node, GParamSpec *pspec, GValue *value)
{
  g_auto (GValue) given = G_VALUE_INIT;

  g_value_init (value, pspec->value_type);
  if (!JSON_NODE_HOLDS_VALUE (node))
    return FALSE;
  if (G_IS_PARAM_SPEC_ENUM (pspec))
    {
      int kind;

      if (!dyno_enum_from_word (pspec->value_type, json_node_get_string (node), &kind))
        return FALSE;
      g_value_set_enum (value, kind);
      return TRUE;
    }
  json_node_get_value (node, &given);
  return G_VALUE_HOLDS_STRING (&given) == G_IS_PARAM_SPEC_STRING (pspec) &&
         G_VALUE_HOLDS_BOOLEAN (&given) == G_IS_PARAM_SPEC_BOOLEAN (pspec) &&
         g_value_transform (&given, value) && !g_param_value_validate (pspec, value);
}

DynoCeiling *
dyno_ceiling_from_json (JsonObject *members)
{
  g_autoptr (DynoCeilingClass) klass = g_type_class_ref (DYNO_TYPE_CEILING);
  const char *names[N_PROPS];
  GValue values[N_PROPS] = { G_VALUE_INIT };
  gboolean sound = json_object_has_member (members, "id") && json_object_has_member (members, "unit");
  DynoCeiling *self = NULL;
  guint n_values = 0;

  for (guint i = 1; i < N_PROPS && sound; i++)
    if (json_object_has_member (members, properties[i]->name))
      {
        names[n_values] = properties[i]->name;
        sound =
            read_member (json_object_get_member (members, names[n_values]), properties[i], &values[n_values]);
        n_values++;
      }
  if (sound)
    self = DYNO_CEILING (g_object_new_with_properties (DYNO_TYPE_CEILING, n_values, names, values));
  for (guint i = 0; i < n_values; i++)
    g_value_unset (&values[i]);
  return self;
}
