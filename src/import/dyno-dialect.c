/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-dialect-registry.h"
#include "dyno-import-private.h"

const DynoDialect *const *
dyno_dialect_list (void)
{
  return dialects;
}

const DynoDialect *
dyno_dialect_find (const char *head)
{
  for (guint i = 0; dialects[i] != NULL; i++)
    if (dialects[i]->recognise (head))
      return dialects[i];
  return NULL;
}

static const char *
skip_space (const char *text)
{
  return text + strspn (text, " \t\r\n");
}

gboolean
dyno_dialect_begins_with (const char *head, const char *sign)
{
  return g_str_has_prefix (skip_space (head), sign);
}

gboolean
dyno_dialect_has_key (const char *head, const char *key)
{
  g_autofree char *quoted = g_strdup_printf ("\"%s\"", key);

  for (const char *found = strstr (head, quoted); found != NULL; found = strstr (found + 1, quoted))
    if (*skip_space (found + strlen (quoted)) == ':')
      return TRUE;
  return FALSE;
}

gboolean
dyno_dialect_has_keys (const char *head, const char *const *keys)
{
  if (!dyno_dialect_begins_with (head, "{") && !dyno_dialect_begins_with (head, "["))
    return FALSE;
  for (; *keys != NULL; keys++)
    if (!dyno_dialect_has_key (head, *keys))
      return FALSE;
  return TRUE;
}

gboolean
dyno_dialect_has_line (const char *head, gboolean (*is_sign) (const char *line))
{
  g_auto (GStrv) lines = g_strsplit_set (head, "\r\n", -1);

  for (char **line = lines; *line != NULL; line++)
    if (is_sign (*line))
      return TRUE;
  return FALSE;
}

gboolean
dyno_dialect_has_column (const char *head, char delimiter, const char *column)
{
  const char *text = skip_space (head);
  g_autofree char *line = g_strndup (text, strcspn (text, "\r\n"));
  const char separator[] = { dyno_table_find_delimiter (head, delimiter), '\0' };
  g_auto (GStrv) names = g_strsplit (line, separator, -1);
  g_autofree char *quoted = g_strdup_printf ("\"%s\"", column);

  for (char **name = names; *name != NULL; name++)
    if (strcmp (g_strstrip (*name), column) == 0 || strcmp (*name, quoted) == 0)
      return TRUE;
  return FALSE;
}
