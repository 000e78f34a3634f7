/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-ort.h"

/* ONNX Runtime reports errors in English prose; these parts of it contain names. */
static const char *const unknown_operator_patterns[] = {
  "No Op registered for ([\\w.:]+)",
  "Fatal error: ([\\w.:]+)\\S* is not a registered function/op",
};
static const char *const unimplemented_patterns[] = {
  "Could not find an implementation for ([\\w.:]+)",
  "Provider type for ([\\w.:]+) node with name .* is not set", /* with several providers */
};

static char *
find_name (const char *const *patterns, guint n_patterns, const char *message)
{
  char *name = NULL;

  for (guint i = 0; name == NULL && i < n_patterns; i++)
    {
      g_autoptr (GRegex) regex = g_regex_new (patterns[i], 0, 0, NULL);
      g_autoptr (GMatchInfo) match = NULL;

      g_assert (regex != NULL);
      if (g_regex_match (regex, message, 0, &match))
        name = g_match_info_fetch (match, 1);
    }
  return name;
}

char *
dyno_ort_message_find_operator (const char *message)
{
  g_return_val_if_fail (message != NULL, NULL);

  return find_name (unknown_operator_patterns, G_N_ELEMENTS (unknown_operator_patterns), message);
}

char *
dyno_ort_message_find_unimplemented (const char *message)
{
  g_return_val_if_fail (message != NULL, NULL);

  return find_name (unimplemented_patterns, G_N_ELEMENTS (unimplemented_patterns), message);
}
