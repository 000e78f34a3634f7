/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>

#include "dyno-cluster-job.h"
#include "fuzz-corpus.h"

/* Whatever the file of a submission holds, which lies in a folder that nodes write to, it is a job or an error. */

static void
read_input (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoClusterJob) job = NULL;
  g_autofree char *logs = NULL;

  fuzz_file_write ("job.json", data, size);
  job = dyno_cluster_job_load (fuzz_file_get_folder (), &error);
  g_assert_true ((job != NULL) == (error == NULL));
  if (job == NULL)
    return;
  logs = dyno_cluster_job_dup_logs (job);
  g_assert_true (logs == NULL || g_utf8_validate (logs, -1, NULL));
  for (guint i = 0; i < job->tasks->len; i++)
    {
      g_autoptr (GError) problem = NULL;
      g_autoptr (DynoPlan) plan = dyno_cluster_job_build_plan (job, i, &problem);

      g_assert_true ((plan != NULL) == (problem == NULL));
    }
}

FUZZ_TARGET (read_input)
