/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "dyno-cli-table.h"
#include "dyno-plain-text.h"

#define GAP       "  "
#define GAP_WIDTH 2

/* On a narrower terminal, a table that does not fit becomes a block per row. */
#define BLOCKS_BELOW 80

/* A sentence in a narrower column is no longer readable. */
#define NARROWEST_SENTENCES 24

#define DEFAULT_TERMINAL_WIDTH 80

/* In characters: a name may be a stranger's. */
#define MAX_CELL 1000

typedef struct
{
  char kind;  /* left, right or wrapped */
  guint rank; /* 0 stays, 9 is dropped first */
  guint natural_width;
  guint width;
} Column;

struct _DynoCliTable
{
  Column *columns;
  guint n_columns;
  GPtrArray *rows;
};

static gboolean keeps_all_columns;

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

static void
read_columns (DynoCliTable *self, const char *columns)
{
  self->columns = g_renew (Column, self->columns, self->n_columns + strlen (columns));
  for (const char *p = columns; *p != '\0'; p++)
    if (g_ascii_isdigit (*p))
      self->columns[self->n_columns - 1].rank = (guint)g_ascii_digit_value (*p);
    else
      self->columns[self->n_columns++] = (Column){ .kind = *p };
}

/**
 * dyno_cli_table_new:
 * @columns: a letter for each column, `l` for left, `r` for right, `w` for sentences that may be wrapped; a digit
 *   behind it says how soon it is dropped where there is no room, 9 first; without one it stays
 * @...: its headings, %NULL-terminated
 *
 * Returns: (transfer full): a table without rows
 */
DynoCliTable *
dyno_cli_table_new (const char *columns, ...)
{
  DynoCliTable *self = g_new0 (DynoCliTable, 1);
  char **headings;
  va_list args;

  read_columns (self, columns);
  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);
  headings = g_new0 (char *, self->n_columns + 1);
  va_start (args, columns);
  for (guint i = 0; i < self->n_columns; i++)
    headings[i] = g_strdup (va_arg (args, const char *));
  va_end (args);
  g_ptr_array_add (self->rows, headings);
  return self;
}

void
dyno_cli_table_free (DynoCliTable *self)
{
  g_free (self->columns);
  g_ptr_array_unref (self->rows);
  g_free (self);
}

/* As it is printed, since its width counts. */
static char *
take_cell (char *text)
{
  g_autofree char *whole = text;
  g_autofree char *shortened = dyno_plain_text_shorten (whole, MAX_CELL);

  return g_strdelimit (dyno_plain_text_show_controls (shortened), "\n\t", ' ');
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
    cells[i] = take_cell (va_arg (args, char *));
  va_end (args);
  g_ptr_array_add (self->rows, cells);
}

static void
append_to_row (DynoCliTable *self, guint row, char *text)
{
  char **cells = g_renew (char *, self->rows->pdata[row], self->n_columns + 1);

  cells[self->n_columns - 1] = text;
  cells[self->n_columns] = NULL;
  self->rows->pdata[row] = cells;
}

/**
 * dyno_cli_table_take_column:
 * @self: a table with all its rows
 * @column: as of [func@Dyno.cli_table_new], of one more column
 * @heading: its heading
 * @cells: (transfer full): a text for each row
 *
 * Adds a column behind the others: one of those that only the rows themselves make known.
 */
void
dyno_cli_table_take_column (DynoCliTable *self, const char *column, const char *heading, GStrv cells)
{
  g_return_if_fail (g_strv_length (cells) + 1 == self->rows->len);

  read_columns (self, column);
  append_to_row (self, 0, take_cell (g_strdup (heading)));
  for (guint row = 1; row < self->rows->len; row++)
    append_to_row (self, row, take_cell (cells[row - 1]));
  g_free (cells);
}

static const char *
get_cell (DynoCliTable *self, guint row, guint column)
{
  return ((char **)self->rows->pdata[row])[column];
}

/* The width of a column, 0 for one that says nothing. */
static guint
natural_width (DynoCliTable *self, guint column)
{
  guint widest = 0;

  for (guint row = 1; row < self->rows->len; row++)
    widest = MAX (widest, text_width (get_cell (self, row, column)));
  return widest == 0 ? 0 : MAX (widest, text_width (get_cell (self, 0, column)));
}

static void
restore_widths (DynoCliTable *self)
{
  for (guint i = 0; i < self->n_columns; i++)
    self->columns[i].width = self->columns[i].natural_width = natural_width (self, i);
}

static guint
total_width (DynoCliTable *self)
{
  guint total = 0;

  for (guint i = 0; i < self->n_columns; i++)
    if (self->columns[i].width > 0)
      total += self->columns[i].width + (total > 0 ? GAP_WIDTH : 0);
  return total;
}

/* As narrow as its sentences can be read. */
static void
squeeze_sentences (DynoCliTable *self)
{
  for (guint i = 0; i < self->n_columns; i++)
    if (self->columns[i].kind == 'w')
      self->columns[i].width = MIN (self->columns[i].width, NARROWEST_SENTENCES);
}

static Column *
find_least_important (DynoCliTable *self)
{
  Column *found = NULL;

  for (guint i = 0; i < self->n_columns; i++)
    {
      Column *column = &self->columns[i];

      if (column->width > 0 && column->rank > 0 && (found == NULL || column->rank >= found->rank))
        found = column;
    }
  return found;
}

static void
drop_columns (DynoCliTable *self, guint available)
{
  Column *column;

  while (total_width (self) > available && (column = find_least_important (self)) != NULL)
    column->width = 0;
}

/* What is left over goes to the sentences that want it, a character each in turn. */
static void
widen_sentences (DynoCliTable *self, guint available)
{
  guint spare = available - total_width (self);
  gboolean is_wanted = TRUE;

  while (spare > 0 && is_wanted)
    {
      is_wanted = FALSE;
      for (guint i = 0; i < self->n_columns && spare > 0; i++)
        if (self->columns[i].width > 0 && self->columns[i].width < self->columns[i].natural_width)
          {
            self->columns[i].width++;
            spare--;
            is_wanted = TRUE;
          }
    }
}

/* The hyphens of words that are longer than a line are where it may break. */
static GStrv
split (const char *text, guint width)
{
  g_autoptr (GString) marked = g_string_new (NULL);
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autoptr (GString) word = g_string_new (words[i]);

      if (text_width (words[i]) > width)
        g_string_replace (word, "-", "- ", 0);
      g_string_append_printf (marked, "%s%s", i > 0 ? " " : "", word->str);
    }
  return g_strsplit (marked->str, " ", -1);
}

/* The lines that a text takes in so many columns; a word that is longer stands on a line of its own. */
static GStrv
wrap (const char *text, guint width)
{
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();
  g_auto (GStrv) words = split (text, width);
  g_autoptr (GString) line = g_string_new (words[0]);

  for (guint i = 1; words[0] != NULL && words[i] != NULL; i++)
    if (text_width (line->str) + 1 + text_width (words[i]) <= width)
      g_string_append_printf (line, " %s", words[i]);
    else
      {
        g_strv_builder_add (lines, line->str);
        g_string_assign (line, words[i]);
      }
  g_strv_builder_add (lines, line->str);
  return g_strv_builder_end (lines);
}

static void
append_cell (GString *line, const char *text, const Column *column)
{
  guint used = text_width (text);
  int padding = used < column->width ? (int)(column->width - used) : 0;

  if (line->len > 0)
    g_string_append (line, GAP);
  if (column->kind == 'r')
    g_string_append_printf (line, "%*s", padding, "");
  g_string_append (line, text);
  if (column->kind != 'r')
    g_string_append_printf (line, "%*s", padding, "");
}

/* One line of a row; returns whether there was any text on it. */
static gboolean
append_line (DynoCliTable *self, GString *text, GStrv *cells, guint number)
{
  g_autoptr (GString) line = g_string_new (NULL);
  gboolean has_text = FALSE;

  for (guint i = 0; i < self->n_columns; i++)
    if (self->columns[i].width > 0)
      {
        gboolean is_there = number < g_strv_length (cells[i]);

        append_cell (line, is_there ? cells[i][number] : "", &self->columns[i]);
        has_text |= is_there;
      }
  if (has_text)
    g_string_append_printf (text, "%s\n", g_strchomp (line->str));
  return has_text;
}

static void
append_row (DynoCliTable *self, GString *text, guint row)
{
  g_autofree GStrv *cells = g_new0 (GStrv, self->n_columns);
  guint number = 0;

  for (guint i = 0; i < self->n_columns; i++)
    cells[i] =
        wrap (get_cell (self, row, i), self->columns[i].kind == 'w' ? self->columns[i].width : G_MAXUINT);
  while (append_line (self, text, cells, number))
    number++;
  for (guint i = 0; i < self->n_columns; i++)
    g_strfreev (cells[i]);
}

static void
append_hidden (DynoCliTable *self, GString *text)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) hidden = NULL;
  g_autofree char *list = NULL;

  for (guint i = 0; i < self->n_columns; i++)
    if (self->columns[i].width == 0 && self->columns[i].natural_width > 0)
      g_strv_builder_add (names, get_cell (self, 0, i));
  hidden = g_strv_builder_end (names);
  if (hidden[0] == NULL)
    return;
  list = g_strjoinv (", ", hidden);
  g_string_append_printf (text, _ ("Not shown: %s. Use --wide for all columns.\n"), list);
}

static char *
to_columns (DynoCliTable *self)
{
  GString *text = g_string_new (NULL);

  for (guint row = 0; row < self->rows->len; row++)
    append_row (self, text, row);
  append_hidden (self, text);
  return g_string_free (text, FALSE);
}

static guint
widest_heading (DynoCliTable *self)
{
  guint widest = 0;

  for (guint i = 0; i < self->n_columns; i++)
    if (self->columns[i].natural_width > 0)
      widest = MAX (widest, text_width (get_cell (self, 0, i)));
  return widest;
}

static void
append_member (GString *text, const char *heading, const char *value, guint indent, guint terminal_width)
{
  guint room = terminal_width > indent + GAP_WIDTH ? terminal_width - indent - GAP_WIDTH : 1;
  g_auto (GStrv) lines = wrap (value, room);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *start = i == 0 ? heading : "";

      g_string_append_printf (text, "%s%*s" GAP "%s\n", start, (int)(indent - text_width (start)), "",
                              lines[i]);
    }
}

static char *
to_blocks (DynoCliTable *self, guint terminal_width)
{
  GString *text = g_string_new (NULL);
  guint indent = widest_heading (self);

  for (guint row = 1; row < self->rows->len; row++)
    {
      if (row > 1)
        g_string_append_c (text, '\n');
      for (guint i = 0; i < self->n_columns; i++)
        if (*get_cell (self, row, i) != '\0')
          append_member (text, get_cell (self, 0, i), get_cell (self, row, i), indent, terminal_width);
    }
  return g_string_free (text, FALSE);
}

/**
 * dyno_cli_table_to_string:
 * @self: a table
 * @terminal_width: how wide the terminal is, 0 where there is no limit
 *
 * Returns: (transfer full): its lines, each ended
 */
char *
dyno_cli_table_to_string (DynoCliTable *self, guint terminal_width)
{
  restore_widths (self);
  if (terminal_width == 0 || total_width (self) <= terminal_width)
    return to_columns (self);
  squeeze_sentences (self);
  if (total_width (self) > terminal_width && terminal_width < BLOCKS_BELOW)
    return to_blocks (self, terminal_width);
  drop_columns (self, terminal_width);
  if (total_width (self) > terminal_width)
    return to_blocks (self, terminal_width);
  widen_sentences (self, terminal_width);
  return to_columns (self);
}

/* 0 in a pipe or a file, where nobody knows how wide the reader is. */
static guint
get_terminal_width (void)
{
  struct winsize size = { 0 };

  if (!isatty (STDOUT_FILENO))
    return 0;
  return ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col
                                                                          : DEFAULT_TERMINAL_WIDTH;
}

/**
 * dyno_cli_table_print:
 * @self: a table
 *
 * Prints it as the terminal has room for, or whole with `--wide`.
 */
void
dyno_cli_table_print (DynoCliTable *self)
{
  g_autofree char *text = dyno_cli_table_to_string (self, keeps_all_columns ? 0 : get_terminal_width ());

  g_print ("%s", text);
}

/**
 * dyno_cli_table_get_entries:
 *
 * Returns: (transfer none): the options of every command that prints tables
 */
GOptionEntry *
dyno_cli_table_get_entries (void)
{
  static GOptionEntry entries[] = {
    { "wide", 'w', 0, G_OPTION_ARG_NONE, &keeps_all_columns,
      "Show all table columns, even if they do not fit the terminal", NULL },
    G_OPTION_ENTRY_NULL,
  };

  return entries;
}
