/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-unit.h"

G_BEGIN_DECLS

/* Returns whether @unit is known. @own: the factor, and the unit of the product. */
gboolean dyno_import_unit_convert (const char *unit, DynoUnit *own);

G_END_DECLS
