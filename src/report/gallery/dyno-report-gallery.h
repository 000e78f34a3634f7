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

/* Writes a static site of many runs and machines, to be put on any web space: an index with what is known
 * of each machine, a page and a document of each run, and a page for each two runs that share cases. Files
 * that are called as its own are overwritten, whoever put them there. Others of an earlier gallery, even
 * of one that was not completed, are removed, so that nothing is published that is not meant; what anybody
 * else put there or changed stays. Returns whether all of it was written. @source: the runs, one at least.
 * @removed (nullable): the files of an earlier gallery that were removed from @folder, because they are no
 * longer part of it. */
gboolean dyno_report_gallery_write (const DynoReportSource *source,
                                    const char *folder,
                                    char ***removed,
                                    GError **error);

G_END_DECLS
