/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Returns the outcomes of the cases that were measured on this machine, the latest last; possibly none.
 * Elements are DynoOutcome. The caller owns it. */
GPtrArray *dyno_store_outcomes_read (sqlite3 *db, const char *machine, GError **error);

G_END_DECLS
