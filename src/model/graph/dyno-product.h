/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph.h"

G_BEGIN_DECLS

const char *
dyno_product_add (DynoGraph *graph, const char *value, const char *weight, gboolean is_transposed);

G_END_DECLS
