/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

double dyno_machine_busy_measure (void);
double dyno_machine_busy_between (const char *before, const char *after);

G_END_DECLS
