/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-plan.h"
#include "dyno-report-formats-private.h"
#include "dyno-report-plain.h"

/* The width of a file, in terminal columns. */
#define USUAL_WIDTH 80
/* The indentation of the second and each further line of an item. */
#define HANGING 2

/* Other formats emphasise the lead; here a colon ends it. */
static void
append_item (GString *text, const DynoReportItem *item, guint width)
{
  g_autoptr (GString) line = g_string_new (NULL);

  if (item->lead != NULL && (g_str_has_suffix (item->lead, ":") || g_str_has_suffix (item->lead, "：")))
    g_string_append_printf (line, "%s ", item->lead);
  else if (item->lead != NULL)
    g_string_append_printf (line, "%s: ", item->lead);
  g_string_append (line, item->text);
  if (item->aside != NULL)
    g_string_append_printf (line, " (%s)", item->aside);
  dyno_report_text_append (text, line->str, HANGING, width);
}

static void
append_block (GString *text, const DynoReportBlock *block, guint width, guint table_width)
{
  switch (block->kind)
    {
    case DYNO_REPORT_LIST:
      for (guint i = 0; i < block->items->len; i++)
        append_item (text, block->items->pdata[i], width);
      break;
    case DYNO_REPORT_TABLE:
      {
        g_autofree char *table = dyno_report_table_to_string (block->table, table_width);

        g_string_append (text, table);
        break;
      }
    case DYNO_REPORT_CODE:
      {
        g_autofree char *command = block->command != NULL ? dyno_command_break (block->command, width) : NULL;

        g_string_append (text, command != NULL ? command : block->text);
        break;
      }
    case DYNO_REPORT_CHART:
      break;
    case DYNO_REPORT_DETAILS:
    case DYNO_REPORT_HEADING:
    case DYNO_REPORT_PARAGRAPH:
    default:
      dyno_report_text_append (text, block->text, 0, width);
    }
}

char *
dyno_report_plain_write (const DynoReportDocument *document, guint width, DynoReportPlainFlags flags)
{
  GString *text = g_string_new (NULL);
  const DynoReportBlock *before = NULL;
  gboolean has_all = (flags & DYNO_REPORT_PLAIN_DETAILS) != 0;
  gboolean in_details = FALSE;

  for (guint i = 0; i < document->blocks->len; i++)
    {
      const DynoReportBlock *block = document->blocks->pdata[i];
      gboolean is_shown;

      if (block->kind == DYNO_REPORT_HEADING && block->level == 1)
        in_details = FALSE;
      /* A terminal cannot show a chart, and a folded summary replaces the details that follow it. */
      is_shown = block->kind == DYNO_REPORT_DETAILS
                     ? !has_all && block->text != NULL
                     : block->kind != DYNO_REPORT_CHART && (has_all || !in_details) &&
                           !dyno_report_block_is_empty (block);
      if (is_shown)
        {
          /* The heading of a section is attached to its content. */
          if (before != NULL && !(before->kind == DYNO_REPORT_HEADING && before->level > 1 &&
                                  block->kind != DYNO_REPORT_HEADING))
            g_string_append_c (text, '\n');
          append_block (text, block, width, (flags & DYNO_REPORT_PLAIN_WIDE) != 0 ? 0 : width);
          before = block;
        }
      in_details = in_details || block->kind == DYNO_REPORT_DETAILS;
    }
  return g_string_free (text, FALSE);
}

GBytes *
dyno_report_plain_write_document (const DynoReportDocument *document, GError **error)
{
  char *text = dyno_report_plain_write (document, USUAL_WIDTH, DYNO_REPORT_PLAIN_DETAILS);

  return g_bytes_new_take (text, strlen (text));
}
