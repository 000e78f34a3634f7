/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-report-plain.h"
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
  const DynoReportColumn *of;
  gboolean is_common; /* printed above the table */
  char *unit;         /* the unit of all its numbers; NULL for none */
  guint natural_width;
  guint width;
} Column;

/* A table that is fitted to a width; the first of its rows holds the headings. */
typedef struct
{
  GArray *columns;
  GPtrArray *rows;
} Layout;

static void
column_clear (gpointer data)
{
  g_free (((Column *)data)->unit);
}

static Column *
get_column (Layout *self, guint number)
{
  return &g_array_index (self->columns, Column, number);
}

/* Converts the text as for printing, since its width counts. */
static char *
dup_cell (const char *text)
{
  g_autofree char *shortened = dyno_plain_text_shorten (text, MAX_CELL);

  return g_strdelimit (dyno_plain_text_show_controls (shortened), "\n\t", ' ');
}

static void
layout_init (Layout *self, const DynoReportTable *table)
{
  char **titles = g_new0 (char *, table->columns->len + 1);

  self->columns = g_array_new (FALSE, FALSE, sizeof (Column));
  g_array_set_clear_func (self->columns, column_clear);
  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);
  g_ptr_array_add (self->rows, titles);
  for (guint i = 0; i < table->columns->len; i++)
    {
      const Column column = { .of = &g_array_index (table->columns, DynoReportColumn, i) };

      g_array_append_val (self->columns, column);
      titles[i] = dup_cell (column.of->title);
    }
  for (guint row = 0; row < table->rows->len; row++)
    {
      const GArray *cells = table->rows->pdata[row];
      char **texts = g_new0 (char *, table->columns->len + 1);

      for (guint i = 0; i < cells->len; i++)
        texts[i] = dup_cell (g_array_index (cells, DynoReportCell, i).text);
      g_ptr_array_add (self->rows, texts);
    }
}

static void
layout_clear (Layout *self)
{
  g_array_unref (self->columns);
  g_ptr_array_unref (self->rows);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Layout, layout_clear)

static const char *
get_cell (Layout *self, guint row, guint column)
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
dup_unit (Layout *self, guint column)
{
  const char *unit = NULL;

  if (!get_column (self, column)->of->is_number)
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
dup_shown (Layout *self, guint row, guint number)
{
  const Column *column = get_column (self, number);
  const char *cell = get_cell (self, row, number);

  if (column->unit == NULL || (row > 0 && !is_content (cell)))
    return g_strdup (cell);
  if (row == 0)
    return g_strdup_printf ("%s (%s)", cell, column->unit + strlen (NO_BREAK));
  return g_strndup (cell, strlen (cell) - strlen (column->unit));
}

/* Returns the width of a column without its heading. */
static guint
cells_width (Layout *self, guint column)
{
  guint widest = 0;

  for (guint row = 1; row < self->rows->len; row++)
    {
      g_autofree char *cell = dup_shown (self, row, column);

      widest = MAX (widest, dyno_report_text_width (cell));
    }
  return widest;
}

/* Returns the width of a column, 0 if it adds nothing. */
static guint
natural_width (Layout *self, guint column)
{
  g_autofree char *heading = dup_shown (self, 0, column);
  guint widest = cells_width (self, column);

  return widest == 0 ? 0 : MAX (widest, dyno_report_text_width (heading));
}

static void
restore_widths (Layout *self)
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
total_width (Layout *self)
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
is_same_in_all (Layout *self, guint column)
{
  for (guint row = 2; row < self->rows->len; row++)
    if (!g_str_equal (get_cell (self, row, column), get_cell (self, 1, column)))
      return FALSE;
  return TRUE;
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

/* Moves the parts that all cells of a column share above the table; a cell without other parts gets a dash,
 * unless the whole column is then empty. */
static void
move_parts (Layout *self, guint column, GString *above)
{
  g_auto (GStrv) first = split_parts (get_cell (self, 1, column));
  g_autoptr (GPtrArray) common = g_ptr_array_new ();
  gboolean is_empty = is_same_in_all (self, column);

  for (char **part = first; *part != NULL; part++)
    {
      gboolean in_all = TRUE;

      for (guint row = 2; row < self->rows->len && in_all; row++)
        {
          g_auto (GStrv) parts = split_parts (get_cell (self, row, column));

          in_all = g_strv_contains ((const char *const *)parts, *part);
        }
      if (!in_all)
        continue;
      g_ptr_array_add (common, *part);
      append_words (above, *part);
    }
  for (guint row = 1; row < self->rows->len; row++)
    {
      char **cells = self->rows->pdata[row];
      g_auto (GStrv) parts = split_parts (cells[column]);
      GString *others = g_string_new (NULL);

      for (char **part = parts; *part != NULL; part++)
        if (!g_ptr_array_find_with_equal_func (common, *part, g_str_equal, NULL))
          append_words (others, *part);
      if (others->len == 0 && !is_empty)
        g_string_append (others, "—");
      g_free (cells[column]);
      cells[column] = g_string_free (others, FALSE);
    }
}

/* Takes the columns with equal cells out of the table, and returns a line with their values. */
static char *
dup_common (Layout *self)
{
  GString *above = g_string_new (NULL);

  for (guint i = 0; i < self->columns->len; i++)
    {
      Column *column = get_column (self, i);
      gboolean has_content = FALSE;

      for (guint row = 1; row < self->rows->len && !has_content; row++)
        has_content = is_content (get_cell (self, row, i));
      if (column->of->is_parts)
        move_parts (self, i, above);
      else if (!has_content)
        column->is_common = TRUE;
      else if (column->of->is_setting && is_same_in_all (self, i))
        {
          const char *cell = get_cell (self, 1, i);
          /* Above the table, a number needs its heading beside it. */
          g_autofree char *named = g_strdup_printf ("%s: %s", get_cell (self, 0, i), cell);

          column->is_common = TRUE;
          append_words (above, column->of->words != NULL ? column->of->words
                               : column->of->is_number   ? named
                                                         : cell);
        }
    }
  return g_string_free (above, FALSE);
}

/* Fitting to the width */

static gboolean
is_wrapped (const Column *column)
{
  return column->of->is_wrapped || column->of->is_parts;
}

/* Narrows columns of sentences to the minimum, and wraps headings above numbers. */
static void
squeeze_columns (Layout *self)
{
  for (guint i = 0; i < self->columns->len; i++)
    {
      Column *column = get_column (self, i);

      if (is_wrapped (column))
        column->width = MIN (column->width, NARROWEST_SENTENCES);
      else if (column->of->is_number && column->width > 0)
        {
          g_autofree char *heading = dup_shown (self, 0, i);
          g_auto (GStrv) words = g_strsplit (heading, " ", -1);

          column->width = cells_width (self, i);
          for (char **word = words; *word != NULL; word++)
            column->width = MAX (column->width, dyno_report_text_width (*word));
        }
    }
}

static void
drop_columns (Layout *self, guint available)
{
  while (total_width (self) > available)
    {
      Column *least = NULL;

      for (guint i = 0; i < self->columns->len; i++)
        {
          Column *column = get_column (self, i);

          if (column->width > 0 && column->of->rank > 0 &&
              (least == NULL || column->of->rank >= least->of->rank))
            least = column;
        }
      if (least == NULL)
        return;
      least->width = 0;
    }
}

/* The remaining width goes to sentences that need it, one character each in turn, then to headings that fit
 * on one line. */
static void
widen_columns (Layout *self, guint available)
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

/* Appends one line of a row; returns whether it has any text. */
static gboolean
append_line (Layout *self, GString *text, GStrv *cells, guint number)
{
  g_autoptr (GString) line = g_string_new (NULL);
  gboolean has_text = FALSE;

  for (guint i = 0; i < self->columns->len; i++)
    if (get_column (self, i)->width > 0)
      {
        const Column *column = get_column (self, i);
        gboolean is_there = number < g_strv_length (cells[i]);
        const char *cell = is_there ? cells[i][number] : "";
        guint used = dyno_report_text_width (cell);
        int padding = used < column->width ? (int)(column->width - used) : 0;

        if (line->len > 0)
          g_string_append (line, GAP);
        if (column->of->is_number)
          g_string_append_printf (line, "%*s", padding, "");
        g_string_append (line, cell);
        if (!column->of->is_number)
          g_string_append_printf (line, "%*s", padding, "");
        has_text |= is_there;
      }
  if (has_text)
    g_string_append_printf (text, "%s\n", g_strchomp (line->str));
  return has_text;
}

static void
append_notes (Layout *self, GString *text, guint width)
{
  for (guint i = 0; i < self->columns->len; i++)
    if (get_column (self, i)->width > 0 && get_column (self, i)->of->note != NULL)
      dyno_report_text_append (text, get_column (self, i)->of->note, 0, width);
}

static void
append_columns (Layout *self, GString *text, guint width)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) hidden = NULL;
  g_autofree char *list = NULL;
  g_autofree char *sentence = NULL;

  for (guint row = 0; row < self->rows->len; row++)
    {
      g_autofree GStrv *cells = g_new0 (GStrv, self->columns->len);
      guint number = 0;

      for (guint i = 0; i < self->columns->len; i++)
        {
          const Column *column = get_column (self, i);
          g_autofree char *cell = dup_shown (self, row, i);

          cells[i] =
              dyno_report_text_wrap (cell, is_wrapped (column) || row == 0 ? column->width : G_MAXUINT);
        }
      while (append_line (self, text, cells, number))
        number++;
      for (guint i = 0; i < self->columns->len; i++)
        g_strfreev (cells[i]);
    }
  for (guint i = 0; i < self->columns->len; i++)
    if (get_column (self, i)->width == 0 && get_column (self, i)->natural_width > 0)
      g_strv_builder_add (names, get_cell (self, 0, i));
  hidden = g_strv_builder_end (names);
  list = g_strjoinv (", ", hidden);
  /* Translators: below a table; %s is a list of headings */
  sentence = g_strdup_printf (_ ("Not shown: %s. Use --wide for all columns."), list);
  if (hidden[0] != NULL)
    dyno_report_text_append (text, sentence, 0, width);
  append_notes (self, text, width);
}

/* Cards */

static void
append_member (GString *text, const char *heading, const char *value, guint indent, guint terminal_width)
{
  guint room = terminal_width > indent + 1 ? terminal_width - indent - 1 : 1;
  g_auto (GStrv) lines = dyno_report_text_wrap (value, room);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *start = g_strconcat (i == 0 ? heading : "", i == 0 ? ":" : "", NULL);

      g_string_append_printf (text, "%s%*s %s\n", start, (int)(indent - dyno_report_text_width (start)), "",
                              lines[i]);
    }
}

static void
append_cards (Layout *self, GString *text, guint width)
{
  guint indent = 0;

  restore_widths (self);
  for (guint i = 0; i < self->columns->len; i++)
    if (get_column (self, i)->natural_width > 0)
      indent = MAX (indent, dyno_report_text_width (get_cell (self, 0, i)) + 1);
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
dyno_report_table_to_string (const DynoReportTable *table, guint width)
{
  GString *text = g_string_new (NULL);
  g_auto (Layout) self = { NULL };
  g_autofree char *common = NULL;

  layout_init (&self, table);
  restore_widths (&self);
  if (width == 0 || self.rows->len == 1 || total_width (&self) <= width)
    {
      append_columns (&self, text, width);
      return g_string_free (text, FALSE);
    }
  common = dup_common (&self);
  restore_widths (&self);
  squeeze_columns (&self);
  drop_columns (&self, width);
  if (*common != '\0')
    dyno_report_text_append (text, common, 0, width);
  if (total_width (&self) > width)
    append_cards (&self, text, width);
  else
    {
      widen_columns (&self, width);
      append_columns (&self, text, width);
    }
  return g_string_free (text, FALSE);
}
