/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-text.h"
#include "dyno-unit.h"

/* If the ratio of the numbers is larger, they keep their stored unit. */
#define MAX_RATIO 1e4

typedef struct
{
  char *heading;
  double factor;
  gboolean is_empty;
} Column;

/* A cell keeps its number: people and programs write numbers differently. */
typedef struct
{
  char *text;
  double number;
} Cell;

struct _DynoChartTable
{
  GArray *columns;
  GPtrArray *rows;
  GPtrArray *states;
  gboolean has_states;
  guint dimensions;
};

static void
clear_column (gpointer data)
{
  g_free (((Column *)data)->heading);
}

static void
clear_cell (gpointer data)
{
  g_free (((Cell *)data)->text);
}

DynoChartTable *
dyno_chart_table_new (void)
{
  DynoChartTable *self = g_new0 (DynoChartTable, 1);

  self->columns = g_array_new (FALSE, FALSE, sizeof (Column));
  g_array_set_clear_func (self->columns, clear_column);
  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
  self->states = g_ptr_array_new ();
  return self;
}

void
dyno_chart_table_free (DynoChartTable *self)
{
  g_array_unref (self->columns);
  g_ptr_array_unref (self->rows);
  g_ptr_array_unref (self->states);
  g_free (self);
}

static void
add_column (DynoChartTable *self, char *heading, double factor)
{
  Column column = { heading, factor, TRUE };

  g_array_append_val (self->columns, column);
}

void
dyno_chart_table_add_case_columns (DynoChartTable *self, GPtrArray *cases, guint always)
{
  self->dimensions = dyno_chart_cases_get_varying (cases) | always;
  if (self->dimensions == 0)
    self->dimensions = DYNO_DIMENSION_MODEL;
  for (guint bit = 1; bit <= DYNO_DIMENSION_RUN; bit <<= 1)
    if (self->dimensions & bit)
      dyno_chart_table_add_column (self, dyno_chart_cases_get_heading (bit));
}

void
dyno_chart_table_add_column (DynoChartTable *self, const char *heading)
{
  add_column (self, g_strdup (heading), 1);
}

/* Takes the headings, with NULL at the end. */
void
dyno_chart_table_add_columns (DynoChartTable *self, ...)
{
  const char *heading;
  va_list list;

  va_start (list, self);
  while ((heading = va_arg (list, const char *)) != NULL)
    dyno_chart_table_add_column (self, heading);
  va_end (list);
}

void
dyno_chart_table_add_quantity (
    DynoChartTable *self, const char *title, const char *unit, double least, double most)
{
  DynoUnit chosen;

  dyno_unit_choose (unit, most / least < MAX_RATIO ? most : 0, &chosen);
  add_column (self, *chosen.name == '\0' ? g_strdup (title) : g_strdup_printf ("%s (%s)", title, chosen.name),
              chosen.factor);
}

static void
add_cell (DynoChartTable *self, char *text, double number)
{
  GArray *row = g_ptr_array_index (self->rows, self->rows->len - 1);
  Cell cell = { text, number };

  g_assert (row->len < self->columns->len);
  g_array_index (self->columns, Column, row->len).is_empty &= *text == '\0';
  g_array_append_val (row, cell);
}

void
dyno_chart_table_begin_row (DynoChartTable *self, const DynoChartCase *kase)
{
  GArray *row = g_array_new (FALSE, FALSE, sizeof (Cell));
  const char *state = kase != NULL ? dyno_chart_cases_get_mark (kase->result) : "";

  g_array_set_clear_func (row, clear_cell);
  g_ptr_array_add (self->rows, row);
  g_ptr_array_add (self->states, (gpointer)state);
  self->has_states |= *state != '\0';
  for (guint bit = 1; kase != NULL && bit <= DYNO_DIMENSION_RUN; bit <<= 1)
    if (self->dimensions & bit)
      {
        double number;
        char *text = dyno_chart_cases_dup_cell (kase, bit, &number);

        add_cell (self, text, number);
      }
}

void
dyno_chart_table_add_text (DynoChartTable *self, const char *text)
{
  add_cell (self, g_strdup (text != NULL ? text : ""), NAN);
}

void
dyno_chart_table_add_number (DynoChartTable *self, double number)
{
  guint column = ((GArray *)g_ptr_array_index (self->rows, self->rows->len - 1))->len;

  number *= g_array_index (self->columns, Column, column).factor;
  add_cell (self, isfinite (number) ? dyno_unit_format_significant (number) : g_strdup (""), number);
}

static char **
dup_headings (DynoChartTable *self)
{
  g_autoptr (GStrvBuilder) cells = g_strv_builder_new ();

  for (guint i = 0; i < self->columns->len; i++)
    if (!g_array_index (self->columns, Column, i).is_empty)
      g_strv_builder_add (cells, g_array_index (self->columns, Column, i).heading);
  if (self->has_states)
    g_strv_builder_add (cells, _ ("State"));
  return g_strv_builder_end (cells);
}

GPtrArray *
dyno_chart_table_dup_rows (DynoChartTable *self)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);

  if (self->columns->len > 0)
    g_ptr_array_add (rows, dup_headings (self));
  for (guint i = 0; i < self->rows->len; i++)
    {
      const GArray *row = g_ptr_array_index (self->rows, i);
      g_autoptr (GStrvBuilder) cells = g_strv_builder_new ();

      for (guint k = 0; k < self->columns->len; k++)
        if (!g_array_index (self->columns, Column, k).is_empty)
          g_strv_builder_add (cells, k < row->len ? g_array_index (row, Cell, k).text : "");
      if (self->has_states)
        g_strv_builder_add (cells, g_ptr_array_index (self->states, i));
      g_ptr_array_add (rows, g_strv_builder_end (cells));
    }
  return rows;
}

static void
append_text (GString *csv, const char *text, char separator)
{
  g_autofree char *cell = dyno_csv_dup_text (text);

  dyno_csv_append (csv, cell, separator);
}

char *
dyno_chart_table_dup_text (DynoChartTable *self, char separator)
{
  GString *csv = g_string_new (NULL);
  g_auto (GStrv) headings = dup_headings (self);

  for (guint i = 0; headings[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append_c (csv, separator);
      append_text (csv, headings[i], separator);
    }
  g_string_append (csv, "\r\n");
  for (guint i = 0; i < self->rows->len; i++)
    {
      const GArray *row = g_ptr_array_index (self->rows, i);
      gboolean is_first = TRUE;

      for (guint k = 0; k < self->columns->len; k++)
        {
          if (g_array_index (self->columns, Column, k).is_empty)
            continue;
          if (!is_first)
            g_string_append_c (csv, separator);
          is_first = FALSE;
          if (k < row->len)
            {
              const Cell *cell = &g_array_index (row, Cell, k);
              char number[G_ASCII_DTOSTR_BUF_SIZE];

              if (isfinite (cell->number))
                g_string_append (csv, g_ascii_formatd (number, sizeof number, "%.9g", cell->number));
              else
                append_text (csv, cell->text, separator);
            }
        }
      if (self->has_states)
        g_string_append_c (csv, separator);
      if (self->has_states)
        append_text (csv, g_ptr_array_index (self->states, i), separator);
      g_string_append (csv, "\r\n");
    }
  return g_string_free (csv, FALSE);
}
