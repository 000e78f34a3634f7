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
  gboolean zeros;
  gpointer memory;
  guint8 *operands;
} Data;

static void
data_free (gpointer data)
{
  Data *self = data;

  g_free (self->memory);
  g_free (self);
}

static void
fill (guint member, guint64 count, gpointer data)
{
  Data *self = data;
  guint8 *operands = self->operands + (gsize)member * OPERANDS_STRIDE;

  if (self->zeros)
    memset (operands, 0, OPERANDS_STRIDE);
  else
    dyno_compute_kernel_fill (self->kernel, operands, member + 1);
}

static void
compute (guint member, guint64 count, gpointer data)
{
  Data *self = data;

  self->kernel->run (self->operands + (gsize)member * OPERANDS_STRIDE, count * TURNS_PER_COUNT);
}

static DynoCeiling *
create_ceiling (const DynoCeilingRun *run, const DynoCeilingJob *job, const DynoCeilingRates *rates)
{
  const Data *self = job->data;
  const DynoComputeKernel *kernel = self->kernel;
  const DynoCpuSet *set = dyno_thread_team_get_set (job->team);
  double scale = dyno_compute_kernel_count_operations (kernel, TURNS_PER_COUNT);
  g_autofree char *id = g_strconcat (kernel->id, self->zeros ? "-zeros" : NULL, NULL);
  g_autofree char *loop = g_strdup_printf (
      self->zeros ? _ ("A loop of %s only, %u independent chains in registers, on zeros: an upper bound.")
                  : _ ("A loop of %s only, %u independent chains in registers, on random numbers."),
      kernel->instructions, kernel->n_chains);
  g_autofree char *method = dyno_ceiling_job_describe (job, loop, rates);
  g_autofree char *derivation = NULL;
  DynoProcessorModel model;
  double theoretical;

  dyno_ceiling_theory_read_model (&model, hwloc_bitmap_first (set));
  theoretical = dyno_ceiling_theory_derive (
      &model, kernel, dyno_topology_count (run->topology, HWLOC_OBJ_CORE, set), &derivation);
  return g_object_new (DYNO_TYPE_CEILING, "kind", DYNO_CEILING_COMPUTE, "id", id, "threads",
                       dyno_thread_team_get_size (job->team), "pinning", run->pinning, "precision",
                       dyno_compute_kernel_get_precision_name (kernel), "instruction-set",
                       kernel->instruction_set, "value", rates->sustained * scale, "best",
                       rates->best * scale, "spread", rates->spread, "disturbed", rates->disturbed, "clock",
                       rates->clock, "unit", dyno_compute_kernel_get_unit (kernel), "method", method,
                       "theoretical", theoretical, "derivation", derivation, "upper-bound", self->zeros,
                       "measured-at", g_get_real_time (), NULL);
}

static void
add (DynoCeilingRun *run, const DynoComputeKernel *kernel, gboolean zeros)
{
  gsize bytes = (gsize)OPERANDS_STRIDE * dyno_thread_team_get_size (run->team);
  Data *self = g_new0 (Data, 1);

  self->kernel = kernel;
  self->zeros = zeros;
  self->memory = g_malloc0 (bytes + 64);
  self->operands = (guint8 *)self->memory + 64 - (gsize)self->memory % 64;
  dyno_thread_team_run (run->team, fill, 0, self);
  dyno_ceiling_job_add (run, &(DynoCeilingJob){ .work = compute,
                                                .work_data = self,
                                                .create = create_ceiling,
                                                .data = self,
                                                .free_data = data_free });
}

void
dyno_compute_ceilings_add (DynoCeilingRun *run)
{
  guint n_kernels;
  const DynoComputeKernel *kernels = dyno_compute_kernel_list (&n_kernels);

  for (guint i = 0; i < n_kernels && !g_cancellable_is_cancelled (run->cancellable); i++)
    if (dyno_cpu_features_have (kernels[i].needs))
      {
        add (run, &kernels[i], FALSE);
        if (dyno_compute_kernel_depends_on_data (&kernels[i]))
          add (run, &kernels[i], TRUE);
      }
}
