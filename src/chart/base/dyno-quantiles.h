/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Few percentiles of many values, without sorting them: a million take some milliseconds. */

void dyno_quantiles_find (
    const double *values, guint n, const double *percents, guint n_percents, double *quantiles);

G_END_DECLS
