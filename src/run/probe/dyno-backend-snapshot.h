/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

JsonNode *dyno_backend_snapshot (const char *const *specs, GCancellable *cancellable);

G_END_DECLS
