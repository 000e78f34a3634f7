/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-model-private.h"
#include "fuzz-corpus.h"

/* Whatever a config says, there is a model whose graphs can be built, or a reason. Its corpus has a bundled model of some kinds,
 * with one layer. */

static void
read_input (const guint8 *data, gsize size)
{
  const char *path = fuzz_file_write ("config.json", data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) model = dyno_model_load (path, &error);
  g_autofree char *note = NULL;
  g_autofree char *quantisation = NULL;

  g_assert_true ((model != NULL) == (error == NULL));
  if (model == NULL)
    return;
  g_assert_cmpint (dyno_model_get_parameter_count (model), >=, 0);
  g_assert_cmpint (dyno_model_get_weight_bytes (model), >=, 0);
  g_assert_cmpuint (dyno_model_get_inputs (model)->len, >, 0);
  g_assert_cmpuint (dyno_model_get_outputs (model)->len, >, 0);
  note = dyno_model_dup_note (model);
  quantisation = dyno_model_dup_quantisation (model);
  g_assert_true (note == NULL || g_utf8_validate (note, -1, NULL));
  g_assert_true (quantisation == NULL || g_utf8_validate (quantisation, -1, NULL));
}

FUZZ_TARGET (read_input)
