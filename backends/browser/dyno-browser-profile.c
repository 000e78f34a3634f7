/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-browser-private.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-ort-profile.h"
#include "dyno-session.h"

/* The prefix of the node that WebNN makes of many operators in ONNX Runtime. */
#define FUSED_PREFIX "WEBNN_"

/* The prefix of the node that ONNX Runtime inserts where the processor has no kernel for half precision. */
#define CAST_PREFIX "InsertedPrecisionFreeCast_"

static GPtrArray *
parse_part (DynoBrowserMessage *answer, guint index, GError **error)
{
  JsonArray *sizes = dyno_json_member_get_array (answer->header, "sizes");
  guint n_sizes = sizes != NULL ? json_array_get_length (sizes) : 0;
  gsize total;
  const char *text = g_bytes_get_data (answer->payload, &total);
  gint64 begin = 0, length = 0;
  gboolean is_within = TRUE;

  for (guint i = 0; is_within && i <= index && i < n_sizes; i++)
    {
      begin += length;
      length = dyno_json_node_get_int64 (json_array_get_element (sizes, i), -1);
      is_within = length >= 0 && length <= (gint64)total - begin;
    }
  if (!is_within || n_sizes <= index)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                           _ ("The page in the browser gave no trace of the operators."));
      return NULL;
    }
  return dyno_ort_profile_parse_text ("trace", text + begin, (gsize)length, error);
}

/* Returns the names of the operators that a provider took, except those that ran separately after all. */
static GHashTable *
collect_taken (DynoBrowserMessage *answer, GPtrArray *nodes)
{
  GHashTable *taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto (GStrv) names = dyno_json_member_dup_strings (answer->header, "taken");

  for (char **name = names; *name != NULL; name++)
    g_hash_table_add (taken, g_strdup (*name));
  for (guint i = 0; i < nodes->len; i++)
    g_hash_table_remove (taken, ((DynoNodeProfile *)nodes->pdata[i])->name);
  return taken;
}

static gboolean
has_casts (GPtrArray *nodes)
{
  for (guint i = 0; i < nodes->len; i++)
    if (g_str_has_prefix (((DynoNodeProfile *)nodes->pdata[i])->name, CAST_PREFIX))
      return TRUE;
  return FALSE;
}

static void
halve (GArray *shapes)
{
  for (guint i = 0; i < shapes->len; i++)
    if (g_array_index (shapes, DynoShape, i).type == DYNO_DATA_TYPE_FLOAT)
      g_array_index (shapes, DynoShape, i).type = DYNO_DATA_TYPE_FLOAT16;
}

/* Adds the operators that were fused, with their shapes. */
static void
add_members (GPtrArray *nodes, GPtrArray *twins, GHashTable *taken, const char *provider, gint64 calls)
{
  guint i = 0;

  while (i < twins->len)
    {
      DynoNodeProfile *twin = twins->pdata[i];

      if (!g_hash_table_contains (taken, twin->name))
        {
          i++;
          continue;
        }
      g_ptr_array_steal_index (twins, i);
      g_free (twin->provider);
      twin->provider = g_strdup (provider);
      twin->calls = calls;
      g_ptr_array_add (nodes, twin);
    }
}

GPtrArray *
dyno_browser_profile_read (DynoBrowserMessage *answer, const char *provider, gboolean is_half, GError **error)
{
  g_autoptr (GPtrArray) nodes = parse_part (answer, 0, error);
  g_autoptr (GPtrArray) twins = NULL;
  g_autoptr (GHashTable) taken = NULL;
  gint64 calls = 0; /* of the fused nodes of WebNN */

  if (nodes == NULL)
    return NULL;
  taken = collect_taken (answer, nodes);
  for (guint i = nodes->len; i > 0; i--)
    if (g_str_has_prefix (((DynoNodeProfile *)nodes->pdata[i - 1])->op_type, FUSED_PREFIX))
      {
        calls = ((DynoNodeProfile *)nodes->pdata[i - 1])->calls;
        g_ptr_array_remove_index (nodes, i - 1);
      }
  if (calls > 0)
    {
      twins = parse_part (answer, 1, error);
      if (twins == NULL)
        return NULL;
      if (is_half)
        {
          /* WebAssembly computes a half-precision model in single precision, but WebNN got the model's own numbers. */
          gboolean was_cast = has_casts (twins);

          for (guint i = 0; was_cast && i < twins->len; i++)
            {
              halve (((DynoNodeProfile *)twins->pdata[i])->inputs);
              halve (((DynoNodeProfile *)twins->pdata[i])->outputs);
            }
        }
      add_members (nodes, twins, taken, provider, calls);
    }
  /* These providers queue a node and compute it later: the trace times the queueing, and the node that waits
   * for the result gets the time of all. */
  if (g_strcmp0 (provider, "WebNNExecutionProvider") == 0 || g_strcmp0 (provider, "JsExecutionProvider") == 0)
    for (guint i = 0; i < nodes->len; i++)
      ((DynoNodeProfile *)nodes->pdata[i])->time_ns = -1;
  return g_steal_pointer (&nodes);
}
