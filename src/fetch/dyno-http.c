/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#ifdef HAVE_LIBSOUP
#include <libsoup/soup.h>
#endif

#include "dyno-error.h"
#include "dyno-fetch-private.h"
#include "dyno-file.h"
#include "dyno-http.h"
#include "dyno-text.h"
#include "dyno-task.h"

#define TIMEOUT_SECONDS  60
#define POST_SECONDS     30
#define MAX_REDIRECTS    10
#define MAX_WAITS        3
#define MAX_WAIT_SECONDS 60

/* RFC 6585 */
#define TOO_MANY_REQUESTS 429

gboolean
dyno_http_is_address (const char *text)
{
  g_autoptr (GUri) uri = g_uri_parse (text, G_URI_FLAGS_NONE, NULL);

  return uri != NULL && g_uri_get_host (uri) != NULL && *g_uri_get_host (uri) != '\0' &&
         (g_str_equal (g_uri_get_scheme (uri), "https") || g_str_equal (g_uri_get_scheme (uri), "http"));
}

#ifdef HAVE_LIBSOUP

struct _DynoHttp
{
  SoupSession *session;
  GUri *endpoint;
  char *token;
  DynoHttpHandlers handlers;
  gpointer data;
};

DynoHttp *
dyno_http_new (
    const char *endpoint, const char *token, const DynoHttpHandlers *handlers, gpointer data, GError **error)
{
  g_autofree char *folder =
      g_str_has_suffix (endpoint, "/") ? g_strdup (endpoint) : g_strconcat (endpoint, "/", NULL);
  g_autoptr (GUri) uri = g_uri_parse (folder, SOUP_HTTP_URI_FLAGS, NULL);
  DynoHttp *self;

  if (uri == NULL || !dyno_http_is_address (folder))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT, _ ("“%s” is not the address of a server."),
                   endpoint);
      return NULL;
    }
  self = g_new0 (DynoHttp, 1);
  self->endpoint = g_steal_pointer (&uri);
  self->token = g_strdup (token);
  self->handlers = *handlers;
  self->data = data;
  if (self->handlers.answer_seconds == 0)
    self->handlers.answer_seconds = TIMEOUT_SECONDS;
  if (self->handlers.pace_seconds == 0)
    self->handlers.pace_seconds = TIMEOUT_SECONDS;
  self->session = soup_session_new_with_options ("timeout", self->handlers.pace_seconds, "user-agent",
                                                 "dyno/" PACKAGE_VERSION, NULL);
  return self;
}

void
dyno_http_free (DynoHttp *self)
{
  g_object_unref (self->session);
  g_uri_unref (self->endpoint);
  g_free (self->token);
  g_free (self);
}

char *
dyno_http_resolve (DynoHttp *self, const char *reference, GError **error)
{
  g_autoptr (GUri) uri = g_uri_parse_relative (self->endpoint, reference, SOUP_HTTP_URI_FLAGS, error);

  return uri != NULL ? g_uri_to_string (uri) : NULL;
}

/* The token is sent to the endpoint only, not to the targets of redirects. */
static SoupMessage *
create_message (const DynoHttp *self, GUri *uri, guint64 offset, const char *accept)
{
  SoupMessage *message = soup_message_new_from_uri ("GET", uri);
  SoupMessageHeaders *headers = soup_message_get_request_headers (message);

  soup_message_add_flags (message, SOUP_MESSAGE_NO_REDIRECT);
  if (self->token != NULL && g_str_equal (g_uri_get_scheme (uri), g_uri_get_scheme (self->endpoint)) &&
      g_strcmp0 (g_uri_get_host (uri), g_uri_get_host (self->endpoint)) == 0 &&
      g_uri_get_port (uri) == g_uri_get_port (self->endpoint))
    {
      g_autofree char *value = g_strconcat ("Bearer ", self->token, NULL);

      soup_message_headers_replace (headers, "Authorization", value);
    }
  if (accept != NULL)
    soup_message_headers_replace (headers, "Accept", accept);
  if (offset > 0)
    soup_message_headers_set_range (headers, (goffset)offset, -1);
  /* Only the uncompressed bytes of the file can be counted and hashed. */
  soup_message_headers_replace (headers, "Accept-Encoding", "identity");
  return message;
}

static GUri *
find_target (SoupMessage *message, GError **error)
{
  const char *location =
      soup_message_headers_get_one (soup_message_get_response_headers (message), "Location");
  g_autofree char *shown = dyno_plain_text_quote (location, DYNO_PLAIN_TEXT_NAME);
  GUri *source = soup_message_get_uri (message);
  GUri *target = location != NULL ? g_uri_parse_relative (source, location, SOUP_HTTP_URI_FLAGS, NULL) : NULL;

  if (target != NULL && g_uri_get_host (target) != NULL &&
      (g_str_equal (g_uri_get_scheme (target), "https") ||
       g_str_equal (g_uri_get_scheme (target), g_uri_get_scheme (source))))
    return target;
  g_clear_pointer (&target, g_uri_unref);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("“%s” redirects to “%s”, which is no safe address."), g_uri_get_host (source), shown);
  return NULL;
}

/* Sleeps until the time is over or it is cancelled. */
static gboolean
wait_seconds (guint seconds, GCancellable *cancellable, GError **error)
{
  GPollFD fd;

  if (cancellable == NULL || !g_cancellable_make_pollfd (cancellable, &fd))
    {
      g_usleep (seconds * G_USEC_PER_SEC);
      return TRUE;
    }
  g_poll (&fd, 1, (int)seconds * 1000);
  g_cancellable_release_fd (cancellable);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

/* Returns whether to ask again at @uri, which changes if the server redirects. */
static gboolean
may_ask_again (const DynoHttp *self,
               SoupMessage *message,
               GUri **uri,
               guint n_waits,
               DynoTimeLimit *limit,
               GError **error)
{
  guint status = soup_message_get_status (message);
  GUri *target;

  if (status == TOO_MANY_REQUESTS)
    {
      const char *text =
          soup_message_headers_get_one (soup_message_get_response_headers (message), "Retry-After");
      guint64 seconds = text != NULL ? g_ascii_strtoull (text, NULL, 10) : MAX_WAIT_SECONDS;
      const char *remedy = self->handlers.too_often_remedy;

      if (n_waits < MAX_WAITS && seconds <= MAX_WAIT_SECONDS)
        {
          self->handlers.wait ((guint)seconds, self->data);
          dyno_time_limit_extend (limit, (guint)seconds);
          return wait_seconds ((guint)seconds, dyno_time_limit_get_cancellable (limit), error);
        }
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_FAILED,
          _ ("“%s” limits how often it is asked, and wants a pause of %" PRIu64 " s. Try again then.%s%s"),
          g_uri_get_host (soup_message_get_uri (message)), seconds, remedy != NULL ? " " : "",
          remedy != NULL ? remedy : "");
      return FALSE;
    }
  if (!SOUP_STATUS_IS_REDIRECTION (status))
    {
      self->handlers.set_status_error (status, soup_message_get_reason_phrase (message), self->data, error);
      return FALSE;
    }
  target = find_target (message, error);
  if (target == NULL)
    return FALSE;
  g_uri_unref (*uri);
  *uri = target;
  return TRUE;
}

static GInputStream *
send_request (DynoHttp *self,
              const char *address,
              const char *accept,
              guint64 *offset,
              DynoTimeLimit *limit,
              GError **error)
{
  GCancellable *cancellable = dyno_time_limit_get_cancellable (limit);
  g_autoptr (GUri) uri = g_uri_parse_relative (self->endpoint, address, SOUP_HTTP_URI_FLAGS, error);
  guint n_waits = 0;

  for (guint i = 0; uri != NULL && i < MAX_REDIRECTS + MAX_WAITS; i++)
    {
      g_autoptr (SoupMessage) message = create_message (self, uri, *offset, accept);
      g_autoptr (GError) local_error = NULL;
      g_autoptr (GInputStream) stream = soup_session_send (self->session, message, cancellable, &local_error);

      if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          g_propagate_error (error, g_steal_pointer (&local_error));
          return NULL;
        }
      if (stream == NULL)
        {
          self->handlers.set_unreachable_error (local_error, self->data, error);
          return NULL;
        }
      if (SOUP_STATUS_IS_SUCCESSFUL (soup_message_get_status (message)))
        {
          goffset start = 0, end, total;

          if (soup_message_get_status (message) == SOUP_STATUS_PARTIAL_CONTENT)
            soup_message_headers_get_content_range (soup_message_get_response_headers (message), &start, &end,
                                                    &total);
          *offset = start > 0 ? (guint64)start : 0;
          return g_steal_pointer (&stream);
        }
      if (!may_ask_again (self, message, &uri, n_waits, limit, error))
        return NULL;
      n_waits += soup_message_get_status (message) == TOO_MANY_REQUESTS;
    }
  if (uri != NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("The redirects of “%s” form a loop."),
                 g_uri_get_host (uri));
  return NULL;
}

/* Returns the time limit of an answer. */
static guint
get_answer_seconds (DynoHttp *self)
{
  return self->handlers.answer_seconds;
}

guint
dyno_http_get_pace_seconds (DynoHttp *self)
{
  return self->handlers.pace_seconds;
}

gboolean
dyno_http_post (const char *address, const char *json, GError **error)
{
  g_autoptr (DynoTimeLimit) limit = dyno_time_limit_new (POST_SECONDS, NULL);
  g_autoptr (SoupSession) session =
      soup_session_new_with_options ("timeout", POST_SECONDS, "user-agent", "dyno/" PACKAGE_VERSION, NULL);
  g_autoptr (SoupMessage) message =
      dyno_http_is_address (address) ? soup_message_new ("POST", address) : NULL;
  g_autoptr (GBytes) body = g_bytes_new (json, strlen (json));
  g_autoptr (GInputStream) answer = NULL;
  g_autoptr (GError) local_error = NULL;

  if (message == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT, _ ("“%s” is not the address of a server."),
                   address);
      return FALSE;
    }
  soup_message_set_request_body_from_bytes (message, "application/json", body);
  answer = soup_session_send (session, message, dyno_time_limit_get_cancellable (limit), &local_error);
  if (answer != NULL && SOUP_STATUS_IS_SUCCESSFUL (soup_message_get_status (message)))
    return TRUE;
  if (answer != NULL)
    {
      g_autofree char *reason =
          dyno_plain_text_quote (soup_message_get_reason_phrase (message), DYNO_PLAIN_TEXT_NAME);

      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("“%s” refuses the message: %u %s."), address,
                   soup_message_get_status (message), reason);
    }
  else if (dyno_time_limit_is_over (limit))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT, _ ("“%s” did not answer within %d s."), address,
                 POST_SECONDS);
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("“%s” cannot be reached: %s."), address,
                 local_error->message);
  return FALSE;
}

#else

gboolean
dyno_http_post (const char *address, const char *json, GError **error)
{
  g_set_error_literal (
      error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
      _ ("This Dyno was built without libsoup, which sends messages. Install libsoup-3.0-dev "
         "and build Dyno again."));
  return FALSE;
}

DynoHttp *
dyno_http_new (
    const char *endpoint, const char *token, const DynoHttpHandlers *handlers, gpointer data, GError **error)
{
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                       _ ("This Dyno was built without libsoup, which fetches files. Install libsoup-3.0-dev "
                          "and build Dyno again."));
  return NULL;
}

void
dyno_http_free (DynoHttp *self)
{
}

char *
dyno_http_resolve (DynoHttp *self, const char *reference, GError **error)
{
  g_return_val_if_reached (NULL);
}

static GInputStream *
send_request (DynoHttp *self,
              const char *address,
              const char *accept,
              guint64 *offset,
              DynoTimeLimit *limit,
              GError **error)
{
  g_return_val_if_reached (NULL);
}

static guint
get_answer_seconds (DynoHttp *self)
{
  g_return_val_if_reached (TIMEOUT_SECONDS);
}

guint
dyno_http_get_pace_seconds (DynoHttp *self)
{
  g_return_val_if_reached (TIMEOUT_SECONDS);
}

#endif

/* Returns whether the limit ended a request; other cancellations are kept. */
static gboolean
is_late (DynoTimeLimit *limit, const GError *error)
{
  return dyno_time_limit_is_over (limit) && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

GInputStream *
dyno_http_open (
    DynoHttp *self, const char *address, guint64 *offset, GCancellable *cancellable, GError **error)
{
  guint seconds = get_answer_seconds (self);
  g_autoptr (DynoTimeLimit) limit = dyno_time_limit_new (seconds, cancellable);
  g_autoptr (GError) local_error = NULL;
  GInputStream *stream = send_request (self, address, NULL, offset, limit, &local_error);

  if (is_late (limit, local_error))
    /* Translators: why a download broke off; stands within a sentence */
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT, _ ("the server did not answer within %u s"),
                 seconds);
  else if (stream == NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  return stream;
}

GBytes *
dyno_http_load (
    DynoHttp *self, const char *address, const char *accept, GCancellable *cancellable, GError **error)
{
  guint seconds = get_answer_seconds (self);
  g_autoptr (DynoTimeLimit) limit = dyno_time_limit_new (seconds, cancellable);
  GCancellable *limited = dyno_time_limit_get_cancellable (limit);
  g_autoptr (GError) local_error = NULL;
  guint64 offset = 0;
  g_autoptr (GInputStream) stream = send_request (self, address, accept, &offset, limit, &local_error);
  GBytes *text =
      stream != NULL ? dyno_file_read_stream (stream, DYNO_FILE_MAX_TEXT, limited, &local_error) : NULL;

  if (is_late (limit, local_error))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT,
                 _ ("The server did not send its whole answer within %u s: “%s”. Check the network, or try "
                    "again later."),
                 seconds, address);
  else if (text == NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  return text;
}
