/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

double dyno_stats_normal_probability (double z);
double dyno_stats_normal_quantile (double probability);
double dyno_stats_beta_probability (double x, double a, double b);
double dyno_stats_student_probability (double t, double freedom);
double dyno_stats_student_quantile (double probability, double freedom);

G_END_DECLS
