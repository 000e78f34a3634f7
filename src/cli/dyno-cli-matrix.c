/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <json-glib/json-glib.h>
#include <unistd.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-model-reader.h"

static gboolean
add_model (GPtrArray *cells,
           const DynoCliMatrixOptions *options,
           const char *spec,
           GPtrArray *precisions,
           DynoMachine *machine,
           GPtrArray *outcomes,
           GError **error)
{
  g_autoptr (DynoModel) model = dyno_model_reader_load (spec, NULL, error);
  g_autoptr (GHashTable) binding = NULL;
  guint length = (guint)options->sequence_length;

  if (model != NULL && length == 0)
    length = dyno_model_get_usual_sequence_length (model);
  if (model != NULL)
    binding = dyno_model_bind (model, (guint)options->batch_size, length, NULL, error);
  if (binding == NULL)
    return FALSE;
  for (guint i = 0; i < (dyno_model_is_served (model) ? 1 : precisions->len); i++)
    {
      const char *precision = dyno_model_get_case_precision (model, precisions->pdata[i]);
      g_autoptr (DynoModel) converted = dyno_model_in_precision (model, precision, NULL);
      /* If there is no model in that precision, take the original: the reason says so. */
      g_autoptr (DynoCase) kase =
          g_object_new (DYNO_TYPE_CASE, "model", spec, "precision", precision, "batch-size",
                        (guint)options->batch_size, "sequence-length", length, NULL);
      const DynoDemand demand = { converted != NULL ? converted : model, binding, kase, machine };

      g_ptr_array_extend_and_steal (cells, dyno_compatibility_list (&demand, outcomes, options->flags));
    }
  return TRUE;
}

GPtrArray *
dyno_cli_matrix_build (const DynoCliMatrixOptions *options, GError **error)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) precisions = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (DynoMachine) machine = NULL;

  for (char **list = options->precisions; list != NULL && *list != NULL; list++)
    {
      g_auto (GStrv) items = g_strsplit (*list, ",", -1);

      for (char **item = items; *item != NULL; item++)
        g_ptr_array_add (precisions, g_strdup (g_strstrip (*item)));
    }
  if (precisions->len == 0)
    g_ptr_array_add (precisions, g_strdup ("fp32"));
  if (options->batch_size < 1 || options->sequence_length < 0)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("--batch must be at least 1, and --sequence must not be negative."));
      return NULL;
    }
  machine = dyno_machine_snapshot (error);
  if (machine == NULL)
    return NULL;

  /* Without outcomes, the matrix still says which models may run. */
  g_autoptr (JsonNode) node = dyno_machine_to_json (machine);
  g_autofree char *json = dyno_json_text_write (node, FALSE);
  g_autoptr (GError) problem = NULL;
  g_autoptr (DynoStore) store = dyno_cli_runs_open_store (&problem);
  g_autoptr (GPtrArray) outcomes = store != NULL ? dyno_store_list_outcomes (store, json, &problem) : NULL;

  g_clear_object (&store);
  if (problem != NULL)
    dyno_cli_warn ("%s", problem->message);
  for (char **spec = options->models; *spec != NULL; spec++)
    if (!add_model (cells, options, *spec, precisions, machine, outcomes, error))
      return NULL;
  return g_steal_pointer (&cells);
}

static char *
dup_engine (DynoCompatibility *cell)
{
  DynoDevice *device = dyno_compatibility_get_device (cell);

  return dyno_cli_format_engine (dyno_backend_get_id (dyno_compatibility_get_backend (cell)),
                                 device != NULL ? dyno_device_get_id (device) : NULL);
}

static void
tried_cb (GObject *object, GAsyncResult *result, gpointer loop)
{
  dyno_compatibility_try_finish (DYNO_COMPATIBILITY (object), result, NULL);
  g_main_loop_quit (loop);
}

void
dyno_cli_matrix_try (GPtrArray *cells)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);

  for (guint i = 0; i < cells->len; i++)
    {
      g_autofree char *engine = dup_engine (cells->pdata[i]);

      if (!dyno_compatibility_can_try (cells->pdata[i]))
        continue;
      /* A trial takes a while, so the user should know its purpose. */
      if (isatty (STDERR_FILENO))
        {
          g_printerr (_ ("Trying %s on %s in %s…"), dyno_compatibility_get_model (cells->pdata[i]), engine,
                      dyno_compatibility_get_precision (cells->pdata[i]));
          g_printerr ("\n");
        }
      dyno_compatibility_try_async (cells->pdata[i], NULL, tried_cb, loop);
      g_main_loop_run (loop);
    }
}

DynoCliStatus
dyno_cli_matrix_print (GPtrArray *cells, GError **error)
{
  DynoReportTable *table = dyno_report_table_new ("LwLlw", _ ("Model"), _ ("Engine"), _ ("Precision"),
                                                  _ ("Verdict"), _ ("Why"), NULL);
  JsonNode *root = json_node_new (JSON_NODE_ARRAY);
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < cells->len; i++)
    {
      DynoCompatibility *cell = cells->pdata[i];
      DynoCompatibilityVerdict verdict = dyno_compatibility_get_verdict (cell);
      DynoDevice *device = dyno_compatibility_get_device (cell);
      const char *reason = dyno_compatibility_get_reason (cell);
      JsonObject *object = json_object_new ();

      dyno_report_table_take_row (table, g_strdup (dyno_compatibility_get_model (cell)), dup_engine (cell),
                                  g_strdup (dyno_compatibility_get_precision (cell)),
                                  g_strdup (dyno_compatibility_verdict_get_label (verdict)),
                                  dyno_cli_format_text (reason), NULL);
      json_object_set_string_member (object, "model", dyno_compatibility_get_model (cell));
      json_object_set_string_member (object, "backend",
                                     dyno_backend_get_id (dyno_compatibility_get_backend (cell)));
      json_object_set_string_member (object, "device", device != NULL ? dyno_device_get_id (device) : NULL);
      json_object_set_string_member (object, "precision", dyno_compatibility_get_precision (cell));
      json_object_set_string_member (object, "verdict", dyno_compatibility_verdict_to_string (verdict));
      if (verdict == DYNO_COMPATIBILITY_NOT_TRIED)
        json_object_set_null_member (object, "runs");
      else
        json_object_set_boolean_member (object, "runs", verdict == DYNO_COMPATIBILITY_RUNS);
      json_object_set_string_member (object, "reason", reason);
      json_array_add_object_element (array, object);
    }
  json_node_take_array (root, array);
  return dyno_cli_answer_print_list (table, NULL, root, error);
}
