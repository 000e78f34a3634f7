/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <stdarg.h>

#include "dyno-report-document-private.h"
#include "dyno-report-quantity.h"

static void
column_clear (gpointer data)
{
  DynoReportColumn *column = data;

  g_free (column->title);
  g_free (column->exact_title);
  g_free (column->words);
  g_free (column->note);
}

static void
cell_clear (gpointer data)
{
  g_free (((DynoReportCell *)data)->text);
  g_free (((DynoReportCell *)data)->link);
}

static DynoReportColumn *
get_last_column (DynoReportTable *self)
{
  return &g_array_index (self->columns, DynoReportColumn, self->columns->len - 1);
}

static void
read_columns (DynoReportTable *self, const char *columns)
{
  for (const char *p = columns; *p != '\0'; p++)
    if (g_ascii_isdigit (*p))
      get_last_column (self)->rank = (guint)g_ascii_digit_value (*p);
    else
      {
        char kind = g_ascii_tolower (*p);
        const DynoReportColumn column = { .is_number = kind == 'r',
                                          .is_wrapped = kind == 'w',
                                          .is_parts = kind == 'p',
                                          .is_setting = g_ascii_isupper (*p) };

        g_array_append_val (self->columns, column);
      }
}

DynoReportTable *
dyno_report_table_new (const char *columns, ...)
{
  DynoReportTable *self = g_new0 (DynoReportTable, 1);
  va_list args;

  self->columns = g_array_new (FALSE, FALSE, sizeof (DynoReportColumn));
  g_array_set_clear_func (self->columns, column_clear);
  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
  read_columns (self, columns);
  va_start (args, columns);
  for (guint i = 0; i < self->columns->len; i++)
    g_array_index (self->columns, DynoReportColumn, i).title = g_strdup (va_arg (args, const char *));
  va_end (args);
  return self;
}

void
dyno_report_table_free (DynoReportTable *self)
{
  g_array_unref (self->columns);
  g_ptr_array_unref (self->rows);
  g_free (self);
}

void
dyno_report_table_begin_row (DynoReportTable *self)
{
  GArray *row = g_array_new (FALSE, FALSE, sizeof (DynoReportCell));

  g_array_set_clear_func (row, cell_clear);
  g_ptr_array_add (self->rows, row);
}

static void
take_cell (GArray *row, char *text)
{
  const DynoReportCell cell = { text, NAN, NULL };

  g_array_append_val (row, cell);
}

void
dyno_report_table_take_row (DynoReportTable *self, ...)
{
  va_list args;

  dyno_report_table_begin_row (self);
  va_start (args, self);
  for (guint i = 0; i < self->columns->len; i++)
    take_cell (self->rows->pdata[self->rows->len - 1], va_arg (args, char *));
  va_end (args);
}

void
dyno_report_table_set_number (DynoReportTable *self, guint column, double number)
{
  g_array_index ((GArray *)self->rows->pdata[self->rows->len - 1], DynoReportCell, column).number = number;
}

void
dyno_report_table_set_unit (DynoReportTable *self, guint column, const char *unit)
{
  DynoReportColumn *of = &g_array_index (self->columns, DynoReportColumn, column);
  const DynoReportQuantity exact = { 1, unit };

  g_free (of->exact_title);
  of->exact_title = dyno_report_quantity_dup_title (&exact, of->title);
}

void
dyno_report_table_set_quantities (DynoReportTable *self,
                                  guint column,
                                  const GArray *numbers,
                                  const char *unit)
{
  DynoReportQuantity quantity;
  double least = INFINITY, most = 0;
  guint n_columns = self->rows->len > 0 ? numbers->len / self->rows->len : 0;

  g_return_if_fail (n_columns * self->rows->len == numbers->len);
  for (guint i = 0; i < numbers->len; i++)
    if (fabs (g_array_index (numbers, double, i)) > 0)
      {
        least = fmin (least, fabs (g_array_index (numbers, double, i)));
        most = fmax (most, fabs (g_array_index (numbers, double, i)));
      }
  dyno_report_quantity_choose_between (unit, least, most, &quantity);
  for (guint k = 0; k < n_columns; k++)
    {
      DynoReportColumn *of = &g_array_index (self->columns, DynoReportColumn, column + k);
      char *title = dyno_report_quantity_dup_title (&quantity, of->title);

      dyno_report_table_set_unit (self, column + k, unit);
      g_free (of->title);
      of->title = title;
    }
  for (guint i = 0; i < numbers->len; i++)
    {
      DynoReportCell *cell =
          &g_array_index ((GArray *)self->rows->pdata[i / n_columns], DynoReportCell, column + i % n_columns);
      double number = g_array_index (numbers, double, i);

      g_free (cell->text);
      cell->text = isfinite (number) ? dyno_report_quantity_format (&quantity, number, unit) : g_strdup ("–");
      cell->number = number;
    }
}

void
dyno_report_table_take_column (DynoReportTable *self, const char *column, const char *title, GStrv cells)
{
  guint n_rows = g_strv_length (cells);

  while (self->columns->len == 0 && self->rows->len < n_rows)
    dyno_report_table_begin_row (self);
  g_return_if_fail (n_rows == self->rows->len);

  read_columns (self, column);
  get_last_column (self)->title = g_strdup (title);
  for (guint row = 0; row < n_rows; row++)
    take_cell (self->rows->pdata[row], cells[row]);
  g_free (cells);
}

void
dyno_report_table_set_numbers (DynoReportTable *self, const double *numbers)
{
  for (guint row = 0; row < self->rows->len; row++)
    g_array_index ((GArray *)self->rows->pdata[row], DynoReportCell, self->columns->len - 1).number =
        numbers[row];
}

void
dyno_report_table_take_words (DynoReportTable *self, char *words)
{
  g_free (get_last_column (self)->words);
  get_last_column (self)->words = words;
}

void
dyno_report_table_take_note (DynoReportTable *self, char *note)
{
  g_free (get_last_column (self)->note);
  get_last_column (self)->note = note;
}

char *
dyno_report_table_dup_notes (const DynoReportTable *self)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new_null_terminated (0, NULL, TRUE);

  for (guint i = 0; i < self->columns->len; i++)
    if (g_array_index (self->columns, DynoReportColumn, i).note != NULL)
      g_ptr_array_add (notes, g_array_index (self->columns, DynoReportColumn, i).note);
  return notes->len > 0 ? g_strjoinv (" ", (char **)notes->pdata) : NULL;
}
