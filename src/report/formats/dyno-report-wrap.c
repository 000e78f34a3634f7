/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-report-plain.h"

/* A line in Chinese or Japanese does not begin with one of these. */
static const char no_start[] = "，。、：；！？）】》」』”’…—%‰℃";
/* Nor does it end with one of these. */
static const char no_end[] = "（【《「『“‘";

static guint
character_width (gunichar c)
{
  if (g_unichar_iszerowidth (c))
    return 0;
  return g_unichar_iswide (c) ? 2 : 1;
}

guint
dyno_report_text_width (const char *text)
{
  guint width = 0;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    width += character_width (g_utf8_get_char (p));
  return width;
}

/* Returns whether a line may end before the character at @p, as it may beside each wide one. */
static gboolean
may_break_before (const char *start, const char *p)
{
  gunichar next = g_utf8_get_char (p), before;

  if (p == start)
    return FALSE;
  before = g_utf8_get_char (g_utf8_prev_char (p));
  if (!g_unichar_iswide (next) && !g_unichar_iswide (before))
    return FALSE;
  return before != 0xa0 && next != 0xa0 && next != ' ' && g_utf8_strchr (no_start, -1, next) == NULL &&
         g_utf8_strchr (no_end, -1, before) == NULL;
}

/* Returns the end of the first line of a text: at its last space that is not before “%”, or beside its last
 * wide character, else after its last “-” or “/”, else after its first word. */
static const char *
find_line_end (const char *text, guint width)
{
  const char *end = NULL, *mark = NULL, *p = text;
  guint used = 0;

  for (; *p != '\0'; p = g_utf8_next_char (p))
    {
      if (used <= width && ((*p == ' ' && p[1] != '%') || may_break_before (text, p)))
        end = p;
      used += character_width (g_utf8_get_char (p));
      if (used > width && (end != NULL || mark != NULL))
        return end != NULL ? end : mark;
      if (*p == '-' || *p == '/')
        mark = p + 1;
      if (used > width && (*p == ' ' || mark == p + 1))
        return *p == ' ' ? p : mark;
    }
  return p;
}

static GStrv
wrap_hanging (const char *text, guint first_width, guint width)
{
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();

  do
    {
      const char *end = find_line_end (text, first_width);
      g_autofree char *line = g_strndup (text, (gsize)(end - text));

      g_strv_builder_add (lines, line);
      text = *end == ' ' ? end + 1 : end;
      first_width = width;
    }
  while (*text != '\0');
  return g_strv_builder_end (lines);
}

GStrv
dyno_report_text_wrap (const char *text, guint width)
{
  return wrap_hanging (text, width, width);
}

void
dyno_report_text_append (GString *lines, const char *text, guint indent, guint width)
{
  g_auto (GStrv) paragraphs = g_strsplit (text, "\n", -1);

  for (guint i = 0; paragraphs[i] != NULL; i++)
    {
      guint room = width > 2 * indent ? width - indent : width;
      g_auto (GStrv) parts = width == 0 ? dyno_report_text_wrap (paragraphs[i], G_MAXUINT)
                                        : wrap_hanging (paragraphs[i], width, room);

      for (guint k = 0; parts[k] != NULL; k++)
        g_string_append_printf (lines, "%*s%s\n", k > 0 && room < width ? (int)indent : 0, "", parts[k]);
    }
}
