/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>

#include "dyno-report-document.h"

G_BEGIN_DECLS

/**
 * DynoReportPages:
 *
 * A document laid out on paper, for files and printers. Sizes are in points, 1/72 inch.
 */
typedef struct _DynoReportPages DynoReportPages;

/**
 * DynoReportPlace:
 * @title: a heading
 * @level: its level, from 1
 * @page: its page, from 0
 * @y: its distance from the upper edge of the page
 *
 * The position of a heading on paper.
 */
typedef struct
{
  const char *title;
  guint level;
  guint page;
  double y;
} DynoReportPlace;

/* Returns the pages, for one thread. @document: a document, which must outlive them. @width: of the paper, in
 * points. */
DynoReportPages *dyno_report_pages_new (const DynoReportDocument *document, double width, double height);
void dyno_report_pages_free (DynoReportPages *self);
guint dyno_report_pages_get_n_pages (const DynoReportPages *self);
/* Returns the positions of its headings, in order. Elements are DynoReportPlace. */
GArray *dyno_report_pages_list_headings (const DynoReportPages *self);
/* Each page opens and closes its own tags, so that a printer may draw any of them: a table that continues on
 * the next page is a separate table there with the same header. @page: its index, from 0. @cr: the target;
 * the upper left corner of the paper is the origin. */
void dyno_report_pages_draw (DynoReportPages *self, guint page, cairo_t *cr);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoReportPages, dyno_report_pages_free)

G_END_DECLS
