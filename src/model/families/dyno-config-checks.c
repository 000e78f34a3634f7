/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "dyno-config-checks.h"
#include "dyno-layers.h"

void
dyno_config_check_layers (DynoConfig *config, gint64 n_layers)
{
  if (n_layers > DYNO_CONFIG_MAX_LAYERS)
    dyno_config_fail (config, _ ("%" PRId64 " layers are too many"), n_layers);
}

/**
 * dyno_config_check_stages:
 * @config: a config
 * @widths_name: the member that lists the widths or heads of the stages
 * @widths: (element-type gint64): its contents
 * @depths: (element-type gint64): `depths`, the layers of each stage
 *
 * Checks that both lists have the same, non-zero number of stages, and that there are not too many layers in total.
 */
void
dyno_config_check_stages (DynoConfig *config, const char *widths_name, GArray *widths, GArray *depths)
{
  gint64 n_layers = 0;

  if (widths->len == 0 || widths->len != depths->len)
    dyno_config_fail (config, _ ("its “%s” and “depths” do not belong together"), widths_name);
  for (guint i = 0; i < depths->len; i++)
    n_layers += g_array_index (depths, gint64, i);
  dyno_config_check_layers (config, n_layers);
}

void
dyno_config_check_heads (DynoConfig *config, gint64 width, gint64 n_heads)
{
  if (width % n_heads != 0)
    dyno_config_fail (config, _ ("its width %" PRId64 " is not a multiple of its %" PRId64 " heads"), width,
                      n_heads);
}

void
dyno_config_check_activation (DynoConfig *config, const char *activation)
{
  if (!dyno_layers_knows_activation (activation))
    dyno_config_fail (config, _ ("its activation “%s” is not known"), activation);
}
