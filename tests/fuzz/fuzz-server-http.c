/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-error.h"
#include "dyno-server-private.h"
#include "fuzz-corpus.h"

/* Whatever a server sends for a request, its models and facts come of it, or an error, and no other address is asked. */

#define SILENCE_SECONDS 5

static GSocket *listener;
static GMutex mutex;
static const guint8 *answer;
static gsize answer_size;

/* Reads one request to its end, so that closing the connection does not discard the answer. */
static void
read_request (GSocket *connection)
{
  g_autoptr (GString) request = g_string_new (NULL);
  gsize needed = G_MAXSIZE;
  char piece[4096];
  gssize n;

  while (request->len < needed && (n = g_socket_receive (connection, piece, sizeof piece, NULL, NULL)) > 0)
    {
      const char *body, *length;

      g_string_append_len (request, piece, n);
      body = strstr (request->str, "\r\n\r\n");
      length = strstr (request->str, "Content-Length: ");
      if (body != NULL)
        needed = (gsize)(body + 4 - request->str) +
                 (length != NULL ? g_ascii_strtoull (length + strlen ("Content-Length: "), NULL, 10) : 0);
    }
}

static gpointer
serve (gpointer data)
{
  for (;;)
    {
      g_autoptr (GSocket) connection = g_socket_accept (listener, NULL, NULL);
      g_autoptr (GMutexLocker) locker = NULL;
      gsize sent = 0;
      gssize n = 1;

      if (connection == NULL)
        return NULL;
      read_request (connection);
      locker = g_mutex_locker_new (&mutex);
      for (; sent < answer_size && n > 0; sent += (gsize)MAX (n, 0))
        n = g_socket_send (connection, (const char *)answer + sent, answer_size - sent, NULL, NULL);
      g_socket_close (connection, NULL);
    }
}

static char *
start_server (void)
{
  g_autoptr (GSocketAddress) any = g_inet_socket_address_new_from_string ("127.0.0.1", 0);
  g_autoptr (GSocketAddress) own = NULL;
  g_autoptr (GError) error = NULL;

  listener = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, &error);
  g_assert_no_error (error);
  g_socket_bind (listener, any, TRUE, &error);
  g_assert_no_error (error);
  g_socket_listen (listener, &error);
  g_assert_no_error (error);
  own = g_socket_get_local_address (listener, &error);
  g_assert_no_error (error);
  g_thread_unref (g_thread_new ("server", serve, NULL));
  return g_strdup_printf ("http://127.0.0.1:%u",
                          g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (own)));
}

static void
read_facts (DynoServerHttp *http, const DynoServerKind *kind)
{
  DynoServer server = { NULL };
  GArray *tokens = dyno_server_tokens_list (http, kind, "m", "words");

  dyno_server_models_describe (http, kind, "m", &server);
  g_assert_true (server.n_parameters >= 0 && server.weight_bytes >= 0);
  g_free (server.precision);
  g_clear_pointer (&tokens, g_array_unref);
}

/* libsoup 3.2 gives a length below zero to a property of its own that takes none. It warns, and reads to the end. */
static gboolean
is_fatal (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  return strstr (message, "'content-length'") == NULL;
}

/* The thread may still send the last answer, of which nothing is left when the input is gone. */
static void
set_answer (const guint8 *data, gsize size)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);

  g_assert_nonnull (locker);
  answer = data;
  answer_size = size;
}

static void
read_input (const guint8 *data, gsize size)
{
  static char *address;
  g_autoptr (DynoServerHttp) http = NULL;
  const DynoServerKind *kind = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) models = NULL;

  if (address == NULL)
    {
      g_test_log_set_fatal_handler (is_fatal, NULL);
      address = start_server ();
    }
  set_answer (data, size);
  http = dyno_server_http_new (address, FALSE, SILENCE_SECONDS);
  models = dyno_server_models_list (http, &kind, &error);
  g_assert_true ((models != NULL) == (error == NULL));
  g_assert_true ((models != NULL) == (kind != NULL));
  if (models != NULL)
    read_facts (http, kind);
  g_clear_pointer (&http, dyno_server_http_free);
  set_answer (NULL, 0);
}

FUZZ_TARGET (read_input)
