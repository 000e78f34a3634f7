/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-report-source.h"

G_BEGIN_DECLS

/**
 * DYNO_REPORT_GALLERY:
 *
 * The name of the gallery among the templates of reports: it is a folder, not a document.
 */
#define DYNO_REPORT_GALLERY "gallery"

gboolean dyno_report_gallery_write (const DynoReportSource *source,
                                    const char *folder,
                                    char ***removed,
                                    GError **error);

G_END_DECLS
