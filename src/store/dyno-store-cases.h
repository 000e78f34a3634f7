/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-measured-case.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Returns the cases that the stored runs measured on each machine, the latest first; possibly none.
 * Elements are DynoMeasuredCase. The caller owns it. */
GPtrArray *dyno_store_cases_read (sqlite3 *db, GError **error);

G_END_DECLS
