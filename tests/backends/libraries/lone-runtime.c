/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The old runtime, which writes to the file DYNO_TEST_TWO_RUNTIMES if it is opened together with another one. */
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
count_runtime (struct dl_phdr_info *info, size_t size, void *n_runtimes)
{
  const char *name = strrchr (info->dlpi_name, '/');

  if (name != NULL && strncmp (name, "/libonnxruntime.so", strlen ("/libonnxruntime.so")) == 0)
    ++*(int *)n_runtimes;
  return 0;
}

__attribute__ ((constructor)) static void
look_around (void)
{
  const char *path = getenv ("DYNO_TEST_TWO_RUNTIMES");
  int n_runtimes = 0;
  FILE *file;

  dl_iterate_phdr (count_runtime, &n_runtimes);
  file = path != NULL && n_runtimes > 1 ? fopen (path, "a") : NULL;
  if (file == NULL)
    return;
  fprintf (file, "%d runtimes in one process\n", n_runtimes);
  fclose (file);
}
