/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-cluster-driver.h"
#include "fuzz-corpus.h"

/* Whatever a machine behind ssh prints, it is a node with its hardware and an answer, or an error in UTF-8. */

static void
read_input (const guint8 *data, gsize size)
{
  DynoClusterOptions options = { .target = (char *)"ssh:node", .program = (char *)"dyno-cli" };
  const DynoClusterDriver *driver = dyno_cluster_driver_find (options.target, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) problem = NULL;
  g_autoptr (GPtrArray) nodes = NULL;
  g_autofree char *answer = NULL;

  fuzz_command_answer (data, size);
  nodes = driver->list_nodes (&options, &error);
  g_assert_true ((nodes != NULL) == (error == NULL));
  g_assert_true (error == NULL || g_utf8_validate (error->message, -1, NULL));
  answer = driver->ask (&options, "node", "{}", &problem);
  g_assert_true ((answer != NULL) == (problem == NULL));
  g_assert_true (answer == NULL || g_utf8_validate (answer, -1, NULL));
}

FUZZ_TARGET (read_input)
