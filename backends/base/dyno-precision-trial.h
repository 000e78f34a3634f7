/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"

G_BEGIN_DECLS

char **dyno_precision_trial_run (DynoBackend *backend, const char *device);

G_END_DECLS
