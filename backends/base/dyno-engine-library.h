/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"

G_BEGIN_DECLS

#define DYNO_TYPE_ENGINE_LIBRARY (dyno_engine_library_get_type ())

/**
 * DynoEngineLibrary:
 *
 * A file that may be an engine's library, found at run time. Read-only properties: `path`, `version` (nullable),
 * `usable`, `problem` (nullable sentence).
 *
 * All but the path require an inspection of the library, which takes tens of milliseconds. The first reading of any
 * of them does it, so a user interface first calls dyno_engine_library_inspect() in a thread.
 *
 * A process opens at most one library of an engine, because two of them share symbols and break each other.
 */
G_DECLARE_DERIVABLE_TYPE (DynoEngineLibrary, dyno_engine_library, DYNO, ENGINE_LIBRARY, GObject)

/**
 * DynoEngineLibraryClass:
 * @name: the engine's name for people
 * @prefix: how the library's file name begins
 * @python_folder: where a Python package of it keeps the library, below `site-packages`
 * @variable: the variable of the environment that names the library to use
 * @remedy: what to do if none is found or usable, as a sentence marked for translation; may be NULL where nothing asks for it
 * @open: opens the library and reads its version; called once, and must use only the path of @self
 * @inspect: (nullable): as @open, but without opening the library in this process; if it is missing, an inspection
 *   opens the library
 */
struct _DynoEngineLibraryClass
{
  GObjectClass parent_class;

  const char *name;
  const char *prefix;
  const char *python_folder;
  const char *variable;
  const char *remedy;

  gboolean (*open) (DynoEngineLibrary *self, char **version, GError **error);
  gboolean (*inspect) (DynoEngineLibrary *self, char **version, GError **error);
};

/* Names the library of that version, unless one is named already; if none is found, the usual one stays. Inspects
 * libraries, so it blocks. @runtime: an engine with its version, as a probe reports it: “ONNX Runtime 1.23.2”. */
void dyno_engine_library_name_version (const char *runtime);
/* Looks for libraries of the engine: the named one, those in the runtimes folder, the system's, those in Python
 * environments. They are not opened. Returns a list of @type in order of preference. */
GListModel *dyno_engine_library_list_found (GType type);
/* Returns a text that changes with the named library and with those that are found, for a fingerprint. They are not
 * opened. The caller owns it. */
char *dyno_engine_library_dup_state (GType type);
/* Lists the libraries that this process may use: only the named one, or only the one that is already open,
 * else all that are found. They are not opened. Returns a list of @type in order of preference, NULL if
 * there is none. */
GListModel *dyno_engine_library_list_candidates (GType type, GError **error);
/* Opens the named library, or the first usable one. Returns a usable library; NULL if there is none. */
gpointer dyno_engine_library_get_default (GType type, GError **error);

/* There is one object for every path, and it lives forever: a library once opened is never closed. Nothing is opened
 * yet. Returns the library of that file. */
gpointer dyno_engine_library_get (GType type, const char *path);
/* Opens the library, once; later calls return the same result. Any thread may call this. Returns whether
 * Dyno can use it. */
gboolean dyno_engine_library_load (DynoEngineLibrary *self, GError **error);
/* Finds out, once, the result of opening the library, without opening it in this process if that would
 * block others. Blocks; any thread may call this. Returns whether Dyno can use it. */
gboolean dyno_engine_library_inspect (DynoEngineLibrary *self, GError **error);
/* Returns whether this process has opened the library and can use it. */
gboolean dyno_engine_library_is_open (DynoEngineLibrary *self);
/* Returns the libraries that this process has opened and can use, in that order; in a worker the first is that of the
 * case's engine. Elements are DynoEngineLibrary, which live forever. The caller owns the list. */
GPtrArray *dyno_engine_library_list_open (void);
const char *dyno_engine_library_get_path (DynoEngineLibrary *self);
/* Returns the version, which may also be known for an unusable one; NULL if unknown. */
const char *dyno_engine_library_get_version (DynoEngineLibrary *self);
gboolean dyno_engine_library_is_usable (DynoEngineLibrary *self);
/* Returns why it is not usable, as a sentence; NULL if it is. */
const char *dyno_engine_library_get_problem (DynoEngineLibrary *self);

/* Returns a handle for dlsym(); never closed, because the library's threads and static objects would not
 * survive that; NULL if there is none. @error: return location for an error. */
gpointer dyno_engine_library_open_file (DynoEngineLibrary *self, GError **error);
/* Returns a lock for state that a process has once per library. The caller owns it. */
GMutexLocker *dyno_engine_library_lock (DynoEngineLibrary *self);

/* Returns what to do if there is no usable library, as a sentence. */
const char *dyno_engine_library_get_remedy (GType type);
/* Returns the library to use, opened; it lives as long as the process. Fails with the reason and the remedy. */
gpointer dyno_engine_library_find (GType type, GError **error);

/* dyno-library-backend */

#define DYNO_TYPE_LIBRARY_BACKEND (dyno_library_backend_get_type ())

/**
 * DynoLibraryBackend:
 *
 * A backend whose engine is a library that is found at run time.
 */
G_DECLARE_DERIVABLE_TYPE (DynoLibraryBackend, dyno_library_backend, DYNO, LIBRARY_BACKEND, DynoBackend)

/**
 * DynoLibraryBackendClass:
 * @library_type: the class of its library; see dyno_library_backend_class_take_library()
 * @start_library: (nullable): starts the opened library, once
 * @add_devices: adds the devices that the open library finds to the probe; fails if there is none
 * @has_device: whether there is such a device; also FALSE if it cannot be known, then with an error
 * @open_model: loads a model; the options name a device that exists, or the usual one
 *
 * With @library_type and these functions, probing, starting, opening and the fingerprint are done.
 */
struct _DynoLibraryBackendClass
{
  DynoBackendClass parent_class;

  GType library_type;
  gboolean (*start_library) (gpointer library, GError **error);
  gboolean (*add_devices) (DynoBackend *self, gpointer library, DynoProbe *probe, GError **error);
  gboolean (*has_device) (gpointer library, const char *id, GError **error);
  DynoSession *(*open_model) (gpointer library,
                              const char *path,
                              const DynoSessionOptions *options,
                              GError **error);
};

/* For class_init. @library_type: derives from DynoEngineLibrary. @paths: the first one names the library. */
void dyno_library_backend_class_take_library (DynoLibraryBackendClass *self,
                                              GType library_type,
                                              const DynoEnginePath *paths);
/* Returns the library, opened. Fails with the reason and the remedy. */
gpointer dyno_library_backend_get_library (DynoBackend *self, GError **error);

G_END_DECLS
