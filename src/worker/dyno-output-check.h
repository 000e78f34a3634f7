/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"
#include "dyno-session.h"

G_BEGIN_DECLS

gboolean dyno_output_check (DynoSession *session, GPtrArray *declared, DynoBinding *binding, GError **error);

G_END_DECLS
