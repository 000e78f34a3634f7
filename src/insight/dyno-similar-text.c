/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-similar-text.h"

#define BETWEEN "\u2013" /* – */
#define MINUS   "\u2212" /* − */

/* Replaces any number in a key. */
#define ANY_NUMBER '\x01'

/* A number in a text, or a range of numbers. */
typedef struct
{
  const char *least;
  gsize least_length;
  const char *most;
  gsize most_length;
} Range;

static const char *
skip_digits (const char *text)
{
  while (g_ascii_isdigit (*text))
    text++;
  return text;
}

/* The decimal point or comma depends on the locale of the writer. */
static const char *
skip_number (const char *text)
{
  const char *end = skip_digits (text);
  const char *exponent;

  if (end == text)
    return text;
  if ((*end == '.' || *end == ',') && g_ascii_isdigit (end[1]))
    end = skip_digits (end + 1);
  if (*end != 'e' && *end != 'E')
    return end;
  exponent = end[1] == '+' || end[1] == '-' ? end + 2 : end + 1;
  return g_ascii_isdigit (*exponent) ? skip_digits (exponent) : end;
}

static gboolean
begins_word (const char *end)
{
  return g_ascii_isalnum (*end) || *end == '_' || *end == '-' || *end == '/' ||
         (*end != '\0' && strchr (".,:", *end) != NULL && g_ascii_isdigit (end[1]));
}

/* Returns the end of the number or range that @text begins with, or @text if there is none. */
static const char *
read_range (const char *text, const char *start, Range *range)
{
  static const char between[] = " " BETWEEN " ";
  /* A part of a name, a version, a date or a negative number is not a number on its own. */
  gboolean continues_word =
      text > start && (g_ascii_isalnum (text[-1]) || strchr ("_-./:", text[-1]) != NULL ||
                       (text - start >= 3 && memcmp (text - 3, MINUS, 3) == 0));
  const char *end = continues_word ? text : skip_number (text);
  const char *most = g_str_has_prefix (end, between) ? end + strlen (between) : end;
  const char *most_end = most > end ? skip_number (most) : most;

  if (end == text || begins_word (end))
    return text;
  *range = (Range){ text, (gsize)(end - text), text, (gsize)(end - text) };
  if (most_end == most || begins_word (most_end))
    return end;
  range->most = most;
  range->most_length = (gsize)(most_end - most);
  return most_end;
}

static double
parse (const char *text, gsize length)
{
  g_autofree char *number = g_strdelimit (g_strndup (text, length), ",", '.');

  return g_ascii_strtod (number, NULL);
}

static void
widen (Range *range, const Range *other)
{
  if (parse (other->least, other->least_length) < parse (range->least, range->least_length))
    {
      range->least = other->least;
      range->least_length = other->least_length;
    }
  if (parse (other->most, other->most_length) > parse (range->most, range->most_length))
    {
      range->most = other->most;
      range->most_length = other->most_length;
    }
}

char *
dyno_similar_text_dup_key (const char *text)
{
  g_autoptr (GString) key = g_string_new (NULL);
  const char *next = text;

  g_return_val_if_fail (text != NULL, NULL);

  while (*next != '\0')
    {
      Range range;
      const char *end = read_range (next, text, &range);

      g_string_append_c (key, end > next ? ANY_NUMBER : *next);
      next = end > next ? end : next + 1;
    }
  return g_string_free (g_steal_pointer (&key), FALSE);
}

char *
dyno_similar_text_merge (const char *one, const char *other)
{
  g_autoptr (GString) merged = g_string_new (NULL);
  const char *next = one, *other_next = other;

  g_return_val_if_fail (one != NULL && other != NULL, NULL);

  while (*next != '\0' && *other_next != '\0')
    {
      Range range, other_range;
      const char *end = read_range (next, one, &range);
      const char *other_end = read_range (other_next, other, &other_range);

      if (end > next && other_end > other_next)
        {
          widen (&range, &other_range);
          g_string_append_len (merged, range.least, (gssize)range.least_length);
          if (range.most_length != range.least_length ||
              memcmp (range.most, range.least, range.most_length) != 0)
            {
              g_string_append (merged, " " BETWEEN " ");
              g_string_append_len (merged, range.most, (gssize)range.most_length);
            }
        }
      else
        g_string_append_c (merged, *next);
      next = end > next ? end : next + 1;
      other_next = other_end > other_next ? other_end : other_next + 1;
    }
  return g_string_free (g_steal_pointer (&merged), FALSE);
}
