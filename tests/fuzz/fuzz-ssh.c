/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "dyno-cluster-driver.h"
#include "fuzz-corpus.h"

/* Whatever a machine behind ssh prints, it is a node with its hardware and an answer, or an error in UTF-8. */

/* The first word in PATH, which prints the input. */
static void
make_ssh (void)
{
  static const char script[] = "#!/bin/sh\nexec cat \"$DYNO_FUZZ_ANSWER\"\n";
  g_autofree char *old = g_strdup (g_getenv ("PATH"));
  g_autofree char *path = g_strconcat (fuzz_file_get_folder (), ":", old, NULL);
  g_autofree char *answer = g_build_filename (fuzz_file_get_folder (), "answer", NULL);

  g_assert_cmpint (g_chmod (fuzz_file_write ("ssh", (const guint8 *)script, sizeof script - 1), 0700), ==, 0);
  g_setenv ("PATH", path, TRUE);
  g_setenv ("DYNO_FUZZ_ANSWER", answer, TRUE);
}

static void
read_input (const guint8 *data, gsize size)
{
  static gsize is_made;
  DynoClusterOptions options = { .target = (char *)"ssh:node", .program = (char *)"dyno-cli" };
  const DynoClusterDriver *driver = dyno_cluster_driver_find (options.target, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) problem = NULL;
  g_autoptr (GPtrArray) nodes = NULL;
  g_autofree char *answer = NULL;

  if (g_once_init_enter (&is_made))
    {
      make_ssh ();
      g_once_init_leave (&is_made, 1);
    }
  fuzz_file_write ("answer", data, size);
  nodes = driver->list_nodes (&options, &error);
  g_assert_true ((nodes != NULL) == (error == NULL));
  g_assert_true (error == NULL || g_utf8_validate (error->message, -1, NULL));
  answer = driver->ask (&options, "node", "{}", &problem);
  g_assert_true ((answer != NULL) == (problem == NULL));
  g_assert_true (answer == NULL || g_utf8_validate (answer, -1, NULL));
}

FUZZ_TARGET (read_input)
