/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-backend.h"
#include "dyno-clock.h"
#include "dyno-engine-options.h"
#include "dyno-model.h"
#include "dyno-pinning.h"
#include "dyno-stats.h"
#include "dyno-worker-private.h"

/* The share of the time that is spent before the first counted step. */
#define WARM_UP_SHARE 0.25
#define NS_PER_SECOND 1e9

typedef struct
{
  DynoModel *model;
  DynoSession *session;
  GPtrArray *slots; /* of GPtrArray of DynoTensor */
  char *path;
} Loop;

static void
loop_clear (Loop *self)
{
  g_clear_object (&self->session);
  g_clear_object (&self->model);
  g_clear_pointer (&self->slots, g_ptr_array_unref);
  g_free (self->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Loop, loop_clear)

/* The file and the placement are those of the measurer, because they are not what is compared. */
static gboolean
load (Loop *self, DynoCase *kase, DynoBackend *backend, GError **error)
{
  g_autoptr (DynoModel) loaded = dyno_model_load (dyno_case_get_model (kase), error);
  g_autoptr (GHashTable) all = dyno_engine_options_parse (dyno_case_get_options (kase), error);
  g_autoptr (GHashTable) engine = all != NULL ? dyno_engine_options_take_stage (all, NULL) : NULL;
  g_autoptr (GPtrArray) stages = dyno_case_list_stage_options (kase);

  self->model = loaded != NULL && engine != NULL ? dyno_case_adapt_model (kase, loaded, error) : NULL;
  self->path = self->model != NULL ? dyno_calibration_prepare (kase, backend, self->model, error) : NULL;
  if (self->path == NULL)
    return FALSE;

  const DynoSessionOptions options = {
    .device = *dyno_case_get_device (kase) != '\0' ? dyno_case_get_device (kase) : NULL,
    .precision = dyno_case_get_computed_precision (kase),
    .threads = dyno_case_get_threads (kase),
    .optimise = TRUE,
    .inputs = dyno_model_get_inputs (self->model),
    .outputs = dyno_model_get_outputs (self->model),
    .engine = engine,
    .stages = stages,
  };

  dyno_pinning_bind (dyno_case_get_pinning (kase), dyno_case_get_threads (kase), NULL);
  self->session = dyno_backend_open (backend, self->path, &options, error);
  return self->session != NULL;
}

static gboolean
set_inputs (Loop *self, DynoCase *kase, GError **error)
{
  g_autoptr (GHashTable) sizes =
      dyno_model_bind (self->model, dyno_case_get_batch_size (kase), dyno_case_get_sequence_length (kase),
                       dyno_case_get_dimensions (kase), error);

  self->slots = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
  for (guint slot = 0; sizes != NULL && slot < DYNO_STEP_WORKLOAD_MAX_SLOTS; slot++)
    {
      GPtrArray *tensors = dyno_model_create_inputs (self->model, sizes, dyno_case_get_inputs (kase),
                                                     dyno_case_get_seed (kase) + slot, error);

      if (tensors == NULL)
        return FALSE;
      g_ptr_array_add (self->slots, tensors);
      if (!dyno_session_set_inputs (self->session, slot, tensors, error))
        return FALSE;
    }
  return sizes != NULL;
}

/* Nothing but the engine and the clock. */
static GArray *
run (DynoSession *session, double seconds, GError **error)
{
  g_autoptr (GArray) milliseconds = g_array_new (FALSE, FALSE, sizeof (double));
  gint64 begin = dyno_clock_now_ns (), end = begin;

  while ((double)(end - begin) < seconds * NS_PER_SECOND)
    {
      gint64 start = dyno_clock_now_ns ();
      double latency;

      if (!dyno_session_run (session, error))
        return NULL;
      end = dyno_clock_now_ns ();
      latency = (double)(end - start) * 1e3 / NS_PER_SECOND;
      g_array_append_val (milliseconds, latency);
    }
  return g_steal_pointer (&milliseconds);
}

JsonObject *
dyno_bare_loop_run (DynoCase *kase, double seconds, GError **error)
{
  DynoBackend *backend = dyno_backend_lookup (dyno_case_get_backend (kase), error);
  g_auto (Loop) self = { NULL };
  g_autoptr (GArray) warm_up = NULL;
  g_autoptr (GArray) steps = NULL;
  JsonObject *answer;
  double *values;

  if (backend == NULL || !dyno_backend_start (backend, error) || !load (&self, kase, backend, error) ||
      !set_inputs (&self, kase, error))
    return NULL;
  warm_up = run (self.session, WARM_UP_SHARE * seconds, error);
  steps = warm_up != NULL ? run (self.session, (1 - WARM_UP_SHARE) * seconds, error) : NULL;
  if (steps == NULL)
    return NULL;
  values = (double *)(gpointer)steps->data;
  dyno_stats_sort (values, steps->len);
  answer = json_object_new ();
  json_object_set_double_member (answer, "median_ms", dyno_stats_percentile (values, steps->len, 50));
  json_object_set_int_member (answer, "steps", steps->len);
  json_object_set_string_member (answer, "path", self.path);

  /* Other programs need the names and shapes to run the same file. */
  GPtrArray *tensors = self.slots->pdata[0];
  JsonArray *inputs = json_array_new ();

  for (guint i = 0; i < tensors->len; i++)
    {
      const DynoShape *shape = dyno_tensor_get_shape (tensors->pdata[i]);
      JsonObject *input = json_object_new ();
      JsonArray *dims = json_array_new ();

      for (guint k = 0; k < shape->rank; k++)
        json_array_add_int_element (dims, shape->dims[k]);
      json_object_set_string_member (input, "name", dyno_tensor_get_name (tensors->pdata[i]));
      json_object_set_string_member (input, "type", dyno_data_type_to_string (shape->type));
      json_object_set_array_member (input, "shape", dims);
      json_array_add_object_element (inputs, input);
    }
  json_object_set_array_member (answer, "inputs", inputs);
  return answer;
}
