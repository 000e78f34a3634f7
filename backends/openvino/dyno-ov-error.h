/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ov-api.h"

G_BEGIN_DECLS

/* Turns a status and the message that goes with it into a sentence that names the model. Returns whether
 * the call succeeded. @error: return location for an error. */
gboolean dyno_ov_error_check (const OvApi *api, const char *model_path, OvStatus status, GError **error);
/* Like dyno_ov_error_check(), for the call that reads a model: what fails there is the file's fault, or
 * that of an operator in it, which the sentence names. Returns whether the call succeeded. @error: return
 * location for an error. */
gboolean dyno_ov_error_check_read (
    const OvApi *api, const char *version, const char *model_path, OvStatus status, GError **error);

G_END_DECLS
