/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-compute-kernel.h"
#include "dyno-machine-ceilings-private.h"

/* Turns of the loop in one unit of work: with fewer, the overhead of the call would show. */
#define TURNS_PER_COUNT 64

/* Each member's operands, a page apart so that no two share a line. */
#define OPERANDS_STRIDE (DYNO_COMPUTE_MAX_OPERAND_BYTES + 4096)

typedef struct
{
  const DynoComputeKernel *kernel;
  guint8 *operands;
} Job;

static void
fill (guint member, guint64 zeros, gpointer data)
{
  Job *job = data;
  guint8 *operands = job->operands + (gsize)member * OPERANDS_STRIDE;

  if (zeros)
    memset (operands, 0, OPERANDS_STRIDE);
  else
    dyno_compute_kernel_fill (job->kernel, operands, member + 1);
}

static void
compute (guint member, guint64 count, gpointer data)
{
  Job *job = data;

  job->kernel->run (job->operands + (gsize)member * OPERANDS_STRIDE, count * TURNS_PER_COUNT);
}

static gboolean
measure (DynoCeilingRun *run, Job *job, gboolean zeros)
{
  g_autofree char *what = g_strdup_printf ("%s %s", dyno_compute_kernel_get_precision_name (job->kernel),
                                           job->kernel->instruction_set);
  DynoCeilingRates rates;

  dyno_ceiling_run_begin (run, what);
  dyno_thread_team_run (run->team, fill, zeros, job);
  if (!dyno_ceiling_run_measure (run, compute, job, &rates))
    return FALSE;

  const DynoCpuSet *set = dyno_thread_team_get_set (run->team);
  double scale = dyno_compute_kernel_count_operations (job->kernel, TURNS_PER_COUNT);
  g_autofree char *id = g_strconcat (job->kernel->id, zeros ? "-zeros" : NULL, NULL);
  g_autofree char *loop = g_strdup_printf (
      zeros ? _ ("A loop of %s only, %u independent chains in registers, on zeros: an upper bound.")
            : _ ("A loop of %s only, %u independent chains in registers, on random numbers."),
      job->kernel->instructions, job->kernel->n_chains);
  g_autofree char *method = dyno_ceiling_run_describe (run, loop);
  g_autofree char *derivation = NULL;
  DynoProcessorModel model;
  double theoretical;

  dyno_ceiling_theory_read_model (&model, hwloc_bitmap_first (set));
  theoretical = dyno_ceiling_theory_derive (
      &model, job->kernel, dyno_topology_count (run->topology, HWLOC_OBJ_CORE, set), &derivation);
  g_ptr_array_add (run->ceilings,
                   g_object_new (DYNO_TYPE_CEILING, "kind", DYNO_CEILING_COMPUTE, "id", id, "threads",
                                 dyno_thread_team_get_size (run->team), "pinning", run->pinning, "precision",
                                 dyno_compute_kernel_get_precision_name (job->kernel), "instruction-set",
                                 job->kernel->instruction_set, "value", rates.median * scale, "best",
                                 rates.best * scale, "spread", rates.spread, "clock", rates.clock, "unit",
                                 dyno_compute_kernel_get_unit (job->kernel), "method", method, "theoretical",
                                 theoretical, "derivation", derivation, "upper-bound", zeros, "measured-at",
                                 g_get_real_time (), NULL));
  return TRUE;
}

guint
dyno_compute_ceilings_count (void)
{
  guint n_kernels, count = 0;
  const DynoComputeKernel *kernels = dyno_compute_kernel_list (&n_kernels);

  for (guint i = 0; i < n_kernels; i++)
    if (dyno_cpu_features_have (kernels[i].needs))
      count += dyno_compute_kernel_depends_on_data (&kernels[i]) ? 2 : 1;
  return count;
}

gboolean
dyno_compute_ceilings_measure (DynoCeilingRun *run)
{
  gsize bytes = (gsize)OPERANDS_STRIDE * dyno_thread_team_get_size (run->team);
  g_autofree guint8 *memory = g_malloc0 (bytes + 64);
  guint n_kernels;
  const DynoComputeKernel *kernels = dyno_compute_kernel_list (&n_kernels);
  Job job = { .operands = memory + 64 - (gsize)memory % 64 };

  for (guint i = 0; i < n_kernels; i++)
    {
      job.kernel = &kernels[i];
      if (!dyno_cpu_features_have (job.kernel->needs))
        continue;
      if (!measure (run, &job, FALSE))
        return FALSE;
      if (dyno_compute_kernel_depends_on_data (job.kernel) && !measure (run, &job, TRUE))
        return FALSE;
    }
  return TRUE;
}
