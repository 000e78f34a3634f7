/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-operator.h"

struct _DynoOperator
{
  GObject parent_instance;

  char *name;
  char *op_type;
  char *provider;
  gint64 numbers[4];
};

enum
{
  PROP_0,
  PROP_CALLS,
  PROP_TIME_NS,
  PROP_FLOPS,
  PROP_BYTES,
  PROP_NAME,
  PROP_OP_TYPE,
  PROP_PROVIDER,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoOperator, dyno_operator, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];

static void
dyno_operator_finalize (GObject *object)
{
  DynoOperator *self = DYNO_OPERATOR (object);

  g_free (self->name);
  g_free (self->op_type);
  g_free (self->provider);

  G_OBJECT_CLASS (dyno_operator_parent_class)->finalize (object);
}

static void
dyno_operator_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoOperator *self = DYNO_OPERATOR (object);

  switch (prop_id)
    {
    case PROP_CALLS:
    case PROP_TIME_NS:
    case PROP_FLOPS:
    case PROP_BYTES:
      g_value_set_int64 (value, self->numbers[prop_id - PROP_CALLS]);
      break;
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    case PROP_OP_TYPE:
      g_value_set_string (value, self->op_type);
      break;
    case PROP_PROVIDER:
      g_value_set_string (value, self->provider);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
set_number (DynoOperator *self, guint prop_id, gint64 number)
{
  if (self->numbers[prop_id - PROP_CALLS] == number)
    return;
  self->numbers[prop_id - PROP_CALLS] = number;
  g_object_notify_by_pspec (G_OBJECT (self), properties[prop_id]);
}

static void
dyno_operator_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  if (prop_id >= PROP_CALLS && prop_id <= PROP_BYTES)
    set_number (DYNO_OPERATOR (object), prop_id, g_value_get_int64 (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
dyno_operator_class_init (DynoOperatorClass *klass)
{
  static const char *const names[N_PROPS] = { NULL,    "calls", "time-ns", "flops",
                                              "bytes", "name",  "op-type", "provider" };
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = dyno_operator_finalize;
  object_class->get_property = dyno_operator_get_property;
  object_class->set_property = dyno_operator_set_property;

  for (guint id = PROP_CALLS; id <= PROP_BYTES; id++)
    properties[id] =
        g_param_spec_int64 (names[id], NULL, NULL, -1, G_MAXINT64, id >= PROP_FLOPS ? -1 : 0,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  for (guint id = PROP_NAME; id <= PROP_PROVIDER; id++)
    properties[id] =
        g_param_spec_string (names[id], NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_operator_init (DynoOperator *self)
{
  self->numbers[PROP_FLOPS - PROP_CALLS] = -1;
  self->numbers[PROP_BYTES - PROP_CALLS] = -1;
}

/**
 * dyno_operator_new:
 * @name: the node's name in the model
 * @type: the operator type, such as `MatMul`
 * @provider: (nullable): the execution provider that ran it
 *
 * FLOPs and bytes start as -1: not known.
 *
 * Returns: (transfer full): a new operator
 */
DynoOperator *
dyno_operator_new (const char *name, const char *type, const char *provider)
{
  DynoOperator *self;

  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (type != NULL, NULL);

  self = g_object_new (DYNO_TYPE_OPERATOR, NULL);
  self->name = g_strdup (name);
  self->op_type = g_strdup (type);
  self->provider = g_strdup (provider);
  return self;
}

const char *
dyno_operator_get_name (DynoOperator *self)
{
  g_return_val_if_fail (DYNO_IS_OPERATOR (self), NULL);
  return self->name;
}

const char *
dyno_operator_get_op_type (DynoOperator *self)
{
  g_return_val_if_fail (DYNO_IS_OPERATOR (self), NULL);
  return self->op_type;
}

const char *
dyno_operator_get_provider (DynoOperator *self)
{
  g_return_val_if_fail (DYNO_IS_OPERATOR (self), NULL);
  return self->provider;
}

/**
 * dyno_operator_get_calls:
 * @self: an operator
 *
 * Returns: how often it ran in the profiled steps together
 */
gint64
dyno_operator_get_calls (DynoOperator *self)
{
  g_return_val_if_fail (DYNO_IS_OPERATOR (self), 0);
  return self->numbers[0];
}

/**
 * dyno_operator_get_time_ns:
 * @self: an operator
 *
 * Returns: its time over all calls, in ns; -1 when not known, as of one that an engine made part of another
 */
gint64
dyno_operator_get_time_ns (DynoOperator *self)
{
  g_return_val_if_fail (DYNO_IS_OPERATOR (self), 0);
  return self->numbers[1];
}

/**
 * dyno_operator_get_flops:
 * @self: an operator
 *
 * Returns: floating-point operations of one call, -1 when no rule counts this type
 */
gint64
dyno_operator_get_flops (DynoOperator *self)
{
  g_return_val_if_fail (DYNO_IS_OPERATOR (self), -1);
  return self->numbers[2];
}

/**
 * dyno_operator_get_bytes:
 * @self: an operator
 *
 * Returns: bytes of one call's operands and results, -1 when not known; a model of traffic, not a count
 */
gint64
dyno_operator_get_bytes (DynoOperator *self)
{
  g_return_val_if_fail (DYNO_IS_OPERATOR (self), -1);
  return self->numbers[3];
}

void
dyno_operator_set_calls (DynoOperator *self, gint64 calls)
{
  g_return_if_fail (DYNO_IS_OPERATOR (self));
  set_number (self, PROP_CALLS, calls);
}

void
dyno_operator_set_time_ns (DynoOperator *self, gint64 time_ns)
{
  g_return_if_fail (DYNO_IS_OPERATOR (self));
  set_number (self, PROP_TIME_NS, time_ns);
}

void
dyno_operator_set_flops (DynoOperator *self, gint64 flops)
{
  g_return_if_fail (DYNO_IS_OPERATOR (self));
  set_number (self, PROP_FLOPS, flops);
}

void
dyno_operator_set_bytes (DynoOperator *self, gint64 bytes)
{
  g_return_if_fail (DYNO_IS_OPERATOR (self));
  set_number (self, PROP_BYTES, bytes);
}
