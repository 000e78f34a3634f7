/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gio/gio.h>

#include "dyno-server-private.h"

static GUri *
parse (const char *address)
{
  g_autoptr (GUri) uri = g_uri_parse (address, G_URI_FLAGS_SCHEME_NORMALIZE, NULL);
  const char *scheme = uri != NULL ? g_uri_get_scheme (uri) : NULL;

  if ((g_strcmp0 (scheme, "http") != 0 && g_strcmp0 (scheme, "https") != 0) || g_uri_get_host (uri) == NULL ||
      *g_uri_get_host (uri) == '\0')
    return NULL;
  return g_steal_pointer (&uri);
}

gboolean
dyno_server_address_is_one (const char *address)
{
  g_autoptr (GUri) uri = parse (address);

  return uri != NULL;
}

gboolean
dyno_server_address_is_local (const char *address)
{
  g_autoptr (GUri) uri = parse (address);
  g_autoptr (GInetAddress) host = uri != NULL ? g_inet_address_new_from_string (g_uri_get_host (uri)) : NULL;

  if (host != NULL)
    return g_inet_address_get_is_loopback (host);
  return uri != NULL && g_ascii_strcasecmp (g_uri_get_host (uri), "localhost") == 0;
}

guint16
dyno_server_address_get_port (const char *address)
{
  g_autoptr (GUri) uri = parse (address);
  int port = uri != NULL ? g_uri_get_port (uri) : -1;

  if (port > 0)
    return (guint16)port;
  return uri != NULL && g_str_equal (g_uri_get_scheme (uri), "https") ? 443 : 80;
}
