/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define DYNO_TYPE_ENGINE_LIBRARY (dyno_engine_library_get_type ())

/**
 * DynoEngineLibrary:
 *
 * A file that may be an engine's library, found when Dyno runs. Read-only properties: `path`, `version` (nullable),
 * `usable`, `problem` (nullable sentence).
 *
 * All but the path become known by looking into the library, which takes tens of milliseconds: the first reading of any
 * of them does it, so a user interface calls [method@Dyno.EngineLibrary.inspect] in a thread before.
 *
 * A process opens at most one library of an engine, because two of them share symbols and break each other.
 */
G_DECLARE_DERIVABLE_TYPE (DynoEngineLibrary, dyno_engine_library, DYNO, ENGINE_LIBRARY, GObject)

/**
 * DynoEngineLibraryClass:
 * @name: what people call the engine
 * @prefix: how the library's file name begins
 * @python_folder: where a Python package of it keeps the library, below `site-packages`
 * @variable: the variable of the environment that names the library to use
 * @open: opens the library and learns what it is; called once, and must ask nothing of @self but its path
 * @inspect: (nullable): finds out what @open would, without opening the library in this process; without it, looking into
 *   a library opens it
 */
struct _DynoEngineLibraryClass
{
  GObjectClass parent_class;

  const char *name;
  const char *prefix;
  const char *python_folder;
  const char *variable;

  gboolean (*open) (DynoEngineLibrary *self, char **version, GError **error);
  gboolean (*inspect) (DynoEngineLibrary *self, char **version, GError **error);
};

void dyno_engine_library_set_named (GType type, const char *path);
char *dyno_engine_library_dup_named (GType type);
GListModel *dyno_engine_library_list_found (GType type);
GListModel *dyno_engine_library_list_candidates (GType type, GError **error);
gpointer dyno_engine_library_get_default (GType type, GError **error);

gpointer dyno_engine_library_get (GType type, const char *path);
gboolean dyno_engine_library_load (DynoEngineLibrary *self, GError **error);
gboolean dyno_engine_library_inspect (DynoEngineLibrary *self, GError **error);
gboolean dyno_engine_library_is_open (DynoEngineLibrary *self);
const char *dyno_engine_library_get_path (DynoEngineLibrary *self);
const char *dyno_engine_library_get_version (DynoEngineLibrary *self);
gboolean dyno_engine_library_is_usable (DynoEngineLibrary *self);
const char *dyno_engine_library_get_problem (DynoEngineLibrary *self);

gpointer dyno_engine_library_open_file (DynoEngineLibrary *self, GError **error);
GMutexLocker *dyno_engine_library_lock (DynoEngineLibrary *self);

G_END_DECLS
