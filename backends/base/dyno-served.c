/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-served.h"

/**
 * dyno_served_new:
 *
 * Returns: (transfer full): a request that was not sent yet
 */
DynoServed *
dyno_served_new (void)
{
  DynoServed *self = g_new0 (DynoServed, 1);

  self->chunks_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->prompt_tokens = self->output_tokens = self->cached_tokens = self->drafted_tokens = -1;
  self->prompt_ms = self->decode_ms = -1;
  return self;
}

void
dyno_served_free (DynoServed *self)
{
  g_array_unref (self->chunks_ns);
  g_free (self->failure);
  g_free (self);
}

/**
 * dyno_served_get_first:
 * @self: a request that was answered
 *
 * Returns: when the first piece of text came
 */
gint64
dyno_served_get_first (const DynoServed *self)
{
  return g_array_index (self->chunks_ns, gint64, 0);
}

/**
 * dyno_served_get_last:
 * @self: a request that was answered
 *
 * Returns: when the last piece of text came, with which a request ends: what the server counts after it is no part of it
 */
gint64
dyno_served_get_last (const DynoServed *self)
{
  return g_array_index (self->chunks_ns, gint64, self->chunks_ns->len - 1);
}

void
dyno_server_free (DynoServer *self)
{
  g_clear_pointer (&self->processes, g_array_unref);
  g_free (self->elsewhere);
  g_free (self->name);
  g_free (self->precision);
  g_free (self);
}
