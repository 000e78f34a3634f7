/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>

#include "dyno-report-document.h"

G_BEGIN_DECLS

/**
 * DynoReportPages:
 *
 * A document laid out on paper: for files and for printers. Sizes are in points, 1/72 inch.
 */
typedef struct _DynoReportPages DynoReportPages;

/**
 * DynoReportPlace:
 * @title: a heading
 * @level: its level, from 1
 * @page: on which page it stands, from 0
 * @y: how far below the upper edge of the page
 *
 * Where a heading of a document stands on paper.
 */
typedef struct
{
  const char *title;
  guint level;
  guint page;
  double y;
} DynoReportPlace;

/* Returns the pages, for one thread. @document: a document, which must live as long. @width: of the paper,
 * in points. */
DynoReportPages *dyno_report_pages_new (const DynoReportDocument *document, double width, double height);
void dyno_report_pages_free (DynoReportPages *self);
guint dyno_report_pages_get_n_pages (const DynoReportPages *self);
/* Returns where its headings stand, in their order. Elements are DynoReportPlace. */
GArray *dyno_report_pages_list_headings (const DynoReportPages *self);
/* Each page opens and closes its own tags, so that a printer may draw any of them: a table that goes on on
 * the next page is another table there, which has the same head. @page: which of them, from 0. @cr: where
 * to draw it: the upper left corner of the paper is the origin. */
void dyno_report_pages_draw (DynoReportPages *self, guint page, cairo_t *cr);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoReportPages, dyno_report_pages_free)

G_END_DECLS
