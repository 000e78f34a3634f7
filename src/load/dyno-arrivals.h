/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Draws the arrivals of a Poisson process: the gaps are exponential. They are then stretched so that the
 * last arrival is exactly @n / @rate after the beginning, because the rate of so few arrivals is itself
 * off by 1/√n. Returns the time of each arrival, in ns after the beginning, ascending. The caller owns it.
 * @n: the number of arrivals, at least one. @rate: arrivals per second, above zero. */
gint64 *dyno_arrivals_draw (gsize n, double rate, guint64 seed);

G_END_DECLS
