/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Returns the seconds that the phases of all invocations took together, for each case that was measured
 * completely on this machine in one of the latest runs. It maps the JSON of the case, utf8, to double. The
 * caller owns it. */
GHashTable *dyno_store_durations_read (sqlite3 *db, const char *machine, GError **error);

G_END_DECLS
