/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-hub.h"

/* The words after a model's id in the address of one of its pages or files. */
static const char *const page_kinds[] = { "tree", "blob", "raw", "resolve", "commits", "discussions", NULL };

/* The address of a page may lack its scheme: it is one if its first part has a dot, as a host has, and more than one
 * part follows. */
char *
dyno_hub_id_from_text (const char *text)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  const char *scheme = strstr (stripped, "://");
  const char *host = scheme != NULL ? scheme + 3 : stripped;
  const char *slash = strchr (host, '/');
  gboolean is_address =
      scheme != NULL ||
      (slash != NULL && memchr (host, '.', (gsize)(slash - host)) != NULL && strchr (slash + 1, '/') != NULL);
  const char *path = slash != NULL ? slash + 1 : "";
  g_autofree char *plain = g_strndup (path, strcspn (path, "?#"));
  g_auto (GStrv) parts = g_strsplit (plain, "/", 3);

  if (!is_address || parts[0] == NULL)
    return g_steal_pointer (&stripped);
  if (parts[1] == NULL || *parts[1] == '\0' || g_strv_contains (page_kinds, parts[1]))
    return g_strdup (parts[0]);
  return g_strconcat (parts[0], "/", parts[1], NULL);
}
