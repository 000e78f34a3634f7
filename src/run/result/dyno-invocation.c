/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-diagnostic.h"
#include "dyno-invocation.h"
#include "dyno-value.h"

DynoInvocation *
dyno_invocation_new (guint number, const char *failure)
{
  DynoInvocation *self = g_atomic_rc_box_new (DynoInvocation);

  self->number = number;
  self->failure = g_strdup (failure);
  self->values = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_value_unref);
  self->diagnostics = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_diagnostic_unref);
  return self;
}

DynoInvocation *
dyno_invocation_ref (DynoInvocation *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  DynoInvocation *self = data;

  g_free (self->failure);
  g_ptr_array_unref (self->values);
  g_ptr_array_unref (self->diagnostics);
}

void
dyno_invocation_unref (DynoInvocation *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

double
dyno_invocation_get_number (const DynoInvocation *self, const char *name)
{
  for (guint i = 0; i < self->values->len; i++)
    if (g_str_equal (dyno_value_get_name (self->values->pdata[i]), name))
      return dyno_value_get_number (self->values->pdata[i]);
  return NAN;
}
