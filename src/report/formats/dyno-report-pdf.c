/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <cairo-pdf.h>
#include <glib/gi18n-lib.h>
#include <langinfo.h>

#include "dyno-error.h"
#include "dyno-report-formats.h"
#include "dyno-report-pages.h"

/* In mm. */
#define A4_WIDTH  210
#define A4_HEIGHT 297
#define MM        (72 / 25.4)
#define MAX_LEVEL 3

static cairo_status_t
append (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

/* All pages are within one Document tag: that makes it a tagged PDF. */
static cairo_status_t
draw (cairo_surface_t *surface, const DynoReportDocument *document, double width, double height)
{
  g_autoptr (DynoReportPages) pages = dyno_report_pages_new (document, width, height);
  cairo_t *cr = cairo_create (surface);
  guint n_pages = dyno_report_pages_get_n_pages (pages);
  GArray *headings = dyno_report_pages_list_headings (pages);
  int parents[MAX_LEVEL + 1] = { CAIRO_PDF_OUTLINE_ROOT };
  cairo_status_t status;

  cairo_tag_begin (cr, "Document", NULL);
  for (guint i = 0; i < n_pages; i++)
    {
      dyno_report_pages_draw (pages, i, cr);
      if (i + 1 == n_pages)
        cairo_tag_end (cr, "Document");
      cairo_show_page (cr);
    }
  /* Bookmarks: each heading is below the last one of a lower level. */
  for (guint i = 0; i < headings->len; i++)
    {
      const DynoReportPlace *heading = &g_array_index (headings, DynoReportPlace, i);
      char y[G_ASCII_DTOSTR_BUF_SIZE];
      g_autofree char *place = g_strdup_printf ("page=%u pos=[0 %s]", heading->page + 1,
                                                g_ascii_formatd (y, sizeof y, "%.1f", heading->y));
      int id = cairo_pdf_surface_add_outline (surface, parents[heading->level - 1], heading->title, place,
                                              heading->level == 1 ? CAIRO_PDF_OUTLINE_FLAG_OPEN : 0);

      for (guint level = heading->level; level <= MAX_LEVEL; level++)
        parents[level] = id;
    }
  status = cairo_status (cr);
  cairo_destroy (cr);
  return status;
}

static GBytes *
write_document (const DynoReportDocument *document, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *surface;
  cairo_status_t status;
  double width, height;

  int wide = A4_WIDTH, high = A4_HEIGHT;
#ifdef __GLIBC__
  wide = (int)(gintptr)nl_langinfo (_NL_PAPER_WIDTH);
  high = (int)(gintptr)nl_langinfo (_NL_PAPER_HEIGHT);
#endif
  width = wide * MM;
  height = high * MM;
  surface = cairo_pdf_surface_create_for_stream (append, bytes, width, height);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, document->title);
  if (document->subject != NULL)
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_SUBJECT, document->subject);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Dyno " PACKAGE_VERSION);
  status = draw (surface, document, width, height);
  cairo_surface_finish (surface);
  status = status != CAIRO_STATUS_SUCCESS ? status : cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("The report “%s” could not be drawn: %s."),
               document->title, cairo_status_to_string (status));
  return NULL;
}

const DynoReportFormat dyno_report_pdf_format = {
  .name = "pdf",
  .suffix = "pdf",
  .label = N_ ("PDF"),
  .write_document = write_document,
};
