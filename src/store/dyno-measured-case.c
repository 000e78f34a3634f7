/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-store-private.h"

void
dyno_measured_case_free (DynoMeasuredCase *self)
{
  g_object_unref (self->head);
  g_ref_string_release (self->machine);
  g_hash_table_unref (self->runs);
  g_free (self);
}
