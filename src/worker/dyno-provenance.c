/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "dyno-onnx-writer.h"
#include "dyno-worker-private.h"

char *
dyno_provenance_describe (const char *spec, const char *onnx_path, guint64 seed)
{
  g_autofree char *path = g_canonicalize_filename (spec, NULL);
  g_autofree char *folder = NULL;
  g_autofree char *name = NULL;
  g_autofree char *hash = NULL;

  if (g_str_equal (path, onnx_path))
    {
      g_autoptr (GMappedFile) file = g_mapped_file_new (onnx_path, FALSE, NULL);

      hash = file == NULL ? NULL
                          : g_compute_checksum_for_data (G_CHECKSUM_SHA256,
                                                         (const guchar *)g_mapped_file_get_contents (file),
                                                         g_mapped_file_get_length (file));
      return g_strdup_printf (_ ("The file’s SHA-256 is %s."), hash != NULL ? hash : _ ("unknown"));
    }
  folder = g_path_get_dirname (onnx_path);
  name = g_path_get_basename (folder);

  /* Random weights have no such file. */
  g_autofree char *hash_path = g_build_filename (folder, DYNO_ONNX_WRITER_HASH, NULL);

  if (g_file_get_contents (hash_path, &hash, NULL, NULL))
    return g_strdup_printf (_ ("Built as %s with trained weights, whose SHA-256 is %s."), name, hash);
  return g_strdup_printf (_ ("Built as %s with random weights of seed %" PRIu64 "."), name, seed);
}

char *
dyno_provenance_describe_served (const char *spec, const DynoServer *server)
{
  const char *name = dyno_model_get_served_name (spec);

  if (server->precision != NULL)
    return g_strdup_printf (_ ("%s holds the model as “%s” and says that it is in %s."), server->name, name,
                            server->precision);
  return g_strdup_printf (_ ("%s holds the model as “%s” and does not say in which precision."), server->name,
                          name);
}
