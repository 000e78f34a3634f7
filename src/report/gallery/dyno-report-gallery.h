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

/* Writes a static site of many runs and machines, for any web space: an index with the facts about each
 * machine, a page and a document for each run, and a page for each pair of runs that share cases. Overwrites
 * files with the same names, whoever put them there. Removes other files of an earlier gallery, even of an
 * incomplete one, so that nothing is published by accident; keeps all files that anybody else added or
 * changed. Returns whether all of it was written. @source: the runs, at least one. @removed (nullable): the
 * files of an earlier gallery that were removed from @folder, because they are no longer part of it. */
gboolean dyno_report_gallery_write (const DynoReportSource *source,
                                    const char *folder,
                                    char ***removed,
                                    GError **error);

G_END_DECLS
