/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-http.h"
#include "dyno-progress.h"

G_BEGIN_DECLS

/**
 * DynoEngineRegistry:
 * @DYNO_ENGINE_NPM: packages for Node
 * @DYNO_ENGINE_PYTHON: packages for Python
 *
 * The registry of a package.
 */
typedef enum
{
  DYNO_ENGINE_NPM,
  DYNO_ENGINE_PYTHON,
} DynoEngineRegistry;

/**
 * DynoEnginePacking:
 * @DYNO_ENGINE_PLAIN: uncompressed
 * @DYNO_ENGINE_BROTLI: compressed
 * @DYNO_ENGINE_BROTLI_TAR: a compressed archive; all of it is unpacked
 *
 * The packing of a file in a package.
 */
typedef enum
{
  DYNO_ENGINE_PLAIN,
  DYNO_ENGINE_BROTLI,
  DYNO_ENGINE_BROTLI_TAR,
} DynoEnginePacking;

/**
 * DynoEnginePart:
 * @from: the pattern of its path in the package, as in #GPatternSpec
 * @folder: (nullable): its folder below the engine’s folder
 * @name: (nullable): its name there, NULL for the name in the package
 * @packing: its packing in the package
 * @is_executable: whether it is a program
 *
 * A file, or several, to take out of a package.
 */
typedef struct
{
  char *from;
  char *folder;
  char *name;
  DynoEnginePacking packing;
  gboolean is_executable;
} DynoEnginePart;

/**
 * DynoEngine:
 * @id: a stable word, `onnxruntime`
 * @version: the version of the engine
 * @name: its name for people
 * @summary: the hardware that it runs on, in English; see dyno_engine_get_summary()
 * @backends: (array zero-terminated=1): the backends that use it
 * @driver: (nullable): the kernel driver that it needs to find a device
 * @registry: the registry of the package
 * @package: the package's name there
 * @package_version: the version of that package, which may have numbers of its own
 * @license: SPDX expression
 * @license_files: (array zero-terminated=1): the paths of its text in the package; empty if the package has none
 * @problem: (nullable): why there is nothing to install for this machine, a sentence
 * @file: (nullable): the package's file for this machine
 * @size: the size of @file, in bytes
 * @sha256: the hash of @file, 64 hexadecimal digits
 * @unpacked: the most bytes to take out of it
 * @parts: (element-type DynoEnginePart): the files to take out of it
 *
 * A version of an engine that can be installed, as `data/engines.json` lists it.
 */
typedef struct
{
  char *id;
  char *version;
  char *name;
  char *summary;
  char **backends;
  char *driver;
  DynoEngineRegistry registry;
  char *package;
  char *package_version;
  char *license;
  char **license_files;
  char *problem;
  char *file;
  guint64 size;
  char *sha256;
  guint64 unpacked;
  GPtrArray *parts;
} DynoEngine;

/* Lists the engines that can be installed: from Dyno’s own list, or the one that the environment variable
 * `DYNO_ENGINES` names. Returns the engines; of each engine, the version that Dyno is tested with is first;
 * NULL if the list cannot be read. Elements are DynoEngine. */
GPtrArray *dyno_engine_list (GError **error);
DynoEngine *dyno_engine_ref (DynoEngine *self);
void dyno_engine_unref (DynoEngine *self);
/* Returns the engine; NULL if there is none. The caller owns it. @spec: `ID`, which means its first
 * version, or `ID@VERSION`. Fails with DYNO_ERROR_NOT_FOUND, with the names of the existing engines. */
DynoEngine *dyno_engine_find (const char *spec, GError **error);
/* Finds engines that the backend may lack: those that it uses, with no version installed, with a package
 * for this machine, and with a loaded driver. Only looks at folders. Returns the engines, each in the
 * version that Dyno is tested with. Elements are DynoEngine. The caller owns it. */
GPtrArray *dyno_engine_find_missing (const char *backend);
/* Returns a summary of the hardware that it runs on, translated if it is from Dyno’s own list. */
const char *dyno_engine_get_summary (const DynoEngine *self);
/* Returns its name and version. */
char *dyno_engine_dup_title (const DynoEngine *self);
/* Returns where it is installed, or would be. */
char *dyno_engine_dup_folder (const DynoEngine *self);
/* Returns the address of a page with the text of its licence, if that is a single one that SPDX lists; NULL
 * otherwise. */
char *dyno_engine_dup_license_address (const DynoEngine *self);
gboolean dyno_engine_is_installed (const DynoEngine *self);
/* Returns whether it was installed by Dyno. */
gboolean dyno_engine_is_ours (const DynoEngine *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoEngine, dyno_engine_unref)

/* Marks the folder of an engine that Dyno installed; no other folder is ever removed. */
#define DYNO_ENGINE_STAMP "dyno-engine.json"

/* dyno-engine-installer */

/* Downloads the engine’s package, checks its hash, takes out the needed files and puts them, all or none,
 * into a folder of their own in the runtimes folder. An installed engine is left unchanged. @cancellable
 * (nullable): ends it; the part that arrived is kept, and the next attempt continues from there. */
void dyno_engine_installer_install_async (DynoEngine *engine,
                                          DynoProgressFunc progress,
                                          gpointer progress_data,
                                          GCancellable *cancellable,
                                          GAsyncReadyCallback callback,
                                          gpointer user_data);
/* Returns whether it is installed. */
gboolean dyno_engine_installer_install_finish (GAsyncResult *result, GError **error);
/* Removes the installed files, and those of an unfinished download. Returns whether they are gone. Fails
 * with DYNO_ERROR_NOT_FOUND if it is not installed, DYNO_ERROR_INVALID_ARGUMENT if Dyno did not install it.
 **/
gboolean dyno_engine_installer_remove (DynoEngine *engine, GError **error);

/* dyno-engine-registry */

/* Takes the addresses from the settings. The environment has precedence. */
void dyno_engine_registry_apply_settings (GSettings *settings);
/* Returns the registry's address: from the environment, else from the settings, else from the tool that the
 * registry belongs to; NULL if there is none. May run that tool, so it belongs on a thread. @cancellable
 * may be NULL. Fails with DYNO_ERROR_NOT_FOUND, with the program to install or the variable to set. */
char *
dyno_engine_registry_dup_address (DynoEngineRegistry registry, GCancellable *cancellable, GError **error);
/* Returns the address of the engine's file; NULL if there is none. The caller owns it. @cancellable may be
 * NULL. */
char *dyno_engine_registry_find_file (DynoHttp *http,
                                      const DynoEngine *engine,
                                      GCancellable *cancellable,
                                      GError **error);

G_END_DECLS
