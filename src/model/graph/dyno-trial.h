/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-tensor.h"

G_BEGIN_DECLS

const char *const *dyno_trial_list (void);
char *dyno_trial_write (const char *precision, const char *folder, GError **error);
char *dyno_trial_write_attention (const char *precision, const char *folder, GError **error);
GPtrArray *dyno_trial_create_inputs (const char *precision);
gboolean dyno_trial_check_outputs (GPtrArray *outputs, GError **error);

G_END_DECLS
