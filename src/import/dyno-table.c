/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-import-private.h"

struct _DynoTable
{
  DynoImportFile *file;
  char delimiter;
  gboolean is_of_spreadsheet;
  GPtrArray *names;
};

/* The row being read. */
typedef struct
{
  DynoImportFile *file;
  GPtrArray *cells;
  GString *cell;
  guint line;
  gsize length;
} Row;

static gboolean
append (Row *row, int c, GError **error)
{
  g_string_append_c (row->cell, (char)c);
  if (++row->length <= DYNO_IMPORT_MAX_PIECE)
    return TRUE;
  dyno_import_file_set_error (error, row->line, _ ("The row is longer than %d MB."),
                              DYNO_IMPORT_MAX_PIECE / 1000000);
  return FALSE;
}

/* Reads up to the closing quote; two quotes are an escaped quote. */
static gboolean
read_quoted (Row *row, GError **error)
{
  int c;

  dyno_import_file_next (row->file);
  while ((c = dyno_import_file_next (row->file)) >= 0)
    {
      if (c == '"' && dyno_import_file_peek (row->file) != '"')
        return TRUE;
      if (c == '"')
        dyno_import_file_next (row->file);
      if (!append (row, c, error))
        return FALSE;
    }
  if (!dyno_import_file_has_failed (row->file, error))
    dyno_import_file_set_error (error, row->line, _ ("A quotation mark is never closed."));
  return FALSE;
}

GPtrArray *
dyno_table_read_row (DynoImportFile *file, char delimiter, guint *line, GError **error)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) text = g_string_new (NULL);
  Row row = { file, cells, text, 0, 0 };

  while (dyno_import_file_peek (file) == '\n' || dyno_import_file_peek (file) == '\r')
    dyno_import_file_next (file);
  *line = row.line = dyno_import_file_get_line (file);
  if (dyno_import_file_peek (file) < 0)
    {
      dyno_import_file_has_failed (file, error);
      return NULL;
    }
  do
    {
      g_string_truncate (row.cell, 0);
      if (dyno_import_file_peek (row.file) == '"' && !read_quoted (&row, error))
        return NULL;
      for (int c; (c = dyno_import_file_peek (row.file)) >= 0 && c != '\n' && c != delimiter;)
        if (!append (&row, dyno_import_file_next (row.file), error))
          return NULL;
      if (dyno_import_file_peek (row.file) != delimiter && g_str_has_suffix (row.cell->str, "\r"))
        g_string_truncate (row.cell, row.cell->len - 1);
      if (!dyno_import_file_check_text (row.cell->str, row.cell->len, row.line, error))
        return NULL;
      g_ptr_array_add (row.cells, g_strdup (row.cell->str));
      if (dyno_import_file_has_failed (row.file, error))
        return NULL;
    }
  while (dyno_import_file_next (file) == delimiter);
  return g_steal_pointer (&cells);
}

char
dyno_table_find_delimiter (const char *head, char usual)
{
  const char *text = head + strspn (head, " \t\r\n");
  guint n_commas = 0, n_semicolons = 0;

  for (; *text != '\0' && *text != '\r' && *text != '\n'; text++)
    {
      n_commas += *text == ',';
      n_semicolons += *text == ';';
    }
  return usual == ',' && n_semicolons > n_commas ? ';' : usual;
}

DynoTable *
dyno_table_new (DynoImportFile *file, char delimiter, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  guint line = 0;
  char found = dyno_table_find_delimiter (dyno_import_file_get_head (file), delimiter);
  GPtrArray *names = dyno_table_read_row (file, found, &line, &local_error);
  DynoTable *self;

  if (names == NULL)
    {
      if (local_error == NULL)
        dyno_import_file_set_error (&local_error, line, _ ("There is no row with the names of the columns."));
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  self = g_new0 (DynoTable, 1);
  self->file = file;
  self->delimiter = found;
  self->is_of_spreadsheet = found != delimiter;
  self->names = names;
  return self;
}

void
dyno_table_free (DynoTable *self)
{
  g_ptr_array_unref (self->names);
  g_free (self);
}

void
dyno_table_set_width_error (GError **error, guint line, guint n, guint n_of_first)
{
  dyno_import_file_set_error (error, line, _ ("The row has %u fields, and the first row has %u."), n,
                              n_of_first);
}

gboolean
dyno_table_next (DynoTable *self, DynoRecord **record, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  guint line = 0;
  g_autoptr (GPtrArray) cells = dyno_table_read_row (self->file, self->delimiter, &line, &local_error);

  *record = NULL;
  if (cells == NULL && local_error == NULL)
    return TRUE;
  if (cells != NULL && cells->len != self->names->len)
    dyno_table_set_width_error (&local_error, line, cells->len, self->names->len);
  if (!dyno_error_pass (&local_error, error))
    return FALSE;
  *record = dyno_record_new (line);
  for (guint i = 0; i < cells->len; i++)
    {
      /* “1.234,5” and “0,25” are numbers with a decimal comma; any other text is kept unchanged. */
      const char *text = cells->pdata[i];
      gboolean has_comma =
          self->is_of_spreadsheet && strchr (text, ',') != NULL &&
          g_regex_match_simple ("^[-+]?([0-9]{1,3}(\\.[0-9]{3})+|[0-9]*),[0-9]+([eE][-+]?[0-9]+)?$", text, 0,
                                0);
      g_autoptr (GRegex) grouped = has_comma ? g_regex_new ("\\.", 0, 0, NULL) : NULL;
      char *cell = has_comma ? g_regex_replace_literal (grouped, text, -1, 0, "", 0, NULL) : g_strdup (text);

      dyno_record_take_text (*record, self->names->pdata[i],
                             has_comma ? g_strdelimit (cell, ",", '.') : cell);
    }
  return TRUE;
}

gboolean
dyno_table_read (DynoImportFile *file, char delimiter, DynoRecordFunc read_row, gpointer data, GError **error)
{
  g_autoptr (DynoTable) table = dyno_table_new (file, delimiter, error);
  DynoRecord *next = NULL;

  while (table != NULL && dyno_table_next (table, &next, error))
    {
      g_autoptr (DynoRecord) record = next;

      if (record == NULL)
        return TRUE;
      if (!read_row (record, data, error))
        return FALSE;
    }
  return FALSE;
}
