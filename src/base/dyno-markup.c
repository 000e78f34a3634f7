/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-text.h"

char *
dyno_markup_escape (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  g_autoptr (GString) clean = g_string_sized_new (64);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      g_string_append_unichar (clean, (c == '\t' || c == '\n' || (c >= 0x20 && c < 0x7f) ||
                                       (c >= 0xa0 && c != 0xfffe && c != 0xffff))
                                          ? c
                                          : 0xfffd);
    }
  return g_markup_escape_text (clean->str, (gssize)clean->len);
}
