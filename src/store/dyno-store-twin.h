/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Returns the id of the newest other run with the same cases; NULL without an error if there is none. The
 * caller owns it. */
char *dyno_store_twin_find (sqlite3 *db, const char *id, GError **error);

G_END_DECLS
