/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoAutoencoder:
 *
 * The decoder of a variational autoencoder, which turns latents into images: Kingma and Welling 2013, Rombach et al.
 * 2022. The encoder is not needed to generate images.
 */
typedef struct _DynoAutoencoder DynoAutoencoder;

DynoAutoencoder *dyno_autoencoder_new (DynoConfig *config);
void dyno_autoencoder_free (DynoAutoencoder *self);

gint64 dyno_autoencoder_get_n_channels (const DynoAutoencoder *self);
gint64 dyno_autoencoder_get_n_colours (const DynoAutoencoder *self);
gint64 dyno_autoencoder_get_side (const DynoAutoencoder *self);
gint64 dyno_autoencoder_get_growth (const DynoAutoencoder *self);
double dyno_autoencoder_get_scale (const DynoAutoencoder *self);
double dyno_autoencoder_get_shift (const DynoAutoencoder *self);
const char *dyno_autoencoder_add (const DynoAutoencoder *self, DynoGraph *graph, const char *latents);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoAutoencoder, dyno_autoencoder_free)

G_END_DECLS
