/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

GPtrArray *dyno_machine_lint_snapshot (JsonObject *snapshot, double busy_processors);

G_END_DECLS
