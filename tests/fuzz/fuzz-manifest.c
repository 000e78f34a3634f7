/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-manifest.h"
#include "fuzz-corpus.h"

/* Whatever the list of the files of a model in several parts holds, it is a list whose links exist, or an error. */

static void
read_input (const guint8 *data, gsize size)
{
  const char *path = fuzz_file_write ("stages.json", data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoManifest) manifest = dyno_manifest_read (path, &error);

  g_assert_true ((manifest != NULL) == (error == NULL));
  for (guint i = 0; manifest != NULL && i < manifest->stages->len; i++)
    g_assert_nonnull (((const DynoManifestStage *)manifest->stages->pdata[i])->name);
}

FUZZ_TARGET (read_input)
