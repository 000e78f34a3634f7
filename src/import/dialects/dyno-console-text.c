/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-console-text.h"

/* Consoles ask the same few patterns of every line. */
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

/**
 * dyno_console_text_find:
 * @text: a line that a program has printed, or a person typed
 * @pattern: a regular expression with one group, which stays: it is compiled once
 *
 * Returns: (transfer full) (nullable): what the group matches
 */
char *
dyno_console_text_find (const char *text, const char *pattern)
{
  g_autoptr (GMatchInfo) match = NULL;

  return g_regex_match (get_regex (pattern), text, 0, &match) ? g_match_info_fetch (match, 1) : NULL;
}

/**
 * dyno_console_text_find_model:
 * @text: a line of a command, or the arguments as Python prints them
 *
 * Returns: (transfer full) (nullable): the model that it names
 */
char *
dyno_console_text_find_model (const char *text)
{
  char *model = dyno_console_text_find (text, "(?:\\bmodel='|(?:^|\\s)--model[ =][\"']?)([^'\" ]+)");

  /* Other programs call other things -m, and “python -m” runs a module. */
  return model == NULL && strstr (text, "python") == NULL
             ? dyno_console_text_find (text, "^(?:.*(?:perf|bench).*\\s)?-m[ =][\"']?([^'\" ]+)")
             : model;
}

/**
 * dyno_console_text_take:
 * @target: (inout): what was found last
 * @found: (transfer full) (nullable): what this line has, which takes its place
 */
void
dyno_console_text_take (char **target, char *found)
{
  if (found == NULL)
    return;
  g_free (*target);
  *target = found;
}
