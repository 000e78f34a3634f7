/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Judges a snapshot; unknown facts give no finding. Returns the findings. Elements are DynoDiagnostic. The
 * caller owns it. @busy_processors: how many processors are at work for others, NaN if unknown. */
GPtrArray *dyno_machine_lint_snapshot (JsonObject *snapshot, double busy_processors);

G_END_DECLS
