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

/* Returns its decoder. @config: a config of an `AutoencoderKL`, which fails if it is invalid. */
DynoAutoencoder *dyno_autoencoder_new (DynoConfig *config);
void dyno_autoencoder_free (DynoAutoencoder *self);

gint64 dyno_autoencoder_get_n_channels (const DynoAutoencoder *self);
gint64 dyno_autoencoder_get_n_colours (const DynoAutoencoder *self);
/* Returns height and width of the latents of its training images. */
gint64 dyno_autoencoder_get_side (const DynoAutoencoder *self);
/* Returns the ratio of the side of an image to the side of its latents. */
gint64 dyno_autoencoder_get_growth (const DynoAutoencoder *self);
/* Returns the number that latents are divided by before decoding. */
double dyno_autoencoder_get_scale (const DynoAutoencoder *self);
/* Returns the number that is then added to the latents, in the pipelines that do so. */
double dyno_autoencoder_get_shift (const DynoAutoencoder *self);
/* Returns the images, in most cases from −1 to 1. @latents: unscaled latents, [batch, channels, height,
 * width]. */
const char *dyno_autoencoder_add (const DynoAutoencoder *self, DynoGraph *graph, const char *latents);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoAutoencoder, dyno_autoencoder_free)

G_END_DECLS
