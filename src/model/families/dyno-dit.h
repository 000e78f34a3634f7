/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoDit:
 *
 * A transformer that denoises latents step by step, conditioned on a class: DiT, Peebles and Xie 2022.
 */
typedef struct _DynoDit DynoDit;

/**
 * DynoDitInputs:
 * @sample: latents, [batch, channels, side, side]
 * @timestep: timesteps, [batch]
 * @labels: classes of the images, [batch]; the last one stands for none
 *
 * Its inputs.
 */
typedef struct
{
  const char *sample;
  const char *timestep;
  const char *labels;
} DynoDitInputs;

DynoDit *dyno_dit_new (DynoConfig *config);
void dyno_dit_free (DynoDit *self);

gint64 dyno_dit_get_n_channels (const DynoDit *self);
gint64 dyno_dit_get_n_results (const DynoDit *self);
gint64 dyno_dit_get_side (const DynoDit *self);
gint64 dyno_dit_get_n_classes (const DynoDit *self);
const char *dyno_dit_add (const DynoDit *self, DynoGraph *graph, const DynoDitInputs *inputs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoDit, dyno_dit_free)

G_END_DECLS
