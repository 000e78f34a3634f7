/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart.h"
#include "dyno-report-document.h"
#include "dyno-run.h"

G_BEGIN_DECLS

/* dyno-report-json */

/* Writes all data of the runs, in the format of `src/report/report.schema.json`. Unknown values are null or
 * absent; no number is invented for them. Returns JSON in one line. The caller owns it. @runs holds DynoRun.
 * @ceilings (nullable): the known ceilings of their machines. */
char *dyno_report_json_write (GPtrArray *runs, GHashTable *ceilings);

/* dyno-report-plain */

/* Returns the document as text of a usual width, with its details. */
GBytes *dyno_report_plain_write_document (const DynoReportDocument *document, GError **error);

/* dyno-report-drawing */

/**
 * DynoReportPalette:
 *
 * The colours of the drawings of a page, each with its light and its dark value; a drawing contains the name
 * of a CSS variable.
 */
typedef struct _DynoReportPalette DynoReportPalette;

DynoReportPalette *dyno_report_palette_new (void);
void dyno_report_palette_free (DynoReportPalette *self);
/* Returns the declarations of the variables. */
char *dyno_report_palette_dup_css (const DynoReportPalette *self, gboolean is_dark);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoReportPalette, dyno_report_palette_free)

/* Returns an `svg` element to be put into a page. @palette: the palette of the page, to which its colours
 * are added. */
char *dyno_report_drawing_dup (DynoChart *chart, guint number, DynoReportPalette *palette, GError **error);

G_END_DECLS
