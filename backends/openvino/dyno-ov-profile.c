/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-openvino-private.h"
#include "dyno-session.h"

#define NS_PER_US 1000

typedef struct
{
  char *name;
  char *type;
  char *kernel;
  const char *precision;
  gint64 first_us;
  gint64 total_us;
} Node;

struct _DynoOvProfile
{
  const OvApi *api;
  char *provider;
  gboolean gives_averages;
  gint64 n_runs;
  GPtrArray *nodes;
  GHashTable *by_key;
};

static void
node_free (Node *node)
{
  g_free (node->name);
  g_free (node->type);
  g_free (node->kernel);
  g_free (node);
}

DynoOvProfile *
dyno_ov_profile_new (DynoOvLibrary *library, const char *provider, gboolean gives_averages)
{
  DynoOvProfile *self = g_new0 (DynoOvProfile, 1);

  self->api = dyno_ov_library_get_api (library);
  self->provider = g_strdup (provider);
  self->gives_averages = gives_averages;
  self->nodes = g_ptr_array_new_with_free_func ((GDestroyNotify)node_free);
  self->by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
dyno_ov_profile_free (DynoOvProfile *self)
{
  g_hash_table_unref (self->by_key);
  g_ptr_array_unref (self->nodes);
  g_free (self->provider);
  g_free (self);
}

/* A kernel's name ends with the type in which it computes, such as `brgemm_avx512_f32` or `jit_gemm_BF16`. */
static const char *
read_precision (const char *kernel)
{
  static const struct
  {
    const char *type;
    const char *precision;
  } types[] = {
    { "_f32", "fp32" }, { "_f16", "fp16" }, { "_bf16", "bf16" }, { "_i8", "int8" }, { "_u8", "int8" }
  };
  g_autofree char *lower = g_ascii_strdown (kernel != NULL ? kernel : "", -1);

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_has_suffix (lower, types[i].type))
      return types[i].precision;
  return NULL;
}

OvStatus
dyno_ov_profile_record (DynoOvProfile *self, const OvInferRequest *request)
{
  OvProfilingList list = { 0 };
  OvStatus status = self->api->infer_request_get_profiling_info (request, &list);

  if (status != OV_STATUS_OK)
    return status;
  self->n_runs++;
  for (gsize i = 0; i < list.n_infos; i++)
    if (list.infos[i].status == OV_NODE_EXECUTED)
      {
        const OvProfilingInfo *info = &list.infos[i];
        gint64 time_us = info->real_time;
        g_autofree char *key = g_strdup_printf ("%s %s", info->node_type, info->node_name);
        Node *node = g_hash_table_lookup (self->by_key, key);

        if (node == NULL)
          {
            node = g_new0 (Node, 1);
            node->name = g_strdup (info->node_name);
            node->type = g_strdup (info->node_type);
            node->precision = read_precision (info->exec_type);
            /* A node without a kernel of its own is “undef” or “unknown_f32”. */
            if (info->exec_type != NULL && *info->exec_type != '\0' &&
                !g_str_has_prefix (info->exec_type, "un"))
              node->kernel = g_strdup (info->exec_type);
            g_ptr_array_add (self->nodes, node);
            g_hash_table_insert (self->by_key, g_steal_pointer (&key), node);
          }

        if (self->n_runs == 1)
          node->first_us = time_us;
        node->total_us = self->gives_averages ? self->n_runs * time_us : node->total_us + time_us;
      }
  self->api->profiling_info_list_free (&list);
  return OV_STATUS_OK;
}

GPtrArray *
dyno_ov_profile_sum_up (DynoOvProfile *self)
{
  GPtrArray *profiles = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_profile_free);

  for (guint i = 0; i < self->nodes->len; i++)
    {
      const Node *node = self->nodes->pdata[i];
      DynoNodeProfile *profile = g_new0 (DynoNodeProfile, 1);
      gint64 time = self->n_runs > 1 ? MAX (node->total_us - node->first_us, 0) : node->total_us;

      profile->name = g_strdup (node->name);
      profile->op_type = g_strdup (node->type);
      profile->provider = g_strdup (self->provider);
      profile->kernel = g_strdup (node->kernel);
      profile->precision = node->precision;
      profile->time_ns = NS_PER_US * time;
      profile->calls = MAX (self->n_runs - 1, 1);
      profile->inputs = g_array_new (FALSE, FALSE, sizeof (DynoShape));
      profile->outputs = g_array_new (FALSE, FALSE, sizeof (DynoShape));
      g_ptr_array_add (profiles, profile);
    }
  return profiles;
}
