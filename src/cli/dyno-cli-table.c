/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdarg.h>
#include <string.h>

#include "dyno-cli-table.h"

#define GAP "  "

struct _DynoCliTable
{
  char *alignment;
  guint n_columns;
  GPtrArray *rows;
};

/* How many columns of a terminal a text takes. */
static guint
text_width (const char *text)
{
  guint width = 0;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (!g_unichar_iszerowidth (c))
        width += g_unichar_iswide (c) ? 2 : 1;
    }
  return width;
}

/**
 * dyno_cli_table_new:
 * @alignment: `l` or `r` for each column
 * @...: its headings, %NULL-terminated
 *
 * Returns: (transfer full): a table without rows
 */
DynoCliTable *
dyno_cli_table_new (const char *alignment, ...)
{
  DynoCliTable *self = g_new0 (DynoCliTable, 1);
  char **headings;
  va_list args;

  self->alignment = g_strdup (alignment);
  self->n_columns = strlen (alignment);
  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);
  headings = g_new0 (char *, self->n_columns + 1);
  va_start (args, alignment);
  for (guint i = 0; i < self->n_columns; i++)
    headings[i] = g_strdup (va_arg (args, const char *));
  va_end (args);
  g_ptr_array_add (self->rows, headings);
  return self;
}

void
dyno_cli_table_free (DynoCliTable *self)
{
  g_free (self->alignment);
  g_ptr_array_unref (self->rows);
  g_free (self);
}

/**
 * dyno_cli_table_take_row:
 * @self: a table
 * @...: (transfer full): a text for each column, %NULL-terminated; an empty one leaves the place blank
 */
void
dyno_cli_table_take_row (DynoCliTable *self, ...)
{
  char **cells = g_new0 (char *, self->n_columns + 1);
  va_list args;

  va_start (args, self);
  for (guint i = 0; i < self->n_columns; i++)
    cells[i] = va_arg (args, char *);
  va_end (args);
  g_ptr_array_add (self->rows, cells);
}

/* The width of a column, 0 for one that says nothing. */
static guint
column_width (DynoCliTable *self, guint column)
{
  guint widest = 0;

  for (guint row = 1; row < self->rows->len; row++)
    widest = MAX (widest, text_width (((char **)self->rows->pdata[row])[column]));
  return widest == 0 ? 0 : MAX (widest, text_width (((char **)self->rows->pdata[0])[column]));
}

static void
append_cell (GString *line, const char *text, guint width, char alignment)
{
  guint padding = width - text_width (text);

  if (line->len > 0)
    g_string_append (line, GAP);
  if (alignment == 'r')
    g_string_append_printf (line, "%*s", (int)padding, "");
  g_string_append (line, text);
  if (alignment == 'l')
    g_string_append_printf (line, "%*s", (int)padding, "");
}

/**
 * dyno_cli_table_to_string:
 * @self: a table
 *
 * Returns: (transfer full): its lines, each ended
 */
char *
dyno_cli_table_to_string (DynoCliTable *self)
{
  g_autofree guint *widths = g_new0 (guint, self->n_columns);
  g_autoptr (GString) line = g_string_new (NULL);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->n_columns; i++)
    widths[i] = column_width (self, i);
  for (guint row = 0; row < self->rows->len; row++)
    {
      char **cells = self->rows->pdata[row];

      g_string_truncate (line, 0);
      for (guint i = 0; i < self->n_columns; i++)
        if (widths[i] > 0)
          append_cell (line, cells[i], widths[i], self->alignment[i]);
      g_string_append_printf (text, "%s\n", g_strchomp (line->str));
    }
  return g_string_free (text, FALSE);
}

/**
 * dyno_cli_table_print:
 * @self: a table
 */
void
dyno_cli_table_print (DynoCliTable *self)
{
  g_autofree char *text = dyno_cli_table_to_string (self);

  g_print ("%s", text);
}
