/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-worker-private.h"

static gboolean
count_step (DynoSession *session, gpointer user_data, GError **error)
{
  DynoMeasurement *measurement = user_data;
  g_autoptr (GPtrArray) outputs = dyno_session_get_outputs (session, error);
  DynoTensor *counts = NULL;

  for (guint i = 0; outputs != NULL && counts == NULL && i < outputs->len; i++)
    {
      const DynoShape *shape = dyno_tensor_get_shape (outputs->pdata[i]);

      if (g_str_equal (dyno_tensor_get_name (outputs->pdata[i]), DYNO_MODEL_EXPERT_TOKENS) &&
          shape->type == DYNO_DATA_TYPE_INT64 && shape->rank == 2)
        counts = outputs->pdata[i];
    }
  if (counts == NULL)
    return outputs != NULL;
  if (measurement->expert_tokens == NULL)
    measurement->expert_tokens = dyno_tensor_ref (counts);
  else if (dyno_tensor_get_size (measurement->expert_tokens) == dyno_tensor_get_size (counts))
    {
      const gint64 *of_step = dyno_tensor_get_data (counts);
      gint64 *all = dyno_tensor_get_data (measurement->expert_tokens);

      for (gint64 i = 0; i < dyno_shape_count (dyno_tensor_get_shape (measurement->expert_tokens)); i++)
        all[i] += of_step[i];
    }
  return TRUE;
}

gboolean
dyno_expert_count_take (DynoWorkload *workload, DynoMeasurement *measurement, GError **error)
{
  GPtrArray *outputs = dyno_model_get_outputs (measurement->model);
  gboolean counts_experts = FALSE;

  for (guint i = 0; !counts_experts && i < outputs->len; i++)
    counts_experts = g_str_equal (dyno_tensor_info_get_name (outputs->pdata[i]), DYNO_MODEL_EXPERT_TOKENS);
  return !counts_experts ||
         dyno_workload_walk (workload, measurement->session, count_step, measurement, error);
}
