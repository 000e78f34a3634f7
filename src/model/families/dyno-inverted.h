/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/* Networks of inverted residuals by their names in timm. */

/* Returns the usual side of a picture, 0 if the network is unknown. */
gint64 dyno_inverted_get_side (const char *name);
/* Adds the network. @graph: an empty graph. */
void dyno_inverted_build (DynoGraph *graph, DynoConfig *config, const char *name, const gint64 *sides);

G_END_DECLS
