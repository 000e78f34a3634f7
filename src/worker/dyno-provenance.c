/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "dyno-onnx-writer.h"
#include "dyno-worker-private.h"

static char *
dup_file_hash (const char *path)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, NULL);

  if (file == NULL)
    return NULL;
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)g_mapped_file_get_contents (file),
                                      g_mapped_file_get_length (file));
}

/* Returns NULL if the weights are random. */
static char *
dup_weights_hash (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, DYNO_ONNX_WRITER_HASH, NULL);
  char *hash = NULL;

  return g_file_get_contents (path, &hash, NULL, NULL) ? hash : NULL;
}

char *
dyno_provenance_describe (const char *spec, const char *onnx_path, guint64 seed)
{
  g_autofree char *path = g_canonicalize_filename (spec, NULL);
  g_autofree char *folder = NULL;
  g_autofree char *name = NULL;
  g_autofree char *hash = NULL;

  if (g_str_equal (path, onnx_path))
    {
      hash = dup_file_hash (onnx_path);
      return g_strdup_printf (_ ("The file’s SHA-256 is %s."), hash != NULL ? hash : _ ("unknown"));
    }
  folder = g_path_get_dirname (onnx_path);
  name = g_path_get_basename (folder);
  hash = dup_weights_hash (folder);
  if (hash != NULL)
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
