/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-text.h"

/* The maximum number of names that people read in a sentence. */
#define MAX_LISTED 8

char *
dyno_plain_text_make_valid (const char *bytes, gsize length)
{
  GString *text = g_string_sized_new (length + 1);
  const char *end = bytes + length;
  const char *bad = NULL;

  while (!g_utf8_validate (bytes, end - bytes, &bad))
    {
      g_string_append_len (text, bytes, bad - bytes);
      g_string_append_printf (text, "\\x%02x", (unsigned char)*bad);
      bytes = bad + 1;
    }
  g_string_append_len (text, bytes, end - bytes);
  return g_string_free (text, FALSE);
}

char *
dyno_plain_text_show_controls (const char *text)
{
  g_autofree char *valid = dyno_plain_text_make_valid (text, strlen (text));
  GString *shown = g_string_sized_new (strlen (valid) + 1);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (c < 0x20 && c != '\n' && c != '\t')
        g_string_append_printf (shown, "\\x%02x", c);
      else if (g_unichar_iscntrl (c) && c >= 0x7f)
        g_string_append_printf (shown, "\\u%04x", c);
      else if (c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
               (c >= 0x2066 && c <= 0x2069) || c == 0x2028 || c == 0x2029)
        g_string_append_printf (shown, "\\u%04x", c);
      else
        g_string_append_unichar (shown, c);
    }
  return g_string_free (shown, FALSE);
}

char *
dyno_plain_text_shorten (const char *text, guint max_length)
{
  const char *p = text;

  for (guint i = 0; i < max_length && *p != '\0'; i++)
    p = g_utf8_next_char (p);
  return *p == '\0' ? g_strdup (text) : g_strdup_printf ("%.*s…", (int)(p - text), text);
}

char *
dyno_plain_text_quote (const char *text, guint max_length)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  g_autofree char *start = dyno_plain_text_shorten (valid, max_length);
  GString *shown = g_string_new (NULL);

  for (const char *p = start; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      g_string_append_unichar (shown, c == '\n' || c == '\t' ? ' ' : g_unichar_iscntrl (c) ? 0xfffd : c);
    }
  return g_string_free (shown, FALSE);
}

char *
dyno_plain_text_join (const char *const *texts, guint n_texts, const char *separator, const char *suffix)
{
  GString *joined = g_string_new (NULL);

  for (guint i = 0; i < MIN (n_texts, MAX_LISTED); i++)
    {
      g_autofree char *text = dyno_plain_text_quote (texts[i], DYNO_PLAIN_TEXT_NAME);

      g_string_append_printf (joined, "%s%s%s", i > 0 ? separator : "", text, suffix);
    }
  if (n_texts > MAX_LISTED)
    {
      g_string_append_c (joined, ' ');
      g_string_append_printf (joined, ngettext ("and %u more", "and %u more", n_texts - MAX_LISTED),
                              n_texts - MAX_LISTED);
    }
  return g_string_free (joined, FALSE);
}
