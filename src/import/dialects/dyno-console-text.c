/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-console-text.h"

/**
 * dyno_console_text_find:
 * @text: a line that a program has printed, or a person typed
 * @pattern: a regular expression with one group
 *
 * Returns: (transfer full) (nullable): what the group matches
 */
char *
dyno_console_text_find (const char *text, const char *pattern)
{
  g_autoptr (GRegex) regex = g_regex_new (pattern, 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  return g_regex_match (regex, text, 0, &match) ? g_match_info_fetch (match, 1) : NULL;
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
