/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-model-onnx-private.h"
#include "fuzz-corpus.h"

/* Whatever is in a file of values, of NumPy or with a tensor of ONNX, it gives tensors that are as large as they say, or a
 * reason. */

static void
check (DynoTensor *tensor, const GError *error)
{
  g_assert_true ((tensor != NULL) == (error == NULL));
  if (tensor == NULL)
    return;
  g_assert_nonnull (dyno_tensor_get_name (tensor));
  if (dyno_data_type_is_number (dyno_tensor_get_shape (tensor)->type))
    g_assert_cmpint (dyno_shape_bytes (dyno_tensor_get_shape (tensor)), ==, dyno_tensor_get_size (tensor));
}

static void
read_input (const guint8 *data, gsize size)
{
  static const DynoDataType types[] = { DYNO_DATA_TYPE_SEQUENCE, DYNO_DATA_TYPE_OPTIONAL };
  const char *path = fuzz_file_write ("value.pb", data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoTensor) tensor = dyno_tensor_file_read (path, &error);

  check (tensor, error);
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (GError) problem = NULL;
      g_autoptr (DynoTensor) value = dyno_tensor_file_read_value (path, types[i], &problem);

      check (value, problem);
    }
}

FUZZ_TARGET (read_input)
