/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-import-private.h"

void
dyno_power_log_free (DynoPowerLog *self)
{
  g_object_unref (self->power);
  g_free (self->column);
  g_free (self);
}
