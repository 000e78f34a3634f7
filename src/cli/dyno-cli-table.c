/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <stdarg.h>
#include <string.h>

#include "dyno-cli-private.h"
#include "dyno-text.h"

#define GAP       "  "
#define GAP_WIDTH 2

/* Sentences in a narrower column are hard to read. */
#define NARROWEST_SENTENCES 20

/* Separates the parts of a case, and a number from its unit. */
#define POINT     "·"
#define SEPARATOR "\u00a0" POINT " "
#define NO_BREAK  "\u00a0"

/* In characters: a name may come from an untrusted file. */
#define MAX_CELL 1000

typedef struct
{
  char kind; /* left, right, wrapped or parts */
  gboolean is_setting;
  guint rank;         /* 0: never dropped, 9: dropped first */
  gboolean is_common; /* printed above the table */
  char *words;        /* its text above the table; NULL for that of the cells */
  char *note;         /* printed below the table if the column is shown */
  char *unit;         /* the unit of all its numbers; NULL for none */
  guint natural_width;
  guint width;
} Column;

struct _DynoCliTable
{
  GArray *columns;
  GPtrArray *rows;
};

static gboolean keeps_all_columns;

static void
column_clear (gpointer data)
{
  Column *column = data;

  g_free (column->words);
  g_free (column->note);
  g_free (column->unit);
}

static Column *
get_column (DynoCliTable *self, guint number)
{
  return &g_array_index (self->columns, Column, number);
}

static void
read_columns (DynoCliTable *self, const char *columns)
{
  for (const char *p = columns; *p != '\0'; p++)
    if (g_ascii_isdigit (*p))
      get_column (self, self->columns->len - 1)->rank = (guint)g_ascii_digit_value (*p);
    else
      {
        const Column column = { .kind = g_ascii_tolower (*p), .is_setting = g_ascii_isupper (*p) };

        g_array_append_val (self->columns, column);
      }
}

DynoCliTable *
dyno_cli_table_new (const char *columns, ...)
{
  DynoCliTable *self = g_new0 (DynoCliTable, 1);
  char **headings;
  va_list args;

  self->columns = g_array_new (FALSE, FALSE, sizeof (Column));
  g_array_set_clear_func (self->columns, column_clear);
  read_columns (self, columns);
  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);
  headings = g_new0 (char *, self->columns->len + 1);
  va_start (args, columns);
  for (guint i = 0; i < self->columns->len; i++)
    headings[i] = g_strdup (va_arg (args, const char *));
  va_end (args);
  g_ptr_array_add (self->rows, headings);
  return self;
}

void
dyno_cli_table_free (DynoCliTable *self)
{
  g_array_unref (self->columns);
  g_ptr_array_unref (self->rows);
  g_free (self);
}

/* Converts the text as for printing, since its width counts. */
static char *
take_cell (char *text)
{
  g_autofree char *whole = text;
  g_autofree char *shortened = dyno_plain_text_shorten (whole, MAX_CELL);

  return g_strdelimit (dyno_plain_text_show_controls (shortened), "\n\t", ' ');
}

void
dyno_cli_table_take_row (DynoCliTable *self, ...)
{
  char **cells = g_new0 (char *, self->columns->len + 1);
  va_list args;

  va_start (args, self);
  for (guint i = 0; i < self->columns->len; i++)
    cells[i] = take_cell (va_arg (args, char *));
  va_end (args);
  g_ptr_array_add (self->rows, cells);
}

static void
append_to_row (DynoCliTable *self, guint row, char *text)
{
  guint n_columns = self->columns->len;
  char **cells = g_renew (char *, self->rows->pdata[row], n_columns + 1);

  cells[n_columns - 1] = text;
  cells[n_columns] = NULL;
  self->rows->pdata[row] = cells;
}

void
dyno_cli_table_take_column (DynoCliTable *self, const char *column, const char *heading, GStrv cells)
{
  guint n_rows = g_strv_length (cells);

  while (self->columns->len == 0 && self->rows->len < n_rows + 1)
    g_ptr_array_add (self->rows, g_new0 (char *, 1));
  g_return_if_fail (n_rows + 1 == self->rows->len);

  read_columns (self, column);
  append_to_row (self, 0, take_cell (g_strdup (heading)));
  for (guint row = 1; row < self->rows->len; row++)
    append_to_row (self, row, take_cell (cells[row - 1]));
  g_free (cells);
}

void
dyno_cli_table_take_words (DynoCliTable *self, char *words)
{
  Column *column = get_column (self, self->columns->len - 1);

  g_free (column->words);
  column->words = words;
}

void
dyno_cli_table_take_note (DynoCliTable *self, char *note)
{
  Column *column = get_column (self, self->columns->len - 1);

  g_free (column->note);
  column->note = note;
}

static const char *
get_cell (DynoCliTable *self, guint row, guint column)
{
  return ((char **)self->rows->pdata[row])[column];
}

static gboolean
is_content (const char *cell)
{
  return *cell != '\0' && !g_str_equal (cell, "—") && !g_str_equal (cell, "–");
}

/* Returns the unit of all numbers in a column; NULL if they differ or have none. */
static char *
dup_unit (DynoCliTable *self, guint column)
{
  const char *unit = NULL;

  if (get_column (self, column)->kind != 'r')
    return NULL;
  for (guint row = 1; row < self->rows->len; row++)
    {
      const char *cell = get_cell (self, row, column);
      const char *space = g_strrstr (cell, NO_BREAK);

      if (!is_content (cell))
        continue;
      if (space == NULL || g_ascii_isdigit (space[strlen (NO_BREAK)]) ||
          (unit != NULL && !g_str_equal (space, unit)))
        return NULL;
      unit = space;
    }
  return g_strdup (unit);
}

/* Returns a cell as shown in a table with units in its headings. */
static char *
dup_shown (DynoCliTable *self, guint row, guint number)
{
  const Column *column = get_column (self, number);
  const char *cell = get_cell (self, row, number);

  if (column->unit == NULL || (row > 0 && !is_content (cell)))
    return g_strdup (cell);
  if (row == 0)
    return g_strdup_printf ("%s (%s)", cell, column->unit + strlen (NO_BREAK));
  return g_strndup (cell, strlen (cell) - strlen (column->unit));
}

/* Returns the width of a column, 0 if it adds nothing. */
static guint
natural_width (DynoCliTable *self, guint column)
{
  g_autofree char *heading = dup_shown (self, 0, column);
  guint widest = 0;

  for (guint row = 1; row < self->rows->len; row++)
    {
      g_autofree char *cell = dup_shown (self, row, column);

      widest = MAX (widest, dyno_cli_text_width (cell));
    }
  return widest == 0 ? 0 : MAX (widest, dyno_cli_text_width (heading));
}

static void
restore_widths (DynoCliTable *self)
{
  for (guint i = 0; i < self->columns->len; i++)
    {
      Column *column = get_column (self, i);

      if (column->unit == NULL)
        column->unit = dup_unit (self, i);
      column->width = column->natural_width = column->is_common ? 0 : natural_width (self, i);
    }
}

static guint
total_width (DynoCliTable *self)
{
  guint total = 0;

  for (guint i = 0; i < self->columns->len; i++)
    if (get_column (self, i)->width > 0)
      total += get_column (self, i)->width + (total > 0 ? GAP_WIDTH : 0);
  return total;
}

/* Values that all rows share */

static void
append_words (GString *text, const char *words)
{
  if (*words != '\0')
    g_string_append_printf (text, "%s%s", text->len > 0 ? SEPARATOR : "", words);
}

static gboolean
is_same_in_all (DynoCliTable *self, guint column)
{
  for (guint row = 2; row < self->rows->len; row++)
    if (!g_str_equal (get_cell (self, row, column), get_cell (self, 1, column)))
      return FALSE;
  return TRUE;
}

static gboolean
has_content (DynoCliTable *self, guint column)
{
  for (guint row = 1; row < self->rows->len; row++)
    if (is_content (get_cell (self, row, column)))
      return TRUE;
  return FALSE;
}

/* Removes the spaces around the parts. */
static GStrv
split_parts (const char *text)
{
  GStrv parts = g_strsplit (text, POINT, -1);

  for (char **part = parts; *part != NULL; part++)
    {
      while (g_str_has_suffix (*part, NO_BREAK))
        (*part)[strlen (*part) - strlen (NO_BREAK)] = '\0';
      g_strstrip (*part);
    }
  return parts;
}

static gboolean
all_have_part (DynoCliTable *self, guint column, const char *part)
{
  for (guint row = 2; row < self->rows->len; row++)
    {
      g_auto (GStrv) parts = split_parts (get_cell (self, row, column));

      if (!g_strv_contains ((const char *const *)parts, part))
        return FALSE;
    }
  return TRUE;
}

static char *
join_others (char **parts, GPtrArray *common)
{
  GString *text = g_string_new (NULL);

  for (char **part = parts; *part != NULL; part++)
    if (!g_ptr_array_find_with_equal_func (common, *part, g_str_equal, NULL))
      append_words (text, *part);
  return g_string_free (text, FALSE);
}

/* Moves the parts that all cells of a column share above the table; a cell without other parts gets a dash,
 * unless the whole column is then empty. */
static void
move_parts (DynoCliTable *self, guint column, GString *above)
{
  g_auto (GStrv) first = split_parts (get_cell (self, 1, column));
  g_autoptr (GPtrArray) common = g_ptr_array_new ();
  gboolean is_empty = is_same_in_all (self, column);

  for (char **part = first; *part != NULL; part++)
    if (all_have_part (self, column, *part))
      {
        g_ptr_array_add (common, *part);
        append_words (above, *part);
      }
  for (guint row = 1; row < self->rows->len; row++)
    {
      char **cells = self->rows->pdata[row];
      g_auto (GStrv) parts = split_parts (cells[column]);
      g_autofree char *others = join_others (parts, common);

      g_free (cells[column]);
      cells[column] = *others == '\0' && !is_empty ? g_strdup ("—") : g_steal_pointer (&others);
    }
}

/* Above the table, a number needs its heading beside it. */
static char *
dup_words (DynoCliTable *self, guint number)
{
  const Column *column = get_column (self, number);
  const char *cell = get_cell (self, 1, number);

  if (column->words != NULL || column->kind != 'r')
    return g_strdup (column->words != NULL ? column->words : cell);
  return g_strdup_printf ("%s: %s", get_cell (self, 0, number), cell);
}

/* Takes the columns with equal cells out of the table, and returns a line with their values. */
static char *
dup_common (DynoCliTable *self)
{
  GString *above = g_string_new (NULL);

  for (guint i = 0; i < self->columns->len; i++)
    {
      Column *column = get_column (self, i);

      if (column->kind == 'p')
        move_parts (self, i, above);
      else if (!has_content (self, i))
        column->is_common = TRUE;
      else if (column->is_setting && is_same_in_all (self, i))
        {
          g_autofree char *words = dup_words (self, i);

          column->is_common = TRUE;
          append_words (above, words);
        }
    }
  return g_string_free (above, FALSE);
}

/* Fitting to the width */

static gboolean
is_wrapped (const Column *column)
{
  return column->kind == 'w' || column->kind == 'p';
}

/* Returns the width of a column of numbers with a wrapped heading. */
static guint
narrow_width (DynoCliTable *self, guint column)
{
  g_autofree char *heading = dup_shown (self, 0, column);
  g_auto (GStrv) words = g_strsplit (heading, " ", -1);
  guint widest = 0;

  for (guint row = 1; row < self->rows->len; row++)
    {
      g_autofree char *cell = dup_shown (self, row, column);

      widest = MAX (widest, dyno_cli_text_width (cell));
    }
  for (char **word = words; *word != NULL; word++)
    widest = MAX (widest, dyno_cli_text_width (*word));
  return widest;
}

/* Narrows columns of sentences to the minimum, and wraps headings above numbers. */
static void
squeeze_columns (DynoCliTable *self)
{
  for (guint i = 0; i < self->columns->len; i++)
    {
      Column *column = get_column (self, i);

      if (is_wrapped (column))
        column->width = MIN (column->width, NARROWEST_SENTENCES);
      else if (column->kind == 'r' && column->width > 0)
        column->width = narrow_width (self, i);
    }
}

static Column *
find_least_important (DynoCliTable *self)
{
  Column *found = NULL;

  for (guint i = 0; i < self->columns->len; i++)
    {
      Column *column = get_column (self, i);

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

/* The remaining width goes to sentences that need it, one character each in turn, then to headings that fit
 * on one line. */
static void
widen_columns (DynoCliTable *self, guint available)
{
  guint spare = available - total_width (self);
  gboolean is_wanted = TRUE;

  while (spare > 0 && is_wanted)
    {
      is_wanted = FALSE;
      for (guint i = 0; i < self->columns->len && spare > 0; i++)
        {
          Column *column = get_column (self, i);

          if (!is_wrapped (column) || column->width == 0 || column->width >= column->natural_width)
            continue;
          column->width++;
          spare--;
          is_wanted = TRUE;
        }
    }
  for (guint i = 0; i < self->columns->len; i++)
    {
      Column *column = get_column (self, i);

      if (column->width == 0 || is_wrapped (column) || column->natural_width - column->width > spare)
        continue;
      spare -= column->natural_width - column->width;
      column->width = column->natural_width;
    }
}

/* Columns */

static void
append_cell (GString *line, const char *text, const Column *column)
{
  guint used = dyno_cli_text_width (text);
  int padding = used < column->width ? (int)(column->width - used) : 0;

  if (line->len > 0)
    g_string_append (line, GAP);
  if (column->kind == 'r')
    g_string_append_printf (line, "%*s", padding, "");
  g_string_append (line, text);
  if (column->kind != 'r')
    g_string_append_printf (line, "%*s", padding, "");
}

/* Appends one line of a row; returns whether it has any text. */
static gboolean
append_line (DynoCliTable *self, GString *text, GStrv *cells, guint number)
{
  g_autoptr (GString) line = g_string_new (NULL);
  gboolean has_text = FALSE;

  for (guint i = 0; i < self->columns->len; i++)
    if (get_column (self, i)->width > 0)
      {
        gboolean is_there = number < g_strv_length (cells[i]);

        append_cell (line, is_there ? cells[i][number] : "", get_column (self, i));
        has_text |= is_there;
      }
  if (has_text)
    g_string_append_printf (text, "%s\n", g_strchomp (line->str));
  return has_text;
}

static void
append_row (DynoCliTable *self, GString *text, guint row)
{
  g_autofree GStrv *cells = g_new0 (GStrv, self->columns->len);
  guint number = 0;

  for (guint i = 0; i < self->columns->len; i++)
    {
      const Column *column = get_column (self, i);
      g_autofree char *cell = dup_shown (self, row, i);

      cells[i] = dyno_cli_text_wrap (cell, is_wrapped (column) || row == 0 ? column->width : G_MAXUINT);
    }
  while (append_line (self, text, cells, number))
    number++;
  for (guint i = 0; i < self->columns->len; i++)
    g_strfreev (cells[i]);
}

static void
append_paragraph (GString *text, const char *paragraph, guint width)
{
  g_auto (GStrv) lines = dyno_cli_text_wrap (paragraph, width > 0 ? width : G_MAXUINT);

  for (char **line = lines; *line != NULL; line++)
    g_string_append_printf (text, "%s\n", *line);
}

static void
append_hidden (DynoCliTable *self, GString *text, guint width)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) hidden = NULL;
  g_autofree char *list = NULL;
  g_autofree char *sentence = NULL;

  for (guint i = 0; i < self->columns->len; i++)
    if (get_column (self, i)->width == 0 && get_column (self, i)->natural_width > 0)
      g_strv_builder_add (names, get_cell (self, 0, i));
  hidden = g_strv_builder_end (names);
  if (hidden[0] == NULL)
    return;
  list = g_strjoinv (", ", hidden);
  /* Translators: below a table; %s is a list of headings */
  sentence = g_strdup_printf (_ ("Not shown: %s. Use --wide for all columns."), list);
  append_paragraph (text, sentence, width);
}

static void
append_notes (DynoCliTable *self, GString *text, guint width)
{
  for (guint i = 0; i < self->columns->len; i++)
    if (get_column (self, i)->width > 0 && get_column (self, i)->note != NULL)
      append_paragraph (text, get_column (self, i)->note, width);
}

static void
append_columns (DynoCliTable *self, GString *text, guint width)
{
  for (guint row = 0; row < self->rows->len; row++)
    append_row (self, text, row);
  append_hidden (self, text, width);
  append_notes (self, text, width);
}

/* Cards */

static guint
widest_heading (DynoCliTable *self)
{
  guint widest = 0;

  for (guint i = 0; i < self->columns->len; i++)
    if (get_column (self, i)->natural_width > 0)
      widest = MAX (widest, dyno_cli_text_width (get_cell (self, 0, i)) + 1);
  return widest;
}

static void
append_member (GString *text, const char *heading, const char *value, guint indent, guint terminal_width)
{
  guint room = terminal_width > indent + 1 ? terminal_width - indent - 1 : 1;
  g_auto (GStrv) lines = dyno_cli_text_wrap (value, room);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *start = g_strconcat (i == 0 ? heading : "", i == 0 ? ":" : "", NULL);

      g_string_append_printf (text, "%s%*s %s\n", start, (int)(indent - dyno_cli_text_width (start)), "",
                              lines[i]);
    }
}

static void
append_cards (DynoCliTable *self, GString *text, guint width)
{
  guint indent;

  restore_widths (self);
  indent = widest_heading (self);
  for (guint row = 1; row < self->rows->len; row++)
    {
      if (row > 1)
        g_string_append_c (text, '\n');
      for (guint i = 0; i < self->columns->len; i++)
        if (!get_column (self, i)->is_common && is_content (get_cell (self, row, i)))
          append_member (text, get_cell (self, 0, i), get_cell (self, row, i), indent, width);
    }
  append_notes (self, text, width);
}

char *
dyno_cli_table_to_string (DynoCliTable *self, guint terminal_width)
{
  GString *text = g_string_new (NULL);
  g_autofree char *common = NULL;

  restore_widths (self);
  if (terminal_width == 0 || self->rows->len == 1 || total_width (self) <= terminal_width)
    {
      append_columns (self, text, terminal_width);
      return g_string_free (text, FALSE);
    }
  common = dup_common (self);
  restore_widths (self);
  squeeze_columns (self);
  drop_columns (self, terminal_width);
  if (*common != '\0')
    append_paragraph (text, common, terminal_width);
  if (total_width (self) > terminal_width)
    append_cards (self, text, terminal_width);
  else
    {
      widen_columns (self, terminal_width);
      append_columns (self, text, terminal_width);
    }
  return g_string_free (text, FALSE);
}

void
dyno_cli_table_print (DynoCliTable *self)
{
  g_autofree char *text =
      dyno_cli_table_to_string (self, keeps_all_columns ? 0 : dyno_cli_text_get_terminal_width ());

  g_print ("%s", text);
}

const GOptionEntry *
dyno_cli_table_get_entries (void)
{
  static const GOptionEntry entries[] = {
    { "wide", 'w', 0, G_OPTION_ARG_NONE, &keeps_all_columns,
      "Show all columns of tables, also those that do not fit the terminal", NULL },
    G_OPTION_ENTRY_NULL,
  };

  return entries;
}
