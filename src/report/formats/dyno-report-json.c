/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-ceiling.h"
#include "dyno-json.h"
#include "dyno-module.h"
#include "dyno-report-formats-private.h"
#include "dyno-report-formats.h"
#include "dyno-run-json.h"
#include "dyno-score.h"

static void seal_node (JsonNode *node);

static void
seal_element (JsonArray *array, guint index, JsonNode *node, gpointer data)
{
  seal_node (node);
}

static void
seal_member (JsonObject *object, const char *name, JsonNode *node, gpointer data)
{
  seal_node (node);
}

/* JSON has no NaN; write null. */
static void
seal_node (JsonNode *node)
{
  if (JSON_NODE_HOLDS_ARRAY (node))
    json_array_foreach_element (json_node_get_array (node), seal_element, NULL);
  else if (JSON_NODE_HOLDS_OBJECT (node))
    json_object_foreach_member (json_node_get_object (node), seal_member, NULL);
  else if (json_node_get_value_type (node) == G_TYPE_DOUBLE && !isfinite (json_node_get_double (node)))
    json_node_init_null (node);
}

static void
set_time (JsonObject *object, const char *name, gint64 microseconds)
{
  g_autofree char *text = dyno_run_json_format_time (microseconds);

  dyno_json_member_set_string (object, name, text);
}

/* Adds JSON text of a run to the tree. */
static void
set_tree (JsonObject *object, const char *name, const char *text)
{
  JsonNode *node = text != NULL ? dyno_json_text_parse (text) : NULL;

  json_object_set_member (object, name, node != NULL ? node : json_node_new (JSON_NODE_NULL));
}

static void
set_sum (JsonObject *object, const char *name, double sum, guint n_unknown)
{
  if (n_unknown == 0)
    json_object_set_double_member (object, name, sum);
  else
    json_object_set_null_member (object, name);
}

static JsonArray *
build_modules (const DynoModule *parent)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < parent->modules->len; i++)
    {
      const DynoModule *module = parent->modules->pdata[i];
      JsonObject *object = json_object_new ();
      JsonArray *providers = json_array_new ();

      for (guint k = 0; k < module->providers->len; k++)
        {
          const DynoModuleProvider *provider = module->providers->pdata[k];
          JsonObject *of_provider = json_object_new ();

          dyno_json_member_set_string (of_provider, "name", provider->name);
          json_object_set_int_member (of_provider, "operators", provider->work.n_operators);
          json_object_set_int_member (of_provider, "calls", provider->work.calls);
          set_sum (of_provider, "time_ns", (double)provider->work.time_ns, module->n_untimed);
          json_array_add_object_element (providers, of_provider);
        }

      dyno_json_member_set_string (object, "name", module->name);
      dyno_json_member_set_string (object, "path", module->path);
      json_object_set_int_member (object, "operators", module->all.n_operators);
      json_object_set_int_member (object, "calls", module->all.calls);
      set_sum (object, "time_ns", (double)module->all.time_ns, module->n_untimed);
      set_sum (object, "flops", module->all.flops, module->n_without_flops);
      set_sum (object, "bytes", module->all.bytes, module->n_without_bytes);
      json_object_set_array_member (object, "providers", providers);
      json_object_set_array_member (object, "modules", build_modules (module));
      json_array_add_object_element (array, object);
    }
  return array;
}

static JsonArray *
build_results (DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);
  gboolean is_imported = dyno_run_is_imported (run);
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      JsonNode *node = dyno_result_to_json (result, TRUE);
      JsonObject *object = json_node_get_object (node);
      g_autoptr (DynoModule) model = dyno_module_new (result);
      g_autofree char *command = is_imported ? NULL : dyno_case_dup_command (dyno_result_get_case (result));

      if (command != NULL)
        json_object_set_string_member (object, "command", command);
      json_object_set_array_member (object, "modules", build_modules (model));
      json_array_add_element (array, node);
    }
  return array;
}

/* Adds the file itself if it was loaded, in the compressed form of the store. */
static void
set_file (JsonObject *object, const DynoOrigin *origin)
{
  g_autofree char *text = NULL;
  gsize size;
  const guchar *content;

  dyno_json_member_set_string (object, "file_name", origin->file_name);
  set_time (object, "imported_at", origin->imported_at);
  dyno_json_member_set_string (object, "sha256", origin->hash);
  json_object_set_int_member (object, "size", origin->size);
  if (origin->content == NULL)
    return;
  content = g_bytes_get_data (origin->content, &size);
  text = g_base64_encode (content, size);
  dyno_json_member_set_string (object, DYNO_RUN_JSON_ORIGINAL, text);
}

static JsonObject *
build_origin (const DynoOrigin *origin)
{
  JsonObject *object = json_object_new ();

  dyno_json_member_set_string (object, "dialect", origin->dialect);
  dyno_json_member_set_string (object, "tool", origin->tool);
  dyno_json_member_set_string (object, "version", origin->version);
  set_file (object, origin);
  set_tree (object, "extra", origin->extra);
  return object;
}

/* Adds the files of power meters whose readings are in its cases. */
static JsonArray *
build_meters (GPtrArray *meters)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < meters->len; i++)
    {
      const DynoOrigin *meter = meters->pdata[i];
      JsonObject *object = json_object_new ();

      set_file (object, meter);
      json_array_add_object_element (array, object);
    }
  return array;
}

static JsonObject *
build_run (DynoRun *run, GPtrArray *ceilings)
{
  JsonObject *object = json_object_new ();
  JsonArray *known = ceilings != NULL ? json_array_new () : NULL;
  JsonObject *cases = json_object_new ();
  DynoCaseCounts counts = { 0 };
  g_autofree char *command = dyno_run_dup_command (run);
  g_autoptr (DynoScore) score = dyno_score_new (run, dyno_reference_get_bundled ());

  dyno_json_member_set_string (object, "id", dyno_run_get_id (run));
  dyno_json_member_set_string (object, "title", dyno_run_get_title (run));
  dyno_json_member_set_string (object, "notes", dyno_run_get_notes (run));
  set_time (object, "started_at", dyno_run_get_started_at (run));
  set_time (object, "finished_at", dyno_run_get_finished_at (run));
  dyno_json_member_set_string (object, "source", dyno_run_get_source (run));
  dyno_json_member_set_string (object, "app_version", dyno_run_get_app_version (run));
  if (dyno_run_get_origin (run) != NULL)
    json_object_set_object_member (object, "origin", build_origin (dyno_run_get_origin (run)));
  set_tree (object, "plan", dyno_run_get_plan (run));
  if (command != NULL)
    json_object_set_string_member (object, "command", command);
  set_tree (object, "machine", dyno_run_get_machine (run));
  if (dyno_run_get_meters (run)->len > 0)
    json_object_set_array_member (object, DYNO_RUN_JSON_METERS, build_meters (dyno_run_get_meters (run)));
  for (guint i = 0; ceilings != NULL && i < ceilings->len; i++)
    json_array_add_object_element (known, dyno_ceiling_to_json (ceilings->pdata[i]));
  if (known != NULL)
    json_object_set_array_member (object, DYNO_RUN_JSON_CEILINGS, known);
  /* Counts the cases of every state, even if there are none. */
  dyno_run_count_cases (run, &counts);
  for (guint state = 0; state < DYNO_N_CASE_STATES; state++)
    json_object_set_int_member (cases, dyno_case_state_to_string (state), counts.of[state]);
  json_object_set_object_member (object, "cases", cases);
  if (score != NULL)
    json_object_set_object_member (object, "score", dyno_score_to_json (score));
  json_object_set_array_member (object, "results", build_results (run));
  return object;
}

char *
dyno_report_json_write (GPtrArray *runs, GHashTable *ceilings)
{
  g_autoptr (JsonNode) root = json_node_new (JSON_NODE_OBJECT);
  g_autofree char *text = NULL;
  JsonArray *array = json_array_new ();
  JsonObject *object = json_object_new ();

  for (guint i = 0; i < runs->len; i++)
    {
      GPtrArray *of_run = ceilings != NULL ? g_hash_table_lookup (ceilings, runs->pdata[i]) : NULL;

      json_array_add_object_element (array, build_run (runs->pdata[i], of_run));
    }
  json_object_set_string_member (object, "format", DYNO_RUN_JSON_FORMAT);
  json_object_set_int_member (object, "schema_version", DYNO_RUN_JSON_VERSION);
  json_object_set_array_member (object, "runs", array);
  json_node_take_object (root, object);
  seal_node (root);
  text = dyno_json_text_write (root, FALSE);
  return g_strconcat (text, "\n", NULL);
}

static GBytes *
write_runs (const DynoReportSource *source, GError **error)
{
  char *text = dyno_report_json_write (source->runs, source->ceilings);

  return g_bytes_new_take (text, strlen (text));
}

static GBytes *
write_document (const DynoReportDocument *document, GError **error)
{
  g_autofree char *text = NULL;
  char *lines;

  g_return_val_if_fail (document->data != NULL, NULL);

  text = dyno_json_text_write (document->data, TRUE);
  lines = g_strconcat (text, "\n", NULL);
  return g_bytes_new_take (lines, strlen (lines));
}

const DynoReportFormat dyno_report_json_format = {
  .name = "json",
  .suffix = "json",
  .label = N_ ("JSON"),
  .write_document = write_document,
  .write_runs = write_runs,
  .holds_originals = TRUE,
};
