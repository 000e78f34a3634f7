/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "dyno-config-checks.h"
#include "dyno-layers.h"

DynoConfigFields
dyno_config_fields_complete (const DynoConfigFields *self)
{
  return (DynoConfigFields){
    .width = self->width != NULL ? self->width : "hidden_size",
    .layers = self->layers != NULL ? self->layers : "num_hidden_layers",
    .heads = self->heads != NULL ? self->heads : "num_attention_heads",
    .groups = self->groups != NULL ? self->groups : "num_key_value_heads",
    .activation = self->activation != NULL ? self->activation : "hidden_act",
  };
}

void
dyno_config_check_layers (DynoConfig *config, const char *name, gint64 n_layers)
{
  if (n_layers > DYNO_CONFIG_MAX_LAYERS)
    dyno_config_fail (config, _ ("%" PRId64 " layers (“%s”) are too many"), n_layers, name);
}

void
dyno_config_check_stages (DynoConfig *config, const char *widths_name, GArray *widths, GArray *depths)
{
  gint64 n_layers = 0;

  if (widths->len == 0 || widths->len != depths->len)
    dyno_config_fail (config, _ ("its “%s” and “depths” do not belong together"), widths_name);
  for (guint i = 0; i < depths->len; i++)
    n_layers += g_array_index (depths, gint64, i);
  dyno_config_check_layers (config, "depths", n_layers);
}

void
dyno_config_check_heads (DynoConfig *config, const DynoConfigFields *fields, gint64 width, gint64 n_heads)
{
  const DynoConfigFields names = dyno_config_fields_complete (fields);

  if (width % n_heads != 0)
    dyno_config_fail (config,
                      _ ("its width %" PRId64 " (“%s”) is not a multiple of its %" PRId64 " heads (“%s”)"),
                      width, names.width, n_heads, names.heads);
}

void
dyno_config_check_activation (DynoConfig *config, const char *name, const char *activation)
{
  if (!dyno_layers_knows_activation (activation))
    dyno_config_fail (config, _ ("the activation “%s” of its “%s” is not known"), activation, name);
}

void
dyno_config_check_padding (DynoConfig *config, gint64 padding, gint64 n_positions)
{
  if (padding >= n_positions - 1)
    dyno_config_fail (config,
                      _ ("its “pad_token_id” is %" PRId64 ", but it has %" PRId64
                         " positions (“max_position_embeddings”), which begin after it"),
                      padding, n_positions);
}

void
dyno_config_check_patches (DynoConfig *config, const char *name, gint64 image_side, gint64 patch_side)
{
  if (image_side < patch_side)
    dyno_config_fail (config, _ ("its patches (“%s”) are larger than its pictures (“image_size”)"), name);
}

void
dyno_config_check_share (DynoConfig *config, const char *name, double share, gint64 width)
{
  if (!(share > 0 && share <= 100))
    dyno_config_fail (config, _ ("its “%s” must lie between 0 and 100"), name);
  else if (share * (double)width < 1)
    dyno_config_fail (config, _ ("its “%s” leaves nothing of a width of %" PRId64), name, width);
}
