/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-text.h"

/* Far deeper than any file of Dyno or of Hugging Face, and far from a stack overflow. */
#define MAX_DEPTH 500

/* Returns the position of the quote that ends the string which begins at @i, or the end of the text. */
static gsize
skip_string (const char *text, gsize length, gsize i)
{
  for (i++; i < length && text[i] != '"'; i++)
    if (text[i] == '\\')
      i++;
  return i;
}

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

/* JSON-GLib takes an octal escape for a byte, which need not be UTF-8. */
static gboolean
check_escapes (const char *text, gsize length, GError **error)
{
  for (gsize i = 0; i < length; i++)
    {
      gsize end = text[i] == '"' ? MIN (skip_string (text, length, i), length) : i;

      for (; i + 1 < end; i++)
        if (text[i] == '\\' && g_ascii_isdigit (text[++i]))
          {
            g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                         /* Translators: a letter after a backslash */
                         _ ("“\\%c” is not an escape in JSON"), text[i]);
            return FALSE;
          }
      i = end;
    }
  return TRUE;
}

gboolean
dyno_json_text_load (JsonParser *parser, const char *text, gsize length, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autofree char *message = NULL;

  if (!check_escapes (text, length, error))
    return FALSE;
  /* nocheck:call the escapes are checked above, and the message is made valid below */
  if (json_parser_load_from_data (parser, text, (gssize)length, &local_error))
    return TRUE;
  /* It shortens what it found there anywhere. */
  message = dyno_plain_text_make_valid (local_error->message, strlen (local_error->message));
  g_set_error_literal (error, local_error->domain, local_error->code, message);
  return FALSE;
}

JsonNode *
dyno_json_text_parse (const char *text)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  gsize length = strlen (text);

  return dyno_json_text_is_shallow (text, length) && dyno_json_text_load (parser, text, length, NULL)
             ? json_parser_steal_root (parser)
             : NULL;
}

/* Numbers that JSON does not have but Python writes, and their replacements: the largest number, or a text,
 * which is not read as a number. JSON-GLib cannot read powers of ten that it has written itself. */
static const struct
{
  const char *word;
  const char *number;
} words[] = { { "Infinity", "1.7976931348623157e308" }, { "NaN", "\"NaN\"" } };

char *
dyno_json_text_dup_strict (const char *text, gsize length)
{
  GString *strict = g_string_sized_new (length + 1);
  gsize i = 0;

  g_return_val_if_fail (text != NULL || length == 0, NULL);

  while (i < length)
    {
      gsize size = text[i] == '"' ? MIN (skip_string (text, length, i) + 1, length) - i : 1;
      gsize replaced = 0;

      for (guint k = 0; k < G_N_ELEMENTS (words) && replaced == 0; k++)
        {
          gsize n = strlen (words[k].word);

          if (length - i < n || strncmp (text + i, words[k].word, n) != 0)
            continue;
          g_string_append (strict, words[k].number);
          replaced = n;
        }

      if (replaced == 0)
        g_string_append_len (strict, text + i, (gssize)size);
      i += replaced > 0 ? replaced : size;
    }
  return g_string_free (strict, FALSE);
}

/* Some versions of JSON-GLib write 1e-08 as `1e-08.0`, and leave the last control character as it is: neither
 * is valid JSON. */
char *
dyno_json_text_write (JsonNode *node, gboolean is_pretty)
{
  g_autofree char *text = json_to_string (node, is_pretty); /* nocheck:call the loop below mends its output */
  gsize length = strlen (text);
  GString *valid = g_string_sized_new (length + 1);

  for (gsize i = 0; i < length;)
    {
      gsize end = text[i] == '"' ? MIN (skip_string (text, length, i) + 1, length) : i + 1;

      if (text[i] == 'e' && i > 0 && g_ascii_isdigit (text[i - 1]))
        end += strspn (text + end, "+-0123456789");
      for (gsize k = i; k < end; k++)
        if (text[k] == '\x1f')
          g_string_append (valid, "\\u001f");
        else
          g_string_append_c (valid, text[k]);
      i = end + (text[i] == 'e' && g_str_has_prefix (text + end, ".0") ? 2 : 0);
    }
  return g_string_free (valid, FALSE);
}
