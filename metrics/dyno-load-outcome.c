/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-measurement.h"

static void
clear_point (gpointer data)
{
  DynoLoadPoint *point = data;

  g_clear_pointer (&point->requests, dyno_requests_free);
  g_clear_pointer (&point->served, g_ptr_array_unref);
}

DynoLoadOutcome *
dyno_load_outcome_new (const DynoLoad *load)
{
  DynoLoadOutcome *self = g_new0 (DynoLoadOutcome, 1);

  self->load = *load;
  self->points = g_array_new (FALSE, FALSE, sizeof (DynoLoadPoint));
  g_array_set_clear_func (self->points, clear_point);
  return self;
}

void
dyno_load_outcome_free (DynoLoadOutcome *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->points);
  g_free (self);
}

const DynoLoadPoint *
dyno_load_outcome_get_chosen (const DynoLoadOutcome *self)
{
  return &g_array_index (self->points, DynoLoadPoint, self->chosen);
}
