/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-application.h"

G_BEGIN_DECLS

#define DYNO_TYPE_SEARCH_PROVIDER (dyno_search_provider_get_type ())

/**
 * DynoSearchProvider:
 *
 * Finds the runs of the application's store for the desktop's search, by `org.gnome.Shell.SearchProvider2`.
 * The results are ids of runs.
 */
G_DECLARE_FINAL_TYPE (DynoSearchProvider, dyno_search_provider, DYNO, SEARCH_PROVIDER, GObject)

/* Returns a new provider. */
DynoSearchProvider *dyno_search_provider_new (DynoApplication *application);

/* Returns whether it can be called now. @object_path: the path in the `.search-provider.ini` file. */
gboolean dyno_search_provider_export (DynoSearchProvider *self,
                                      GDBusConnection *connection,
                                      const char *object_path,
                                      GError **error);
void dyno_search_provider_unexport (DynoSearchProvider *self);

G_END_DECLS
