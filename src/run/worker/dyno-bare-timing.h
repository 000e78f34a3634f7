/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-case.h"

G_BEGIN_DECLS

/**
 * DynoBareTiming:
 * @median_ms: the median time of a step
 * @n_steps: the number of steps
 * @path: the ONNX file that was run
 * @inputs: its inputs in JSON: an array of objects with `name`, `type` and `shape`
 *
 * The time of a model in a bare loop over its engine, in a process of its own, without Dyno's measuring around it.
 */
typedef struct
{
  double median_ms;
  guint n_steps;
  char *path;
  char *inputs;
} DynoBareTiming;

/* Blocks as long as the loop runs, so it belongs on a thread. Returns the timing. @seconds: how long to run the model.
 * @cancellable may be NULL. */
DynoBareTiming *
dyno_bare_timing_take (DynoCase *kase, double seconds, GCancellable *cancellable, GError **error);
void dyno_bare_timing_free (DynoBareTiming *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoBareTiming, dyno_bare_timing_free)

G_END_DECLS
