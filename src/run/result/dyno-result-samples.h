/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"
#include "dyno-sample.h"

G_BEGIN_DECLS

double dyno_result_get_percentile (const char *name);

DynoSample dyno_result_get_steady (DynoResult *self, guint invocation);
double dyno_result_get_process_percentile (DynoResult *self, guint invocation, double percent);
DynoSample dyno_result_get_measured (DynoResult *self, guint invocation);
GArray *dyno_result_list_steady (DynoResult *self);

G_END_DECLS
