/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-model.h"
#include "fuzz-corpus.h"

/* A worker that read a hostile model may answer anything: that is a model which can be asked for its facts, or an error. */

static void
check_infos (GPtrArray *infos)
{
  for (guint i = 0; i < infos->len; i++)
    {
      DynoTensorInfo *info = infos->pdata[i];

      g_assert_nonnull (dyno_tensor_info_get_name (info));
      for (guint axis = 0; axis < dyno_tensor_info_get_rank (info); axis++)
        g_assert_true (dyno_tensor_info_get_symbol (info, axis) != NULL ||
                       dyno_tensor_info_get_size (info, axis) >= 0);
    }
}

static void
read_as (const char *spec, JsonObject *answer)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) model = dyno_model_new_from_json (spec, answer, &error);
  g_autoptr (GPtrArray) files = NULL;
  g_autoptr (JsonObject) written = NULL;

  g_assert_true ((model != NULL) == (error == NULL));
  if (model == NULL)
    return;
  check_infos (dyno_model_get_inputs (model));
  check_infos (dyno_model_get_outputs (model));
  g_assert_cmpint (dyno_model_get_parameter_count (model), >=, 0);
  files = dyno_model_list_external_files (model);
  for (guint i = 0; i < files->len; i++)
    g_assert_nonnull (files->pdata[i]);
  written = dyno_model_to_json (model);
  g_assert_cmpuint (json_object_get_size (written), >, 0);
}

static void
read_input (const guint8 *data, gsize size)
{
  g_autoptr (JsonObject) answer = dyno_json_try_object ((const char *)data, (gssize)size);

  if (answer == NULL)
    return;
  read_as ("/m/model.onnx", answer);
  read_as ("/m/config.json", answer);
}

FUZZ_TARGET (read_input)
