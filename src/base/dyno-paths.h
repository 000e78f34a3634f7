/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoPathKind:
 * @DYNO_PATH_SYSFS: the kernel's sysfs, `/sys`
 * @DYNO_PATH_PROCFS: the kernel's procfs, `/proc`
 * @DYNO_PATH_ETC: the machine's configuration, `/etc`
 * @DYNO_PATH_ROOT: the file system this process sees, `/`; a sandbox describes itself there
 * @DYNO_PATH_CACHE: Dyno's cache below `XDG_CACHE_HOME`
 * @DYNO_PATH_DATA: Dyno's data below `XDG_DATA_HOME`, including the store
 * @DYNO_PATH_RUNTIMES: the folder with inference runtimes that set-up or the user fills
 * @DYNO_PATH_LIBEXEC: the folder of `dyno-worker`
 * @DYNO_PATH_BIN: the folder of `dyno-cli`
 * @DYNO_PATH_LOCALES: the folder of translations
 * @DYNO_PATH_MANUAL: the folder with the pages of the manual, in HTML
 *
 * The roots of all paths that Dyno uses. No other file of Dyno names an absolute system path.
 */
typedef enum
{
  DYNO_PATH_SYSFS,
  DYNO_PATH_PROCFS,
  DYNO_PATH_ETC,
  DYNO_PATH_ROOT,
  DYNO_PATH_CACHE,
  DYNO_PATH_DATA,
  DYNO_PATH_RUNTIMES,
  DYNO_PATH_LIBEXEC,
  DYNO_PATH_BIN,
  DYNO_PATH_LOCALES,
  DYNO_PATH_MANUAL,
  DYNO_N_PATHS,
} DynoPathKind;

/* Returns the path; nothing is created. @first_element may be NULL. @...: more elements, NULL-terminated. */
char *dyno_paths_build (DynoPathKind kind, const char *first_element, ...) G_GNUC_NULL_TERMINATED;
/* Sets another root, to test code that reads the machine on a made-up tree. Not thread-safe: call it before
 * any thread uses dyno_paths_build(). @root: the folder to use from now on, or NULL for the usual one. */
void dyno_paths_set_root (DynoPathKind kind, const char *root);
/* Returns the folders of the system's shared libraries, most specific first. The caller owns it. */
char **dyno_paths_get_library_folders (void);

G_END_DECLS
