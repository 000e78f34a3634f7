/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Asks a question in a separate process, because the answer would do harm in this one, such as opening a second
 * library of an engine. Blocks; any thread may call this. Returns the object that the process printed; NULL on error.
 * The caller owns it. @arguments: the question for `dyno-worker`. @variable may be NULL. @value may be NULL. @error:
 * return location for an error: DYNO_ERROR_NO_RUNTIME if the process crashed or gave no answer. */
JsonObject *dyno_worker_question_ask (
    const char *const *arguments, const char *variable, const char *value, guint seconds, GError **error);

G_END_DECLS
