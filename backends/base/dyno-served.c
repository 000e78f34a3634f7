/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-served.h"

/* If a larger share of pieces than this comes within a millisecond of the last one, the server did not stream. */
#define MOST_AT_ONCE 0.5
#define AT_ONCE_NS   1000000

/* With fewer pieces per token than this, the times between pieces are not the times between tokens. */
#define LEAST_CHUNKS_PER_TOKEN 0.8

DynoServed *
dyno_served_new (void)
{
  DynoServed *self = g_new0 (DynoServed, 1);

  self->chunks_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->prompt_tokens = self->output_tokens = self->cached_tokens = -1;
  self->drafted_tokens = self->accepted_tokens = -1;
  self->prompt_ms = self->first_ms = self->decode_ms = self->token_ms = self->load_ms = -1;
  return self;
}

void
dyno_served_free (DynoServed *self)
{
  g_array_unref (self->chunks_ns);
  g_free (self->failure);
  g_free (self);
}

gint64
dyno_served_get_intended (const DynoServed *self)
{
  return self->intended_ns > 0 ? self->intended_ns : self->start_ns;
}

gint64
dyno_served_get_first (const DynoServed *self)
{
  return g_array_index (self->chunks_ns, gint64, 0);
}

gint64
dyno_served_get_last (const DynoServed *self)
{
  return g_array_index (self->chunks_ns, gint64, self->chunks_ns->len - 1);
}

const char *
dyno_served_explain_unseen_first (gpointer const *served, gsize n)
{
  guint n_after_first = 0, n_at_once = 0;

  for (gsize i = 0; i < n; i++)
    {
      const GArray *chunks = ((const DynoServed *)served[i])->chunks_ns;
      gint64 last = dyno_served_get_last (served[i]);

      n_after_first += chunks->len - 1;
      for (guint k = 0; k + 1 < chunks->len; k++)
        n_at_once += last - g_array_index (chunks, gint64, k) < AT_ONCE_NS;
    }
  return n_at_once > MOST_AT_ONCE * n_after_first
             ? _ ("The server does not stream: most of its answer came at once, at the end, so the times to "
                  "the first token and between tokens cannot be seen from outside.")
             : NULL;
}

const char *
dyno_served_explain_lumps (gpointer const *served, gsize n)
{
  double n_chunks = 0, n_tokens = 0;

  for (gsize i = 0; i < n; i++)
    {
      n_chunks += ((const DynoServed *)served[i])->chunks_ns->len;
      n_tokens += (double)MAX (((const DynoServed *)served[i])->output_tokens, 0);
    }
  return n_chunks < LEAST_CHUNKS_PER_TOKEN * n_tokens
             ? _ ("The server sends several tokens at once, so times between pieces are not times between "
                  "tokens; only the server’s own timings tell those.")
             : NULL;
}

const char *
dyno_served_explain_unseen_between (gpointer const *served, gsize n)
{
  const char *reason = dyno_served_explain_unseen_first (served, n);

  for (gsize i = 0; i < n && reason == NULL; i++)
    if (((const DynoServed *)served[i])->output_tokens <= 0)
      reason = _ ("The server does not tell how many tokens it wrote (“usage”), and the pieces of its answer "
                  "are not tokens.");
  return reason != NULL ? reason : dyno_served_explain_lumps (served, n);
}

void
dyno_server_account_subtract (DynoServerAccount *self, const DynoServerAccount *before)
{
  self->is_known = self->is_known && before->is_known;
  self->n_requests -= before->n_requests;
  self->n_tokens -= before->n_tokens;
  self->prompt_ms -= before->prompt_ms;
  self->decode_ms -= before->decode_ms;
  self->queue_ms -= before->queue_ms;
  self->n_drafted -= before->n_drafted;
  self->n_accepted -= before->n_accepted;
}

void
dyno_server_account_add (DynoServerAccount *self, const DynoServerAccount *more)
{
  self->is_known = self->is_known && more->is_known;
  self->n_requests += more->n_requests;
  self->n_tokens += more->n_tokens;
  self->prompt_ms += more->prompt_ms;
  self->decode_ms += more->decode_ms;
  self->queue_ms += more->queue_ms;
  self->n_drafted += more->n_drafted;
  self->n_accepted += more->n_accepted;
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
