/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-history-point.h"

DynoHistoryPoint *
dyno_history_point_new (DynoResult *head, const char *run_id, gint64 started_at, double value)
{
  DynoHistoryPoint *self = g_new0 (DynoHistoryPoint, 1);

  self->head = g_object_ref (head);
  self->run_id = g_ref_string_new_intern (run_id);
  self->started_at = started_at;
  self->value = value;
  self->low = self->high = NAN;
  self->n_processes = 1;
  self->is_steady = TRUE;
  return self;
}

void
dyno_history_point_free (DynoHistoryPoint *self)
{
  g_object_unref (self->head);
  g_clear_pointer (&self->run_id, g_ref_string_release);
  g_clear_pointer (&self->run_title, g_ref_string_release);
  g_clear_pointer (&self->run_notes, g_ref_string_release);
  g_clear_pointer (&self->unit, g_ref_string_release);
  g_free (self);
}
