/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdarg.h>

#include "dyno-paths.h"

static char *overrides[DYNO_N_PATHS];

/* An environment variable moves a root for a process and its children; tests and ./dev use it. */
static const char *const variables[DYNO_N_PATHS] = {
  [DYNO_PATH_SYSFS] = "DYNO_SYSFS_ROOT",
  [DYNO_PATH_PROCFS] = "DYNO_PROCFS_ROOT",
  [DYNO_PATH_ETC] = "DYNO_ETC_ROOT",
  [DYNO_PATH_CACHE] = "DYNO_CACHE_DIR",
  [DYNO_PATH_ROOT] = "DYNO_ROOT",
  [DYNO_PATH_DATA] = "DYNO_DATA_DIR",
  [DYNO_PATH_RUNTIMES] = "DYNO_RUNTIMES_DIR",
  [DYNO_PATH_LIBEXEC] = "DYNO_LIBEXEC_DIR",
  [DYNO_PATH_BIN] = "DYNO_BIN_DIR",
  [DYNO_PATH_LOCALES] = "DYNO_LOCALE_DIR",
  [DYNO_PATH_MANUAL] = "DYNO_MANUAL_DIR",
};

static char *
dup_root (DynoPathKind kind)
{
  const char *from_environment = g_getenv (variables[kind]);

  if (overrides[kind] != NULL)
    return g_strdup (overrides[kind]);
  if (from_environment != NULL && *from_environment != '\0')
    return g_strdup (from_environment);

  switch (kind)
    {
    case DYNO_PATH_SYSFS:
      return g_strdup ("/sys");
    case DYNO_PATH_PROCFS:
      return g_strdup ("/proc");
    case DYNO_PATH_ETC:
      return g_strdup ("/etc");
    case DYNO_PATH_ROOT:
      return g_strdup ("/");
    case DYNO_PATH_CACHE:
      return g_build_filename (g_get_user_cache_dir (), "dyno", NULL);
    case DYNO_PATH_DATA:
      return g_build_filename (g_get_user_data_dir (), "dyno", NULL);
    case DYNO_PATH_RUNTIMES:
      return g_build_filename (g_get_user_data_dir (), "dyno", "runtimes", NULL);
    case DYNO_PATH_LIBEXEC:
      return g_strdup (DYNO_LIBEXECDIR);
    case DYNO_PATH_BIN:
      return g_strdup (DYNO_BINDIR);
    case DYNO_PATH_LOCALES:
      return g_strdup (DYNO_LOCALEDIR);
    case DYNO_PATH_MANUAL:
      return g_strdup (DYNO_MANUALDIR);
    case DYNO_N_PATHS:
    default:
      g_return_val_if_reached (NULL);
    }
}

void
dyno_paths_set_root (DynoPathKind kind, const char *root)
{
  g_return_if_fail (kind < DYNO_N_PATHS);

  g_free (overrides[kind]);
  overrides[kind] = g_strdup (root);
}

char *
dyno_paths_build (DynoPathKind kind, const char *first_element, ...)
{
  g_autoptr (GPtrArray) elements = NULL;
  va_list args;

  g_return_val_if_fail (kind < DYNO_N_PATHS, NULL);

  elements = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (elements, dup_root (kind));
  va_start (args, first_element);
  for (const char *element = first_element; element != NULL; element = va_arg (args, const char *))
    g_ptr_array_add (elements, g_strdup (element));
  va_end (args);
  g_ptr_array_add (elements, NULL);

  return g_build_filenamev ((char **)elements->pdata);
}

char **
dyno_paths_get_library_folders (void)
{
  const char *from_environment = g_getenv ("DYNO_LIBRARY_PATH");

  if (from_environment != NULL)
    return g_strsplit (from_environment, G_SEARCHPATH_SEPARATOR_S, -1);
  return g_strsplit (DYNO_LIBRARY_FOLDERS, G_SEARCHPATH_SEPARATOR_S, -1);
}
