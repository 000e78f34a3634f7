/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ov-library.h"

G_BEGIN_DECLS

gboolean
dyno_ov_error_check (DynoOvLibrary *library, const char *model_path, OvStatus status, GError **error);
gboolean
dyno_ov_error_check_read (DynoOvLibrary *library, const char *model_path, OvStatus status, GError **error);

G_END_DECLS
