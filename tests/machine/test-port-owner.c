/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "dyno-process-family.h"
#include "machine-tree.h"
#include "suite.h"

#define HEADER                                                                                               \
  "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"

/* A process with one socket. */
static void
write_process (MachineTree *tree, int pid, int parent, const char *name, guint inode)
{
  g_autofree char *folder = g_strdup_printf ("proc/%d", pid);
  g_autofree char *stat =
      g_strdup_printf ("%d (%s) S %d 7 7 0 -1 0 0 0 0 0 1 2 3 4 20 0 1 0 0\n", pid, name, parent);
  g_autofree char *stat_path = g_build_filename (folder, "stat", NULL);
  g_autofree char *comm_path = g_build_filename (folder, "comm", NULL);
  g_autofree char *other_path = g_build_filename (folder, "fd", "0", NULL);
  g_autofree char *link = g_build_filename (tree->root, folder, "fd", "3", NULL);
  g_autofree char *target = g_strdup_printf ("socket:[%u]", inode);
  g_autofree char *comm = g_strconcat (name, "\n", NULL);

  machine_tree_write (tree, stat_path, stat);
  machine_tree_write (tree, comm_path, comm);
  machine_tree_write (tree, other_path, "");
  if (inode > 0)
    g_assert_cmpint (symlink (target, link), ==, 0);
}

/* Port 8080 is 0x1F90; 01 is a connection, 0A one that listens. */
static void
write_table (MachineTree *tree, guint user)
{
  g_autofree char *text = g_strdup_printf (HEADER "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 "
                                                  "00:00000000 00000000  %u        0 501 1 0 100 0\n"
                                                  "   1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 "
                                                  "00:00000000 00000000  %u        0 502 1 0 100 0\n"
                                                  "   2: 0100007F:1F91 00000000:0000 0A 00000000:00000000 "
                                                  "00:00000000 00000000  %u        0 503 1 0 100 0\n",
                                           user, user, user);

  machine_tree_write (tree, "proc/net/tcp", text);
}

static void
test_found (MachineTree *tree, gconstpointer data)
{
  g_autofree char *reason = NULL;
  g_autoptr (GArray) owners = NULL;
  g_autoptr (GArray) family = NULL;

  write_table (tree, getuid ());
  write_process (tree, 1, 0, "systemd", 501); /* opened the port for the service */
  write_process (tree, 40, 1, "llama-server", 501);
  write_process (tree, 41, 40, "runner", 0);
  write_process (tree, 50, 1, "client", 502);
  write_process (tree, 60, 1, "other", 503);
  owners = dyno_port_owner_find (8080, &reason);
  g_assert_null (reason);
  g_assert_cmpuint (owners->len, ==, 1);
  g_assert_cmpint (g_array_index (owners, GPid, 0), ==, 40);
  family = dyno_process_family_list_all ((const GPid *)(gpointer)owners->data, owners->len);
  g_assert_cmpuint (family->len, ==, 2);
  g_assert_cmpint (dyno_process_family_read_all_ticks ((const GPid *)(gpointer)owners->data, owners->len), ==,
                   20);
}

/* Where the kernel lists the children of each thread, no other process is looked at. */
static void
test_lists_of_children (MachineTree *tree, gconstpointer data)
{
  g_autoptr (GArray) family = NULL;
  guint seen = 0;

  write_process (tree, 40, 1, "llama-server", 0);
  write_process (tree, 41, 40, "runner", 0);
  write_process (tree, 42, 40, "runner", 0);
  write_process (tree, 43, 42, "helper", 0);
  machine_tree_write (tree, "proc/40/task/40/children", "41 ");
  machine_tree_write (tree, "proc/40/task/44/children", "42 ");
  machine_tree_write (tree, "proc/41/task/41/children", "");
  machine_tree_write (tree, "proc/42/task/42/children", "43 ");
  family = dyno_process_family_list (40);
  g_assert_cmpuint (family->len, ==, 4);
  for (guint i = 0; i < family->len; i++)
    seen |= 1u << (g_array_index (family, GPid, i) - 40);
  g_assert_cmphex (seen, ==, 0xf);
  g_assert_cmpint (dyno_process_family_read_ticks (40), ==, 40);
}

static void
test_newer_table (MachineTree *tree, gconstpointer data)
{
  g_autofree char *reason = NULL;
  g_autoptr (GArray) owners = NULL;

  machine_tree_write (tree, "proc/net/tcp6",
                      HEADER
                      "   0: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A "
                      "00000000:00000000 00:00000000 00000000  0        0 501 1 0 100 0\n");
  write_process (tree, 40, 1, "server", 501);
  owners = dyno_port_owner_find (8080, &reason);
  g_assert_nonnull (owners);
}

static void
assert_reason (const char *words)
{
  g_autofree char *reason = NULL;

  g_assert_null (dyno_port_owner_find (8080, &reason));
  g_assert_nonnull (reason);
  g_assert_nonnull (strstr (reason, words));
}

/* Without a listener the port leads somewhere that cannot be seen. */
static void
test_none (MachineTree *tree, gconstpointer data)
{
  assert_reason ("may be forwarded");
  write_table (tree, getuid ());
  write_process (tree, 60, 1, "other", 503);
  assert_reason ("container");
}

static void
test_of_others (MachineTree *tree, gconstpointer data)
{
  write_table (tree, 4000000001u);
  assert_reason ("4000000001");
}

static void
test_forwarded (MachineTree *tree, gconstpointer data)
{
  write_table (tree, getuid ());
  write_process (tree, 40, 1, "docker-proxy", 501);
  assert_reason ("docker-proxy");
}

/* Its memory would hold ours. */
static void
test_own_ancestor (MachineTree *tree, gconstpointer data)
{
  write_table (tree, getuid ());
  write_process (tree, 40, 1, "notebook", 501);
  write_process (tree, getpid (), 40, "dyno", 0);
  assert_reason ("cannot be told apart");
}

/* Lines cut short, and what is no number. */
static void
test_garbage (MachineTree *tree, gconstpointer data)
{
  machine_tree_write (tree, "proc/net/tcp",
                      "x\n 0: 1F90 0A\n 0: 0100007F:ZZZZ 0:0 0A 0 0 0 0 0 501\n\xff\xfe");
  assert_reason ("may be forwarded");
}

static const SuiteFixtureTest (MachineTree) tests[] = {
  { "/port-owner/found", test_found },
  { "/port-owner/lists-of-children", test_lists_of_children },
  { "/port-owner/newer-table", test_newer_table },
  { "/port-owner/none", test_none },
  { "/port-owner/of-others", test_of_others },
  { "/port-owner/forwarded", test_forwarded },
  { "/port-owner/own-ancestor", test_own_ancestor },
  { "/port-owner/garbage", test_garbage },
};

SUITE_FIXTURE_TESTS (tests, MachineTree, machine_tree_set_up, machine_tree_tear_down)
