/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>

#include "dyno-memory-modules.h"
#include "dyno-paths.h"
#include "fuzz-corpus.h"

/* Whatever the firmware's table holds, the bandwidth of the memory is derived from it, or a sentence says why not. */

static char *
create_root (void)
{
  char *root = g_build_filename (fuzz_file_get_folder (), "sys", NULL);
  g_autofree char *tables = g_build_filename (root, "firmware/dmi/tables", NULL);

  g_assert_cmpint (g_mkdir_with_parents (tables, 0700), ==, 0);
  return root;
}

static void
read_input (const guint8 *data, gsize size)
{
  static char *root;
  g_autofree char *derivation = NULL;
  double bandwidth;

  if (root == NULL)
    root = create_root ();
  dyno_paths_set_root (DYNO_PATH_SYSFS, root);
  fuzz_file_write ("sys/firmware/dmi/tables/DMI", data, size);
  bandwidth = dyno_memory_modules_derive_bandwidth (&derivation);
  g_assert_true (bandwidth >= 0 && bandwidth - bandwidth == 0);
  g_assert_true (derivation != NULL && *derivation != '\0');
}

FUZZ_TARGET (read_input)
