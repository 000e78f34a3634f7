/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Returns how many seconds the phases of all invocations took of each case that was measured whole on this
 * machine in one of the latest runs, by the JSON of the case. It maps utf8 to double. The caller owns it. */
GHashTable *dyno_store_durations_read (sqlite3 *db, const char *machine, GError **error);

G_END_DECLS
