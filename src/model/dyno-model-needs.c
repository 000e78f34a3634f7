/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-model-needs.h"
#include "dyno-model-private.h"
#include "dyno-precision.h"

GArray *
dyno_model_needs_list (DynoModel *model, guint batch_size, guint sequence_length, const char *dimensions)
{
  GArray *needs = g_array_new (FALSE, FALSE, sizeof (DynoModelNeed));
  g_autoptr (GHashTable) binding = NULL;
  gboolean is_file;
  const char *own;

  g_return_val_if_fail (DYNO_IS_MODEL (model), needs);

  /* The free dimensions of a model are the same in each precision. */
  binding = dyno_model_bind (model, batch_size, sequence_length, dimensions, NULL);
  is_file = g_str_equal (dyno_model_get_weights_origin (model), "file");
  own = dyno_model_get_file_precision (model);
  for (const char *const *precision = dyno_precision_list (); *precision != NULL; precision++)
    {
      g_autoptr (DynoModel) built = dyno_model_convert (model, *precision, binding, NULL);
      DynoModelNeed need = { .precision = own != NULL ? own : *precision };

      if (built == NULL || (is_file && needs->len > 0))
        continue;
      need.weight_bytes = dyno_model_get_weight_bytes (built);
      need.memory_bytes = binding != NULL ? dyno_model_estimate_memory (built, binding, NULL) : 0;
      g_array_append_val (needs, need);
    }
  return needs;
}

gboolean
dyno_model_need_fits (const DynoModelNeed *self, gint64 available)
{
  return self->memory_bytes > 0 && self->memory_bytes <= available;
}
