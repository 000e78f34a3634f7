/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-text.h"

/* As many names as people read in a sentence. */
#define MAX_LISTED 8

static gunichar
to_visible (gunichar character)
{
  if (character == '\n' || character == '\t')
    return ' ';
  return g_unichar_iscntrl (character) ? 0xfffd : character;
}

/**
 * dyno_text_shorten:
 * @text: (nullable): a text of a stranger, such as a name in a file
 * @most: how many characters to keep, such as %DYNO_TEXT_NAME
 *
 * Returns: (transfer full): its beginning, in one line and in UTF-8; it ends with “…” if there was more
 */
char *
dyno_text_shorten (const char *text, guint most)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  GString *shown = g_string_new (NULL);
  const char *c = valid;

  for (guint i = 0; i < most && *c != '\0'; i++, c = g_utf8_next_char (c))
    g_string_append_unichar (shown, to_visible (g_utf8_get_char (c)));
  if (*c != '\0')
    g_string_append (shown, "…");
  return g_string_free (shown, FALSE);
}

/**
 * dyno_text_join:
 * @texts: (array length=n_texts): names of a stranger
 * @n_texts: how many
 * @separator: what stands between two of them
 * @suffix: what follows each of them
 *
 * Returns: (transfer full): the first few, and how many more there are
 */
char *
dyno_text_join (const char *const *texts, guint n_texts, const char *separator, const char *suffix)
{
  GString *joined = g_string_new (NULL);

  for (guint i = 0; i < MIN (n_texts, MAX_LISTED); i++)
    {
      g_autofree char *text = dyno_text_shorten (texts[i], DYNO_TEXT_NAME);

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
