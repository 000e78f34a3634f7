/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-baseline.h"

void
dyno_baseline_free (DynoBaseline *self)
{
  g_free (self->name);
  g_free (self->run_id);
  g_free (self);
}
