/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-workload.h"

G_BEGIN_DECLS

#define DYNO_TYPE_SERVED_WORKLOAD (dyno_served_workload_get_type ())

/**
 * DynoServedWorkload:
 *
 * One request to a server after another, each with a prompt of its own.
 */
G_DECLARE_FINAL_TYPE (DynoServedWorkload, dyno_served_workload, DYNO, SERVED_WORKLOAD, DynoWorkload)

/* Returns the workload. @kase: the case to measure, with a model on a server. */
DynoWorkload *dyno_served_workload_new (DynoCase *kase);

G_END_DECLS
