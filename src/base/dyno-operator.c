/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-operator.h"

struct _DynoOperator
{
  GObject parent_instance;

  char *name;
  char *op_type;
  char *provider;
  char *kernel;
  gint64 calls;
  gint64 time_ns;
  gint64 flops;
  gint64 bytes;
};

G_DEFINE_FINAL_TYPE (DynoOperator, dyno_operator, G_TYPE_OBJECT)

static void
dyno_operator_finalize (GObject *object)
{
  DynoOperator *self = DYNO_OPERATOR (object);

  g_free (self->name);
  g_free (self->op_type);
  g_free (self->provider);
  g_free (self->kernel);

  G_OBJECT_CLASS (dyno_operator_parent_class)->finalize (object);
}

static void
dyno_operator_class_init (DynoOperatorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_operator_finalize;
}

static void
dyno_operator_init (DynoOperator *self)
{
  self->flops = -1;
  self->bytes = -1;
}

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

char *
dyno_operator_dup_provider_label (DynoOperator *self)
{
  static const char suffix[] = "ExecutionProvider";

  g_return_val_if_fail (DYNO_IS_OPERATOR (self), NULL);

  if (self->provider == NULL || !g_str_has_suffix (self->provider, suffix))
    return g_strdup (self->provider);
  return g_strndup (self->provider, strlen (self->provider) - strlen (suffix));
}

const char *
dyno_operator_get_kernel (DynoOperator *self)
{
  g_return_val_if_fail (DYNO_IS_OPERATOR (self), NULL);
  return self->kernel;
}

gint64
dyno_operator_get_calls (DynoOperator *self)
{
  g_return_val_if_fail (DYNO_IS_OPERATOR (self), 0);
  return self->calls;
}

gint64
dyno_operator_get_time_ns (DynoOperator *self)
{
  g_return_val_if_fail (DYNO_IS_OPERATOR (self), 0);
  return self->time_ns;
}

gint64
dyno_operator_get_flops (DynoOperator *self)
{
  g_return_val_if_fail (DYNO_IS_OPERATOR (self), -1);
  return self->flops;
}

gint64
dyno_operator_get_bytes (DynoOperator *self)
{
  g_return_val_if_fail (DYNO_IS_OPERATOR (self), -1);
  return self->bytes;
}

void
dyno_operator_set_kernel (DynoOperator *self, const char *kernel)
{
  g_return_if_fail (DYNO_IS_OPERATOR (self));
  g_free (self->kernel);
  self->kernel = g_strdup (kernel);
}

void
dyno_operator_set_calls (DynoOperator *self, gint64 calls)
{
  g_return_if_fail (DYNO_IS_OPERATOR (self));
  self->calls = calls;
}

void
dyno_operator_set_time_ns (DynoOperator *self, gint64 time_ns)
{
  g_return_if_fail (DYNO_IS_OPERATOR (self));
  self->time_ns = time_ns;
}

void
dyno_operator_set_flops (DynoOperator *self, gint64 flops)
{
  g_return_if_fail (DYNO_IS_OPERATOR (self));
  self->flops = flops;
}

void
dyno_operator_set_bytes (DynoOperator *self, gint64 bytes)
{
  g_return_if_fail (DYNO_IS_OPERATOR (self));
  self->bytes = bytes;
}
