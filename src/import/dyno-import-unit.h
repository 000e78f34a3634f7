/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-unit.h"

G_BEGIN_DECLS

gboolean dyno_import_unit_convert (const char *unit, DynoUnit *own);

G_END_DECLS
