/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "dyno-cli-private.h"

#define DEFAULT_TERMINAL_WIDTH 80

static guint
character_width (gunichar c)
{
  if (g_unichar_iszerowidth (c))
    return 0;
  return g_unichar_iswide (c) ? 2 : 1;
}

guint
dyno_cli_text_width (const char *text)
{
  guint width = 0;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    width += character_width (g_utf8_get_char (p));
  return width;
}

/* Returns the end of the first line of a text: at its last space that is not before “%”, else after its last
 * “-” or “/”, else after its first word. */
static const char *
find_line_end (const char *text, guint width)
{
  const char *space = NULL, *mark = NULL, *p = text;
  guint used = 0;

  for (; *p != '\0'; p = g_utf8_next_char (p))
    {
      if (*p == ' ' && p[1] != '%' && used <= width)
        space = p;
      used += character_width (g_utf8_get_char (p));
      if (used > width && (space != NULL || mark != NULL))
        return space != NULL ? space : mark;
      if (*p == '-' || *p == '/')
        mark = p + 1;
      if (used > width && (*p == ' ' || mark == p + 1))
        return *p == ' ' ? p : mark;
    }
  return p;
}

GStrv
dyno_cli_text_wrap (const char *text, guint width)
{
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();

  do
    {
      const char *end = find_line_end (text, width);
      g_autofree char *line = g_strndup (text, (gsize)(end - text));

      g_strv_builder_add (lines, line);
      text = *end == ' ' ? end + 1 : end;
    }
  while (*text != '\0');
  return g_strv_builder_end (lines);
}

guint
dyno_cli_text_get_terminal_width (void)
{
  struct winsize size = { 0 };

  if (!isatty (STDOUT_FILENO))
    return 0;
  return ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col
                                                                          : DEFAULT_TERMINAL_WIDTH;
}
