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
append_list (GString *report, const DynoReportBlock *block)
{
  for (guint i = 0; i < block->items->len; i++)
    {
      const DynoReportItem *item = block->items->pdata[i];

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
}

static void
append_table (GString *report, const DynoReportBlock *block)
{
  g_autoptr (GString) line = g_string_new ("|");
  g_autofree char *notes = dyno_report_table_dup_notes (block->table);

  g_string_append_c (report, '|');
  for (guint i = 0; i < block->table->columns->len; i++)
    {
      const DynoReportColumn *column = &g_array_index (block->table->columns, DynoReportColumn, i);

      g_string_append_c (report, ' ');
      append_escaped (report, column->title);
      g_string_append (report, " |");
      g_string_append (line, column->is_number ? "--:|" : "---|");
    }
  g_string_append_printf (report, "\n%s\n", line->str);
  for (guint i = 0; i < block->table->rows->len; i++)
    {
      const GArray *row = g_ptr_array_index (block->table->rows, i);

      g_string_append_c (report, '|');
      for (guint k = 0; k < row->len; k++)
        {
          const DynoReportCell *cell = &g_array_index (row, DynoReportCell, k);

          g_string_append (report, cell->link != NULL ? " [" : " ");
          append_escaped (report, cell->text);
          if (cell->link != NULL)
            g_string_append_printf (report, "](%s)", cell->link);
          g_string_append (report, " |");
        }
      g_string_append_c (report, '\n');
    }
  if (notes != NULL)
    {
      g_string_append_c (report, '\n');
      append_escaped (report, notes);
      g_string_append_c (report, '\n');
    }
}

/* Markdown has no drawings of its own: writes the content of the chart as text. */
static void
append_chart (GString *report, const DynoReportBlock *block)
{
  const char *finding = dyno_chart_get_finding (block->chart);

  g_string_append (report, "**");
  append_escaped (report, dyno_chart_get_title (block->chart));
  g_string_append (report, *finding != '\0' ? ":** " : "**");
  append_escaped (report, finding);
  g_string_append_c (report, '\n');
}

/* Indented lines need no escape, whatever is in them. */
static void
append_code (GString *report, const DynoReportBlock *block)
{
  g_auto (GStrv) lines = g_strsplit (block->text, "\n", -1);

  for (guint i = 0; lines[i] != NULL && lines[i + 1] != NULL; i++)
    {
      g_autofree char *shown = dyno_plain_text_show_controls (lines[i]);

      g_string_append_printf (report, "    %s\n", shown);
    }
}

static void
append_paragraph (GString *report, const DynoReportBlock *block)
{
  append_escaped (report, block->text);
  g_string_append_c (report, '\n');
}

static void (*const appenders[]) (GString *report, const DynoReportBlock *block) = {
  [DYNO_REPORT_HEADING] = append_heading, [DYNO_REPORT_PARAGRAPH] = append_paragraph,
  [DYNO_REPORT_LIST] = append_list,       [DYNO_REPORT_TABLE] = append_table,
  [DYNO_REPORT_CODE] = append_code,       [DYNO_REPORT_CHART] = append_chart,
};

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
      appenders[block->kind](report, block);
    }
  return g_string_free_to_bytes (report);
}

const DynoReportFormat dyno_report_markdown_format = {
  .name = "markdown",
  .suffix = "md",
  .label = N_ ("Markdown"),
  .write_document = write_document,
};
