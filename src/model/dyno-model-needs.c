/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-model-needs.h"
#include "dyno-model-private.h"
#include "dyno-precision.h"

/* One precision, on a thread of its own: the graph of a large model takes a while. */
typedef struct
{
  DynoModel *model;
  DynoBinding *binding;
  const char *precision;
  DynoModelNeed need;
  gboolean is_built;
  GThread *thread;
} Build;

static gpointer
build_thread (gpointer data)
{
  Build *self = data;
  g_autoptr (DynoModel) built =
      dyno_model_convert (self->model, DYNO_MODEL_FORMAT_ONNX, self->precision, self->binding, NULL);

  self->is_built = built != NULL;
  if (built == NULL)
    return NULL;
  self->need.weight_bytes = dyno_model_get_weight_bytes (built);
  self->need.memory_bytes =
      self->binding != NULL ? dyno_model_estimate_memory (built, self->binding, NULL) : 0;
  return NULL;
}

GArray *
dyno_model_needs_list (DynoModel *model, guint batch_size, guint sequence_length, const char *dimensions)
{
  GArray *needs = g_array_new (FALSE, FALSE, sizeof (DynoModelNeed));
  const char *const *precisions = dyno_precision_list ();
  guint n_precisions = g_strv_length ((char **)precisions);
  g_autofree Build *builds = g_new0 (Build, n_precisions);
  g_autoptr (GHashTable) binding = NULL;
  const char *own;

  g_return_val_if_fail (DYNO_IS_MODEL (model), needs);

  /* The free dimensions of a model are the same in each precision. */
  binding = dyno_model_bind (model, batch_size, sequence_length, dimensions, NULL);
  own = dyno_model_get_file_precision (model);
  /* A file stays in its own precision. */
  if (g_str_equal (dyno_model_get_weights_origin (model), "file"))
    n_precisions = 1;
  for (guint i = 0; i < n_precisions; i++)
    {
      builds[i] =
          (Build){ model, binding, precisions[i], { .precision = own != NULL ? own : precisions[i] } };
      builds[i].thread = g_thread_new ("needs", build_thread, &builds[i]);
    }
  for (guint i = 0; i < n_precisions; i++)
    {
      g_thread_join (builds[i].thread);
      if (builds[i].is_built)
        g_array_append_val (needs, builds[i].need);
    }
  return needs;
}

gboolean
dyno_model_need_fits (const DynoModelNeed *self, gint64 available)
{
  return self->memory_bytes > 0 && self->memory_bytes <= available;
}
