/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

JsonObject *dyno_work_count (const char *spec,
                             guint batch_size,
                             guint sequence_length,
                             const char *dimensions,
                             const char *inputs,
                             GError **error);

G_END_DECLS
