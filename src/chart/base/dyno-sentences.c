/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dyno-chart-base-private.h"

void
dyno_sentences_append (GString *text, const char *sentence)
{
  g_return_if_fail (text != NULL);

  if (sentence == NULL || *sentence == '\0')
    return;
  if (text->len > 0 && text->str[text->len - 1] != '\n')
    g_string_append_c (text, ' ');
  g_string_append (text, sentence);
}

char *
dyno_sentences_join (const char *first, const char *second)
{
  GString *text = g_string_new (first);

  dyno_sentences_append (text, second);
  return g_string_free (text, FALSE);
}
