/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#ifdef HAVE_LIBSOUP
#include <libsoup/soup.h>
#endif

#include "dyno-error.h"
#include "dyno-http.h"
#include "dyno-machine.h"

#define TIMEOUT_SECONDS 3

/* A type or a region is a word. */
#define MAX_LENGTH 100

#ifdef HAVE_LIBSOUP

/* The services of all providers answer at the same address, which is only reachable from the instance. */
#define ADDRESS "http://169.254.169.254"

#define AZURE(leaf) "/metadata/instance/compute/" leaf "?api-version=2021-02-01&format=text"
#define TOKEN       "/latest/api/token"

static const struct
{
  const char *provider;
  const char *header;
  const char *value; /* NULL for a token that the service gives first */
  const char *type;
  const char *region;
  gboolean is_zone; /* whether the region is that of a zone, `us-central1-a` */
} services[] = {
  { DYNO_CLOUD_AWS, "X-aws-ec2-metadata-token", NULL, "/latest/meta-data/instance-type",
    "/latest/meta-data/placement/region", FALSE },
  { DYNO_CLOUD_GOOGLE, "Metadata-Flavor", "Google", "/computeMetadata/v1/instance/machine-type",
    "/computeMetadata/v1/instance/zone", TRUE },
  { DYNO_CLOUD_AZURE, "Metadata", "true", AZURE ("vmSize"), AZURE ("location"), FALSE },
};

static char *
ask (SoupSession *session,
     const char *method,
     const char *path,
     const char *header,
     const char *value,
     GError **error)
{
  const char *other = g_getenv ("DYNO_METADATA_ADDRESS");
  g_autofree char *address = g_strconcat (other != NULL ? other : ADDRESS, path, NULL);
  g_autoptr (SoupMessage) message = soup_message_new (method, address);
  g_autoptr (GBytes) answer = NULL;
  g_autofree char *text = NULL;
  const char *last;

  if (message == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT, _ ("“%s” is not the address of a server."),
                   address);
      return NULL;
    }
  soup_message_headers_replace (soup_message_get_request_headers (message), header, value);
  answer = soup_session_send_and_read (session, message, NULL, error);
  if (answer == NULL)
    return NULL;
  text = g_strndup (g_bytes_get_size (answer) > 0 ? g_bytes_get_data (answer, NULL) : "",
                    MIN (g_bytes_get_size (answer), 4096));
  g_strstrip (text);
  last = strrchr (text, '/');
  last = last != NULL && !g_str_equal (path, TOKEN) ? last + 1 : text;
  if (SOUP_STATUS_IS_SUCCESSFUL (soup_message_get_status (message)) && *last != '\0' &&
      (g_str_equal (path, TOKEN) || strlen (last) <= MAX_LENGTH) && g_str_is_ascii (last))
    return g_strdup (last);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("The metadata service does not answer “%s”."),
               path);
  return NULL;
}

static gboolean
ask_service (guint i, GError **error)
{
  /* No proxy may see what only the instance may ask. */
  g_autoptr (SoupSession) session =
      soup_session_new_with_options ("timeout", TIMEOUT_SECONDS, "proxy-resolver", NULL, NULL);
  g_autofree char *value =
      services[i].value != NULL
          ? g_strdup (services[i].value)
          : ask (session, "PUT", TOKEN, "X-aws-ec2-metadata-token-ttl-seconds", "60", error);
  g_autofree char *type =
      value != NULL ? ask (session, "GET", services[i].type, services[i].header, value, error) : NULL;
  g_autofree char *region =
      type != NULL ? ask (session, "GET", services[i].region, services[i].header, value, error) : NULL;

  if (region == NULL)
    return FALSE;
  if (services[i].is_zone && strrchr (region, '-') != NULL)
    *strrchr (region, '-') = '\0';
  dyno_cloud_tell (type, region);
  return TRUE;
}

gboolean
dyno_cloud_ask (GError **error)
{
  const char *provider = dyno_cloud_get_provider ();

  for (guint i = 0; provider != NULL && i < G_N_ELEMENTS (services); i++)
    if (g_str_equal (services[i].provider, provider))
      return ask_service (i, error);
  if (provider == NULL)
    g_set_error_literal (
        error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
        _ ("The firmware names no cloud provider that Dyno knows, so there is no metadata to ask for."));
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                 _ ("Dyno does not know the metadata service of %s."), provider);
  return FALSE;
}

#else

gboolean
dyno_cloud_ask (GError **error)
{
  g_set_error_literal (
      error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
      _ ("This Dyno was built without libsoup, which sends messages. Install libsoup-3.0-dev "
         "and build Dyno again."));
  return FALSE;
}

#endif
