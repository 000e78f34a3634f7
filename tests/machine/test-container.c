/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "dyno-machine-private.h"
#include "machine-tree.h"
#include "suite.h"

#define MIB (G_GINT64_CONSTANT (1) << 20)

static void
test_none (MachineTree *tree, gconstpointer data)
{
  DynoContainer container;

  dyno_container_read (&container);
  g_assert_cmpuint (container.version, ==, 0);
  g_assert_cmpint (container.memory_limit, ==, G_MAXINT64);
  g_assert_cmpint (container.memory_available, ==, G_MAXINT64);
  g_assert_cmpint (container.n_oom_kills, ==, -1);
  g_assert_true (isinf (container.cpu_limit));
  g_assert_cmpint (container.n_throttled, ==, -1);
}

/* The group itself has no limit; its parent has one, and the grandparent a larger one. */
static void
test_second_version (MachineTree *tree, gconstpointer data)
{
  DynoContainer container;

  machine_tree_fill (tree, "", "proc/self/cgroup=0::/slice/app/task\n",
                     "sys/fs/cgroup/slice/app/task/memory.max=max\n",
                     "sys/fs/cgroup/slice/app/task/cpu.max=max 100000\n",
                     "sys/fs/cgroup/slice/app/task/cpu.stat=usage_usec 5\nnr_throttled 7\n",
                     "sys/fs/cgroup/slice/app/cpu.stat=nr_throttled 5\nthrottled_usec 900\n",
                     "sys/fs/cgroup/slice/app/task/cgroup.events=populated 1\n", NULL);
  machine_tree_write (tree, "sys/fs/cgroup/slice/app/task/memory.pressure",
                      "some avg10=0.00 avg60=0.00 avg300=0.00 total=77\n");
  machine_tree_fill (tree, "", "sys/fs/cgroup/slice/app/memory.max=1073741824\n",
                     "sys/fs/cgroup/slice/app/memory.current=536870912\n",
                     "sys/fs/cgroup/slice/app/memory.stat=anon 1\ninactive_file 104857600\n",
                     "sys/fs/cgroup/slice/app/cpu.max=150000 100000\n",
                     "sys/fs/cgroup/slice/app/memory.events=oom 5\noom_kill 3\noom_group_kill 1\n",
                     "sys/fs/cgroup/slice/memory.max=2147483648\n",
                     "sys/fs/cgroup/slice/memory.events=oom_kill 8\n", NULL);

  dyno_container_read (&container);
  g_assert_cmpuint (container.version, ==, 2);
  g_assert_cmpint (container.memory_limit, ==, 1024 * MIB);
  g_assert_cmpint (container.memory_available, ==, (1024 - 512 + 100) * MIB);
  g_assert_cmpint (container.n_oom_kills, ==, 3);
  g_assert_cmpfloat (container.cpu_limit, ==, 1.5);
  g_assert_cmpint (container.n_throttled, ==, 7 + 5);
  g_assert_cmpint (container.throttled_us, ==, 900);
  g_assert_cmpint (container.pressure_us[DYNO_PRESSURE_MEMORY], ==, 77);
  g_assert_cmpint (container.pressure_us[DYNO_PRESSURE_IO], ==, -1);
}

/* In a container the path of the group may be outside of the mount: then the root counts. */
static void
test_first_version (MachineTree *tree, gconstpointer data)
{
  DynoContainer container;

  machine_tree_write (
      tree, "proc/self/cgroup",
      "4:memory:/docker/0123\n3:cpu,cpuacct:/docker/0123\n1:name=systemd:/\n0::/system.slice\n");
  machine_tree_fill (tree, "", "sys/fs/cgroup/memory/memory.limit_in_bytes=268435456\n",
                     "sys/fs/cgroup/memory/memory.usage_in_bytes=300000000\n",
                     "sys/fs/cgroup/memory/memory.oom_control=oom_kill_disable 0\noom_kill 2\n",
                     "sys/fs/cgroup/cpu/cpu.cfs_quota_us=200000\n",
                     "sys/fs/cgroup/cpu/cpu.cfs_period_us=50000\n", NULL);
  machine_tree_write (tree, "sys/fs/cgroup/cpu/cpu.stat",
                      "nr_periods 9\nnr_throttled 3\nthrottled_time 5000\n");
  machine_tree_write (tree, "sys/fs/cgroup/cpu.pressure", "some total=1\n");

  dyno_container_read (&container);
  g_assert_cmpuint (container.version, ==, 1);
  g_assert_cmpint (container.memory_limit, ==, 256 * MIB);
  g_assert_cmpint (container.memory_available, ==, 0);
  g_assert_cmpint (container.n_oom_kills, ==, 2);
  g_assert_cmpfloat (container.cpu_limit, ==, 4);
  g_assert_cmpint (container.n_throttled, ==, 3);
  g_assert_cmpint (container.throttled_us, ==, 5);
  g_assert_cmpint (container.pressure_us[DYNO_PRESSURE_CPU], ==, -1);
}

static void
test_no_quota (MachineTree *tree, gconstpointer data)
{
  DynoContainer container;

  machine_tree_fill (tree, "", "proc/self/cgroup=3:cpu:/\n", "sys/fs/cgroup/cpu/cpu.cfs_quota_us=-1\n",
                     "sys/fs/cgroup/cpu/cpu.cfs_period_us=100000\n", NULL);

  dyno_container_read (&container);
  g_assert_true (isinf (container.cpu_limit));
}

static void
test_nonsense (MachineTree *tree, gconstpointer data)
{
  DynoContainer container;

  machine_tree_fill (tree, "", "proc/self/cgroup=\n:::\n0:\n0::/\n", "sys/fs/cgroup/memory.max=lots\n",
                     "sys/fs/cgroup/cpu.max=100000 0\n", NULL);

  dyno_container_read (&container);
  g_assert_cmpint (container.memory_limit, ==, G_MAXINT64);
  g_assert_true (isinf (container.cpu_limit));
}

static const SuiteFixtureTest (MachineTree) tests[] = {
  { "/container/none", test_none },
  { "/container/second-version", test_second_version },
  { "/container/first-version", test_first_version },
  { "/container/no-quota", test_no_quota },
  { "/container/nonsense", test_nonsense },
};

SUITE_FIXTURE_TESTS (tests, MachineTree, machine_tree_set_up, machine_tree_tear_down)
