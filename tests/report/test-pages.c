/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <cairo-pdf.h>
#include <string.h>

#include "chart-fixture.h"
#include "dyno-chart-base-private.h"
#include "dyno-chart-kind-list.h"
#include "dyno-chart-kind.h"
#include "dyno-report.h"
#include "dyno-report-document-private.h"
#include "dyno-report-pages.h"
#include "suite.h"

/* A4, in points, and what stays free around it. */
#define WIDTH  595.0
#define HEIGHT 842.0
#define MARGIN 40.0

static DynoReportDocument *
create_document (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_disturb (fixture_create_sweep ("Sweep", 4, 6)), NULL);
  const DynoReportSource source = { .runs = runs };

  return dyno_report_run_template.build (&dyno_report_run_template, &source, NULL);
}

static void
get_extents (DynoReportPages *pages, guint page, double *x, double *y, double *width, double *height)
{
  cairo_surface_t *surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
  cairo_t *cr = cairo_create (surface);

  dyno_report_pages_draw (pages, page, cr);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_recording_surface_ink_extents (surface, x, y, width, height);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* Everything lies within the margins of the paper, and no page is empty. */
static void
test_margins (void)
{
  g_autoptr (DynoReportDocument) document = create_document ();
  g_autoptr (DynoReportPages) pages = dyno_report_pages_new (document, WIDTH, HEIGHT);

  g_assert_cmpuint (dyno_report_pages_get_n_pages (pages), >, 2);
  for (guint i = 0; i < dyno_report_pages_get_n_pages (pages); i++)
    {
      double x, y, width, height;

      get_extents (pages, i, &x, &y, &width, &height);
      g_assert_cmpfloat (x, >=, MARGIN);
      g_assert_cmpfloat (y, >=, MARGIN);
      g_assert_cmpfloat (x + width, <=, WIDTH - MARGIN);
      g_assert_cmpfloat (y + height, <=, HEIGHT - MARGIN);
      g_assert_cmpfloat (height, >, HEIGHT / 8);
    }
}

/* Headings are found again in their order, and none stands at the very end of a page. */
static void
test_headings (void)
{
  g_autoptr (DynoReportDocument) document = create_document ();
  g_autoptr (DynoReportPages) pages = dyno_report_pages_new (document, WIDTH, HEIGHT);
  GArray *headings = dyno_report_pages_list_headings (pages);
  guint last = 0;

  g_assert_cmpstr (g_array_index (headings, DynoReportPlace, 0).title, ==, "Sweep");
  g_assert_cmpuint (headings->len, >, 4);
  for (guint i = 0; i < headings->len; i++)
    {
      const DynoReportPlace *heading = &g_array_index (headings, DynoReportPlace, i);

      g_assert_cmpuint (heading->page, >=, last);
      g_assert_cmpfloat (heading->y, <, HEIGHT - 100);
      last = heading->page;
    }
}

/* What a row is about is not to be read word by word, however many columns there are: a case of an ordinary run takes two
 * lines or three. */
static void
test_wide_table (void)
{
  static const struct
  {
    const char *title;
    const char *cell;
  } columns[] = {
    { "Case", "BERT tiny · ONNX Runtime (CPU) · fp32 · batch 1 · 16 tokens" },
    { "Status", "Doubtful" },
    { "Median (ms)", "0.1869 (0.1812 – 0.1965)" },
    { "Interval", "95 % interval" },
    { "Processes", "5" },
    { "p90 (ms)", "needs 44" },
    { "p99 (ms)", "needs 459" },
    { "Items/s", "2235" },
    { "Tokens/s", "35766" },
    { "Peak memory (MB)", "75.88" },
    { "GFLOP/s", "≈ 70.04" },
  };
  const guint n_rows = 40;
  g_autoptr (DynoReportDocument) document = dyno_report_document_new ("Wide");
  g_autoptr (DynoReportPages) pages = NULL;

  dyno_report_document_begin_table (document);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    dyno_report_document_add_column (document, columns[i].title, i == 2 || i > 3);
  for (guint row = 0; row < n_rows; row++)
    {
      dyno_report_document_begin_row (document);
      for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
        dyno_report_document_add_cell (document, columns[i].cell);
    }
  pages = dyno_report_pages_new (document, WIDTH, HEIGHT);
  g_assert_cmpuint (dyno_report_pages_get_n_pages (pages), <=, 2);
}

static DynoChart *
find_chart (const DynoReportDocument *document)
{
  for (guint i = 0; i < document->blocks->len; i++)
    if (((DynoReportBlock *)document->blocks->pdata[i])->chart != NULL)
      return ((DynoReportBlock *)document->blocks->pdata[i])->chart;
  return NULL;
}

/* A heading goes with its picture where that is on the next page. */
static void
test_heading_of_chart (void)
{
  g_autoptr (DynoReportDocument) other = create_document ();
  g_autoptr (DynoReportDocument) document = dyno_report_document_new ("Charts");
  g_autoptr (DynoReportPages) pages = NULL;
  const DynoReportPlace *heading;

  for (guint i = 0; i < 30; i++)
    dyno_report_document_add_paragraph (document, "A line.");
  dyno_report_document_add_heading (document, 2, "Charts");
  dyno_report_document_take_chart (document, g_object_ref (find_chart (other)));
  pages = dyno_report_pages_new (document, WIDTH, HEIGHT);
  heading = &g_array_index (dyno_report_pages_list_headings (pages), DynoReportPlace, 0);
  g_assert_cmpuint (heading->page, ==, 1);
}

/* What stands below a picture takes no room from it. */
static void
test_chart_height (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_sweep ("Sweep", 1, 3), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, runs);
  double before = dyno_report_charts_get_height (chart, 760);
  GString *note = g_string_new (NULL);

  for (guint i = 0; i < 20; i++)
    g_string_append (note, "A sentence of about forty letters, no more. ");
  dyno_chart_take_note (chart, g_string_free (note, FALSE));
  g_assert_cmpfloat (dyno_report_charts_get_height (chart, 760), >, before + 40);
}

/* A text longer than a page goes on on the next one; a word longer than a line is broken. */
static void
test_long_text (void)
{
  g_autoptr (DynoReportDocument) document = dyno_report_document_new ("Long");
  g_autoptr (DynoReportPages) pages = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  double x, y, width, height;

  for (guint i = 0; i < 10000; i++)
    g_string_append (text, i % 100 == 0 ? "wordwithoutend" : "x");
  dyno_report_document_add_paragraph (document, text->str);
  dyno_report_document_begin_list (document);
  dyno_report_document_add_item (document, "Lead", text->str, "aside");
  pages = dyno_report_pages_new (document, WIDTH, HEIGHT);
  g_assert_cmpuint (dyno_report_pages_get_n_pages (pages), >, 2);
  get_extents (pages, 1, &x, &y, &width, &height);
  g_assert_cmpfloat (x + width, <=, WIDTH - MARGIN);
  g_assert_cmpfloat (y + height, <=, HEIGHT - MARGIN);
}

/* A name without end takes neither time nor paper: its heading, its cells and the foot of each page are cut. */
static void
test_endless_name (void)
{
  g_autofree char *name = g_strnfill (100000, 'x');
  g_autoptr (DynoReportDocument) document = dyno_report_document_new (name);
  g_autoptr (DynoReportPages) pages = NULL;
  double x, y, width, height;

  dyno_report_document_add_heading (document, 1, name);
  dyno_report_document_begin_table (document);
  dyno_report_document_add_column (document, name, FALSE);
  for (guint i = 0; i < 3; i++)
    {
      dyno_report_document_begin_row (document);
      dyno_report_document_add_cell (document, name);
    }
  pages = dyno_report_pages_new (document, WIDTH, HEIGHT);
  g_assert_cmpuint (dyno_report_pages_get_n_pages (pages), ==, 1);
  get_extents (pages, 0, &x, &y, &width, &height);
  g_assert_cmpfloat (y + height, <=, HEIGHT - MARGIN);
}

static void
append_inflated (GString *text, const char *stream, gsize size)
{
  g_autoptr (GConverter) inflate = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB));
  g_autoptr (GInputStream) bytes = g_memory_input_stream_new_from_data (stream, (gssize)size, NULL);
  g_autoptr (GInputStream) inflated = g_converter_input_stream_new (bytes, inflate);
  char piece[4096];
  gssize n;

  while ((n = g_input_stream_read (inflated, piece, sizeof piece, NULL, NULL)) > 0)
    g_string_append_len (text, piece, n);
}

/* Newer versions of cairo put objects into compressed streams. */
static GString *
read_objects (GBytes *report)
{
  gsize size;
  const char *data = g_bytes_get_data (report, &size);
  const char *end = data + size;
  GString *text = g_string_new_len (data, (gssize)size);

  while ((data = memmem (data, (gsize)(end - data), "stream\n", 7)) != NULL)
    {
      data += 7;
      append_inflated (text, data, (gsize)(end - data));
    }
  return text;
}

static void
assert_contains (const GString *objects, const char *text)
{
  g_assert_nonnull (memmem (objects->str, objects->len, text, strlen (text)));
}

static guint
count (const GString *objects, const char *text)
{
  const char *place = objects->str, *end = objects->str + objects->len;
  guint n = 0;

  while ((place = memmem (place, (gsize)(end - place), text, strlen (text))) != NULL)
    {
      place += strlen (text);
      n++;
    }
  return n;
}

/* A reader that trusts the tags finds each cell in a row of a table, and each item in a list. */
static void
assert_tagged (const GString *objects)
{
  g_assert_cmpuint (count (objects, "/Marked true"), ==, 1);
  g_assert_cmpuint (count (objects, "/S /Document\n"), ==, 1);
  g_assert_cmpuint (count (objects, "/S /Table\n"), >=, 1);
  g_assert_cmpuint (count (objects, "/S /TH\n"), >, count (objects, "/S /Table\n"));
  g_assert_cmpuint (count (objects, "/S /TD\n"), >, count (objects, "/S /TR\n"));
  g_assert_cmpuint (count (objects, "/S /TR\n"), >, count (objects, "/S /Table\n"));
  g_assert_cmpuint (count (objects, "/S /L\n"), >=, 1);
  g_assert_cmpuint (count (objects, "/S /LI\n"), ==, count (objects, "/S /Lbl\n"));
  g_assert_cmpuint (count (objects, "/S /LI\n"), >=, count (objects, "/S /L\n"));
}

/* A printer asks for any page, in any order, and more than once: each has all its tags. */
static void
test_single_pages (void)
{
  g_autoptr (DynoReportDocument) document = create_document ();
  g_autoptr (DynoReportPages) pages = dyno_report_pages_new (document, WIDTH, HEIGHT);
  cairo_surface_t *surface = cairo_pdf_surface_create_for_stream (NULL, NULL, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  guint n_pages = dyno_report_pages_get_n_pages (pages);

  for (guint i = 0; i < 2 * n_pages; i++)
    {
      dyno_report_pages_draw (pages, n_pages - 1 - i / 2, cr);
      cairo_show_page (cr);
    }
  g_assert_cmpstr (cairo_status_to_string (cairo_status (cr)), ==,
                   cairo_status_to_string (CAIRO_STATUS_SUCCESS));
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  g_assert_cmpint (cairo_surface_status (surface), ==, CAIRO_STATUS_SUCCESS);
  cairo_surface_destroy (surface);
}

static void
test_pdf (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_sweep ("A <run> & more", 1, 2), NULL);
  const DynoReportSource source = { .runs = runs };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) report = dyno_report_write (dyno_report_format_find ("pdf"), NULL, &source, &error);
  g_autoptr (GString) objects = NULL;

  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (report, NULL), 5, "%PDF-", 5);
  objects = read_objects (report);
  assert_contains (objects, "(A <run> & more)");
  assert_contains (objects, "/Outlines");
  assert_contains (objects, "/StructTreeRoot");
  assert_tagged (objects);
  assert_contains (objects, "/MediaBox [ 0 0 595");
}

static const SuiteTest tests[] = {
  { "/report/pages/margins", test_margins },
  { "/report/pages/headings", test_headings },
  { "/report/pages/wide-table", test_wide_table },
  { "/report/pages/heading-of-chart", test_heading_of_chart },
  { "/report/pages/chart-height", test_chart_height },
  { "/report/pages/long-text", test_long_text },
  { "/report/pages/endless-name", test_endless_name },
  { "/report/pages/single-pages", test_single_pages },
  { "/report/pages/pdf", test_pdf },
};

SUITE_TESTS (tests)
