/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-method.h"
#include "dyno-priority.h"
#include "dyno-run-json.h"

/* The minimum for each invocation of a case: fewer samples cannot show whether it is steady. */
#define LEAST_WARMUP_STEPS   2
#define LEAST_WARMUP_SECONDS 0.1
#define LEAST_SAMPLES        10
#define LEAST_SECONDS        0.2
#define LEAST_MAX_SECONDS    2.0

struct _DynoMethod
{
  GObject parent_instance;

  guint invocations;
  guint warmup_steps;
  guint min_samples;
  guint sampling_milliseconds;
  guint power_milliseconds;
  double warmup_seconds;
  double min_seconds;
  double max_seconds;
  double interval_percent;
  double idle_seconds;
  double wait_quiet;
  double tdp_watts;
  char *priority;
};

enum
{
  PROP_0,
  PROP_INVOCATIONS,
  PROP_WARMUP_STEPS,
  PROP_MIN_SAMPLES,
  PROP_SAMPLING_MILLISECONDS,
  PROP_POWER_MILLISECONDS,
  PROP_WARMUP_SECONDS,
  PROP_MIN_SECONDS,
  PROP_MAX_SECONDS,
  PROP_INTERVAL_PERCENT,
  PROP_IDLE_SECONDS,
  PROP_WAIT_QUIET,
  PROP_TDP_WATTS,
  PROP_PRIORITY,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoMethod, dyno_method, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];

static guint *
count_field (DynoMethod *self, guint prop_id)
{
  switch (prop_id)
    {
    case PROP_INVOCATIONS:
      return &self->invocations;
    case PROP_WARMUP_STEPS:
      return &self->warmup_steps;
    case PROP_MIN_SAMPLES:
      return &self->min_samples;
    case PROP_SAMPLING_MILLISECONDS:
      return &self->sampling_milliseconds;
    case PROP_POWER_MILLISECONDS:
      return &self->power_milliseconds;
    default:
      return NULL;
    }
}

static double *
amount_field (DynoMethod *self, guint prop_id)
{
  switch (prop_id)
    {
    case PROP_WARMUP_SECONDS:
      return &self->warmup_seconds;
    case PROP_MIN_SECONDS:
      return &self->min_seconds;
    case PROP_MAX_SECONDS:
      return &self->max_seconds;
    case PROP_INTERVAL_PERCENT:
      return &self->interval_percent;
    case PROP_IDLE_SECONDS:
      return &self->idle_seconds;
    case PROP_WAIT_QUIET:
      return &self->wait_quiet;
    case PROP_TDP_WATTS:
      return &self->tdp_watts;
    default:
      return NULL;
    }
}

static void
dyno_method_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoMethod *self = DYNO_METHOD (object);
  guint *count = count_field (self, prop_id);
  double *amount = amount_field (self, prop_id);

  if (count != NULL)
    g_value_set_uint (value, *count);
  else if (amount != NULL)
    g_value_set_double (value, *amount);
  else if (prop_id == PROP_PRIORITY)
    g_value_set_string (value, self->priority);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
dyno_method_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoMethod *self = DYNO_METHOD (object);
  guint *count = count_field (self, prop_id);
  double *amount = amount_field (self, prop_id);

  if (prop_id == PROP_PRIORITY)
    {
      if (g_strcmp0 (self->priority, g_value_get_string (value)) == 0)
        return;
      g_free (self->priority);
      self->priority = g_value_dup_string (value);
      g_object_notify_by_pspec (object, pspec);
      return;
    }
  if (count == NULL && amount == NULL)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      return;
    }
  if (count != NULL ? *count == g_value_get_uint (value) : *amount == g_value_get_double (value))
    return;
  if (count != NULL)
    *count = g_value_get_uint (value);
  else
    *amount = g_value_get_double (value);
  g_object_notify_by_pspec (object, pspec);
}

static void
dyno_method_finalize (GObject *object)
{
  g_free (DYNO_METHOD (object)->priority);

  G_OBJECT_CLASS (dyno_method_parent_class)->finalize (object);
}

static void
dyno_method_class_init (DynoMethodClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags =
      G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = dyno_method_get_property;
  object_class->set_property = dyno_method_set_property;
  object_class->finalize = dyno_method_finalize;

  properties[PROP_INVOCATIONS] =
      g_param_spec_uint ("invocations", NULL, NULL, 1, DYNO_METHOD_MAX_INVOCATIONS, 5, flags);
  properties[PROP_WARMUP_STEPS] = g_param_spec_uint ("warmup-steps", NULL, NULL, 0, 1000000, 5, flags);
  properties[PROP_MIN_SAMPLES] = g_param_spec_uint ("min-samples", NULL, NULL, 1, 1000000, 50, flags);
  properties[PROP_SAMPLING_MILLISECONDS] =
      g_param_spec_uint ("sampling-milliseconds", NULL, NULL, 0, 10000, 10, flags);
  properties[PROP_POWER_MILLISECONDS] =
      g_param_spec_uint ("power-milliseconds", NULL, NULL, 0, 10000, 50, flags);
  properties[PROP_WARMUP_SECONDS] = g_param_spec_double ("warmup-seconds", NULL, NULL, 0, 3600, 0.5, flags);
  properties[PROP_MIN_SECONDS] = g_param_spec_double ("min-seconds", NULL, NULL, 0, 3600, 1, flags);
  properties[PROP_MAX_SECONDS] = g_param_spec_double ("max-seconds", NULL, NULL, 0.01, 86400, 10, flags);
  properties[PROP_INTERVAL_PERCENT] =
      g_param_spec_double ("interval-percent", NULL, NULL, 0.01, 100, 1, flags);
  properties[PROP_IDLE_SECONDS] = g_param_spec_double ("idle-seconds", NULL, NULL, 0, 600, 5, flags);
  properties[PROP_WAIT_QUIET] = g_param_spec_double ("wait-quiet", NULL, NULL, 0, 86400, 0, flags);
  properties[PROP_TDP_WATTS] = g_param_spec_double ("tdp-watts", NULL, NULL, 0, 100000, 0, flags);
  properties[PROP_PRIORITY] = g_param_spec_string ("priority", NULL, NULL, DYNO_PRIORITY_NORMAL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_method_init (DynoMethod *self)
{
}

DynoMethod *
dyno_method_new (void)
{
  return g_object_new (DYNO_TYPE_METHOD, NULL);
}

DynoMethod *
dyno_method_copy (DynoMethod *self)
{
  DynoMethod *copy = dyno_method_new ();

  g_return_val_if_fail (DYNO_IS_METHOD (self), copy);

  for (guint id = PROP_INVOCATIONS; id < N_PROPS; id++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      g_object_get_property (G_OBJECT (self), properties[id]->name, &value);
      g_object_set_property (G_OBJECT (copy), properties[id]->name, &value);
    }
  return copy;
}

/* Returns a share of @whole, but no less than @least, unless @whole is less. */
static double
share (double whole, double n, double least)
{
  return MAX (whole / n, MIN (whole, least));
}

DynoMethod *
dyno_method_share_out (DynoMethod *self)
{
  DynoMethod *part = dyno_method_copy (self);
  double n;

  g_return_val_if_fail (DYNO_IS_METHOD (self), part);

  n = self->invocations;
  part->invocations = 1;
  part->warmup_steps = (guint)ceil (share (self->warmup_steps, n, LEAST_WARMUP_STEPS));
  part->warmup_seconds = share (self->warmup_seconds, n, LEAST_WARMUP_SECONDS);
  part->min_samples = (guint)ceil (share (self->min_samples, n, LEAST_SAMPLES));
  part->min_seconds = share (self->min_seconds, n, LEAST_SECONDS);
  part->max_seconds = MAX (share (self->max_seconds, n, LEAST_MAX_SECONDS), part->min_seconds);
  part->interval_percent = CLAMP (round (100 * self->interval_percent * sqrt (n)) / 100, 0.01, 100);
  return part;
}

DynoMethod *
dyno_method_change_invocations (DynoMethod *self, guint n)
{
  DynoMethod *whole = dyno_method_share_out (self);
  /* People read it in commands: four digits, rounded up, demand no more than before. */
  double percent = whole->interval_percent / sqrt (n);
  double unit = pow (10, 3 - floor (log10 (percent)));

  g_return_val_if_fail (n >= 1, whole);

  whole->invocations = n;
  whole->warmup_steps *= n;
  whole->warmup_seconds *= n;
  whole->min_samples *= n;
  whole->min_seconds *= n;
  whole->max_seconds *= n;
  whole->interval_percent = CLAMP (ceil (percent * unit - 1e-6) / unit, 0.01, 100);
  return whole;
}

guint
dyno_method_get_invocations (DynoMethod *self)
{
  g_return_val_if_fail (DYNO_IS_METHOD (self), 1);
  return self->invocations;
}

guint
dyno_method_get_warmup_steps (DynoMethod *self)
{
  g_return_val_if_fail (DYNO_IS_METHOD (self), 0);
  return self->warmup_steps;
}

double
dyno_method_get_warmup_seconds (DynoMethod *self)
{
  g_return_val_if_fail (DYNO_IS_METHOD (self), 0);
  return self->warmup_seconds;
}

guint
dyno_method_get_min_samples (DynoMethod *self)
{
  g_return_val_if_fail (DYNO_IS_METHOD (self), 0);
  return self->min_samples;
}

double
dyno_method_get_min_seconds (DynoMethod *self)
{
  g_return_val_if_fail (DYNO_IS_METHOD (self), 0);
  return self->min_seconds;
}

double
dyno_method_get_max_seconds (DynoMethod *self)
{
  g_return_val_if_fail (DYNO_IS_METHOD (self), 0);
  return self->max_seconds;
}

double
dyno_method_get_interval_percent (DynoMethod *self)
{
  g_return_val_if_fail (DYNO_IS_METHOD (self), 0);
  return self->interval_percent;
}

guint
dyno_method_get_sampling_milliseconds (DynoMethod *self)
{
  g_return_val_if_fail (DYNO_IS_METHOD (self), 0);
  return self->sampling_milliseconds;
}

guint
dyno_method_get_power_milliseconds (DynoMethod *self)
{
  g_return_val_if_fail (DYNO_IS_METHOD (self), 0);
  return self->power_milliseconds;
}

double
dyno_method_get_idle_seconds (DynoMethod *self)
{
  g_return_val_if_fail (DYNO_IS_METHOD (self), 0);
  return self->idle_seconds;
}

double
dyno_method_get_wait_quiet (DynoMethod *self)
{
  g_return_val_if_fail (DYNO_IS_METHOD (self), 0);
  return self->wait_quiet;
}

double
dyno_method_get_tdp_watts (DynoMethod *self)
{
  g_return_val_if_fail (DYNO_IS_METHOD (self), 0);
  return self->tdp_watts;
}

const char *
dyno_method_get_priority (DynoMethod *self)
{
  g_return_val_if_fail (DYNO_IS_METHOD (self), DYNO_PRIORITY_NORMAL);
  return self->priority;
}
