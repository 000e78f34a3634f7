/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-prober.h"

JsonNode *
dyno_backend_snapshot (const char *const *specs, GCancellable *cancellable)
{
  g_autoptr (GListStore) backends = g_list_store_new (DYNO_TYPE_BACKEND);
  g_autoptr (GPtrArray) probes = NULL;
  g_autoptr (JsonArray) array = json_array_new ();

  for (const char *const *spec = specs; *spec != NULL; spec++)
    {
      DynoBackend *backend = dyno_backend_lookup_spec (*spec, NULL, NULL);

      if (backend != NULL && !g_list_store_find (backends, backend, NULL))
        g_list_store_append (backends, backend);
    }
  probes = dyno_prober_probe_all (dyno_prober_get_default (), G_LIST_MODEL (backends), DYNO_PROBER_NONE,
                                  cancellable);
  for (guint i = 0; i < probes->len; i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (G_LIST_MODEL (backends), i);
      g_autoptr (JsonNode) node = dyno_probe_to_json (probes->pdata[i]);

      json_object_set_string_member (json_node_get_object (node), "id", dyno_backend_get_id (backend));
      json_array_add_element (array, g_steal_pointer (&node));
    }
  return json_node_init_array (json_node_alloc (), array);
}
