/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-cluster-private.h"
#include "fuzz-corpus.h"

/* Whatever Slurm's commands print, reading it ends with tasks and nodes, or with a reason. */

static void
read_tasks (const char *text, gssize length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) tasks = dyno_slurm_reader_read_tasks (text, length, &error);

  g_assert_true ((tasks != NULL) == (error == NULL));
  for (guint i = 0; tasks != NULL && i < tasks->len; i++)
    {
      const DynoSlurmTask *task = tasks->pdata[i];

      g_assert_nonnull (dyno_task_state_get_label (task->state));
      g_assert_true (task->reason == NULL || *task->reason != '\0');
    }
}

static void
read_nodes (const char *text)
{
  g_autoptr (GPtrArray) nodes = dyno_slurm_reader_read_nodes (text);

  for (guint i = 0; i < nodes->len; i++)
    {
      const DynoSlurmNode *node = nodes->pdata[i];

      g_assert_true (*node->name != '\0' && *node->hardware != '\0');
      g_assert_true (dyno_slurm_node_is_usable (node, NULL) || !dyno_slurm_node_is_usable (node, "debug"));
    }
}

static void
read_input (const guint8 *data, gsize size)
{
  g_autofree char *text = g_strndup ((const char *)data, size);

  read_tasks ((const char *)data, (gssize)size);
  read_nodes (text);
  g_assert_cmpint (dyno_slurm_reader_read_submission (text), >=, 0);
}

FUZZ_TARGET (read_input)
