/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-model-graph-private.h"
#include "dyno-model-needs.h"
#include "dyno-model-private.h"

DynoManifest *
dyno_stages_link (const DynoStage *stages, GPtrArray *graphs, GError **error)
{
  g_autoptr (DynoManifest) manifest = dyno_manifest_new ();

  for (guint i = 0; i < graphs->len; i++)
    {
      DynoManifestStage *stage = dyno_manifest_add_stage (manifest, stages[i].name, "");
      GPtrArray *inputs = dyno_graph_get_inputs (graphs->pdata[i]);
      GPtrArray *outputs = dyno_graph_get_outputs (graphs->pdata[i]);

      for (guint k = 0; k < inputs->len; k++)
        {
          /* The axis along which the stage repeats, -1 if there is none. */
          int repeated = -1;

          for (guint axis = 0; stages[i].repeats != NULL && repeated < 0 &&
                               axis < dyno_tensor_info_get_rank (inputs->pdata[k]);
               axis++)
            if (g_strcmp0 (dyno_tensor_info_get_symbol (inputs->pdata[k], axis), stages[i].repeats) == 0)
              repeated = (int)axis;
          dyno_manifest_stage_add_input (stage, dyno_tensor_info_get_name (inputs->pdata[k]), repeated);
        }
      for (guint k = 0; k < outputs->len; k++)
        dyno_manifest_stage_add_output (stage, dyno_tensor_info_get_name (outputs->pdata[k]));
    }
  return dyno_manifest_link (manifest, error) ? g_steal_pointer (&manifest) : NULL;
}

static gboolean
has_info (GPtrArray *infos, const char *name)
{
  for (guint i = 0; i < infos->len; i++)
    if (g_str_equal (dyno_tensor_info_get_name (infos->pdata[i]), name))
      return TRUE;
  return FALSE;
}

static void
join_tables (DynoModelDescription *self, const DynoModelDescription *part, const DynoManifestStage *stage)
{
  GHashTableIter iter;
  gpointer name, elements, symbol, least;

  g_hash_table_iter_init (&iter, part->windows);
  while (g_hash_table_iter_next (&iter, &name, &elements))
    {
      g_autofree char *node = dyno_manifest_stage_dup_node_name (stage, name);

      dyno_model_description_set_window (self, node, *(gint64 *)elements);
    }
  g_hash_table_iter_init (&iter, part->operators);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_hash_table_add (self->operators, g_strdup (name));
  g_hash_table_iter_init (&iter, part->least_sizes);
  while (g_hash_table_iter_next (&iter, &symbol, &least))
    {
      const gint64 *present = g_hash_table_lookup (self->least_sizes, symbol);

      if (present == NULL || *present < *(gint64 *)least)
        g_hash_table_replace (self->least_sizes, g_strdup (symbol), g_memdup2 (least, sizeof (gint64)));
    }
}

static void
join_part (DynoModelDescription *self,
           const DynoModelDescription *part,
           const DynoStage *stages,
           const DynoManifest *manifest,
           guint index)
{
  const DynoManifestStage *stage = manifest->stages->pdata[index];

  for (guint i = 0; i < part->inputs->len; i++)
    {
      const DynoManifestInput *input = stage->inputs->pdata[i];
      const gint64 *limit = g_hash_table_lookup (part->row_limits, input->name);

      if (input->feeder >= 0)
        continue;
      if (!has_info (self->inputs, input->name))
        g_ptr_array_add (self->inputs, g_object_ref (part->inputs->pdata[i]));
      if (limit != NULL)
        dyno_model_description_limit (self, input->name, *limit);
    }

  for (guint i = 0; i < part->outputs->len; i++)
    if (!dyno_manifest_is_taken (manifest, index, dyno_tensor_info_get_name (part->outputs->pdata[i])))
      g_ptr_array_add (self->outputs, g_object_ref (part->outputs->pdata[i]));

  join_tables (self, part, stage);

  /* The smallest maximum length of all stages counts. */
  if (part->max_sequence_length > 0 &&
      (self->max_sequence_length == 0 || part->max_sequence_length < self->max_sequence_length))
    self->max_sequence_length = part->max_sequence_length;

  self->real_type = part->real_type;
  if (part->n_picture_tokens > 0)
    {
      self->picture_token = part->picture_token;
      self->n_picture_tokens = part->n_picture_tokens;
      self->n_pictures = part->n_pictures;
    }
  if (stages[index].repeats != NULL)
    self->spacing = part->spacing;
  self->n_found_tokens = MAX (self->n_found_tokens, part->n_found_tokens);
  self->n_decoded_tokens = MAX (self->n_decoded_tokens, part->n_decoded_tokens);
  for (guint i = 0; stages[index].is_for_prompt && i < part->inputs->len; i++)
    g_hash_table_add (self->prompt_inputs, g_strdup (dyno_tensor_info_get_name (part->inputs->pdata[i])));
}

DynoModelDescription *
dyno_stages_describe (const DynoStage *stages, GPtrArray *graphs, GError **error)
{
  g_autoptr (DynoManifest) manifest = dyno_stages_link (stages, graphs, error);
  g_autoptr (GHashTable) weights = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) initializers = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (DynoModelDescription) self = dyno_model_description_new ();

  if (manifest == NULL)
    return NULL;
  for (guint i = 0; i < graphs->len; i++)
    {
      g_autoptr (DynoModelDescription) part = NULL;
      GPtrArray *own = dyno_graph_get_weights (graphs->pdata[i]);

      /* A name is the same weight in all stages, but each stage has its own copy in its file. */
      for (guint k = 0; k < own->len; k++)
        {
          const DynoWeight *weight = own->pdata[k];

          if (g_hash_table_add (weights, (gpointer)weight->name) && weight->trainable)
            self->parameter_count += weight->n_equal * dyno_shape_count (&weight->shape);
        }
      own = dyno_graph_get_initializers (graphs->pdata[i]);
      for (guint k = 0; k < own->len; k++)
        {
          const DynoWeight *weight = own->pdata[k];
          gint64 bytes = weight->n_equal * dyno_shape_bytes (&weight->shape);

          if (g_hash_table_add (initializers, (gpointer)weight->name))
            self->weight_bytes += bytes;
          else
            self->duplicate_bytes += bytes;
        }
      part = dyno_graph_describe (graphs->pdata[i]);
      join_part (self, part, stages, manifest, i);
    }
  return g_steal_pointer (&self);
}

char *
dyno_model_dup_thread_split (DynoModel *model, DynoBinding *binding, guint threads)
{
  g_autoptr (GPtrArray) graphs = NULL;
  g_autoptr (GArray) work = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GString) text = g_string_new (NULL);
  double most = 0;

  g_return_val_if_fail (DYNO_IS_MODEL (model) && binding != NULL, NULL);

  if (model->architecture != NULL && model->architecture->stages != NULL)
    graphs = dyno_model_build (model, binding, TRUE, NULL);
  for (guint i = 0; graphs != NULL && i < graphs->len; i++)
    {
      gint64 flops;
      double all;

      if (!dyno_graph_get_flops (graphs->pdata[i], &flops))
        return NULL;
      all = (double)flops * (double)dyno_architecture_count_times (model->architecture, i, binding);
      most = fmax (most, all);
      g_array_append_val (work, all);
    }
  for (guint i = 0; most > 0 && i < work->len; i++)
    g_string_append_printf (text, "%s%s.threads=%.0f", i > 0 ? "," : "", model->architecture->stages[i].name,
                            fmax (round (threads * g_array_index (work, double, i) / most), 1));
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

GArray *
dyno_model_list_stage_weights (DynoModel *model)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GPtrArray) graphs = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (model), list);

  if (model->architecture != NULL && model->architecture->stages != NULL)
    graphs = dyno_model_build (model, NULL, TRUE, NULL);
  for (guint i = 0; graphs != NULL && i < graphs->len; i++)
    {
      GPtrArray *own = dyno_graph_get_initializers (graphs->pdata[i]);
      gint64 bytes = 0;

      for (guint k = 0; k < own->len; k++)
        {
          const DynoWeight *weight = own->pdata[k];

          bytes += weight->n_equal * dyno_shape_bytes (&weight->shape);
        }
      g_array_append_val (list, bytes);
    }
  return list;
}
