/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-statement.h"

G_BEGIN_DECLS

char *dyno_store_twin_find (sqlite3 *db, const char *id, GError **error);

G_END_DECLS
