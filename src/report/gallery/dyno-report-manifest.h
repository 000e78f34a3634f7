/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoReportManifest:
 *
 * Which files of a folder are ours, by name and content: a file in that folder keeps it. So what an earlier time wrote there
 * can be told from what others put beside it or changed.
 */
typedef struct _DynoReportManifest DynoReportManifest;

/* Returns what is ours in it from before, to which nothing was added yet. */
DynoReportManifest *dyno_report_manifest_new (const char *folder);
void dyno_report_manifest_free (DynoReportManifest *self);
/* Returns whether the file could be read and was listed. */
gboolean dyno_report_manifest_add (DynoReportManifest *self, const char *name, GError **error);
/* Removes what an earlier time wrote that is no longer part of it. What was changed since is somebody
 * else’s, and stays. Returns the names of the files that were removed; NULL where one could not be. */
char **dyno_report_manifest_finish (DynoReportManifest *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoReportManifest, dyno_report_manifest_free)

G_END_DECLS
