/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-clock.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-server-private.h"

#define KEY_VARIABLE "DYNO_SERVER_KEY"
#define MAX_ANSWER   (4 * 1024 * 1024)
#define MAX_WORDS    500

DynoServerHttp *
dyno_server_http_new (const char *server, gboolean is_trusted, guint timeout_seconds)
{
  DynoServerHttp *self = g_new0 (DynoServerHttp, 1);
  const char *key = is_trusted ? g_getenv (KEY_VARIABLE) : NULL;

  self->soup = soup_session_new_with_options ("timeout", timeout_seconds, "user-agent", "Dyno", NULL);
  soup_session_set_proxy_resolver (self->soup, NULL); /* no proxy for servers on this machine */
  soup_session_remove_feature_by_type (self->soup,
                                       SOUP_TYPE_CONTENT_DECODER); /* decompression delays the pieces */
  self->server = g_strdup (server);
  self->key = key != NULL && *key != '\0' ? g_strconcat ("Bearer ", key, NULL) : NULL;
  return self;
}

void
dyno_server_http_free (DynoServerHttp *self)
{
  if (self == NULL)
    return;
  g_clear_object (&self->soup);
  g_free (self->server);
  g_free (self->key);
  g_free (self);
}

static SoupMessage *
create_message (DynoServerHttp *self, const char *path, const char *body, GError **error)
{
  gboolean ends_with_slash = g_str_has_suffix (self->server, "/");
  g_autofree char *address = g_strconcat (self->server, path + (ends_with_slash ? 1 : 0), NULL);
  SoupMessage *message = soup_message_new (body != NULL ? "POST" : "GET", address);

  if (message == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("“%s” is not the address of a server. Write it as “http://127.0.0.1:8080”."),
                   self->server);
      return NULL;
    }
  /* Without the first flag each question would use a new connection. Another address was not named, and must not get the
   * key. */
  soup_message_add_flags (message, SOUP_MESSAGE_IDEMPOTENT | SOUP_MESSAGE_NO_REDIRECT);
  if (self->key != NULL)
    soup_message_headers_replace (soup_message_get_request_headers (message), "Authorization", self->key);
  if (body != NULL)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (body, strlen (body));

      soup_message_set_request_body_from_bytes (message, "application/json", bytes);
    }
  return message;
}

static void
set_status_error (const char *server, SoupMessage *message, const char *words, GError **error)
{
  guint status = soup_message_get_status (message);

  if (status == SOUP_STATUS_UNAUTHORIZED || status == SOUP_STATUS_FORBIDDEN)
    g_set_error (
        error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
        _ ("The server “%s” wants a key (HTTP %u). Set %s in the environment to it, and name the server."),
        server, status, KEY_VARIABLE);
  else if (status == 429 || status == SOUP_STATUS_SERVICE_UNAVAILABLE)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT,
                 _ ("The server “%s” turned the request away (HTTP %u): it is busy, or limits how many "
                    "requests it takes. Wait, or let it take more."),
                 server, status);
  else if (status == SOUP_STATUS_NOT_FOUND)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                 _ ("The server “%s” does not have the model, or does not speak OpenAI’s protocol (HTTP "
                    "404). “dyno-cli hardware” lists its models."),
                 server);
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT, _ ("The server “%s” answered HTTP %u: %s"),
                 server, status, words);
}

static GByteArray *
read_all (GInputStream *stream, GError **error)
{
  g_autoptr (GByteArray) all = g_byte_array_new ();
  guint8 buffer[4096];
  gssize n;

  while ((n = g_input_stream_read (stream, buffer, sizeof buffer, NULL, error)) > 0 && all->len < MAX_ANSWER)
    g_byte_array_append (all, buffer, (guint)n);
  return n >= 0 ? g_steal_pointer (&all) : NULL;
}

/* Returns the server's own error message, else the meaning of its status. */
static char *
dup_words (GInputStream *stream, SoupMessage *message)
{
  g_autoptr (GByteArray) bytes = read_all (stream, NULL);
  g_autoptr (JsonObject) object =
      bytes != NULL ? dyno_json_try_object ((const char *)bytes->data, bytes->len) : NULL;
  JsonObject *problem = dyno_json_member_get_object (object, "error");
  /* It is an object in OpenAI's protocol, a sentence in Ollama's. */
  const char *words = problem != NULL ? dyno_json_member_get_string (problem, "message")
                                      : dyno_json_member_get_string (object, "error");

  if (words != NULL && g_utf8_validate (words, -1, NULL))
    {
      g_autofree char *beginning = g_utf8_substring (words, 0, MIN (g_utf8_strlen (words, -1), MAX_WORDS));

      return g_strdup_printf ("“%s”", beginning);
    }
  return g_strdup_printf (_ ("%s. Look at what the server itself logged."),
                          soup_message_get_reason_phrase (message));
}

static GInputStream *
try_to_send (DynoServerHttp *self, SoupMessage *message, GError **error)
{
  if (self->closes)
    soup_session_abort (self->soup); /* drop earlier connections */
  self->sent_ns = dyno_clock_now_ns ();
  return soup_session_send (self->soup, message, NULL, error);
}

GInputStream *
dyno_server_http_send (DynoServerHttp *self, const char *path, const char *body, GError **error)
{
  g_autoptr (SoupMessage) message = create_message (self, path, body, error);
  g_autoptr (GError) problem = NULL;
  g_autoptr (GInputStream) stream = NULL;
  g_autofree char *words = NULL;

  if (message == NULL)
    return NULL;
  stream = try_to_send (self, message, &problem);
  /* Some servers close a connection after an answer without notice, just as the next question is sent. In that case
   * it is sent once more, and all later ones use new connections. */
  if (stream == NULL && self->has_answered && !self->closes)
    {
      g_clear_error (&problem);
      g_clear_object (&message);
      message = create_message (self, path, body, NULL);
      soup_session_abort (self->soup);
      stream = try_to_send (self, message, &problem);
      self->closes = stream != NULL;
    }
  if (stream == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                   _ ("The server “%s” does not answer: %s. Start it, or check its address."), self->server,
                   problem->message);
      return NULL;
    }
  self->has_answered = TRUE;
  if (SOUP_STATUS_IS_SUCCESSFUL (soup_message_get_status (message)))
    return g_steal_pointer (&stream);
  words = dup_words (stream, message);
  g_input_stream_close (stream, NULL, NULL);
  set_status_error (self->server, message, words, error);
  return NULL;
}

JsonObject *
dyno_server_http_read (DynoServerHttp *self, const char *path, const char *body, GError **error)
{
  g_autoptr (GInputStream) stream = dyno_server_http_send (self, path, body, error);
  g_autoptr (GByteArray) bytes = stream != NULL ? read_all (stream, error) : NULL;
  JsonObject *answer;

  if (bytes == NULL)
    return NULL;
  answer = dyno_json_try_object ((const char *)bytes->data, bytes->len);
  if (answer == NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                 _ ("What answers at “%s” does not speak OpenAI’s protocol."), self->server);
  return answer;
}

char *
dyno_server_http_read_text (DynoServerHttp *self, const char *path)
{
  g_autoptr (GInputStream) stream = dyno_server_http_send (self, path, NULL, NULL);
  g_autoptr (GByteArray) bytes = stream != NULL ? read_all (stream, NULL) : NULL;

  return bytes != NULL ? g_strndup ((const char *)bytes->data, bytes->len) : NULL;
}
