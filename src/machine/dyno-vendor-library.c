/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-paths.h"
#include "dyno-vendor-library.h"

static GModule *
open_in (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS)
             ? g_module_open (path, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL)
             : NULL;
}

/**
 * dyno_vendor_library_open:
 * @names: (array zero-terminated=1): file names of a library, the best first
 *
 * Opens a library that comes with a driver: from the system's folders, else from wherever the loader knows it. It
 * stays open, because drivers' libraries do not like to be closed.
 *
 * Returns: (transfer none) (nullable): the library; that there is none is the usual state
 */
GModule *
dyno_vendor_library_open (const char *const *names)
{
  g_auto (GStrv) folders = dyno_paths_get_library_folders ();
  gboolean is_injected = g_getenv ("DYNO_LIBRARY_PATH") != NULL;
  GModule *library = NULL;

  for (guint i = 0; library == NULL && names[i] != NULL; i++)
    {
      for (guint j = 0; library == NULL && folders[j] != NULL; j++)
        library = open_in (folders[j], names[i]);
      if (library == NULL && !is_injected)
        library = g_module_open (names[i], G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
    }
  if (library != NULL)
    g_module_make_resident (library);
  return library;
}

/**
 * dyno_vendor_library_find:
 * @library: a library
 * @symbols: (array zero-terminated=1): names of a function, the newest version first
 *
 * Returns: (nullable): the first there is
 */
gpointer
dyno_vendor_library_find (GModule *library, const char *const *symbols)
{
  gpointer function = NULL;

  for (guint i = 0; symbols[i] != NULL; i++)
    if (g_module_symbol (library, symbols[i], &function))
      return function;
  return NULL;
}
