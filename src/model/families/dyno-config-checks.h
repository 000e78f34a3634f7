/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"

G_BEGIN_DECLS

/* What several architectures ask of their configs. What is wrong is a failure of the config. */

/* More layers than any model has; a graph of so many still takes little memory. */
#define DYNO_CONFIG_MAX_LAYERS 1000

void dyno_config_check_layers (DynoConfig *config, gint64 n_layers);
void dyno_config_check_stages (DynoConfig *config, const char *widths_name, GArray *widths, GArray *depths);
void dyno_config_check_heads (DynoConfig *config, gint64 width, gint64 n_heads);
void dyno_config_check_activation (DynoConfig *config, const char *activation);

G_END_DECLS
