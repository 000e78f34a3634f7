/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

double dyno_cycle_clock_measure (void);

G_END_DECLS
