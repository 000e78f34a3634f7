/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-server-private.h"
#include "fuzz-corpus.h"

/* Whatever a server streams, and in whichever pieces it arrives, the same events come of it, and counts that are possible. */

static gboolean
keep_event (const char *event, gpointer events)
{
  g_string_append (events, event);
  g_string_append_c (events, '\x01');
  return TRUE;
}

static void
check_pieces (const char *bytes, gsize size, gboolean is_by_line)
{
  g_autoptr (DynoSse) whole = dyno_sse_new (is_by_line);
  g_autoptr (DynoSse) pieces = dyno_sse_new (is_by_line);
  g_autoptr (GString) of_whole = g_string_new (NULL);
  g_autoptr (GString) of_pieces = g_string_new (NULL);

  dyno_sse_feed (whole, bytes, size, keep_event, of_whole);
  for (gsize i = 0; i < size; i++)
    dyno_sse_feed (pieces, bytes + i, 1, keep_event, of_pieces);
  g_assert_true (g_string_equal (of_whole, of_pieces));
}

static void
check_served (const DynoServed *served)
{
  const double times[] = { served->prompt_ms, served->first_ms, served->decode_ms, served->token_ms,
                           served->load_ms };
  const gint64 counts[] = { served->prompt_tokens, served->output_tokens, served->cached_tokens,
                            served->drafted_tokens, served->accepted_tokens };

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    g_assert_true (isfinite (times[i]));
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    g_assert_true (counts[i] >= -1 && counts[i] <= G_MAXINT32);
  if (served->prompt_tokens >= 0)
    g_assert_cmpint (served->cached_tokens, <=, served->prompt_tokens);
}

static void
read_answer (const guint8 *data, gsize size, DynoServerProtocol protocol)
{
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_data (data, (gssize)size, NULL);
  g_autoptr (DynoServerAnswer) answer = dyno_server_answer_new ("http://server", 4);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  DynoServed *served = dyno_served_new ();
  gboolean is_read;

  dyno_server_answer_receive (answer, stream, NULL);
  is_read = dyno_server_answer_read (answer, protocol, served, text, &error);
  g_assert_true (is_read == (error == NULL));
  g_assert_true (!is_read || served->chunks_ns->len > 0);
  check_served (served);
  dyno_served_free (served);
}

/* The same bytes as the totals that another kind of server publishes. */
static void
read_account (const char *text)
{
  DynoServerAccount account;

  g_assert_true (dyno_server_account_parse (&account, text) == account.is_known);
  g_assert_true (!isnan (account.n_requests) && !isnan (account.n_tokens));
}

static void
read_input (const guint8 *data, gsize size)
{
  g_autofree char *text = g_strndup ((const char *)data, size);

  check_pieces ((const char *)data, size, FALSE);
  check_pieces ((const char *)data, size, TRUE);
  read_answer (data, size, DYNO_SERVER_PROTOCOL_OPENAI);
  read_answer (data, size, DYNO_SERVER_PROTOCOL_OLLAMA);
  read_account (text);
}

FUZZ_TARGET (read_input)
