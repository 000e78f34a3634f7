/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-model-onnx-private.h"
#include "dyno-onnx-file.h"
#include "dyno-onnx-taps.h"
#include "fuzz-corpus.h"

/* Whatever a file holds, its description and its taps are there, or a reason, and a tapped model can be read again. */

static void
check_readable (GBytes *model)
{
  const char *path =
      fuzz_file_write ("tapped.onnx", g_bytes_get_data (model, NULL), g_bytes_get_size (model));
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoOnnxTree) tree = dyno_onnx_tree_read (path, &error);

  g_assert_no_error (error);
  g_assert_nonnull (tree);
}

static void
tap (const char *path)
{
  g_autoptr (GHashTable) taps = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) tapped = dyno_onnx_taps_add (path, &taps, &error);
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  g_autoptr (GBytes) ranged = NULL;
  GHashTableIter iter;
  gpointer value;

  g_assert_true ((tapped != NULL) == (error == NULL));
  if (tapped == NULL)
    return;
  g_hash_table_iter_init (&iter, taps);
  while (g_hash_table_iter_next (&iter, &value, NULL))
    g_ptr_array_add (values, value);
  ranged = dyno_onnx_taps_add_ranges (path, values, &error);
  g_assert_no_error (error);
  check_readable (tapped);
  check_readable (ranged);
}

static void
read_input (const guint8 *data, gsize size)
{
  const char *path = fuzz_file_write ("model.onnx", data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModelDescription) description = dyno_onnx_file_describe (path, &error);

  g_assert_true ((description != NULL) == (error == NULL));
  if (description != NULL)
    {
      g_assert_true (description->parameter_count >= 0 && description->weight_bytes >= 0);
      g_assert_cmpuint (description->outputs->len, >, 0);
    }
  tap (path);
}

FUZZ_TARGET (read_input)
