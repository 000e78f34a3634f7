/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"

G_BEGIN_DECLS

/* Checks of configs that several architectures share. The config fails if it is invalid. */

/* More layers than any model has, and few enough for a graph to take little memory. */
#define DYNO_CONFIG_MAX_LAYERS 1000

/**
 * DynoConfigFields:
 * @width: (nullable): the member for the width, NULL for `hidden_size`
 * @layers: (nullable): the member for the number of layers, NULL for `num_hidden_layers`
 * @heads: (nullable): the member for the number of heads, NULL for `num_attention_heads`
 * @groups: (nullable): the member for the number of heads of keys and values, NULL for
 * `num_key_value_heads`
 * @activation: (nullable): the member for the activation, NULL for `hidden_act`
 *
 * The members of a config that sizes were read from, for messages about them.
 */
typedef struct
{
  const char *width;
  const char *layers;
  const char *heads;
  const char *groups;
  const char *activation;
} DynoConfigFields;

/* Returns the same with the usual names in place of NULL. */
DynoConfigFields dyno_config_fields_complete (const DynoConfigFields *self);

void dyno_config_check_layers (DynoConfig *config, const char *name, gint64 n_layers);
/* Checks that both lists have the same, non-zero number of stages, and that there are not too many layers
 * in total. @widths_name: the member that lists the widths or heads of the stages. @widths holds gint64.
 * @depths: `depths`, the layers of each stage. */
void dyno_config_check_stages (DynoConfig *config, const char *widths_name, GArray *widths, GArray *depths);
void
dyno_config_check_heads (DynoConfig *config, const DynoConfigFields *fields, gint64 width, gint64 n_heads);
void dyno_config_check_activation (DynoConfig *config, const char *name, const char *activation);
/* @config: a config whose positions begin after the token that fills up. */
void dyno_config_check_padding (DynoConfig *config, gint64 padding, gint64 n_positions);
/* @config: a config of a model that cuts pictures of the size `image_size` into patches. @image_side: side
 * of a picture in pixels. @patch_side: side of a patch in pixels. */
void dyno_config_check_patches (DynoConfig *config, const char *name, gint64 image_side, gint64 patch_side);

/* @share: of the width of a layer, how wide its inner layer is. */
void dyno_config_check_share (DynoConfig *config, const char *name, double share, gint64 width);

G_END_DECLS
