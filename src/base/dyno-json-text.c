/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-json-text.h"

/* Far deeper than any file of ours or of Hugging Face, and far from the end of a stack. */
#define MAX_DEPTH 500

/* Gives the place of the quote that ends the string which begins at @i, or the end of the text. */
static gsize
skip_string (const char *text, gsize length, gsize i)
{
  for (i++; i < length && text[i] != '"'; i++)
    if (text[i] == '\\')
      i++;
  return i;
}

/**
 * dyno_json_text_is_shallow:
 * @text: JSON text, perhaps a stranger's
 * @length: its length in bytes
 *
 * A parser that calls itself for every array in an array ends the process when a hostile text goes on with that;
 * so ask this before parsing.
 *
 * Returns: whether its arrays and objects are not nested deeper than 500
 */
gboolean
dyno_json_text_is_shallow (const char *text, gsize length)
{
  guint depth = 0;

  g_return_val_if_fail (text != NULL || length == 0, FALSE);

  for (gsize i = 0; i < length; i++)
    {
      if (text[i] == '"')
        i = skip_string (text, length, i);
      else if (text[i] == '[' || text[i] == '{')
        depth++;
      else if ((text[i] == ']' || text[i] == '}') && depth > 0)
        depth--;
      if (depth > MAX_DEPTH)
        return FALSE;
    }
  return TRUE;
}
