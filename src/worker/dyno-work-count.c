/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-backend.h"
#include "dyno-error.h"
#include "dyno-machine.h"
#include "dyno-model.h"
#include "dyno-operator-cost.h"
#include "dyno-worker-private.h"

static GPtrArray *
profile_step (DynoModel *model, DynoBinding *binding, const char *given, GError **error)
{
  const DynoSessionOptions options = { .precision = "fp32", .profile = TRUE };
  DynoReference reference = dyno_reference_get (dyno_engine_format_find (dyno_model_get_format (model)));
  DynoBackend *backend = dyno_backend_lookup (reference.backend, error);
  g_autofree char *path = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GPtrArray) inputs = NULL;
  g_autoptr (GError) step_error = NULL;

  if (backend == NULL || !dyno_backend_start (backend, error))
    return NULL;
  path = dyno_model_prepare (model, "fp32", 1, NULL, error);
  session = path != NULL ? dyno_backend_open (backend, path, &options, error) : NULL;
  inputs = session != NULL ? dyno_model_create_inputs (model, binding, given, 1, error) : NULL;
  if (inputs == NULL || !dyno_session_set_inputs (session, 0, inputs, error))
    return NULL;
  if (!dyno_session_run (session, &step_error))
    {
      g_autofree char *values = dyno_model_dup_input_values (model, binding, given, 1);

      dyno_step_error_add_remedy (step_error, model, binding, values);
      g_propagate_error (error, g_steal_pointer (&step_error));
      return NULL;
    }
  return dyno_session_end_profile (session, error);
}

static JsonObject *
sum_up (DynoModel *model, GPtrArray *nodes)
{
  g_autoptr (GHashTable) uncounted = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GList) names = NULL;
  JsonObject *object = json_object_new ();
  JsonArray *array = json_array_new ();
  double flops = 0;

  for (guint i = 0; i < nodes->len; i++)
    {
      const DynoNodeProfile *node = nodes->pdata[i];
      const DynoNodeShapes shapes = {
        .op_type = node->op_type,
        .inputs = node->inputs,
        .outputs = node->outputs,
        .kernel_elements = dyno_model_get_window_elements (model, node->name),
        .equation = dyno_model_get_equation (model, node->name),
      };
      gint64 per_call;

      if (dyno_operator_cost_flops (&shapes, &per_call))
        flops += (double)per_call * (double)node->calls;
      else
        g_hash_table_add (uncounted, node->op_type);
    }
  names = g_list_sort (g_hash_table_get_keys (uncounted), (GCompareFunc)strcmp);
  for (GList *l = names; l != NULL; l = l->next)
    json_array_add_string_element (array, l->data);
  json_object_set_double_member (object, "flops", flops);
  json_object_set_array_member (object, "uncounted", array);
  return object;
}

JsonObject *
dyno_work_count (const char *spec,
                 guint batch_size,
                 guint sequence_length,
                 const char *dimensions,
                 const char *inputs,
                 GError **error)
{
  g_autoptr (GListModel) backends = dyno_backend_list ();
  g_autoptr (DynoModel) model = dyno_model_load (spec, error);
  g_autoptr (GHashTable) binding = NULL;
  g_autoptr (GPtrArray) nodes = NULL;

  if (model == NULL)
    return NULL;
  binding = dyno_model_bind (model, batch_size, dyno_model_has_sequence (model) ? sequence_length : 0,
                             dimensions, error);
  if (binding == NULL)
    return NULL;

  g_autofree char *arithmetic = NULL;
  gint64 needed = dyno_model_estimate_memory (model, binding, &arithmetic);
  gint64 available = dyno_machine_read_available_memory ();

  if (available >= 0 && needed > available)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("A step does not fit into this machine’s memory: %s."), arithmetic);
      return NULL;
    }

  nodes = profile_step (model, binding, inputs, error);
  return nodes != NULL ? sum_up (model, nodes) : NULL;
}
