/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-plan.h"
#include "dyno-report-document-private.h"

static void
item_free (gpointer data)
{
  DynoReportItem *item = data;

  g_free (item->name);
  g_free (item->lead);
  g_free (item->text);
  g_free (item->aside);
  g_free (item);
}

static void
block_free (gpointer data)
{
  DynoReportBlock *block = data;

  g_free (block->text);
  g_free (block->command);
  g_clear_pointer (&block->items, g_ptr_array_unref);
  g_clear_pointer (&block->table, dyno_report_table_free);
  g_clear_object (&block->chart);
  g_free (block);
}

static DynoReportBlock *
add_block (DynoReportDocument *self, DynoReportBlockKind kind)
{
  DynoReportBlock *block = g_new0 (DynoReportBlock, 1);

  block->kind = kind;
  g_ptr_array_add (self->blocks, block);
  return block;
}

/* Returns the block that is being filled. */
static DynoReportBlock *
get_last (DynoReportDocument *self, DynoReportBlockKind kind)
{
  DynoReportBlock *block =
      self->blocks->len > 0 ? g_ptr_array_index (self->blocks, self->blocks->len - 1) : NULL;

  g_assert (block != NULL && block->kind == kind);
  return block;
}

gboolean
dyno_report_block_is_empty (const DynoReportBlock *self)
{
  return self->kind == DYNO_REPORT_DETAILS || (self->kind == DYNO_REPORT_LIST && self->items->len == 0) ||
         (self->kind == DYNO_REPORT_TABLE && self->table->rows->len == 0);
}

DynoReportDocument *
dyno_report_document_new (const char *title)
{
  DynoReportDocument *self = g_new0 (DynoReportDocument, 1);

  self->title = g_strdup (title);
  self->blocks = g_ptr_array_new_with_free_func (block_free);
  return self;
}

void
dyno_report_document_free (DynoReportDocument *self)
{
  g_free (self->title);
  g_free (self->subject);
  g_ptr_array_unref (self->blocks);
  g_clear_pointer (&self->data, json_node_unref);
  g_free (self);
}

void
dyno_report_document_set_subject (DynoReportDocument *self, const char *subject)
{
  if (self->subject == NULL)
    self->subject = g_strdup (subject);
}

void
dyno_report_document_add_heading (DynoReportDocument *self, guint level, const char *text)
{
  DynoReportBlock *block = add_block (self, DYNO_REPORT_HEADING);

  block->level = level;
  block->text = g_strdup (text);
}

void
dyno_report_document_add_paragraph (DynoReportDocument *self, const char *text)
{
  add_block (self, DYNO_REPORT_PARAGRAPH)->text = g_strdup (text);
}

void
dyno_report_document_add_code (DynoReportDocument *self, const char *text)
{
  add_block (self, DYNO_REPORT_CODE)->text = g_strdup (text);
}

void
dyno_report_document_add_command (DynoReportDocument *self, const char *sentence, const char *command)
{
  DynoReportBlock *block;

  if (command == NULL)
    return;
  dyno_report_document_add_paragraph (self, sentence);
  block = add_block (self, DYNO_REPORT_CODE);
  block->text = dyno_command_break (command, DYNO_COMMAND_WIDTH);
  block->command = g_strdup (command);
}

void
dyno_report_document_begin_list (DynoReportDocument *self)
{
  add_block (self, DYNO_REPORT_LIST)->items = g_ptr_array_new_with_free_func (item_free);
}

void
dyno_report_document_add_item (DynoReportDocument *self,
                               const char *lead,
                               const char *text,
                               const char *aside)
{
  DynoReportItem *item = g_new (DynoReportItem, 1);

  *item = (DynoReportItem){ NULL, g_strdup (lead), g_strdup (text), g_strdup (aside) };
  g_ptr_array_add (get_last (self, DYNO_REPORT_LIST)->items, item);
}

void
dyno_report_document_add_fact (DynoReportDocument *self, const char *name, const char *text)
{
  DynoReportItem *item;

  if (text == NULL || *text == '\0')
    return;
  item = g_new (DynoReportItem, 1);
  /* Translators: %s is the name of a fact, such as “Memory”, which follows */
  *item = (DynoReportItem){ g_strdup (name), g_strdup_printf (_ ("%s:"), name), g_strdup (text), NULL };
  g_ptr_array_add (get_last (self, DYNO_REPORT_LIST)->items, item);
}

void
dyno_report_document_begin_table (DynoReportDocument *self)
{
  add_block (self, DYNO_REPORT_TABLE)->table = dyno_report_table_new ("", NULL);
}

void
dyno_report_document_take_table (DynoReportDocument *self, DynoReportTable *table)
{
  for (guint i = table->columns->len; i-- > 0;)
    {
      gboolean is_blank = table->rows->len > 0;

      for (guint row = 0; row < table->rows->len && is_blank; row++)
        is_blank = *g_array_index ((GArray *)table->rows->pdata[row], DynoReportCell, i).text == '\0';
      if (!is_blank)
        continue;
      g_array_remove_index (table->columns, i);
      for (guint row = 0; row < table->rows->len; row++)
        g_array_remove_index (table->rows->pdata[row], i);
    }
  add_block (self, DYNO_REPORT_TABLE)->table = table;
}

void
dyno_report_document_begin_pairs (DynoReportDocument *self)
{
  dyno_report_document_begin_table (self);
  get_last (self, DYNO_REPORT_TABLE)->table->is_of_pairs = TRUE;
}

void
dyno_report_document_add_column (DynoReportDocument *self, const char *title, gboolean is_number)
{
  const DynoReportColumn column = { .title = g_strdup (title), .is_number = is_number };

  g_array_append_val (get_last (self, DYNO_REPORT_TABLE)->table->columns, column);
}

void
dyno_report_document_begin_row (DynoReportDocument *self)
{
  dyno_report_table_begin_row (get_last (self, DYNO_REPORT_TABLE)->table);
}

void
dyno_report_document_add_cell (DynoReportDocument *self, const char *text)
{
  dyno_report_document_add_number (self, text, NAN);
}

static void
take_cell (DynoReportDocument *self, DynoReportCell cell)
{
  DynoReportTable *table = get_last (self, DYNO_REPORT_TABLE)->table;
  GArray *row = g_ptr_array_index (table->rows, table->rows->len - 1);

  g_assert (row->len < table->columns->len);
  g_array_append_val (row, cell);
}

void
dyno_report_document_add_number (DynoReportDocument *self, const char *text, double number)
{
  take_cell (self, (DynoReportCell){ g_strdup (text != NULL ? text : ""), number, NULL });
}

void
dyno_report_document_add_link (DynoReportDocument *self, const char *text, const char *link)
{
  take_cell (self, (DynoReportCell){ g_strdup (text), NAN, g_strdup (link) });
}

void
dyno_report_document_take_chart (DynoReportDocument *self, DynoChart *chart)
{
  if (dyno_chart_get_empty_message (chart) == NULL)
    add_block (self, DYNO_REPORT_CHART)->chart = chart;
  else
    g_object_unref (chart);
}

void
dyno_report_document_begin_details (DynoReportDocument *self, const char *summary)
{
  add_block (self, DYNO_REPORT_DETAILS)->text = g_strdup (summary);
}

void
dyno_report_document_take_data (DynoReportDocument *self, JsonNode *data)
{
  g_clear_pointer (&self->data, json_node_unref);
  self->data = data;
}
