/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ov-api.h"

G_BEGIN_DECLS

gboolean dyno_ov_error_check (const OvApi *api, const char *model_path, OvStatus status, GError **error);
gboolean dyno_ov_error_check_read (
    const OvApi *api, const char *version, const char *model_path, OvStatus status, GError **error);

G_END_DECLS
