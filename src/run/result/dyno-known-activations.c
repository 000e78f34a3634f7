/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-json.h"
#include "dyno-result-samples.h"

#define PREFIX "activations-"
#define BATCH  "activations-batch"

/* Cases that differ in the batch size alone have the same key. */
static char *
dup_key (DynoResult *result)
{
  g_autoptr (JsonNode) node = dyno_case_to_json (dyno_result_get_case (result));

  json_object_remove_member (json_node_get_object (node), "batch-size");
  return dyno_json_text_write (node, FALSE);
}

GHashTable *
dyno_known_activations_new (GListModel *results)
{
  GHashTable *self = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      dyno_known_activations_add (self, result);
    }
  return self;
}

void
dyno_known_activations_add (GHashTable *self, DynoResult *result)
{
  char *key;

  if (!isfinite (dyno_result_get_number (result, DYNO_RESULT_ANALYSIS_MS)) ||
      dyno_result_find_message (result, "no-analysis") != NULL ||
      dyno_result_find_message (result, "activations-unchecked") != NULL)
    return;
  key = dup_key (result);
  if (g_hash_table_contains (self, key))
    g_free (key);
  else
    g_hash_table_insert (self, key, g_object_ref (result));
}

DynoResult *
dyno_known_activations_find (GHashTable *self, DynoResult *result)
{
  g_autofree char *key = dup_key (result);
  DynoResult *known = g_hash_table_lookup (self, key);

  return known != result ? known : NULL;
}

void
dyno_known_activations_copy (DynoResult *known, DynoResult *analysis)
{
  GPtrArray *diagnostics = dyno_result_get_diagnostics (known);
  guint n = 0;

  for (guint i = 0; i < diagnostics->len; i++)
    if (g_str_has_prefix (dyno_diagnostic_get_code (diagnostics->pdata[i]), PREFIX))
      {
        dyno_result_take_diagnostic (analysis, dyno_diagnostic_ref (diagnostics->pdata[i]));
        n++;
      }
  if (n > 0 && dyno_result_find_message (known, BATCH) == NULL)
    {
      guint batch = dyno_case_get_batch_size (dyno_result_get_case (known));
      g_autofree char *message = g_strdup_printf (
          _ ("The layers were looked at once for this model, with a batch size of %u."), batch);

      dyno_result_take_diagnostic (analysis, dyno_diagnostic_new (DYNO_SEVERITY_INFO, BATCH, message));
    }
}
