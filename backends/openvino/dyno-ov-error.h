/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ov-api.h"

G_BEGIN_DECLS

/* Turns a status and its message into a sentence that names the model. Returns whether the call succeeded. */
gboolean dyno_ov_error_check (const OvApi *api, const char *model_path, OvStatus status, GError **error);
/* Like dyno_ov_error_check(), for the call that reads a model: a failure is due to the file, or to an
 * operator in it, which the sentence names. Returns whether the call succeeded. */
gboolean dyno_ov_error_check_read (
    const OvApi *api, const char *version, const char *model_path, OvStatus status, GError **error);

G_END_DECLS
