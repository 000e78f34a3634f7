/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-chart-nodes.h"
#include "dyno-json-member.h"

/* What a scheduler knew of the run, see mark_machine() of a cluster job. */
static char *
dup_cluster_member (DynoRun *run, const char *name)
{
  const char *json = dyno_run_get_machine (run);
  g_autoptr (JsonNode) node = json != NULL ? json_from_string (json, NULL) : NULL;
  JsonObject *machine = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  JsonObject *state = machine != NULL ? dyno_json_member_get_object (machine, "state") : NULL;
  JsonObject *cluster = state != NULL ? dyno_json_member_get_object (state, "cluster") : NULL;
  const char *text = cluster != NULL ? dyno_json_member_get_string (cluster, name) : NULL;

  return text != NULL && *text != '\0' ? g_strdup (text) : NULL;
}

/**
 * dyno_chart_nodes_share_submission:
 * @runs: (element-type DynoRun): runs
 *
 * Returns: whether they are several, and all of the same submission to a cluster
 */
gboolean
dyno_chart_nodes_share_submission (GPtrArray *runs)
{
  g_autofree char *first = NULL;

  if (runs->len < 2)
    return FALSE;
  first = dup_cluster_member (runs->pdata[0], "submission");
  for (guint i = 1; first != NULL && i < runs->len; i++)
    {
      g_autofree char *other = dup_cluster_member (runs->pdata[i], "submission");

      if (g_strcmp0 (first, other) != 0)
        return FALSE;
    }
  return first != NULL;
}

/**
 * dyno_chart_nodes_dup_name:
 * @run: a run
 *
 * Returns: (transfer full) (nullable): the node of a cluster on which it was measured, as far as it is known
 */
char *
dyno_chart_nodes_dup_name (DynoRun *run)
{
  return dup_cluster_member (run, "node");
}
