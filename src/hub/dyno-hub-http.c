/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#ifdef HAVE_LIBSOUP
#include <libsoup/soup.h>
#endif

#include "dyno-error.h"
#include "dyno-file.h"
#include "dyno-hub-http.h"

#define DEFAULT_ENDPOINT "https://huggingface.co"
#define TIMEOUT_SECONDS  60
#define MAX_REDIRECTS    10
#define MAX_WAITS        3
#define MAX_WAIT_SECONDS 60

/* RFC 6585 */
#define TOO_MANY_REQUESTS 429

#ifdef HAVE_LIBSOUP

struct _DynoHubHttp
{
  SoupSession *session;
  GUri *endpoint;
  char *id;
  char *token;
  DynoHubWaitFunc wait;
  gpointer wait_data;
};

static gboolean
is_set (const char *name)
{
  const char *value = g_getenv (name);

  return value != NULL && *value != '\0' && !g_str_equal (value, "0");
}

/* From the variable, or from the file that the hub's own log-in writes. */
static char *
find_token (void)
{
  const char *home = g_getenv ("HF_HOME");
  g_autofree char *path = home != NULL && *home != '\0'
                              ? g_build_filename (home, "token", NULL)
                              : g_build_filename (g_get_user_cache_dir (), "huggingface", "token", NULL);
  char *token = NULL;

  if (is_set ("HF_TOKEN"))
    token = g_strdup (g_getenv ("HF_TOKEN"));
  else
    g_file_get_contents (path, &token, NULL, NULL);
  return token != NULL ? g_strstrip (token) : NULL;
}

/**
 * dyno_hub_http_new:
 * @id: the model that will be asked for, for the words of errors
 * @wait: called before waiting as the hub asks
 * @user_data: passed to @wait
 * @error: return location
 *
 * Returns: (transfer full): what asks the hub
 */
DynoHubHttp *
dyno_hub_http_new (const char *id, DynoHubWaitFunc wait, gpointer user_data, GError **error)
{
  const char *endpoint = is_set ("HF_ENDPOINT") ? g_getenv ("HF_ENDPOINT") : DEFAULT_ENDPOINT;
  g_autoptr (GUri) uri = g_uri_parse (endpoint, SOUP_HTTP_URI_FLAGS, NULL);
  DynoHubHttp *self;

  if (is_set ("HF_HUB_OFFLINE"))
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                           _ ("HF_HUB_OFFLINE forbids network access. Unset it to fetch models."));
      return NULL;
    }
  if (uri == NULL || g_uri_get_host (uri) == NULL ||
      (!g_str_equal (g_uri_get_scheme (uri), "https") && !g_str_equal (g_uri_get_scheme (uri), "http")))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                   _ ("HF_ENDPOINT is “%s”, which is no address. Write one such as “%s”."), endpoint,
                   DEFAULT_ENDPOINT);
      return NULL;
    }
  self = g_new0 (DynoHubHttp, 1);
  self->session =
      soup_session_new_with_options ("timeout", TIMEOUT_SECONDS, "user-agent", "dyno/" PACKAGE_VERSION, NULL);
  self->endpoint = g_steal_pointer (&uri);
  self->id = g_strdup (id);
  self->token = find_token ();
  self->wait = wait;
  self->wait_data = user_data;
  return self;
}

void
dyno_hub_http_free (DynoHubHttp *self)
{
  g_object_unref (self->session);
  g_uri_unref (self->endpoint);
  g_free (self->id);
  g_free (self->token);
  g_free (self);
}

static gboolean
is_of_endpoint (const DynoHubHttp *self, GUri *uri)
{
  return g_str_equal (g_uri_get_scheme (uri), g_uri_get_scheme (self->endpoint)) &&
         g_strcmp0 (g_uri_get_host (uri), g_uri_get_host (self->endpoint)) == 0 &&
         g_uri_get_port (uri) == g_uri_get_port (self->endpoint);
}

/* The token is for the hub alone, not for where it redirects to. */
static SoupMessage *
create_message (const DynoHubHttp *self, GUri *uri, guint64 offset)
{
  SoupMessage *message = soup_message_new_from_uri ("GET", uri);
  SoupMessageHeaders *headers = soup_message_get_request_headers (message);

  soup_message_add_flags (message, SOUP_MESSAGE_NO_REDIRECT);
  if (self->token != NULL && is_of_endpoint (self, uri))
    {
      g_autofree char *value = g_strconcat ("Bearer ", self->token, NULL);

      soup_message_headers_replace (headers, "Authorization", value);
    }
  if (offset > 0)
    soup_message_headers_set_range (headers, (goffset)offset, -1);
  /* What is counted and hashed are the bytes of the file. */
  soup_message_headers_replace (headers, "Accept-Encoding", "identity");
  return message;
}

static void
set_unreachable_error (const DynoHubHttp *self, GError *cause, GError **error)
{
  g_autofree char *endpoint = g_uri_to_string (self->endpoint);

  g_set_error (
      error, cause->domain, cause->code,
      _ ("The hub “%s” cannot be reached: %s. Check the network, or name another one in HF_ENDPOINT."),
      endpoint, cause->message);
}

static void
set_status_error (const DynoHubHttp *self, SoupMessage *message, GError **error)
{
  guint status = soup_message_get_status (message);

  if (status == SOUP_STATUS_UNAUTHORIZED && self->token == NULL)
    g_set_error (
        error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
        _ ("“%s” does not exist on the hub, or is not open to all. Check its id; for a model behind a gate, "
           "accept its terms on its page and set HF_TOKEN to an access token."),
        self->id);
  else if (status == SOUP_STATUS_UNAUTHORIZED || status == SOUP_STATUS_FORBIDDEN)
    g_set_error (
        error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
        _ ("The access token does not open “%s”. Accept the model’s terms on its page, or set HF_TOKEN to a "
           "token that may read it."),
        self->id);
  else if (status == SOUP_STATUS_NOT_FOUND)
    g_set_error (
        error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
        _ ("There is no model “%s” on the hub, or it lacks that file. Check its id, such as “owner/name”."),
        self->id);
  else if (SOUP_STATUS_IS_SERVER_ERROR (status))
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("The hub failed (HTTP %u). Try again later."),
                 status);
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("The hub refused to send “%s” (HTTP %u: %s)."),
                 self->id, status, soup_message_get_reason_phrase (message));
}

static GUri *
find_target (SoupMessage *message, GError **error)
{
  const char *location =
      soup_message_headers_get_one (soup_message_get_response_headers (message), "Location");
  GUri *source = soup_message_get_uri (message);
  GUri *target = location != NULL ? g_uri_parse_relative (source, location, SOUP_HTTP_URI_FLAGS, NULL) : NULL;

  if (target != NULL && g_uri_get_host (target) != NULL &&
      (g_str_equal (g_uri_get_scheme (target), "https") ||
       g_str_equal (g_uri_get_scheme (target), g_uri_get_scheme (source))))
    return target;
  g_clear_pointer (&target, g_uri_unref);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("The hub redirects to “%s”, which is no safe address."), location != NULL ? location : "");
  return NULL;
}

/* Sleeps, but not on after it is cancelled. */
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

static gboolean
wait_as_told (
    const DynoHubHttp *self, SoupMessage *message, guint n_waits, GCancellable *cancellable, GError **error)
{
  const char *text =
      soup_message_headers_get_one (soup_message_get_response_headers (message), "Retry-After");
  guint64 seconds = text != NULL ? g_ascii_strtoull (text, NULL, 10) : MAX_WAIT_SECONDS;

  if (n_waits < MAX_WAITS && seconds <= MAX_WAIT_SECONDS)
    {
      self->wait ((guint)seconds, self->wait_data);
      return wait_seconds ((guint)seconds, cancellable, error);
    }
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
               _ ("The hub limits how often it is asked, and wants a pause of %" PRIu64
                  " s. Try again then, or set HF_TOKEN, with which it allows more."),
               seconds);
  return FALSE;
}

/* The server says where the part begins that it sends. */
static guint64
find_start (SoupMessage *message)
{
  goffset start = 0, end, total;

  if (soup_message_get_status (message) == SOUP_STATUS_PARTIAL_CONTENT)
    soup_message_headers_get_content_range (soup_message_get_response_headers (message), &start, &end,
                                            &total);
  return start > 0 ? (guint64)start : 0;
}

/* Whether @uri, replaced if the hub redirects, is to be asked again. */
static gboolean
may_ask_again (const DynoHubHttp *self,
               SoupMessage *message,
               GUri **uri,
               guint n_waits,
               GCancellable *cancellable,
               GError **error)
{
  guint status = soup_message_get_status (message);
  GUri *target;

  if (status == TOO_MANY_REQUESTS)
    return wait_as_told (self, message, n_waits, cancellable, error);
  if (!SOUP_STATUS_IS_REDIRECTION (status))
    {
      set_status_error (self, message, error);
      return FALSE;
    }
  target = find_target (message, error);
  if (target == NULL)
    return FALSE;
  g_uri_unref (*uri);
  *uri = target;
  return TRUE;
}

/**
 * dyno_hub_http_open:
 * @self: what asks the hub
 * @path: from the endpoint on, escaped, with its query
 * @offset: (inout): from which byte on it is wanted; from which it comes
 * @cancellable: (nullable): ends it
 * @error: return location; of %G_IO_ERROR where the connection failed and another attempt may help
 *
 * Follows redirects, and waits a while where the hub asks for it.
 *
 * Returns: (transfer full): the file
 */
GInputStream *
dyno_hub_http_open (
    DynoHubHttp *self, const char *path, guint64 *offset, GCancellable *cancellable, GError **error)
{
  g_autofree char *endpoint = g_uri_to_string (self->endpoint);
  g_autofree char *address = g_strconcat (endpoint, g_str_has_suffix (endpoint, "/") ? "" : "/", path, NULL);
  g_autoptr (GUri) uri = g_uri_parse (address, SOUP_HTTP_URI_FLAGS, error);
  guint n_waits = 0;

  for (guint i = 0; uri != NULL && i < MAX_REDIRECTS + MAX_WAITS; i++)
    {
      g_autoptr (SoupMessage) message = create_message (self, uri, *offset);
      g_autoptr (GError) local_error = NULL;
      g_autoptr (GInputStream) stream = soup_session_send (self->session, message, cancellable, &local_error);

      if (stream == NULL)
        {
          set_unreachable_error (self, local_error, error);
          return NULL;
        }
      if (SOUP_STATUS_IS_SUCCESSFUL (soup_message_get_status (message)))
        {
          *offset = find_start (message);
          return g_steal_pointer (&stream);
        }
      if (!may_ask_again (self, message, &uri, n_waits, cancellable, error))
        return NULL;
      n_waits += soup_message_get_status (message) == TOO_MANY_REQUESTS;
    }
  if (uri != NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("The redirects of the hub form a loop."));
  return NULL;
}

#else

DynoHubHttp *
dyno_hub_http_new (const char *id, DynoHubWaitFunc wait, gpointer user_data, GError **error)
{
  g_set_error_literal (
      error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
      _ ("This Dyno was built without libsoup, which fetches models. Install libsoup-3.0-dev and "
         "build Dyno again."));
  return NULL;
}

void
dyno_hub_http_free (DynoHubHttp *self)
{
}

GInputStream *
dyno_hub_http_open (
    DynoHubHttp *self, const char *path, guint64 *offset, GCancellable *cancellable, GError **error)
{
  g_return_val_if_reached (NULL);
}

#endif

/**
 * dyno_hub_http_load:
 * @self: what asks the hub
 * @path: as of [func@Dyno.hub_http_open]
 * @cancellable: (nullable): ends it
 * @error: return location
 *
 * Returns: (transfer full): the text at @path
 */
GBytes *
dyno_hub_http_load (DynoHubHttp *self, const char *path, GCancellable *cancellable, GError **error)
{
  guint64 offset = 0;
  g_autoptr (GInputStream) stream = dyno_hub_http_open (self, path, &offset, cancellable, error);

  return stream != NULL ? dyno_file_read_stream (stream, DYNO_FILE_MAX_TEXT, cancellable, error) : NULL;
}
