/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model-description.h"
#include "dyno-model.h"

G_BEGIN_DECLS

/* The largest number in the fourth column of an input `noise_levels`: see dyno-schedule.h. */
#define DYNO_INPUTS_LAST_KIND 4

GPtrArray *dyno_inputs_create (const DynoModelDescription *description,
                               DynoBinding *binding,
                               gboolean is_first,
                               guint64 seed,
                               GError **error);

G_END_DECLS
