/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-checkpoint.h"
#include "fuzz-corpus.h"

/* Whatever is in a file of weights, each of its tensors, and each weight that is packed in several of them, can be read to its
 * end, or the file is refused. */

/* One of a larger tensor would only take longer. */
#define MOST_VALUES (1 << 16)

static void
read_tensor (const DynoSafetensor *tensor)
{
  gint64 n = dyno_shape_count (&tensor->shape);
  g_autofree float *values = g_new (float, MOST_VALUES);
  gsize n_read = (gsize)MIN (n, MOST_VALUES);

  g_assert_cmpint (n, >=, 0);
  if (!dyno_safetensor_is_real (tensor) || n == 0)
    return;
  dyno_safetensor_read (tensor, 0, n_read, values, 1);
  dyno_safetensor_read (tensor, (gsize)n - n_read, n_read, values, 1);
}

static void
copy_row (const DynoPacked *packed, gsize row)
{
  gsize n_blocks = ((gsize)packed->view.shape.dims[1] + 31) / 32;
  g_autofree guint8 *quants = g_malloc0 (n_blocks * 16);
  g_autofree guint8 *zeros = g_malloc0 (n_blocks / 2 + 1);
  g_autofree float *scales = g_new (float, n_blocks);

  dyno_packed_copy_row (packed, row, 32, quants, zeros, scales);
}

static void
read_packed (GHashTable *tensors, const char *name)
{
  static const DynoPackedFormat formats[] = { { FALSE, 0, { 0, 0 } }, { TRUE, 32, { 16, 16 } } };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree DynoPacked *packed = dyno_packed_find (tensors, name, &formats[i]);
      gint64 n_rows;

      if (packed == NULL)
        continue;
      read_tensor (&packed->view);
      n_rows = packed->view.shape.dims[0];
      if (dyno_packed_has_blocks (packed, 4, 32))
        {
          copy_row (packed, 0);
          copy_row (packed, (gsize)n_rows - 1);
        }
    }
}

static void
read_input (const guint8 *data, gsize size)
{
  const char *path = fuzz_file_write ("model.safetensors", data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSafetensors) file = dyno_safetensors_open (path, &error);
  g_autoptr (GHashTable) tensors = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *all;

  g_assert_true ((file != NULL) == (error == NULL));
  if (file == NULL)
    return;
  all = dyno_safetensors_get_all (file);
  for (guint i = 0; i < all->len; i++)
    {
      const DynoSafetensor *tensor = all->pdata[i];

      read_tensor (tensor);
      g_hash_table_insert (tensors, (char *)tensor->name, (gpointer)tensor);
    }
  for (guint i = 0; i < all->len; i++)
    {
      const char *name = ((const DynoSafetensor *)all->pdata[i])->name;
      gsize length = strcspn (name, "._");
      g_autofree char *stem = g_strndup (name, length);
      g_autofree char *weight = g_strconcat (stem, ".weight", NULL);

      read_packed (tensors, weight);
      read_packed (tensors, stem);
    }
}

FUZZ_TARGET (read_input)
