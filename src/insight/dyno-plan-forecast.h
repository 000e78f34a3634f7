/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

char *dyno_plan_forecast_dup (
    GPtrArray *cases, const char *machine, GPtrArray *ceilings, gint64 available, GCancellable *cancellable);

G_END_DECLS
