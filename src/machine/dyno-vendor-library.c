/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gmodule.h>

#include "dyno-paths.h"
#include "dyno-system-file.h"

const char *const dyno_vendor_library_nvml[] = { "libnvidia-ml.so.1", "libnvidia-ml.so", NULL };

const char *const dyno_vendor_library_amd_smi[] = { "libamd_smi.so.26", "libamd_smi.so.25",
                                                    "libamd_smi.so.24", "libamd_smi.so", NULL };

/* Distributions number its versions in their own way. */
const char *const dyno_vendor_library_rocm_smi[] = { "librocm_smi64.so.7", "librocm_smi64.so.6",
                                                     "librocm_smi64.so.5", "librocm_smi64.so.1",
                                                     "librocm_smi64.so",   NULL };

gboolean
dyno_vendor_library_load (const char *const *names, const DynoVendorFunction *functions, gsize n_functions)
{
  /* Searches the system's folders, then the loader's. The library stays open, because drivers' libraries do
   * not close safely. */
  g_auto (GStrv) folders = dyno_paths_get_library_folders ();
  gboolean is_injected = g_getenv ("DYNO_LIBRARY_PATH") != NULL;
  GModule *library = NULL;

  for (guint i = 0; library == NULL && names[i] != NULL; i++)
    {
      for (guint j = 0; library == NULL && folders[j] != NULL; j++)
        {
          g_autofree char *path = g_build_filename (folders[j], names[i], NULL);

          library = g_file_test (path, G_FILE_TEST_EXISTS)
                        ? g_module_open (path, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL)
                        : NULL;
        }
      if (library == NULL && !is_injected)
        library = g_module_open (names[i], G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
    }
  if (library != NULL)
    g_module_make_resident (library);

  gboolean complete = library != NULL;

  for (gsize i = 0; library != NULL && i < n_functions; i++)
    {
      gboolean is_found = FALSE;

      *functions[i].function = NULL;
      for (guint k = 0; !is_found && functions[i].names[k] != NULL; k++)
        is_found = g_module_symbol (library, functions[i].names[k], functions[i].function);
      complete = complete && (*functions[i].function != NULL || !functions[i].needed);
    }
  return complete;
}
