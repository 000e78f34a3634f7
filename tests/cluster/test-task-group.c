/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-task-group.h"
#include "suite.h"

static void
add (GPtrArray *groups, const char *node, DynoTaskState state, const char *reason)
{
  const DynoClusterTask task = { .node = (char *)node, .state = state, .reason = (char *)reason };

  dyno_task_groups_add (groups, &task);
}

static void
check_nodes (const char *names, const char *expected)
{
  g_auto (GStrv) nodes = g_strsplit (names, " ", -1);
  g_autoptr (GPtrArray) groups = dyno_task_groups_new ();
  g_autofree char *text = NULL;

  for (guint i = 0; nodes[i] != NULL; i++)
    add (groups, nodes[i], DYNO_TASK_WAITING, NULL);
  g_assert_cmpuint (groups->len, ==, 1);
  text = dyno_task_group_dup_nodes (groups->pdata[0]);
  g_assert_cmpstr (text, ==, expected);
}

static void
test_names (void)
{
  check_nodes ("login", "login");
  check_nodes ("n1", "n1");
  check_nodes ("n1 n2", "n[1-2]");
  check_nodes ("n8 n9 n10 n12", "n[8-10,12]");
  check_nodes ("node008 node009 node010", "node[008-010]");
  check_nodes ("n1 n3", "n[1,3]");
  check_nodes ("n9 n010", "n[9,010]");
  check_nodes ("gpu-2.site cpu-1.site gpu-3.site login", "gpu-[2-3].site, cpu-1.site, login");
  check_nodes ("10.0.0.1 10.0.0.2", "10.0.0.[1-2]");
  check_nodes ("n2 n1", "n[2,1]");
  check_nodes ("a99999999999999999999", "a99999999999999999999");
}

static void
test_groups (void)
{
  g_autoptr (GPtrArray) groups = dyno_task_groups_new ();
  const DynoTaskGroup *first;
  g_autofree char *nodes = NULL;

  add (groups, "n1", DYNO_TASK_FAILED, "Its node failed.");
  add (groups, "n2", DYNO_TASK_RUNNING, NULL);
  add (groups, "n3", DYNO_TASK_FAILED, "Its time was up.");
  add (groups, "n4", DYNO_TASK_WAITING, "Its node failed.");
  add (groups, "n5", DYNO_TASK_FAILED, "Its node failed.");
  g_assert_cmpuint (groups->len, ==, 4);
  first = groups->pdata[0];
  g_assert_cmpint (first->state, ==, DYNO_TASK_FAILED);
  g_assert_cmpstr (first->reason, ==, "Its node failed.");
  nodes = dyno_task_group_dup_nodes (first);
  g_assert_cmpstr (nodes, ==, "n[1,5]");
}

static const SuiteTest tests[] = {
  { "/task-group/names", test_names },
  { "/task-group/groups", test_groups },
};

SUITE_TESTS (tests)
