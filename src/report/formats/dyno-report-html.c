/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-file.h"
#include "dyno-report-formats.h"
#include "dyno-report-formats-private.h"
#include "dyno-report-private.h"
#include "dyno-report-resources.h"
#include "dyno-text.h"

/* The maximum number of rows of chart data; CSV has them all. */
#define MAX_ROWS 200

#define RESOURCES "/io/github/dynobench/Dyno/report/"

typedef struct
{
  GString *text;
  DynoReportPalette *palette;
  guint n_drawings;
  GError *error; /* of a chart */
} Page;

/* All names from people or files go through this function. */
static void
append_text (Page *page, const char *text)
{
  g_autofree char *escaped = dyno_markup_escape (text);

  g_string_append (page->text, escaped);
}

static void
append_element (Page *page, const char *tag, const char *text)
{
  g_string_append_printf (page->text, "<%s>", tag);
  append_text (page, text);
  g_string_append_printf (page->text, "</%s>\n", tag);
}

static void
append_heading (Page *page, const DynoReportBlock *block)
{
  g_autofree char *tag = g_strdup_printf ("h%u", block->level);

  append_element (page, tag, block->text);
}

static void
append_list (Page *page, const DynoReportBlock *block)
{
  g_string_append (page->text, "<ul>\n");
  for (guint i = 0; i < block->items->len; i++)
    {
      const DynoReportItem *item = g_ptr_array_index (block->items, i);

      g_string_append (page->text, "<li>");
      if (item->lead != NULL)
        {
          g_string_append (page->text, "<strong>");
          append_text (page, item->lead);
          g_string_append (page->text, "</strong> ");
        }
      append_text (page, item->text);
      if (item->aside != NULL)
        {
          g_string_append (page->text, " <span class=\"aside\">(");
          append_text (page, item->aside);
          g_string_append (page->text, ")</span>");
        }
      g_string_append (page->text, "</li>\n");
    }
  g_string_append (page->text, "</ul>\n");
}

/* Tables */

static void
append_head (Page *page, const char *title, gboolean is_number)
{
  g_string_append (page->text, is_number ? "<th scope=\"col\" class=\"number\">" : "<th scope=\"col\">");
  append_text (page, title);
  g_string_append (page->text, "</th>");
}

static void
append_cell (Page *page, const DynoReportCell *cell, gboolean is_number)
{
  g_string_append (page->text, is_number ? "<td class=\"number\"" : "<td");
  if (isfinite (cell->number))
    {
      g_autofree char *exact = dyno_report_text_format_exact (cell->number);

      g_string_append_printf (page->text, " data-number=\"%s\"", exact);
    }
  g_string_append_c (page->text, '>');
  if (cell->link != NULL)
    {
      g_string_append (page->text, "<a href=\"");
      append_text (page, cell->link);
      g_string_append (page->text, "\">");
    }
  append_text (page, cell->text);
  g_string_append (page->text, cell->link != NULL ? "</a></td>" : "</td>");
}

static void
append_table (Page *page, const DynoReportBlock *block)
{
  const GArray *columns = block->table->columns;
  g_autofree char *notes = dyno_report_table_dup_notes (block->table);

  g_string_append (page->text, "<div class=\"wide\"><table");
  if (block->table->is_of_pairs)
    {
      /* The texts of the script that lets people choose the two. */
      g_string_append (page->text, " data-first=\"");
      append_text (page, _ ("Compare"));
      g_string_append (page->text, "\" data-second=\"");
      /* Translators: the baseline of a comparison follows */
      append_text (page, _ ("with"));
      g_string_append (page->text, "\" data-none=\"");
      append_text (page, _ ("No page compares these two: they share no case."));
      g_string_append_c (page->text, '"');
    }
  g_string_append (page->text, ">\n<thead><tr>");
  for (guint i = 0; i < columns->len; i++)
    {
      const DynoReportColumn *column = &g_array_index (columns, DynoReportColumn, i);

      append_head (page, column->title, column->is_number);
    }
  g_string_append (page->text, "</tr></thead>\n<tbody>\n");
  for (guint i = 0; i < block->table->rows->len; i++)
    {
      const GArray *row = g_ptr_array_index (block->table->rows, i);

      g_string_append (page->text, "<tr>");
      for (guint k = 0; k < row->len; k++)
        append_cell (page, &g_array_index (row, DynoReportCell, k),
                     g_array_index (columns, DynoReportColumn, k).is_number);
      g_string_append (page->text, "</tr>\n");
    }
  g_string_append (page->text, "</tbody>\n</table></div>\n");
  if (notes != NULL)
    append_element (page, "p", notes);
}

/* Charts */

/* Appends the numbers for people who cannot see the picture, or want them. */
static void
append_data (Page *page, DynoChart *chart)
{
  GPtrArray *rows = dyno_chart_get_table (chart);

  if (rows->len < 2 || rows->len > MAX_ROWS)
    return;
  g_string_append (page->text, "<details>");
  append_element (page, "summary", _ ("Data"));
  g_string_append (page->text, "<div class=\"wide\"><table>\n<thead><tr>");
  for (char **title = g_ptr_array_index (rows, 0); *title != NULL; title++)
    append_head (page, *title, FALSE);
  g_string_append (page->text, "</tr></thead>\n<tbody>\n");
  for (guint i = 1; i < rows->len; i++)
    {
      g_string_append (page->text, "<tr>");
      for (char **cell = g_ptr_array_index (rows, i); *cell != NULL; cell++)
        {
          char *end = NULL;
          double number = g_ascii_strtod (*cell, &end);
          gboolean is_number = end != *cell && *end == '\0' && isfinite (number);

          append_cell (page, &(DynoReportCell){ *cell, is_number ? number : NAN }, is_number);
        }
      g_string_append (page->text, "</tr>\n");
    }
  g_string_append (page->text, "</tbody>\n</table></div></details>\n");
}

static void
append_chart (Page *page, const DynoReportBlock *block)
{
  DynoChart *chart = block->chart;
  g_autofree char *drawing = dyno_report_drawing_dup (chart, ++page->n_drawings, page->palette, &page->error);

  if (drawing == NULL)
    return;
  g_string_append (page->text, "<figure>\n<figcaption><strong>");
  append_text (page, dyno_chart_get_title (chart));
  g_string_append (page->text, "</strong> ");
  append_text (page, dyno_chart_get_finding (chart));
  g_string_append_printf (page->text, "</figcaption>\n<div class=\"wide\">%s</div>\n", drawing);
  append_data (page, chart);
  g_string_append (page->text, "</figure>\n");
}

static void
append_code (Page *page, const DynoReportBlock *block)
{
  append_element (page, "pre", block->text);
}

static void
append_paragraph (Page *page, const DynoReportBlock *block)
{
  append_element (page, "p", block->text);
}

static void (*const appenders[]) (Page *page, const DynoReportBlock *block) = {
  [DYNO_REPORT_HEADING] = append_heading, [DYNO_REPORT_PARAGRAPH] = append_paragraph,
  [DYNO_REPORT_LIST] = append_list,       [DYNO_REPORT_TABLE] = append_table,
  [DYNO_REPORT_CODE] = append_code,       [DYNO_REPORT_CHART] = append_chart,
};

/* The page around it */

static void
append_resource (GString *page, const char *name)
{
  static gsize is_registered;
  g_autofree char *path = g_strconcat (RESOURCES, name, NULL);
  g_autoptr (GBytes) bytes = NULL;

  dyno_resource_ensure (&is_registered, dyno_report_register_resource);
  bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_string_append_len (page, g_bytes_get_data (bytes, NULL), (gssize)g_bytes_get_size (bytes));
}

static void
append_colour (GString *page, const char *name, const DynoColor *colour)
{
  const double channels[] = { colour->red, colour->green, colour->blue, colour->alpha };

  g_string_append_printf (page, "--%s:#", name);
  for (guint i = 0; i < G_N_ELEMENTS (channels); i++)
    g_string_append_printf (page, "%02x", (guint)round (channels[i] * 255));
  g_string_append_c (page, ';');
}

static void
append_colours (GString *page, const DynoReportPalette *palette, gboolean is_dark)
{
  const DynoChartStyle *style = is_dark ? dyno_chart_style_get_dark () : dyno_chart_style_get_light ();
  g_autofree char *drawings = dyno_report_palette_dup_css (palette, is_dark);

  g_string_append (page, ":root{");
  append_colour (page, "background", &style->background);
  append_colour (page, "foreground", &style->foreground);
  append_colour (page, "dim", &style->dim);
  append_colour (page, "grid", &style->grid);
  append_colour (page, "accent", &style->accent);
  g_string_append_printf (page, "%s}\n", drawings);
}

/* The page is both HTML and well-formed XML, and makes a browser load nothing. */
static void
append_page_head (GString *page, const DynoReportDocument *document, const DynoReportPalette *palette)
{
  g_autofree char *title = dyno_markup_escape (document->title);
  g_autofree char *subject = dyno_markup_escape (document->subject);
  /* Translators: in an empty search field */
  g_autofree char *search = dyno_markup_escape (_ ("Search"));
  /* Translators: the language of this translation as HTML names it, such as “de” or “pt-BR” */
  const char *language = C_ ("language of the translation", "en");

  g_string_append_printf (page,
                          "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"%s\" "
                          "data-search=\"%s\">\n<head>\n"
                          "<meta charset=\"utf-8\"/>\n"
                          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                          "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\"/>\n"
                          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                          "<meta name=\"generator\" content=\"Dyno " PACKAGE_VERSION "\"/>\n"
                          "<meta name=\"description\" content=\"%s\"/>\n<title>%s</title>\n",
                          language, search, subject, title);
  g_string_append (page, "<style>\n");
  append_resource (page, "report.css");
  append_colours (page, palette, FALSE);
  g_string_append (page, "@media screen and (prefers-color-scheme:dark){");
  append_colours (page, palette, TRUE);
  g_string_append (page, "}\n</style>\n</head>\n<body>\n");
}

static GBytes *
write_document (const DynoReportDocument *document, GError **error)
{
  g_autoptr (DynoReportPalette) palette = dyno_report_palette_new ();
  g_autoptr (GString) body = g_string_new (NULL);
  GString *whole = NULL;
  Page page = { body, palette, 0, NULL };

  for (guint i = 0; page.error == NULL && i < document->blocks->len; i++)
    {
      const DynoReportBlock *block = document->blocks->pdata[i];

      if (!dyno_report_block_is_empty (block))
        appenders[block->kind](&page, block);
    }
  if (page.error != NULL)
    {
      g_propagate_error (error, page.error);
      return NULL;
    }
  whole = g_string_new (NULL);
  append_page_head (whole, document, palette);
  g_string_append_len (whole, body->str, (gssize)body->len);
  g_string_append (whole, "<footer>Dyno " PACKAGE_VERSION "</footer>\n<script>\n");
  append_resource (whole, "report.js");
  g_string_append (whole, "</script>\n</body>\n</html>\n");
  return g_string_free_to_bytes (whole);
}

const DynoReportFormat dyno_report_html_format = {
  .name = "html",
  .suffix = "html",
  .label = N_ ("HTML"),
  .write_document = write_document,
};
