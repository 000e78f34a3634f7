/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-fetch-private.h"

gboolean
dyno_pace_take (DynoPace *self, guint64 n_bytes, gint64 now)
{
  if (self->since == 0)
    self->since = now;
  self->bytes += n_bytes;
  if (now - self->since < (gint64)self->seconds * G_USEC_PER_SEC)
    return TRUE;
  if (self->bytes < (guint64)DYNO_PACE_LEAST * self->seconds)
    return FALSE;
  self->since = now;
  self->bytes = 0;
  return TRUE;
}
