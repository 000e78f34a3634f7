/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-hub.h"

/* The words after a model's id in the address of one of its pages or files. */
static const char *const page_kinds[] = { "tree", "blob", "raw", "resolve", "commits", "discussions", NULL };

/* Returns the path of an address, with or without its scheme; NULL if the text is not an address. */
static const char *
find_path (const char *text)
{
  const char *scheme = strstr (text, "://");
  const char *host = scheme != NULL ? scheme + 3 : text;
  const char *slash = strchr (host, '/');
  gboolean is_host =
      slash != NULL && memchr (host, '.', (gsize)(slash - host)) != NULL && strchr (slash + 1, '/') != NULL;

  if (scheme == NULL && !is_host)
    return NULL;
  return slash != NULL ? slash + 1 : "";
}

char *
dyno_hub_id_from_text (const char *text)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  const char *path = find_path (stripped);
  g_autofree char *plain = path != NULL ? g_strndup (path, strcspn (path, "?#")) : NULL;
  g_auto (GStrv) parts = plain != NULL ? g_strsplit (plain, "/", 3) : NULL;

  if (parts == NULL || parts[0] == NULL)
    return g_steal_pointer (&stripped);
  if (parts[1] == NULL || *parts[1] == '\0' || g_strv_contains (page_kinds, parts[1]))
    return g_strdup (parts[0]);
  return g_strconcat (parts[0], "/", parts[1], NULL);
}
