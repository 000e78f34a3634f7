/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * DynoEngineRegistry:
 * @DYNO_ENGINE_NPM: packages for Node
 * @DYNO_ENGINE_PYTHON: packages for Python
 *
 * Where packages come from.
 */
typedef enum
{
  DYNO_ENGINE_NPM,
  DYNO_ENGINE_PYTHON,
} DynoEngineRegistry;

/**
 * DynoEnginePacking:
 * @DYNO_ENGINE_PLAIN: as it is
 * @DYNO_ENGINE_BROTLI: compressed
 * @DYNO_ENGINE_BROTLI_TAR: a compressed archive, of which all is taken
 *
 * How a file lies in a package.
 */
typedef enum
{
  DYNO_ENGINE_PLAIN,
  DYNO_ENGINE_BROTLI,
  DYNO_ENGINE_BROTLI_TAR,
} DynoEnginePacking;

/**
 * DynoEnginePart:
 * @from: pattern of its path in the package, as of #GPatternSpec
 * @folder: (nullable): where it goes below the engine's folder
 * @name: (nullable): its name there, %NULL for the one it has
 * @packing: how it lies in the package
 * @is_executable: whether it is a program
 *
 * What to take out of a package.
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
 * @version: of this package
 * @name: what people call it
 * @summary: what it runs on, in English; see [func@Dyno.engine_get_summary]
 * @backends: (array zero-terminated=1): the backends that use it
 * @driver: (nullable): the kernel's driver without which it finds no device
 * @registry: where the package comes from
 * @package: the package's name there
 * @license: SPDX expression
 * @license_files: (array zero-terminated=1): where its text lies in the package; empty where the package holds none
 * @problem: (nullable): why there is nothing to install for this machine, a sentence
 * @file: (nullable): the package's file for this machine
 * @size: of @file, in bytes
 * @sha256: of @file, 64 hexadecimal digits
 * @unpacked: how many bytes are taken out of it at most
 * @parts: (element-type DynoEnginePart): what to take out of it
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
  char *license;
  char **license_files;
  char *problem;
  char *file;
  guint64 size;
  char *sha256;
  guint64 unpacked;
  GPtrArray *parts;
} DynoEngine;

/* Lists what can be installed: Dyno’s own list, or the one that the environment variable `DYNO_ENGINES`
 * names. Returns the engines, of each the version that Dyno is tested with first; NULL if there is none.
 * Elements are DynoEngine. */
GPtrArray *dyno_engine_list (GError **error);
DynoEngine *dyno_engine_ref (DynoEngine *self);
void dyno_engine_unref (DynoEngine *self);
/* Returns the engine; NULL if there is none. The caller owns it. @spec: `ID`, which means its first
 * version, or `ID@VERSION`. Fails with DYNO_ERROR_NOT_FOUND, with those there are. */
DynoEngine *dyno_engine_find (const char *spec, GError **error);
/* Finds what may be what it lacks: engines that it uses, of which no version is installed, for which there
 * is a package for this machine, and whose driver is loaded. Looks at folders, nothing else. Returns the
 * engines, each in the version that Dyno is tested with. Elements are DynoEngine. The caller owns it. */
GPtrArray *dyno_engine_find_missing (const char *backend);
/* Returns what it runs on, in the language of the user where the list is Dyno’s own. */
const char *dyno_engine_get_summary (const DynoEngine *self);
/* Returns its name and version. */
char *dyno_engine_dup_title (const DynoEngine *self);
/* Returns where it is installed, or would be. */
char *dyno_engine_dup_folder (const DynoEngine *self);
/* Returns a page with the text of its licence, where that is a single one that SPDX lists; NULL otherwise. */
char *dyno_engine_dup_license_address (const DynoEngine *self);
gboolean dyno_engine_is_installed (const DynoEngine *self);
/* Returns whether it is installed, and by Dyno. */
gboolean dyno_engine_is_ours (const DynoEngine *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoEngine, dyno_engine_unref)

/* In the folder of an engine that Dyno installed; no other folder is ever removed. */
#define DYNO_ENGINE_STAMP "dyno-engine.json"

G_END_DECLS
