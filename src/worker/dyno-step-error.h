/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"

G_BEGIN_DECLS

void dyno_step_error_add_remedy (GError *error, DynoModel *model, DynoBinding *sizes, const char *values);

G_END_DECLS
