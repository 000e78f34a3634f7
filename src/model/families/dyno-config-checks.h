/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"

G_BEGIN_DECLS

/* Checks of configs that several architectures share. The config fails if it is invalid. */

/* More layers than any model has, and few enough for a graph to take little memory. */
#define DYNO_CONFIG_MAX_LAYERS 1000

void dyno_config_check_layers (DynoConfig *config, gint64 n_layers);
void dyno_config_check_stages (DynoConfig *config, const char *widths_name, GArray *widths, GArray *depths);
void dyno_config_check_heads (DynoConfig *config, gint64 width, gint64 n_heads);
void dyno_config_check_activation (DynoConfig *config, const char *activation);

G_END_DECLS
