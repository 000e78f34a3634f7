/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "dyno-browser-profile.h"
#include "dyno-error.h"
#include "dyno-ort-profile.h"
#include "dyno-session.h"

/* How ONNX Runtime names what WebNN made of many operators. */
#define FUSED_PREFIX "WEBNN_"
#define FUSED_TYPE   "WebNN"

static GPtrArray *
parse_trace (const char *text, gsize length, GError **error)
{
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("dyno-trace-XXXXXX", &path, error);
  GPtrArray *nodes = NULL;

  if (fd < 0)
    return NULL;
  if (g_close (fd, error) && g_file_set_contents (path, text, (gssize)length, error))
    nodes = dyno_ort_profile_parse (path, error);
  g_unlink (path);
  return nodes;
}

static GPtrArray *
parse_part (DynoBrowserMessage *answer, guint index, GError **error)
{
  JsonArray *sizes = json_object_get_array_member (answer->header, "sizes");
  gsize total;
  const char *text = g_bytes_get_data (answer->payload, &total);
  gint64 begin = 0, length = -1;

  for (guint i = 0; sizes != NULL && i <= index && i < json_array_get_length (sizes); i++)
    {
      begin += MAX (length, 0);
      length = json_array_get_int_element (sizes, i);
    }
  if (length < 0 || begin < 0 || begin > (gint64)total || length > (gint64)total - begin)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                           _ ("The page in the browser gave no trace of the operators."));
      return NULL;
    }
  return parse_trace (text + begin, (gsize)length, error);
}

static gboolean
is_fused (const DynoNodeProfile *node)
{
  return g_str_has_prefix (node->op_type, FUSED_PREFIX);
}

/* Names of the operators that a provider took, less those that ran by themselves after all. */
static GHashTable *
collect_taken (DynoBrowserMessage *answer, GPtrArray *nodes)
{
  GHashTable *taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  JsonArray *names = json_object_get_array_member (answer->header, "taken");

  for (guint i = 0; names != NULL && i < json_array_get_length (names); i++)
    g_hash_table_add (taken, g_strdup (json_array_get_string_element (names, i)));
  for (guint i = 0; i < nodes->len; i++)
    g_hash_table_remove (taken, ((DynoNodeProfile *)nodes->pdata[i])->name);
  return taken;
}

/* Its time is all that is known of it: the shapes are those of its operators. */
static void
strip_fused (DynoNodeProfile *node)
{
  g_free (node->op_type);
  node->op_type = g_strdup (FUSED_TYPE);
  g_array_set_size (node->inputs, 0);
  g_array_set_size (node->outputs, 0);
}

static gint64
sum_up_fused (GPtrArray *nodes, gboolean keep)
{
  gint64 calls = 0;

  for (guint i = nodes->len; i > 0; i--)
    {
      DynoNodeProfile *node = nodes->pdata[i - 1];

      if (!is_fused (node))
        continue;
      calls = node->calls;
      if (keep)
        strip_fused (node);
      else
        g_ptr_array_remove_index (nodes, i - 1);
    }
  return calls;
}

/* Adds the operators that were made one, with their shapes; how long each of them took nobody knows. */
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
      twin->time_ns = -1;
      twin->calls = calls;
      g_ptr_array_add (nodes, twin);
    }
}

/**
 * dyno_browser_profile_read:
 * @answer: what the page answered when it ended its recording
 * @provider: (nullable): the provider that was asked for
 * @optimised: whether the engine was free to rewrite the graph
 * @error: return location for an error
 *
 * WebNN makes one node of many operators. Its time stays with a node of the type `WebNN`, and the operators inside
 * follow with their shapes and without a time. A graph that was not optimised is recorded for its shapes alone, and
 * leaves that node out.
 *
 * Returns: (transfer full) (element-type DynoNodeProfile): the nodes
 */
GPtrArray *
dyno_browser_profile_read (DynoBrowserMessage *answer,
                           const char *provider,
                           gboolean optimised,
                           GError **error)
{
  g_autoptr (GPtrArray) nodes = parse_part (answer, 0, error);
  g_autoptr (GPtrArray) twins = NULL;
  g_autoptr (GHashTable) taken = NULL;
  gint64 calls;

  if (nodes == NULL)
    return NULL;
  taken = collect_taken (answer, nodes);
  calls = sum_up_fused (nodes, optimised);
  if (calls == 0)
    return g_steal_pointer (&nodes);
  twins = parse_part (answer, 1, error);
  if (twins == NULL)
    return NULL;
  add_members (nodes, twins, taken, provider, calls);
  return g_steal_pointer (&nodes);
}
