/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"

G_BEGIN_DECLS

char **dyno_precision_trial_run (DynoBackend *backend, const char *device);
char **
dyno_precision_trial_run_attention (DynoBackend *backend, const char *device, const char *const *precisions);

G_END_DECLS
