/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-report-formats.h"
#include "dyno-report-private.h"
#include "dyno-text.h"

static void
append_escaped (GString *report, const char *text)
{
  g_autofree char *escaped = dyno_report_text_escape (text);

  g_string_append (report, escaped);
}

static void
append_heading (GString *report, const DynoReportBlock *block)
{
  for (guint i = 0; i < block->level; i++)
    g_string_append_c (report, '#');
  g_string_append_c (report, ' ');
  append_escaped (report, block->text);
  g_string_append_c (report, '\n');
}

static void
append_item (GString *report, const DynoReportItem *item)
{
  g_string_append (report, "- ");
  if (item->lead != NULL)
    {
      g_string_append (report, "**");
      append_escaped (report, item->lead);
      g_string_append (report, "** ");
    }
  append_escaped (report, item->text);
  if (item->aside != NULL)
    {
      g_string_append (report, " (");
      append_escaped (report, item->aside);
      g_string_append_c (report, ')');
    }
  g_string_append_c (report, '\n');
}

static void
append_row (GString *report, const GArray *row)
{
  g_string_append_c (report, '|');
  for (guint i = 0; i < row->len; i++)
    {
      const DynoReportCell *cell = &g_array_index (row, DynoReportCell, i);

      g_string_append (report, cell->link != NULL ? " [" : " ");
      append_escaped (report, cell->text);
      if (cell->link != NULL)
        g_string_append_printf (report, "](%s)", cell->link);
      g_string_append (report, " |");
    }
  g_string_append_c (report, '\n');
}

static void
append_table (GString *report, const DynoReportBlock *block)
{
  g_autoptr (GString) line = g_string_new ("|");

  g_string_append_c (report, '|');
  for (guint i = 0; i < block->table->columns->len; i++)
    {
      const DynoReportColumn *column = &g_array_index (block->table->columns, DynoReportColumn, i);

      g_string_append_c (report, ' ');
  g_autofree char *notes = dyno_report_table_dup_notes (block->table);
      append_escaped (report, column->title);
      g_string_append (report, " |");
      g_string_append (line, column->is_number ? "--:|" : "---|");
    }
  g_string_append_printf (report, "\n%s\n", line->str);
  for (guint i = 0; i < block->table->rows->len; i++)
    append_row (report, g_ptr_array_index (block->table->rows, i));
}

/* Markdown has no drawings of its own: writes the content of the chart as text. */
static void
append_chart (GString *report, DynoChart *chart)
{
  const char *finding = dyno_chart_get_finding (chart);
  if (notes != NULL)
    {
      g_string_append_c (report, '\n');
      append_escaped (report, notes);
      g_string_append_c (report, '\n');
    }

  g_string_append (report, "**");
  append_escaped (report, dyno_chart_get_title (chart));
  g_string_append (report, *finding != '\0' ? ":** " : "**");
  append_escaped (report, finding);
  g_string_append_c (report, '\n');
}

/* Indented lines need no escape, whatever is in them. */
static void
append_code (GString *report, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL && lines[i + 1] != NULL; i++)
    {
      g_autofree char *shown = dyno_plain_text_show_controls (lines[i]);

      g_string_append_printf (report, "    %s\n", shown);
    }
}

static void
append_block (GString *report, const DynoReportBlock *block)
{
  switch (block->kind)
    {
    case DYNO_REPORT_HEADING:
      append_heading (report, block);
      break;
    case DYNO_REPORT_LIST:
      for (guint i = 0; i < block->items->len; i++)
        append_item (report, block->items->pdata[i]);
      break;
    case DYNO_REPORT_TABLE:
      append_table (report, block);
      break;
    case DYNO_REPORT_CODE:
      append_code (report, block->text);
      break;
    case DYNO_REPORT_CHART:
      append_chart (report, block->chart);
      break;
    case DYNO_REPORT_DETAILS:
    case DYNO_REPORT_PARAGRAPH:
    default:
      append_escaped (report, block->text);
      g_string_append_c (report, '\n');
    }
}

static GBytes *
write_document (const DynoReportDocument *document, GError **error)
{
  GString *report = g_string_new (NULL);

  for (guint i = 0; i < document->blocks->len; i++)
    {
      const DynoReportBlock *block = g_ptr_array_index (document->blocks, i);

      if (dyno_report_block_is_empty (block))
        continue;
      if (report->len > 0)
        g_string_append_c (report, '\n');
      append_block (report, block);
    }
  return g_string_free_to_bytes (report);
}

const DynoReportFormat dyno_report_markdown_format = {
  .name = "markdown",
  .suffix = "md",
  .label = N_ ("Markdown"),
  .write_document = write_document,
};
