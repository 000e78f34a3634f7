/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Adjusts p-values by the step-up procedure of Benjamini and Hochberg (“Controlling the False Discovery
 * Rate”, 1995): of all that are at most 0.05 no more than 5 % are false on average, however many tests were
 * made. @adjusted: gets the adjusted values, in the same order; NaN stays and is not counted. */
void dyno_stats_control_false_discovery (const double *p, gsize n, double *adjusted);

G_END_DECLS
