/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-cli-private.h"

/* ASCII substitutes for the other characters of Dyno's own texts. */
static const struct
{
  gunichar character;
  const char *plain;
} plain_texts[] = {
  { 0x00a0, " " },   { 0x00b0, "deg" }, { 0x00b1, "+/-" }, { 0x00b5, "u" },    { 0x00b7, "-" },
  { 0x00bd, "1/2" }, { 0x00d7, "x" },   { 0x03bc, "u" },   { 0x03c0, "pi" },   { 0x03c3, "s" },
  { 0x2009, " " },   { 0x2013, "-" },   { 0x2014, "--" },  { 0x2018, "'" },    { 0x2019, "'" },
  { 0x201c, "\"" },  { 0x201d, "\"" },  { 0x2026, "..." }, { 0x202f, " " },    { 0x207b, "-" },
  { 0x2190, "<-" },  { 0x2192, "->" },  { 0x2212, "-" },   { 0x221a, "sqrt" }, { 0x2248, "~" },
  { 0x2264, "<=" },  { 0x2265, ">=" },  { 0x2588, "#" },   { 0x2591, "." },
};

char *
dyno_cli_charset_convert (const char *text, const char *charset)
{
  GString *converted = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gsize length = 0;
      g_autofree char *same = NULL;
      gunichar character = g_utf8_get_char (p);
      gunichar parts[G_UNICHAR_MAX_DECOMPOSITION_LENGTH];
      const char *plain = NULL;
      gsize n_parts;

      if ((guchar)*p < 0x80)
        {
          g_string_append_c (converted, *p);
          continue;
        }
      same = g_convert (p, g_utf8_next_char (p) - p, charset, "UTF-8", NULL, &length, NULL);
      if (same != NULL)
        {
          g_string_append_len (converted, same, (gssize)length);
          continue;
        }
      for (guint i = 0; i < G_N_ELEMENTS (plain_texts) && plain == NULL; i++)
        if (plain_texts[i].character == character)
          plain = plain_texts[i].plain;
      /* The letter without its accent, or the digit of a superscript, comes first. */
      n_parts = g_unichar_fully_decompose (character, TRUE, parts, G_N_ELEMENTS (parts));
      if (plain != NULL)
        g_string_append (converted, plain);
      else
        g_string_append_c (converted, n_parts > 0 && parts[0] < 0x80 ? (char)parts[0] : '?');
    }
  return g_string_free (converted, FALSE);
}
