/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-import-dialects-private.h"

/* A console has many lines for few patterns, so these are compiled once. */
static GRegex *
get_regex (const char *pattern)
{
  static GMutex mutex;
  static GHashTable *compiled;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);
  GRegex *regex;

  if (compiled == NULL)
    compiled = g_hash_table_new (g_str_hash, g_str_equal);
  regex = g_hash_table_lookup (compiled, pattern);
  if (regex == NULL)
    {
      regex = g_regex_new (pattern, 0, 0, NULL);
      g_hash_table_insert (compiled, (gpointer)pattern, regex);
    }
  return regex;
}

char *
dyno_console_text_find (const char *text, const char *pattern)
{
  g_autoptr (GMatchInfo) match = NULL;

  return g_regex_match (get_regex (pattern), text, 0, &match) ? g_match_info_fetch (match, 1) : NULL;
}

char *
dyno_console_text_find_model (const char *text)
{
  char *model = dyno_console_text_find (text, "(?:\\bmodel='|(?:^|\\s)--model[ =][\"']?)([^'\" ]+)");

  /* Other programs have other meanings for -m, and “python -m” runs a module. */
  return model == NULL && strstr (text, "python") == NULL
             ? dyno_console_text_find (text, "^(?:.*(?:perf|bench).*\\s)?-m[ =][\"']?([^'\" ]+)")
             : model;
}

void
dyno_console_text_take (char **target, char *found)
{
  if (found == NULL)
    return;
  g_free (*target);
  *target = found;
}
