/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoReportManifest:
 *
 * A list of our files in a folder, by name and content, kept in a file in that folder. It distinguishes the
 * files of an earlier gallery from files that others added or changed.
 */
typedef struct _DynoReportManifest DynoReportManifest;

/* Returns the earlier list of the folder; nothing is added yet. */
DynoReportManifest *dyno_report_manifest_new (const char *folder);
void dyno_report_manifest_free (DynoReportManifest *self);
/* Returns whether the file could be read and was listed. */
gboolean dyno_report_manifest_add (DynoReportManifest *self, const char *name, GError **error);
/* Removes files of an earlier gallery that are no longer part of it; keeps files that somebody changed since.
 * Returns the names of the files that were removed; NULL if one could not be. */
char **dyno_report_manifest_finish (DynoReportManifest *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoReportManifest, dyno_report_manifest_free)

G_END_DECLS
