/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-fetch-private.h"

#define DEFAULT_ENDPOINT "https://huggingface.co"

/* A day, for users who want no limit. */
#define MAX_SECONDS 86400

enum
{
  UNAUTHORIZED = 401,
  FORBIDDEN = 403,
  NOT_FOUND = 404,
  SERVER_ERROR = 500,
};

static gboolean
is_set (const char *name)
{
  const char *value = g_getenv (name);

  return value != NULL && *value != '\0' && !g_str_equal (value, "0");
}

/* Returns the token from the variable, or from the file that the hub's own log-in writes. */
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

static void
wait_cb (guint seconds, gpointer data)
{
  DynoHubHttp *self = data;

  dyno_progress_reporter_wait (seconds, self->reporter);
}

static void
set_unreachable_error (const GError *cause, gpointer data, GError **error)
{
  DynoHubHttp *self = data;

  g_set_error (
      error, cause->domain, cause->code,
      _ ("The hub “%s” cannot be reached: %s. Check the network, or name another one in HF_ENDPOINT."),
      self->endpoint, cause->message);
}

static void
set_status_error (guint status, const char *reason, gpointer data, GError **error)
{
  DynoHubHttp *self = data;

  if (status == UNAUTHORIZED && !self->has_token)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                 _ ("“%s” does not exist on the hub, or is not open to all. Check its id; for a model behind "
                    "a gate, accept its terms on its page and set HF_TOKEN to an access token."),
                 self->id);
  else if (status == UNAUTHORIZED || status == FORBIDDEN)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                 _ ("The access token does not open “%s”. Accept the model’s terms on its page, or set "
                    "HF_TOKEN to a token that may read it."),
                 self->id);
  else if (status == NOT_FOUND)
    g_set_error (
        error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
        _ ("There is no model “%s” on the hub, or it lacks that file. Check its id, such as “owner/name”."),
        self->id);
  else if (status >= SERVER_ERROR)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("The hub failed (HTTP %u). Try again later."),
                 status);
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("The hub refused to send “%s” (HTTP %u: %s)."),
                 self->id, status, reason);
}

/* Returns a time limit in seconds, from the same variable as the hub's own programs. */
static guint
get_seconds (const char *name)
{
  guint64 seconds = is_set (name) ? g_ascii_strtoull (g_getenv (name), NULL, 10) : 0;

  return (guint)MIN (seconds, MAX_SECONDS);
}

DynoHubHttp *
dyno_hub_http_new (const char *id, DynoProgressReporter *reporter, GError **error)
{
  g_autoptr (DynoHubHttp) self = NULL;

  if (is_set ("HF_HUB_OFFLINE"))
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                           _ ("HF_HUB_OFFLINE forbids network access. Unset it to fetch models."));
      return NULL;
    }
  self = g_new0 (DynoHubHttp, 1);
  self->endpoint = g_strdup (is_set ("HF_ENDPOINT") ? g_getenv ("HF_ENDPOINT") : DEFAULT_ENDPOINT);
  self->id = g_strdup (id);
  self->reporter = reporter;

  const DynoHttpHandlers handlers = {
    .wait = wait_cb,
    .set_status_error = set_status_error,
    .set_unreachable_error = set_unreachable_error,
    .answer_seconds = get_seconds ("HF_HUB_ETAG_TIMEOUT"),
    .pace_seconds = get_seconds ("HF_HUB_DOWNLOAD_TIMEOUT"),
    .too_often_remedy = _ ("With HF_TOKEN set, the hub allows more."),
  };
  g_autofree char *token = find_token ();
  g_autoptr (GError) local_error = NULL;

  self->has_token = token != NULL;
  self->http = dyno_http_new (self->endpoint, token, &handlers, self, &local_error);
  if (g_error_matches (local_error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                 _ ("HF_ENDPOINT is “%s”, which is no address. Write one such as “%s”."), self->endpoint,
                 DEFAULT_ENDPOINT);
  else if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  return self->http != NULL ? g_steal_pointer (&self) : NULL;
}

void
dyno_hub_http_free (DynoHubHttp *self)
{
  g_clear_pointer (&self->http, dyno_http_free);
  g_free (self->endpoint);
  g_free (self->id);
  g_free (self);
}
