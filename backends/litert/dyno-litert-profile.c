/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-litert-private.h"
#include "dyno-session.h"
#include "dyno-text.h"

#define NS_PER_US 1000

/* An operator of the delegate that runs others. */
#define DELEGATE "TfLiteXNNPackDelegate"

typedef struct
{
  char *tag;
  gboolean is_delegated;
  guint64 index;
  guint64 subgraph;
  gint64 first_us;
  gint64 total_us;
} Node;

struct _DynoLitertProfile
{
  const LiteRtApi *api;
  LiteRtProfiler *profiler;
  gint64 n_runs;
  GPtrArray *nodes;
  GHashTable *by_key;
};

static void
node_free (gpointer data)
{
  Node *self = data;

  g_free (self->tag);
  g_free (self);
}

DynoLitertProfile *
dyno_litert_profile_new (const LiteRtApi *api, LiteRtProfiler *profiler)
{
  DynoLitertProfile *self = g_new0 (DynoLitertProfile, 1);

  self->api = api;
  self->profiler = profiler;
  self->nodes = g_ptr_array_new_with_free_func (node_free);
  self->by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  api->LiteRtStartProfiler (profiler);
  return self;
}

void
dyno_litert_profile_free (DynoLitertProfile *self)
{
  g_ptr_array_unref (self->nodes);
  g_hash_table_unref (self->by_key);
  g_free (self);
}

static void
take_event (DynoLitertProfile *self, const LiteRtEvent *event)
{
  gboolean is_delegated =
      event->type == LITERT_EVENT_DELEGATE_OPERATOR || event->type == LITERT_EVENT_DELEGATE_PROFILED;
  g_autofree char *key = NULL;
  Node *node;

  if (event->tag == NULL || (!is_delegated && event->type != LITERT_EVENT_OPERATOR) ||
      g_str_equal (event->tag, DELEGATE))
    return;
  key = g_strdup_printf ("%s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %d", event->tag, event->index,
                         is_delegated ? 0 : event->subgraph, is_delegated);
  node = g_hash_table_lookup (self->by_key, key);
  if (node == NULL)
    {
      node = g_new0 (Node, 1);
      node->tag = dyno_plain_text_quote (event->tag, DYNO_PLAIN_TEXT_NAME);
      node->is_delegated = is_delegated;
      node->index = event->index;
      node->subgraph = event->subgraph;
      g_ptr_array_add (self->nodes, node);
      g_hash_table_insert (self->by_key, g_steal_pointer (&key), node);
    }
  if (self->n_runs == 1)
    node->first_us += (gint64)event->elapsed_us;
  node->total_us += (gint64)event->elapsed_us;
}

LiteRtStatus
dyno_litert_profile_record (DynoLitertProfile *self)
{
  g_autofree LiteRtEvent *events = NULL;
  int n = 0;
  LiteRtStatus status = self->api->LiteRtGetNumProfilerEvents (self->profiler, &n);

  if (status != LITERT_OK)
    return status;
  self->n_runs++;
  events = g_new0 (LiteRtEvent, MAX (n, 1));
  status = self->api->LiteRtGetProfilerEvents (self->profiler, n, events);
  for (int i = 0; status == LITERT_OK && i < n; i++)
    take_event (self, &events[i]);
  /* A reset ends the recording. */
  if (status == LITERT_OK)
    status = self->api->LiteRtResetProfiler (self->profiler);
  return status == LITERT_OK ? self->api->LiteRtStartProfiler (self->profiler) : status;
}

/* `Fully Connected (NC, F32) GEMM` and `FULLY_CONNECTED` become `FullyConnected`. */
static char *
dup_type (const char *tag)
{
  g_autofree char *words = g_strndup (tag, strcspn (tag, "("));
  gboolean is_shouted = strpbrk (words, "abcdefghijklmnopqrstuvwxyz") == NULL;
  GString *type = g_string_new (NULL);
  gboolean begins = TRUE;

  for (const char *at = words; *at != '\0'; at++)
    if (*at == ' ' || *at == '_')
      begins = TRUE;
    else
      {
        g_string_append_c (type, begins || !is_shouted ? *at : g_ascii_tolower (*at));
        begins = FALSE;
      }
  if (g_str_has_prefix (type->str, "BatchMat"))
    g_string_assign (type, "MatMul");
  return g_string_free (type, FALSE);
}

/* XNNPACK’s operators say in which types they compute: `F32`, or `QS8`, `QC8`, `QU8` and others for whole numbers; with
 * `QD8, F32, QC8W` the products are of whole numbers too. */
GPtrArray *
dyno_litert_profile_sum_up (DynoLitertProfile *self)
{
  GPtrArray *profiles = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_profile_free);

  for (guint i = 0; i < self->nodes->len; i++)
    {
      const Node *node = self->nodes->pdata[i];
      const char *types = node->is_delegated ? strchr (node->tag, '(') : NULL;
      DynoNodeProfile *profile = g_new0 (DynoNodeProfile, 1);

      profile->name = g_strdup_printf ("%s #%" G_GUINT64_FORMAT, node->tag, node->index);
      profile->op_type = dup_type (node->tag);
      profile->provider = g_strdup (DYNO_LITERT_PROCESSOR);
      profile->kernel = g_strdup (node->is_delegated ? DYNO_LITERT_XNNPACK : "LiteRT");
      profile->precision = types == NULL                   ? NULL
                           : strstr (types, ", Q") != NULL ? "int8"
                           : strstr (types, "F16") != NULL ? "fp16"
                           : strstr (types, "F32") != NULL ? "fp32"
                                                           : NULL;
      profile->time_ns = NS_PER_US * (self->n_runs > 1 ? node->total_us - node->first_us : node->total_us);
      profile->calls = MAX (self->n_runs - 1, 1);
      profile->inputs = g_array_new (FALSE, FALSE, sizeof (DynoShape));
      profile->outputs = g_array_new (FALSE, FALSE, sizeof (DynoShape));
      g_ptr_array_add (profiles, profile);
    }
  return profiles;
}

/* The operators that the delegate left keep their numbers and have events of their own. */
DynoValue *
dyno_litert_profile_count_delegated (DynoLitertProfile *self,
                                     const LiteRtFile *file,
                                     const char *delegate,
                                     gboolean took_all)
{
  g_autoptr (GString) left = g_string_new (NULL);
  g_autofree char *source = NULL;
  LiteRtSubgraph *graph = NULL;
  gsize n = 0, n_left = 0;

  self->api->LiteRtGetNumSubgraphOps (file->graph, &n);
  for (guint i = 0; i < self->nodes->len; i++)
    {
      const Node *node = self->nodes->pdata[i];

      if (node->is_delegated ||
          self->api->LiteRtGetModelSubgraph (file->model, node->subgraph, &graph) != LITERT_OK ||
          graph != file->graph)
        continue;
      n_left++;
      g_string_append_printf (left, "%s%s", left->len > 0 ? ", " : "", node->tag);
    }
  if (took_all != (n_left == 0) || n_left > n || n == 0)
    return NULL;
  source = g_strdup_printf (
      "LiteRT's profile: %s took %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " operators in the file%s%s",
      delegate, n - n_left, n, n_left > 0 ? "; LiteRT's own kernels ran " : "", left->str);
  return dyno_value_new ("delegated_operators_percent", 100 * (double)(n - n_left) / (double)n, "%",
                         DYNO_QUALITY_MEASURED, source);
}
