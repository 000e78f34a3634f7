/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

JsonObject *dyno_worker_question_ask (
    const char *const *arguments, const char *variable, const char *value, guint seconds, GError **error);

G_END_DECLS
